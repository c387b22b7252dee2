"""Frequency lists: what the hits are, by one attribute or by several.

``freq("lemma")`` gives the lemmas of all tokens of a hit with spaces between them, ``freq("word,tag")`` one column for
each attribute, ``freq("A.lemma,B.lemma")`` those of labelled tokens, ``freq("doc.year")`` an attribute of the page,
``freq("p.label")`` one of another structure around the first token of a hit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.counting.list_table import ListOptions, arrow_numbers, table_of
from paberki.query.counting.spread import number_rows, occurrences_of, renumber, spread_of
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import values_of

if TYPE_CHECKING:
    from paberki.query.matching import HitTable

__all__ = ["Field", "fields", "frequency"]

_LONGEST: Final = 64
"""Hits with more tokens are told apart by their first ones."""
_BITS: Final = 64
_AT_ONCE: Final = 1 << 16


class Field(NamedTuple):
    """One column of a list: an attribute of the hit, of a labelled token, of the page, or of another structure."""

    name: str
    label: str | None
    attribute: str
    is_page: bool = False
    structure: str | None = None


def fields(scope: TokenScope, hits: HitTable, names: str) -> list[Field]:
    """What ``A.lemma,doc.year`` asks for."""
    index, field_names = scope.places.index, [name.strip() for name in names.split(",") if name.strip()]
    if not field_names:
        raise QueryError("name at least one attribute, for example: lemma")
    return [_field(index, scope, hits, name) for name in field_names]


def _field(index: Any, scope: TokenScope, hits: HitTable, name: str) -> Field:
    label, dot, attribute = name.rpartition(".")
    if not dot:
        index.resolve(name)
        return Field(name, None, name)
    if label in hits.labels or (not len(hits.starts) and label not in ("doc", *index.structures)):
        index.resolve(attribute)
        return Field(name, label, attribute)
    if label == scope.places.structure or (label == "doc" and scope.places.structure):
        attributes = index.structures[scope.places.structure]
        if attribute not in attributes:
            raise QueryError(f"pages have no attribute {attribute!r}{nearest(attribute, attributes)}")
        return Field(name, None, attribute, is_page=True)
    if label in index.structures:
        if attribute not in index.structures[label]:
            raise QueryError(f"{label} has no attribute {attribute!r}{nearest(attribute, index.structures[label])}")
        return Field(name, None, attribute, structure=label)
    places = [*hits.labels, *([scope.places.structure] if scope.places.structure else [])]
    raise QueryError(f"{name!r}: the query has no label {label!r}{nearest(label, places)}")


def frequency(scope: TokenScope, hits: HitTable, names: str, options: ListOptions | None = None) -> Any:
    """One row for each combination of values, the most frequent first."""
    options = options or ListOptions()
    columns = fields(scope, hits, names)
    rows, firsts = _rows(scope, hits, columns)
    spread = spread_of(rows, len(firsts), occurrences_of(scope, hits.starts), scope)
    kept_rows = np.flatnonzero(spread.hits >= max(options.min, 1))
    sample = hits.take(firsts[kept_rows])
    values = {field.name: _strings(scope, sample, field) for field in columns}
    list_rows = options.rows(values[columns[0].name], spread.hits[kept_rows])
    spread = spread.take(kept_rows[list_rows])
    return table_of(
        {name: column.take(arrow_numbers(list_rows)) for name, column in values.items()}, spread.columns(scope.tokens)
    )


def _rows(scope: TokenScope, hits: HitTable, columns: list[Field]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The row of every hit, and the first hit of every row."""
    single = len(columns) == 1 and _only_numbers(scope, hits, columns[0])
    if single:
        numbers, size = single
        return renumber(numbers, size)
    keys, bits = np.zeros(len(hits.starts), np.uint64), 0
    for field in columns:
        for numbers, size in _numbers(scope, hits, field):
            width = max(int(size).bit_length(), 1)
            if bits + width > _BITS:
                dense, firsts = number_rows(keys)
                keys, bits = dense.astype(np.uint64), max(len(firsts).bit_length(), 1)
            keys, bits = (keys << np.uint64(width)) | numbers.astype(np.uint64), bits + width
    return number_rows(keys)


