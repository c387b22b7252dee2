"""Extracted pages as Arrow columns.

Built field by field over all blocks of a batch: a list of dictionaries would cost several times the extraction itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from paberki.extract.blocks import Block, Link, Segmented, Span
from paberki.store.columns import BLOCK, LINK, SPAN

MAX_LINK_TEXT = 1000


def _lists(
    pages: Sequence[Sequence[Any] | None], kind: pa.StructType, fields: Sequence[Callable[[Any], Any]]
) -> pa.Array:
    items = [item for page in pages if page is not None for item in page]
    lengths = [0 if page is None else len(page) for page in pages]
    offsets = np.r_[0, np.cumsum(lengths)].astype(np.int32)
    arrays = [
        pa.array([take(item) for item in items], field.type) for take, field in zip(fields, kind, strict=True)
    ]
    mask = pa.array([page is None for page in pages], pa.bool_())
    return pa.ListArray.from_arrays(
        pa.array(offsets), pa.StructArray.from_arrays(arrays, fields=list(kind)), mask=mask
    )


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
    lambda link: link.href,
    lambda link: link.rel or None,
    lambda link: link.start,
    lambda link: link.end,
)


def page_columns(pages: Sequence[Segmented | None]) -> dict[str, Any]:
    """All columns of the extract layer; None for pages that are not text."""

    def text(take: Callable[[Segmented], Span | str | None]) -> list[str | None]:
        values = [take(page) if page else None for page in pages]
        return [
            _safe(value.text if isinstance(value, Span) else value) if value else None for value in values
        ]

    return {
        "title": text(lambda page: page.title),
        "title_span": pa.array(
            [
                {"start": page.title.start, "end": page.title.end} if page and page.title else None
                for page in pages
            ],
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
