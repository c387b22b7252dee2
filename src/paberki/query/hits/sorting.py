"""Hits in the order of what stands in them or beside them, by the alphabet of the language.

Ranks of values in that alphabet are stored with the index. Those of some tokens are packed into one number, and all hits
are sorted at once by these numbers. Hits that are equal in all keys stay in corpus order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.counting.collation import ranks_of
from paberki.query.counting.radix import sort_numbers
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import AttributeValues, values_of

if TYPE_CHECKING:
    from paberki.query.matching import HitTable

__all__ = ["DEPTH", "sorted_order"]

DEPTH: Final = 5
"""Tokens that are compared."""
_BITS: Final = 64
_SIDES: Final = ("left", "right", "node")
_PLACES: Final = ("1", "2", "3", "4", "5")
"""``right-2`` begins with the second token behind the hit."""


_Numbers = NDArray[np.int64]
_Keys = NDArray[np.uint64]
_Rows = slice | NDArray[np.uint32]
"""Which hits: all, or some of them by number."""


class _Column(NamedTuple):
    """Makes one number for each of some hits; how many bits a number has."""

    numbers: Callable[[_Rows], _Keys]
    bits: int


def sorted_order(scope: TokenScope, hits: HitTable, keys: str) -> NDArray[np.int64]:
    """Numbers of hits in the order of keys such as ``right,-doc.year,A.lemma``; a minus turns the order of a key."""
    names = [name.strip() for name in keys.split(",") if name.strip()]
    if not names:
        raise QueryError("sort by what? for example: left, right, node, lemma, doc.year")
    columns = [column for name in names for column in _columns(scope, hits, name)]
    return _order(columns, len(hits.starts)).astype(np.int64)


def _order(columns: list[_Column], size: int) -> NDArray[np.uint32]:
    """The order by several columns, the first of which counts most: later ones are looked at only where hits are equal."""
    first, *others = list(_packs(columns)) or [[]]
    if not first:
        return np.arange(size, dtype=np.uint32)
    key = _key(first, slice(None))
    order = sort_numbers(key)
    key = key[order]
    begins = _begins(key)
    equal = open_places = _ties(begins)
    for together in others:
        if not len(open_places):
            break
        rows, group = order[open_places], np.cumsum(begins, dtype=np.uint64)[equal]
        key = _key(together, rows)
        by_key = sort_numbers(key)
        by_key = by_key[sort_numbers(group[by_key])]
        order[open_places] = rows[by_key]
        begins = _begins(key[by_key]) | _begins(group)
        equal = _ties(begins)
        open_places = open_places[equal]
    return order


def _begins(sorted_keys: _Keys) -> NDArray[np.bool_]:
    """Whether each of some numbers differs from the one before it."""
    return np.append(True, sorted_keys[1:] != sorted_keys[:-1])[: len(sorted_keys)]


def _ties(begins: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Places in runs of more than one number."""
    return np.flatnonzero(~(begins & np.append(begins[1:], True)[: len(begins)]))


def _key(columns: list[_Column], rows: _Rows) -> _Keys:
    """Several columns of some hits in one number."""
    key = columns[0].numbers(rows)
    for column in columns[1:]:
        key = (key << np.uint64(column.bits)) | column.numbers(rows)
    return np.ascontiguousarray(key)


def _packs(columns: list[_Column]) -> Iterator[list[_Column]]:
    """As many columns together as fit into 64 bits."""
    together: list[_Column] = []
    for column in columns:
        if sum(one.bits for one in together) + column.bits > _BITS:
            yield together
            together = []
        together.append(column)
    if together:
        yield together


def _columns(scope: TokenScope, hits: HitTable, name: str) -> Iterator[_Column]:
    is_descending, name = name.startswith("-"), name.lstrip("-+")
    for column in _plain_columns(scope, hits, name):
        yield _reverse(column) if is_descending else column


def _reverse(column: _Column) -> _Column:
    return _Column(lambda rows: np.uint64((1 << column.bits) - 1) - column.numbers(rows), column.bits)


