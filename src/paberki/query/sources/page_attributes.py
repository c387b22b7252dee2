"""Attributes of ``doc`` and ``p`` in our own corpora: every column of pages and of blocks that can be told in a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.query.index.container import ContainerWriter
from paberki.query.index.region_columns import can_be_attribute, write_region_column
from paberki.query.sources.layers import Ints
from paberki.store import layer
from paberki.store.columns import BLOCK_FIELDS, Column
from paberki.store.directory import Directory

_BLOCKS: Final = "extract.blocks"
_YEAR, _DATE = "year", "date"


@dataclass(frozen=True, slots=True)
class LayerPlaces:
    """Where the regions of a segment are in the layers: shard and row of each page; page and number of each block."""

    shards: Ints
    rows: Ints
    block_pages: Ints
    """Which of the pages each block is on."""
    block_numbers: Ints


def page_columns(columns: Mapping[str, Column]) -> list[Column]:
    """Columns that become attributes of ``doc``."""
    return [one for one in columns.values() if one.level == "page" and can_be_attribute(one.type)]


def block_columns(columns: Mapping[str, Column]) -> dict[str, tuple[str, str, pa.DataType]]:
    """Attributes of ``p``: layer, what is read of it, and type."""
    own = {
        field.name: ("extract", f"blocks.{field.name}", field.type)
        for field in BLOCK_FIELDS
        if field.name not in ("text", "source") and can_be_attribute(field.type) and _BLOCKS in _full(columns)
    }
    for one in columns.values():
        if one.level == "block" and pa.types.is_list(one.type) and can_be_attribute(one.type.value_type):
            own[one.name] = (one.layer, one.name, one.type.value_type)
    return own


def _full(columns: Mapping[str, Column]) -> set[str]:
    return {one.full for one in columns.values()}


def write_attributes(path: Path, directory: Directory, columns: Mapping[str, Column], places: LayerPlaces) -> None:
    """Write the file of attributes of a segment, layer by layer."""
    of_pages, of_blocks = page_columns(columns), block_columns(columns)
    layers = sorted({one.layer for one in of_pages} | {name for name, *_ in of_blocks.values()})
    out = ContainerWriter(path)
    try:
        for name in layers:
            pages = [one.name for one in of_pages if one.layer == name]
            blocks = {key: source for key, (own, source, _) in of_blocks.items() if own == name}
            _write_layer(out, directory, name, pages, blocks, places)
        out.close({})
    except BaseException:
        out.abandon()
        raise


def attribute_names(columns: Mapping[str, Column]) -> dict[str, tuple[str, ...]]:
    """Names of the attributes of pages and blocks that are made of these columns."""
    pages = [one.name for one in page_columns(columns)]
    years = [_YEAR] if _DATE in pages and _YEAR not in pages else []
    return {"doc": (*pages, *years), "p": tuple(block_columns(columns))}


def _write_layer(
    out: ContainerWriter,
    directory: Directory,
    name: str,
    pages: Sequence[str],
    blocks: Mapping[str, str],
    places: LayerPlaces,
) -> None:
    """Attributes from one layer; pages and blocks of places are in the order of shards and rows."""
    pieces_of: dict[str, list[pa.Array]] = {}
    shards, first_pages = np.unique(places.shards, return_index=True)
    page_edges = np.append(first_pages, len(places.shards))
    block_edges = np.searchsorted(places.block_pages, page_edges)
    for number, shard in enumerate(shards.tolist()):
        page_rows = places.rows[page_edges[number] : page_edges[number + 1]]
        own_blocks = slice(block_edges[number], block_edges[number + 1])
        block_rows = places.rows[places.block_pages[own_blocks]]
        block_numbers = places.block_numbers[own_blocks]
        with layer.LayerFile(directory.layer(name, shard)) as file:
            first = 0
            for group in range(file.groups):
                values = file.read(group, [*pages, *blocks.values()])
                last = first + file.group_rows(group)
                rows = pa.array(_between(page_rows, first, last) - first)
                for key in pages:
                    pieces_of.setdefault(f"s/doc/{key}", []).append(_plain(values[key]).take(rows))
                low, high = np.searchsorted(block_rows, (first, last))
                for key, source in blocks.items():
                    flat, block_places = _flat_places(
                        values[source], block_rows[low:high] - first, block_numbers[low:high]
                    )
                    pieces_of.setdefault(f"s/p/{key}", []).append(flat.take(block_places))
                first = last
    for prefix, pieces in pieces_of.items():
        column = pa.concat_arrays(pieces)
        write_region_column(out, prefix, column)
        if prefix == f"s/doc/{_DATE}" and _YEAR not in pages:
            write_region_column(out, f"s/doc/{_YEAR}", pc.year(column).cast(pa.int32()))


def _between(rows: Ints, first: int, last: int) -> Ints:
    low, high = np.searchsorted(rows, (first, last))
    return rows[low:high]


def _plain(values: pa.Array) -> pa.Array:
    return values.cast(values.type.value_type) if pa.types.is_dictionary(values.type) else values


def _flat_places(lists: pa.Array, rows: Ints, numbers: Ints) -> tuple[pa.Array, pa.Array]:
    """All items of some lists, and where among them those of these rows with these numbers are; null for lists without."""
    lengths: Any = lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
    first = np.concatenate([[0], np.cumsum(lengths)])
    are_missing = numbers >= lengths[rows]
    return _plain(lists.flatten()), pa.array(first[rows] + np.where(are_missing, 0, numbers), mask=are_missing)
