"""Extracted pages as Arrow columns.

Built field by field over all blocks of a batch: a list of dictionaries would cost several times the extraction itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.extraction.compiled import kernel_layout
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.methods.block_labels import BlockLabels
from paberki.extraction.repair.repaired_text import PAGE_CHARS, ViewConfig, candidates, view_column
from paberki.store.columns import BLOCK, BLOCK_FIELDS, BREAKPOINT, LINK, SPAN, BlockField

MAX_LINK_TEXT = 1000


def harvest_columns(
    harvest: Harvest, labels: BlockLabels, missing: Sequence[int], views: ViewConfig | None
) -> dict[str, Any]:
    """All columns of the extract layer; ``missing`` are the pages that are not text. Texts are not copied."""
    values = BlockValues(harvest, labels, views)
    blocks = pa.StructArray.from_arrays([values.field(one) for one in BLOCK_FIELDS], fields=list(BLOCK))
    types = pa.array(labels.page_types, pa.string()).dictionary_encode()
    return {
        **_columns(harvest, labels, missing, blocks),
        "page_type": types,
        **_learned_columns(harvest, labels, missing),
    }


def _learned_columns(harvest: Harvest, labels: BlockLabels, missing: Sequence[int]) -> dict[str, Any]:
    """Columns of methods that tell posts apart and look twice."""
    if labels.fallbacks is None:
        return {}
    null = np.zeros(len(harvest), np.bool_)
    null[list(missing)] = True
    posts = pa.array(labels.posts, pa.int32(), mask=labels.posts == 0)
    return {
        "comment_post": _list_array(harvest.block_ends, posts, null),
        "extract_fallback": pa.array(labels.fallbacks, pa.string()).dictionary_encode(),
    }


class BlockValues:
    """The values of each field of all blocks of a harvest.

    A field is filled by the method of its name here, or it is what the labels hold under its name, or the row of that
    name in the array of blocks (:mod:`paberki.extraction.compiled.kernel_layout`).
    """

    def __init__(self, harvest: Harvest, labels: BlockLabels, views: ViewConfig | None) -> None:
        self.harvest, self.labels = harvest, labels
        self.rows = harvest.blocks[:, : harvest.block_count]
        self._source = _strings(self.rows[kernel_layout.TEXT_END], harvest.text)
        self._repaired, self._breakpoints = _views(harvest, self._source, views)

    def field(self, field: BlockField) -> pa.Array:
        """One value for each block."""
        if hasattr(self, field.name):
            values: pa.Array = getattr(self, field.name)()
        elif hasattr(self.labels, field.name):
            values = pa.array(getattr(self.labels, field.name))
        else:
            values = pa.array(self.rows[getattr(kernel_layout, field.name.upper())])
        return values if values.type == field.type else values.cast(field.type)

    def text(self) -> pa.Array:
        """The repaired text, or the text as it is where there is nothing to repair."""
        return pc.coalesce(self._repaired, self._source) if self._is_repaired else self._source

    def source(self) -> pa.Array:
        """What was repaired."""
        return pc.if_else(self._repaired.is_valid(), self._source, pa.scalar(None, pa.string()))

    def breakpoints(self) -> pa.Array:
        """Where the distance between the repaired text and its source changes."""
        return self._breakpoints

    def path(self) -> pa.Array:
        """Paths by their number."""
        return _path_array(self.harvest, self.rows[kernel_layout.PATH])

    def label(self) -> pa.Array:
        """Labels by their number."""
        return _words(self.labels.label.astype(np.int32), self.labels.labels)

    def reason(self) -> pa.Array:
        """Reasons by their number."""
        return _words(self.labels.reason.astype(np.int32), self.labels.reasons)

    def link_share(self) -> pa.Array:
        """Characters of links among those that the kernel counted."""
        return pa.array((self.rows[kernel_layout.LINK_CHARS] / self.rows[kernel_layout.CHARS]).astype(np.float32))

    def chars(self) -> pa.Array:
        """The kernel's counts; repaired texts are counted again."""
        return self._count_again(kernel_layout.CHARS, pc.utf8_length)

    def words(self) -> pa.Array:
        """The kernel's counts; repaired texts are counted again."""
        return self._count_again(
            kernel_layout.WORDS, lambda texts: pc.list_value_length(pc.utf8_split_whitespace(texts))
        )

    @property
    def _is_repaired(self) -> bool:
        return bool(self._repaired.null_count < len(self._repaired))

    def _count_again(self, row: int, count: Callable[[pa.Array], pa.Array]) -> pa.Array:
        counts = pa.array(self.rows[row].copy())
        if not self._is_repaired:
            return counts
        repaired = self._repaired.is_valid()
        return pc.replace_with_mask(counts, repaired, count(self._repaired.filter(repaired)).cast(counts.type))