def _plain_columns(scope: TokenScope, hits: HitTable, name: str) -> Iterator[_Column]:
    index, (before, dot, attribute) = scope.places.index, name.rpartition(".")
    side, dash, place = name.partition("-")
    if name in _SIDES or (side in _SIDES[:2] and dash and place in _PLACES):
        own = "word" if "word" in index.attributes else index.default
        return _side(scope, hits, side, own, int(place or 1) - 1)
    if not dot:
        return _tokens(scope, hits.starts, hits.ends, _attribute(index, name))
    if before in _SIDES:
        return _side(scope, hits, before, index.resolve(attribute))
    if not len(hits.starts):
        return iter(())  # without hits there are no labels
    if before in hits.labels:
        starts = hits.labels[before]
        ends = hits.label_ends.get(before, starts + 1)
        return _tokens(scope, starts, np.where(starts < 0, starts, ends), index.resolve(attribute))
    if scope.places.structure is not None and before in ("doc", scope.places.structure):
        return iter([_page_column(scope, hits, attribute)])
    raise QueryError(f"cannot sort by {name!r}: the query has no label {before!r}{nearest(before, hits.labels)}")


def _attribute(index: Any, name: str) -> str:
    if name not in index.attributes and name not in index.aliases:
        choices = (*_SIDES, *index.attributes, *index.aliases, "doc.COLUMN")
        raise QueryError(f"cannot sort by {name!r}{nearest(name, choices)}; there are: {', '.join(choices)}")
    return str(index.resolve(name))


def _side(scope: TokenScope, hits: HitTable, side: str, attribute: str, gap: int = 0) -> Iterator[_Column]:
    if side == "node":
        return _tokens(scope, hits.starts, hits.ends, attribute)
    pages, edges = scope.places.locate(hits.starts), scope.places.edges
    if side == "right":
        return _tokens(scope, hits.ends + gap, edges[1:][pages], attribute)
    return _tokens(scope, hits.starts - 1 - gap, edges[pages] - 1, attribute, step=-1)


def _tokens(
    scope: TokenScope, first: NDArray[np.int64], end: NDArray[np.int64], attribute: str, step: int = 1
) -> Iterator[_Column]:
    """Ranks of some tokens from the first on, 0 from the end on."""
    values = values_of(scope.places.index, attribute)
    bits = max(int(values.size).bit_length(), 1)
    longest = int(((end - first) * step).max(initial=0))
    for offset in range(min(DEPTH, longest)):
        yield _Column(partial(_ranks, values, (first, end), step, offset), bits)


def _ranks(values: AttributeValues, ranges: tuple[_Numbers, _Numbers], step: int, offset: int, rows: _Rows) -> _Keys:
    first, end = ranges
    return values.ranks_from(first[rows], end[rows], step, offset)


def _page_column(scope: TokenScope, hits: HitTable, name: str) -> _Column:
    """An attribute of pages: as numbers where all values are numbers, else by the alphabet; pages without it come first."""
    places = scope.places
    attributes = places.index.structures[places.structure or ""]
    if name not in attributes:
        raise QueryError(f"pages have no attribute {name!r}{nearest(name, attributes)}")
    column, strings = places.attribute(name)
    ranks = np.append(_value_ranks(strings, places.index.lang) + 1, 0)
    page_ranks = ranks[column[places.locate(hits.starts)]]
    return _Column(lambda rows: page_ranks[rows].astype(np.uint64), max(len(ranks).bit_length(), 1))


def _value_ranks(strings: list[str | None], lang: str | None) -> NDArray[np.int64]:
    try:
        numbers = np.array([float(text) if text else -np.inf for text in strings])
    except ValueError:
        import pyarrow as pa

        texts = pa.array([text or "" for text in strings], pa.large_string())
        return ranks_of(texts, lang).astype(np.int64)
    return np.unique(numbers, return_inverse=True)[1].astype(np.int64)
