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

from paberki.extraction import layout
from paberki.extraction.blocks import Block, Link, Segmented, Span
from paberki.extraction.fast import Harvest
from paberki.extraction.labels import Labels
from paberki.extraction.views import PAGE_CHARS, ViewConfig, candidates, view_column
from paberki.store.columns import BLOCK, BLOCK_AND_VIEW, LINK, SPAN

MAX_LINK_TEXT = 1000


def _lists(
    pages: Sequence[Sequence[Any] | None], kind: pa.StructType, fields: Sequence[Callable[[Any], Any]]
) -> pa.Array:
    items = [item for page in pages if page is not None for item in page]
    lengths = [0 if page is None else len(page) for page in pages]
    offsets = np.r_[0, np.cumsum(lengths)].astype(np.int32)
    arrays = [pa.array([take(item) for item in items], field.type) for take, field in zip(fields, kind, strict=True)]
    mask = pa.array([page is None for page in pages], pa.bool_())
    return pa.ListArray.from_arrays(pa.array(offsets), pa.StructArray.from_arrays(arrays, fields=list(kind)), mask=mask)


def _array(values: list[Any], kind: pa.DataType) -> pa.Array:
    try:
        if pa.types.is_dictionary(kind):
            return pa.array(values, kind.value_type).dictionary_encode()
        return pa.array(values, kind)
    except UnicodeEncodeError:
        return _array([_safe(value) if isinstance(value, str) else value for value in values], kind)


def word_count(text: str) -> int:
    """White-space separated words."""
    return text.count(" ") + 1 if text else 0


