"""Rows of a table as :func:`~paberki.export.standard_format.standard_page.standard_page` takes them.

Lists are taken out column by column for all pages at once: a dictionary for every link and every block of a page would cost
several times the writing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.annotation.document import EMPTY
from paberki.export.standard_format.standard_page import BLOCK_FIELDS, WORD_COLUMNS
from paberki.store.blocks import lengths_of

_PAIRS: Final = {"links": ("text", "target"), "inlinks": ("text", "source")}
_AS_THEY_ARE: Final = ("schemes", "other_annotations", "attributes", "block_attributes")
_NO_BLOCK: Final[dict[str, Any]] = {"text": "", "label": None, "kept": False, "start": 0, "end": 0}
Edges = npt.NDArray[np.int64]


def page_rows(chunk: pa.Table) -> Iterator[dict[str, Any]]:
    """Pages with their columns; of their blocks only those that can be part of the text."""
    arrays = {name: _whole(chunk.column(name)) for name in chunk.column_names}
    columns = {name: _column(name, array) for name, array in arrays.items() if name != "blocks"}
    blocks = _blocks(arrays["blocks"], arrays.get("block_keep"))
    names = list(columns)
    for at, row in enumerate(zip(*columns.values(), strict=True)):
        page = dict(zip(names, row, strict=True))
        page["blocks"] = blocks[at]
        yield page


def _whole(column: Any) -> pa.Array:
    if not isinstance(column, pa.ChunkedArray):
        return column
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)


def _column(name: str, array: pa.Array) -> list[Any]:
    """The values of a column, one for each page."""
    if not pa.types.is_list(array.type) or name in _AS_THEY_ARE:
        return list(array.to_pylist())
    flat = array.flatten()
    if name in _PAIRS:
        fields = [flat.field(part).to_pylist() for part in _PAIRS[name]]
        return _cut(list(zip(*fields, strict=True)), array)
    return _cut(_plain(flat, EMPTY if name in WORD_COLUMNS else None), array)


def _plain(flat: pa.Array, missing: str | None) -> list[Any]:
    if pa.types.is_dictionary(flat.type):
        words = [missing if word is None else word for word in [*flat.dictionary.to_pylist(), None]]
        return [words[code] for code in flat.indices.fill_null(-1).to_numpy(zero_copy_only=False).tolist()]
    if flat.null_count or not (pa.types.is_integer(flat.type) or pa.types.is_boolean(flat.type)):
        return list(flat.to_pylist())
    values: list[Any] = flat.to_numpy(zero_copy_only=False).tolist()
    return values


def _cut(values: list[Any], array: pa.Array) -> list[Any]:
    """Values of all pages as lists of pages; None where a page has no list."""
    edges = _edges(array).tolist()
    there = array.is_valid().to_pylist()
    return [values[edges[at] : edges[at + 1]] if own else None for at, own in enumerate(there)]


def _edges(array: pa.Array) -> Edges:
    edges: Edges = np.concatenate([[0], np.cumsum(lengths_of(array))]).astype(np.int64)
    return edges


def _blocks(blocks: pa.Array, block_keep: pa.Array | None) -> list[list[dict[str, Any]]]:
    """The blocks of each page; in the place of those that are not part of its text stands an empty one."""
    flat, edges = blocks.flatten(), _edges(blocks)
    kept_blocks = flat.field("kept").fill_null(False).to_numpy(zero_copy_only=False)
    block_mask = kept_blocks.copy()
    if block_keep is not None and len(block_keep.flatten()) == len(kept_blocks):
        block_mask |= block_keep.flatten().fill_null(False).to_numpy(zero_copy_only=False)
    some = (
        np.add.reduceat(np.append(block_mask, False), edges[:-1]) * (np.diff(edges) > 0)
        if len(edges) > 1
        else edges[:0]
    )
    block_mask |= np.repeat(some == 0, np.diff(edges))
    places = np.flatnonzero(block_mask)
    fields = [flat.field(name).take(pa.array(places)).to_pylist() for name in BLOCK_FIELDS]
    lists: list[list[dict[str, Any]]] = [[_NO_BLOCK] * length for length in np.diff(edges).tolist()]
    pages = np.searchsorted(edges, places, "right") - 1
    numbers = (places - edges[pages]).tolist()
    for page, number, row in zip(pages.tolist(), numbers, zip(*fields, strict=True), strict=True):
        lists[page][number] = dict(zip(BLOCK_FIELDS, row, strict=True))
    return lists
