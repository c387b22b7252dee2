"""Two identifiers of close languages on the same pages: how often each says the other language, and how often they agree
(P3 §5, Table 2) [39, 40, 85].

LM1 and BL are both run here, on a seeded sample, with the model that the corpus learnt. Where there is no such model, columns
that name a language are compared.
"""

from __future__ import annotations

from collections import Counter as Tally
from itertools import combinations
from typing import Any, Final

import numpy as np
import pyarrow as pa

from paberki.model import load_model, pins
from paberki.report.page_counts import Counter, share
from paberki.report.section import Section
from paberki.store.reading import TEXT, read_chunks

SAMPLE: Final = 10_000
_COLUMNS: Final = ("lang", "close_lang", "site_lang", "declared_language")
_TITLE: Final = "Identifiers of languages"


def identifiers_section(counter: Counter) -> Section:
    """Agreement and confusion of two identifiers."""
    pairs = _lm1_and_bl(counter) or _columns(counter)
    if not pairs:
        missing = (
            "Only one identifier is in the recipe. LM1 and BL come with the preset hbs2014; "
            'add = ["identify.close.v1"] decides between close languages.'
        )
        return Section("identifiers", _TITLE, missing=missing)
    rows, confusion = [], []
    for (one, other), counts in pairs.items():
        total = counts.total()
        same = sum(count for (first, second), count in counts.items() if first == second)
        chance = _kappa(counts)
        rows.append({"a": one, "b": other, "pages": total, "agreement": share(same, total), "kappa": chance})
        confusion += [
            {"a": one, "b": other, "a_lang": first, "b_lang": second, "pages": count}
            for (first, second), count in counts.most_common(100)
        ]
    caption = "How far two identifiers agree on the kept pages (P3 Table 2: LM1 and BL agree on 73.15 % of .hr, 80.53 % of .rs)."
    values = {"agreement": rows[0]["agreement"], "kappa": rows[0]["kappa"]}
    return Section("identifiers", _TITLE, caption, values, rows, tables={"Confusion": confusion})


def _kappa(counts: Tally[tuple[str, str]]) -> float | None:
    total = counts.total()
    agreement = sum(count for (one, other), count in counts.items() if one == other) / total
    firsts, seconds = Tally[str](), Tally[str]()
    for (one, other), count in counts.items():
        firsts[one] += count
        seconds[other] += count
    chance = sum(firsts[name] * seconds[name] for name in firsts) / total**2
    return None if chance >= 1 else (agreement - chance) / (1 - chance)


def _columns(counter: Counter) -> dict[tuple[str, str], Tally[tuple[str, str]]]:
    """Pairs of columns that name a language, on pages where both do."""
    pairs: dict[tuple[str, str], Tally[tuple[str, str]]] = {}
    for one, other in combinations([name for name in _COLUMNS if counter.has(name)], 2):
        left, right = (f"lower(split_part({name}, '-', 1))" for name in (one, other))
        pair_counts = counter.rows(
            f"""SELECT {left} AS a, {right} AS b, count(*) FROM pages
                WHERE keep AND {one} IS NOT NULL AND {other} IS NOT NULL AND {other} != '' GROUP BY a, b"""
        )
        counts = Tally({(str(a), str(b)): int(count) for a, b, count in pair_counts})
        if counts:
            pairs[one, other] = counts
    return pairs


def _lm1_and_bl(counter: Counter) -> dict[tuple[str, str], Tally[tuple[str, str]]]:
    """Both classifiers in one run, with the word models of this crawl."""
    from paberki.identification.methods.lm1 import words_in
    from paberki.identification.stages.sibling_stages import lm1_of
    from paberki.lexicon import buffers

    directory = counter.table.directory
    pin = pins(directory.models).get("siblings.words")
    if pin is None or not (directory.models / pin.file).exists():
        return {}
    lm1 = lm1_of(load_model(directory.models / pin.file))
    if len(lm1.languages) < 2:
        return {}
    limit = _key_limit(counter)
    counts: Tally[tuple[str, str]] = Tally()
    for chunk in read_chunks(counter.table, ["key", TEXT]):
        rows: list[dict[str, Any]] = [row for row in chunk.to_pylist() if row["key"][:4] <= limit and row[TEXT]]
        if rows:
            word_hashes, edges = words_in(*buffers(pa.array([row[TEXT] for row in rows], pa.string())))
            answers = [np.argmax(lm1.score(word_hashes, edges, blacklist=black), axis=1) for black in (False, True)]
            counts.update((lm1.languages[a], lm1.languages[b]) for a, b in zip(*answers, strict=True))
    return {("LM1", "BL"): counts} if counts else {}


def _key_limit(counter: Counter) -> str:
    """Keys are hashes: those up to this prefix are a random sample of about the wanted size."""
    [(pages,)] = counter.rows("SELECT count(*) FROM pages WHERE keep")
    return f"{min(0xFFFF, 0xFFFF * SAMPLE // max(1, int(pages))):04x}"
