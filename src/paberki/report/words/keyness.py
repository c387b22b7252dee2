"""Keywords: what is typical of each corpus against the others (P2 §5 compares by frequencies of words as well).

* ``simple_maths``: (a + 1) ÷ (b + 1), occurrences per million (Kilgarriff 2009)
* ``log_likelihood``: of Rayson & Garside (2000), G² of the two-by-two table; negative where the other corpus has more
* ``diff``: %DIFF of Gabrielatos & Marchi (2011), (a − b) · 100 ÷ b, relative frequencies; None where b has none
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from paberki.report.section import Section
from paberki.report.words.joint_words import joint_counts
from paberki.report.words.word_source import WordSource

LISTED: Final = 100
_LEAST: Final = 3


def log_likelihood(a: NDArray[Any], b: NDArray[Any], size: float, other: float) -> NDArray[np.float64]:
    """G² with the sign of the difference."""
    a, b = a.astype(np.float64), b.astype(np.float64)
    expected_counts = (a + b) / max(size + other, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(a > 0, a * np.log(a / (expected_counts * size)), 0)
        second = np.where(b > 0, b * np.log(b / (expected_counts * other)), 0)
    sign = np.where(a * other >= b * size, 1.0, -1.0)
    return np.asarray(sign * 2 * (first + second))


def keywords(sources: Sequence[WordSource], *, limit: int = LISTED) -> Section:
    """The words most typical of each corpus, against all others together, by log-likelihood."""
    if len(sources) < 2:
        missing = "Keywords need a second corpus. Type: paberki compare A B --out FOLDER"
        return Section("keywords", "Keywords", missing=missing)
    words, counts = joint_counts(sources)
    rows: list[dict[str, Any]] = []
    for number, source in enumerate(sources):
        own = counts[number]
        others = counts.sum(axis=0) - own
        rows += _rows(source.name, words, own, others, limit)
    caption = (
        "Words typical of one corpus against the others, by log-likelihood; diff is the difference in per cent of the "
        f"relative frequency in the others. Words with fewer than {_LEAST} occurrences are not listed."
    )
    heads = {
        name: name.replace("_", " ")
        for name in ("corpus", "word", "occurrences", "elsewhere", "log_likelihood", "simple_maths", "diff")
    }
    return Section("keywords", "Keywords", caption, {}, rows, heads=heads)


def _rows(name: str, words: Any, own: Any, others: Any, limit: int) -> list[dict[str, Any]]:
    size, other = int(own.sum()), int(others.sum())
    g2 = log_likelihood(own, others, size, other)
    g2[own < _LEAST] = -np.inf
    best = np.argsort(-g2, kind="stable")[:limit]
    best = best[g2[best] > 0]
    rows = []
    for word, at in zip(words.take(pa.array(best)).to_pylist(), best.tolist(), strict=True):
        a, b = own[at] / max(size, 1), others[at] / max(other, 1)
        row = {"corpus": name, "word": word, "occurrences": int(own[at]), "elsewhere": int(others[at])}
        row["log_likelihood"] = float(g2[at])
        row["simple_maths"] = float((a * 1e6 + 1) / (b * 1e6 + 1))
        row["diff"] = float((a - b) * 100 / b) if b else None
        row["query"] = concordance(word)
        rows.append(row)
    return rows


def concordance(word: str) -> str:
    """The query that shows a word in context, for ``paberki query`` and the search page."""
    escaped_word = "".join(f"\\{sign}" if sign in '\\"[]{}()*+?.^$|' else sign for sign in word)
    return f'[word="{escaped_word}"]'
