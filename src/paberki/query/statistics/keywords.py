"""Keywords: what is typical of one corpus, or of a part of it, compared with another.

Measures, with a and b the occurrences per million in the first and in the second corpus:

* ``simplemaths``: (a + n) ÷ (b + n), n = 1 (Kilgarriff 2009); a larger n prefers frequent words
* ``logratio``: log2 of a ÷ b, with half an occurrence where b has none (Hardie 2014)
* ``ll``: log-likelihood ratio (Rayson & Garside 2000); negative where b has more
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.counting.list_table import ListOptions, arrow_numbers, table_of
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import AttributeValues, values_of
from paberki.query.statistics.wordlist import counts_in, spread_in

__all__ = ["KEYNESS", "keyness", "keywords"]

KEYNESS: Final = ("simplemaths", "logratio", "ll")
LIMIT: Final = 1000


def keywords(
    scope: TokenScope,
    reference: TokenScope,
    attribute: str = "lemma",
    *,
    by: str = "simplemaths",
    n: float = 1.0,
    limit: int | None = LIMIT,
    options: ListOptions | None = None,
) -> Any:
    """The most typical values, the most typical first."""
    values = values_of(scope.places.index, attribute)
    counts = counts_in(scope, values)
    rows = (options or ListOptions()).rows(lambda: values.strings, counts)
    others = counts if reference is scope else _reference_counts(values, scope, reference, attribute)
    others = others[rows]
    scores = keyness(by, counts[rows], others, scope.tokens, reference.tokens, n)
    best = np.arange(len(rows)) if limit is None or len(rows) <= limit else np.argpartition(-scores, limit)[:limit]
    rows, others, scores = rows[best], others[best], scores[best]
    columns = spread_in(scope, values, rows).columns(scope.tokens)
    columns["reference_hits"] = others
    columns["reference_per_million"] = others * 1e6 / max(reference.tokens, 1)
    return table_of({attribute: values.strings.take(arrow_numbers(rows))}, {**columns, by: scores}, by=(by, "hits"))


def _reference_counts(
    values: AttributeValues, scope: TokenScope, reference: TokenScope, attribute: str
) -> NDArray[np.int64]:
    """How often each value occurs in the other corpus; in the rest of the same one without counting again."""
    other = values_of(reference.places.index, attribute)
    if other is values and _are_complementary(scope, reference):
        return values.counts - counts_in(scope, values)
    counts = counts_in(reference, other)
    return counts if other is values else np.append(counts, 0)[_numbers_in(values, other)]


def _are_complementary(one: TokenScope, other: TokenScope) -> bool:
    """Whether two parts have no token in common, and all tokens together."""
    if one.tokens + other.tokens != one.places.index.tokens:
        return False
    return bool(np.all(one.runs_of(other.starts) < 0) and np.all(other.runs_of(one.starts) < 0))


def _numbers_in(values: AttributeValues, other: AttributeValues) -> NDArray[np.int64]:
    """The number that each value has in another corpus, −1 for none; found out once."""
    import pyarrow.compute as pc

    memory: dict[Any, NDArray[np.int64]] = values.__dict__.setdefault("_numbers_in", {})
    key = tuple(segment.digest for segment in other.index.segments)
    if key not in memory:
        numbers = pc.index_in(values.strings, other.strings).fill_null(-1)
        memory[key] = numbers.to_numpy(zero_copy_only=False).astype(np.int64)
    return memory[key]


def keyness(
    by: str, first: NDArray[Any], second: NDArray[Any], first_tokens: int, second_tokens: int, n: float = 1.0
) -> NDArray[np.float64]:
    """A measure of how typical each value is of the first corpus."""
    if by not in KEYNESS:
        raise QueryError(f"no measure {by!r}{nearest(by, KEYNESS)}; there are: {', '.join(KEYNESS)}")
    rates = first * 1e6 / max(first_tokens, 1), second * 1e6 / max(second_tokens, 1)
    if by == "simplemaths":
        return np.asarray((rates[0] + n) / (rates[1] + n), np.float64)
    if by == "logratio":
        least = 0.5e6 / max(second_tokens, 1)
        return np.asarray(np.log2(np.maximum(rates[0], 1e-12) / np.maximum(rates[1], least)), np.float64)
    share = (first + second) / max(first_tokens + second_tokens, 1)
    parts = [
        count * np.log(np.maximum(count, 1e-300) / np.maximum(share * tokens, 1e-300))
        for count, tokens in ((first, first_tokens), (second, second_tokens))
    ]
    return np.asarray(np.where(rates[0] >= rates[1], 2.0, -2.0) * (parts[0] + parts[1]), np.float64)