def _views(harvest: Harvest, texts: pa.Array, config: ViewConfig | None) -> tuple[pa.Array, pa.Array]:
    """The views of all blocks and their breakpoints; pages that are too large have none."""
    if config is None or not len(texts):
        return pa.nulls(len(texts), pa.string()), pa.nulls(len(texts), pa.list_(BREAKPOINT))
    edges = np.array([0, *harvest.block_ends])
    sizes = np.diff(np.r_[0, np.cumsum(harvest.blocks[kernel_layout.CHARS, : len(texts)], dtype=np.int64)][edges])
    suspects = candidates(harvest, config)
    for exact in harvest.exact_blocks:
        suspects = suspects[(suspects < exact.start) | (suspects >= exact.stop)]
    small = sizes[np.searchsorted(edges, suspects, side="right") - 1] <= PAGE_CHARS
    return view_column(texts, edges.tolist(), suspects[small].tolist(), config, harvest.lines_once)


def _columns(harvest: Harvest, labels: BlockLabels, missing: Sequence[int], blocks: pa.Array) -> dict[str, Any]:
    null = np.zeros(len(harvest), np.bool_)
    null[list(missing)] = True
    chars = blocks.field("chars").to_numpy().astype(np.int64)

    def text(slot: int) -> list[str | None]:
        return [harvest.head_text(page, slot) for page in range(len(harvest))]

    def total(values: npt.NDArray[np.int64]) -> pa.Array:
        sums = np.r_[0, np.cumsum(values)][np.array([0, *harvest.block_ends])]
        return pa.array(np.diff(sums).astype(np.int32), mask=null)

    return {
        "title": text(kernel_layout.TITLE),
        "title_span": _head_spans(harvest, kernel_layout.TITLE),
        "keywords": text(kernel_layout.KEYWORDS),
        "keywords_span": _head_spans(harvest, kernel_layout.KEYWORDS),
        "description": text(kernel_layout.DESCRIPTION),
        "description_span": _head_spans(harvest, kernel_layout.DESCRIPTION),
        "declared_language": text(kernel_layout.LANGUAGE),
        "links": _list_array(harvest.link_ends, _link_array(harvest), null),
        "blocks": _list_array(harvest.block_ends, blocks, null),
        "char_count": total(chars),
        "kept_char_count": total(chars * labels.kept),
    }


def _link_array(harvest: Harvest) -> pa.Array:
    rows = harvest.links[:, : harvest.link_count]
    texts = _strings(rows[kernel_layout.LINK_TEXT_END], harvest.link_text)
    if np.diff(rows[kernel_layout.LINK_TEXT_END], prepend=0).max(initial=0) > MAX_LINK_TEXT:
        texts = pc.utf8_slice_codeunits(texts, 0, MAX_LINK_TEXT)
    arrays = [
        texts,
        _strings(rows[kernel_layout.HREF_END], harvest.href),
        _strings(rows[kernel_layout.REL_END], harvest.rel, empty_is_null=True),
        pa.array(rows[kernel_layout.LINK_START].astype(np.int64)),
        pa.array(rows[kernel_layout.LINK_END].astype(np.int64)),
    ]
    return pa.StructArray.from_arrays(arrays, fields=list(LINK))


def _path_array(harvest: Harvest, paths: npt.NDArray[np.int32]) -> pa.Array:
    """Dictionary of the paths of blocks; the harvest also has the paths of their ancestors."""
    in_use = np.zeros(harvest.path_count, np.bool_)
    in_use[paths] = True
    numbers = np.cumsum(in_use, dtype=np.int32) - 1
    strings = _strings(harvest.path_ends[1:].astype(np.int32), harvest.path_bytes).filter(pa.array(in_use))
    return pa.DictionaryArray.from_arrays(pa.array(numbers[paths]), strings)


def _words(numbers: npt.NDArray[np.int32], words: Sequence[str]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(numbers), pa.array(words, pa.string()))


def _strings(ends: npt.NDArray[np.int32], data: npt.NDArray[np.uint8], *, empty_is_null: bool = False) -> pa.Array:
    offsets = np.zeros(len(ends) + 1, np.int32)
    offsets[1:] = ends
    valid = None
    if empty_is_null:
        valid = pa.py_buffer(np.packbits(np.diff(offsets) > 0, bitorder="little"))
    return pa.Array.from_buffers(pa.string(), len(ends), [valid, pa.py_buffer(offsets), pa.py_buffer(data)])


def _list_array(ends: Sequence[int], items: pa.Array, null: npt.NDArray[np.bool_]) -> pa.Array:
    offsets = np.array([0, *ends], np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), items, mask=pa.array(null))


def _head_spans(harvest: Harvest, slot: int) -> pa.Array:
    """Where something that the heads of pages say stands in their payloads."""
    slots = np.array([head[slot] for head in harvest.heads], np.int64).reshape(-1, 4)
    arrays = [pa.array(slots[:, 2].copy()), pa.array(slots[:, 3].copy())]
    return pa.StructArray.from_arrays(arrays, fields=list(SPAN), mask=pa.array(slots[:, 0] < 0))
