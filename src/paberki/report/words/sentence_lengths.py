"""Mean length of sentences, part by part (P2 §5, Fig. 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.markup.plots import box_plots
from paberki.report.section import Figure, Section
from paberki.report.words.token_parts import box_of, parts_of, summary
from paberki.report.words.word_source import WordSource

_TITLE: Final = "Length of sentences"
NO_SENTENCES: Final = (
    "There are no sentences. For a corpus: paberki index DIR; a vertical file has them between <s> and </s>."
)


def mean_lengths(source: WordSource) -> NDArray[np.float64]:
    """Tokens per sentence in each part; parts in which no sentence begins are left out."""
    starts = source.sentence_starts
    if starts is None or not len(starts) or not source.tokens:
        return np.zeros(0)
    parts = parts_of(source.tokens)
    numbers = parts.number_of(starts)
    counts = np.bincount(numbers[numbers >= 0], minlength=parts.count)
    return parts.size / counts[counts > 0]


def sentence_lengths(sources: Sequence[WordSource]) -> Section:
    """Box plots of all corpora over their parts."""
    rows: list[dict[str, Any]] = []
    boxes, notes = [], []
    for source in sources:
        starts, lengths = source.sentence_starts, mean_lengths(source)
        if starts is None or not len(lengths):
            notes.append(f"{source.name}: {NO_SENTENCES}")
            continue
        numbers = summary(lengths)
        overall = {"sentences": len(starts), "tokens_per_sentence": source.tokens / len(starts)}
        rows.append({"corpus": source.name, **overall, **numbers})
        boxes.append(box_of(source.name, lengths))
        notes.append(f"{source.name}: {parts_of(source.tokens).about}.")
    if not rows:
        return Section("sentence_length", _TITLE, missing=NO_SENTENCES)
    about = "Mean number of tokens per sentence in the parts of each corpus: quartiles, median, whiskers and outliers."
    svg = box_plots("sentence_length", "Length of sentences (P2 Fig. 2)", about, boxes, axis="tokens per sentence")
    values = {"mean": rows[0]["mean"], "sd": rows[0]["sd"], "sentences": rows[0]["sentences"]}
    caption = "Tokens per sentence, one value for each part of the corpus (P2 Fig. 2)."
    return Section("sentence_length", _TITLE, caption, values, rows, [Figure("sentence_length", svg)], notes)
