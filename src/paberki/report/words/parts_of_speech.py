"""Proportions of parts of speech, one corpus beside another (P2 §5, Fig. 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from paberki.markup.plots import grouped_bars
from paberki.report.section import Figure, Section
from paberki.report.words.token_parts import counts_by_part, parts_of, summary
from paberki.report.words.word_source import WordSource

_TITLE: Final = "Parts of speech"
NO_TAGS: Final = (
    "Tokens have no parts of speech. For a corpus: add = ['annotate.v1'] to its recipe and build it; for a vertical file: "
    "give its columns with --columns word,lemma,tag."
)


def shares_of(source: WordSource) -> list[dict[str, Any]]:
    """The share of each part of speech in all tokens, with mean and standard deviation over parts."""
    if source.pos is None or not source.tokens:
        return []
    attribute, classes = source.pos
    names = sorted(set(classes))
    numbers = np.array([names.index(one) for one in classes] or [0], np.int64)
    counts = np.bincount(numbers, weights=source.counts(attribute), minlength=len(names)).astype(np.int64)
    table = counts_by_part(source, attribute, numbers, len(names))
    by_part = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    rows: list[dict[str, Any]] = []
    for at in np.argsort(-counts, kind="stable").tolist():
        if counts[at]:
            over = summary(by_part[:, at])
            rows.append(
                {"upos": names[at], "share": int(counts[at]) / source.tokens, "tokens": int(counts[at])}
                | {"mean": over["mean"], "sd": over["sd"]}
            )
    return rows


def parts_of_speech(sources: Sequence[WordSource]) -> Section:
    """Shares of all corpora in one table and one figure."""
    shares = {source.name: shares_of(source) for source in sources}
    tagged_sources = [source for source in sources if shares[source.name]]
    if not tagged_sources:
        return Section("pos", _TITLE, missing=NO_TAGS)
    labels = list(dict.fromkeys(row["upos"] for source in tagged_sources for row in shares[source.name]))
    by_label = {name: {row["upos"]: 100 * row["share"] for row in rows} for name, rows in shares.items()}
    series = [(one.name, [by_label[one.name].get(label, 0.0) for label in labels]) for one in tagged_sources]
    about = "Share of each part of speech in all tokens, in per cent; the table has the numbers."
    svg = grouped_bars("pos", "Parts of speech (P2 Fig. 1)", about, labels, series, axis="% of tokens")
    rows = [{"corpus": source.name, **row} for source in tagged_sources for row in shares[source.name]]
    if len(sources) == 1:
        rows = [{name: value for name, value in row.items() if name != "corpus"} for row in rows]
    notes = [f"{one.name}: mean and standard deviation over {parts_of(one.tokens).about}." for one in tagged_sources]
    notes += [f"{one.name}: {NO_TAGS}" for one in sources if one not in tagged_sources]
    return Section("pos", _TITLE, "Share of each part of speech (P2 Fig. 1).", {}, rows, [Figure("pos", svg)], notes)