def _only_numbers(scope: TokenScope, hits: HitTable, field: Field) -> tuple[NDArray[np.uint32], int] | None:
    """Numbers of the values where every hit is one token."""
    if field.is_page or field.structure or field.label or not _are_tokens(hits):
        return None
    values = values_of(scope.places.index, field.attribute)
    return values.at(hits.starts), max(values.size, 1)


def _are_tokens(hits: HitTable) -> bool:
    """Whether every hit is one token; some hits at a time, which stay in the cache of the processor."""
    for low in range(0, len(hits.starts), _AT_ONCE):
        if np.any(hits.ends[low : low + _AT_ONCE] - hits.starts[low : low + _AT_ONCE] != 1):
            return False
    return True


def _numbers(scope: TokenScope, hits: HitTable, field: Field) -> Any:
    """For every token of the longest hit: a number for each hit, 0 where there is nothing, and the largest."""
    if field.is_page:
        column, strings = scope.places.attribute(field.attribute)
        yield (column[scope.places.locate(hits.starts)] + 1).astype(np.uint64), len(strings) + 1
        return
    if field.structure is not None:
        numbers, texts = _of_regions(scope, hits, field.structure, field.attribute)
        yield numbers.astype(np.uint64), len(texts)
        return
    values = values_of(scope.places.index, field.attribute)
    starts, ends = _span(hits, field)
    longest = int(min((ends - starts).max(initial=0), _LONGEST))
    for offset in range(longest):
        inside = np.flatnonzero(starts + offset < ends)
        numbers = np.zeros(len(starts), np.uint64)
        numbers[inside] = values.at(np.ascontiguousarray(starts[inside] + offset)).astype(np.uint64) + np.uint64(1)
        yield numbers, values.size + 1


def _of_regions(
    scope: TokenScope, hits: HitTable, structure: str, attribute: str
) -> tuple[NDArray[np.int64], list[str]]:
    """The value that the innermost region around each hit's first token has, empty outside of regions; and all values."""
    numbers, known_values = np.zeros(len(hits.starts), np.int64), {"": 0}
    for segment in scope.places.index.segments:
        mine = np.flatnonzero((hits.starts >= segment.base) & (hits.starts < segment.base + segment.tokens))
        regions = segment.structure(structure)
        around = regions.region_of(hits.starts[mine] - segment.base)
        mine, around = mine[around >= 0], around[around >= 0]
        column = regions.attribute(attribute)
        present, own = np.unique(np.asarray(column.ids)[around], return_inverse=True)
        values = column.values(present)
        table = np.array([known_values.setdefault(value, len(known_values)) for value in values], np.int64)
        numbers[mine] = table[own]
    return numbers, list(known_values)


def _span(hits: HitTable, field: Field) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First token and end of what a field is about; an empty span where the label is not set."""
    if field.label is None:
        return hits.starts, hits.ends
    starts = hits.labels.get(field.label, hits.starts)  # without hits there are no labels
    ends = hits.label_ends.get(field.label)
    ends = starts + 1 if ends is None else ends
    return np.where(starts < 0, 0, starts), np.where(starts < 0, 0, ends)


def _strings(scope: TokenScope, hits: HitTable, field: Field) -> Any:
    """The value of a field for every hit."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if field.is_page:
        column, strings = scope.places.attribute(field.attribute)
        numbers = column[scope.places.locate(hits.starts)]
        return pa.array([*strings], pa.string()).take(pa.array(numbers, mask=numbers < 0))
    if field.structure is not None:
        numbers, texts = _of_regions(scope, hits, field.structure, field.attribute)
        return pa.array(texts, pa.string()).take(arrow_numbers(numbers))
    values = values_of(scope.places.index, field.attribute)
    starts, ends = _span(hits, field)
    lengths = np.minimum(ends - starts, _LONGEST)
    positions = np.repeat(starts - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()))
    texts = values.strings.take(arrow_numbers(values.at(positions)))
    if len(lengths) and lengths.min() == lengths.max() == 1:
        return texts.cast(pa.string())
    lists = pa.LargeListArray.from_arrays(np.append(0, np.cumsum(lengths)), texts.cast(pa.string()))
    return pc.binary_join(lists, " ")