def _safe(text: str) -> str:
    """Text that can be stored as UTF-8: unpaired surrogates become U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


BLOCK_FIELDS: tuple[Callable[[Block], Any], ...] = (
    lambda block: block.text,
    lambda block: block.start,
    lambda block: block.end,
    lambda block: block.path,
    lambda block: block.label,
    lambda block: block.score,
    lambda block: block.kept,
    lambda block: block.reason,
    lambda block: len(block.text),
    lambda block: word_count(block.text),
    lambda block: block.link_density,
)
LINK_FIELDS: tuple[Callable[[Link], Any], ...] = (
    lambda link: link.text[:MAX_LINK_TEXT],
    lambda link: link.target,
    lambda link: link.rel or None,
    lambda link: link.start,
    lambda link: link.end,
)


def page_columns(pages: Sequence[Segmented | None]) -> dict[str, Any]:
    """All columns of the extract layer; None for pages that are not text."""

    def text(take: Callable[[Segmented], Span | str | None]) -> list[str | None]:
        values = [take(page) if page else None for page in pages]
        return [_safe(value.text if isinstance(value, Span) else value) if value else None for value in values]

    return {
        "title": text(lambda page: page.title),
        "title_span": pa.array(
            [{"start": page.title.start, "end": page.title.end} if page and page.title else None for page in pages],
            SPAN,
        ),
        "keywords": text(lambda page: page.keywords),
        "description": text(lambda page: page.description),
        "declared_language": text(lambda page: page.declared_language),
        "links": _lists([page.links if page else None for page in pages], LINK, LINK_FIELDS),
        "blocks": _lists([page.blocks if page else None for page in pages], BLOCK, BLOCK_FIELDS),
        "char_count": [sum(len(block.text) for block in page.blocks) if page else None for page in pages],
        "kept_char_count": [
            sum(len(block.text) for block in page.blocks if block.kept) if page else None for page in pages
        ],
    }


def harvest_columns(harvest: Harvest, labels: Labels, missing: Sequence[int]) -> dict[str, Any]:
    """The same columns from a harvest; ``missing`` are the pages that are not text. Texts are not copied."""
    return _columns(harvest, labels, missing, _block_array(harvest, labels))


def columns_with_views(
    harvest: Harvest, labels: Labels, missing: Sequence[int], views: ViewConfig | None
) -> dict[str, Any]:
    """Those columns with the repaired views of the blocks, and the type of each page."""
    blocks = _block_array(harvest, labels)
    view = _views(harvest, blocks.field("text"), views)
    both = pa.StructArray.from_arrays([*blocks.flatten(), view], fields=list(BLOCK_AND_VIEW))
    types = pa.array(labels.page_types, pa.string()).dictionary_encode()
    return {**_columns(harvest, labels, missing, both), "page_type": types}


def _views(harvest: Harvest, texts: pa.Array, config: ViewConfig | None) -> pa.Array:
    """The views of all blocks; pages that are too large have none."""
    if config is None or not len(texts):
        return pa.nulls(len(texts), pa.string())
    edges = np.array([0, *harvest.block_ends])
    sizes = np.diff(np.r_[0, np.cumsum(harvest.blocks[layout.CHARS, : len(texts)], dtype=np.int64)][edges])
    wanted = candidates(harvest, config)
    small = sizes[np.searchsorted(edges, wanted, side="right") - 1] <= PAGE_CHARS
    return view_column(texts, edges.tolist(), wanted[small].tolist(), config)


def _columns(harvest: Harvest, labels: Labels, missing: Sequence[int], blocks: pa.Array) -> dict[str, Any]:
    null = np.zeros(len(harvest), np.bool_)
    null[list(missing)] = True
    chars = harvest.blocks[layout.CHARS, : harvest.block_count].astype(np.int64)

    def text(slot: int) -> list[str | None]:
        return [harvest.head_text(page, slot) for page in range(len(harvest))]

    def total(values: npt.NDArray[np.int64]) -> pa.Array:
        sums = np.r_[0, np.cumsum(values)][np.array([0, *harvest.block_ends])]
        return pa.array(np.diff(sums).astype(np.int32), mask=null)

    return {
        "title": text(layout.TITLE),
        "title_span": _title_spans(harvest),
        "keywords": text(layout.KEYWORDS),
        "description": text(layout.DESCRIPTION),
        "declared_language": text(layout.LANGUAGE),
        "links": _list_array(harvest.link_ends, _link_array(harvest), null),
        "blocks": _list_array(harvest.block_ends, blocks, null),
        "char_count": total(chars),
        "kept_char_count": total(chars * labels.kept),
    }


def _block_array(harvest: Harvest, labels: Labels) -> pa.Array:
    rows = harvest.blocks[:, : harvest.block_count]
    arrays = [
        _strings(rows[layout.TEXT_END], harvest.text),
        pa.array(rows[layout.START].astype(np.int64)),
        pa.array(rows[layout.END].astype(np.int64)),
        _path_array(harvest, rows[layout.PATH]),
        _words(labels.label.astype(np.int32), labels.labels),
        pa.array(labels.score.astype(np.float32)),
        pa.array(labels.kept),
        _words(labels.reason.astype(np.int32), labels.reasons),
        pa.array(rows[layout.CHARS].copy()),
        pa.array(rows[layout.WORDS].copy()),
        pa.array((rows[layout.LINK_CHARS] / rows[layout.CHARS]).astype(np.float32)),
    ]
    return pa.StructArray.from_arrays(arrays, fields=list(BLOCK))


def _link_array(harvest: Harvest) -> pa.Array:
    rows = harvest.links[:, : harvest.link_count]
    texts = _strings(rows[layout.LINK_TEXT_END], harvest.link_text)
    if np.diff(rows[layout.LINK_TEXT_END], prepend=0).max(initial=0) > MAX_LINK_TEXT:
        texts = pc.utf8_slice_codeunits(texts, 0, MAX_LINK_TEXT)
    arrays = [
        texts,
        _strings(rows[layout.HREF_END], harvest.href),
        _strings(rows[layout.REL_END], harvest.rel, empty_is_null=True),
        pa.array(rows[layout.LINK_START].astype(np.int64)),
        pa.array(rows[layout.LINK_END].astype(np.int64)),
    ]
    return pa.StructArray.from_arrays(arrays, fields=list(LINK))


def _path_array(harvest: Harvest, paths: npt.NDArray[np.int32]) -> pa.Array:
    """Dictionary of the paths that blocks have; others were made on the way to those."""
    used = np.zeros(harvest.path_count, np.bool_)
    used[paths] = True
    numbers = np.cumsum(used, dtype=np.int32) - 1
    strings = _strings(harvest.path_ends[1:].astype(np.int32), harvest.path_bytes).filter(pa.array(used))
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


def _title_spans(harvest: Harvest) -> pa.Array:
    slots = np.array([head[layout.TITLE] for head in harvest.heads], np.int64).reshape(-1, 4)
    arrays = [pa.array(slots[:, 2].copy()), pa.array(slots[:, 3].copy())]
    return pa.StructArray.from_arrays(arrays, fields=list(SPAN), mask=pa.array(slots[:, 0] < 0))
