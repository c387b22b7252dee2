"""Personal data masked on its way out: the type of each span stands in its place, ``[email]``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pyarrow as pa

from paberki.quality.personal import Personal, masked
from paberki.store.batch import field_of_blocks
from paberki.store.reading import TEXT

PERSONAL: Final = "personal"
NEEDED: Final = ("blocks", "block_keep", PERSONAL)


def mask_chunk(chunk: pa.Table, names: Sequence[str]) -> pa.Table:
    """The named columns of a chunk, with personal data masked in text and blocks."""
    blocks = chunk.column("blocks").combine_chunks()
    texts = [_masked_page(*row) for row in _rows(chunk, blocks)]
    columns: dict[str, Any] = {name: chunk.column(name) for name in names if name != TEXT}
    if TEXT in names:
        keep = chunk.column("block_keep").to_pylist()
        columns[TEXT] = pa.array([_joined(page, stays) for page, stays in zip(texts, keep, strict=True)], pa.string())
    if "blocks" in names:
        columns["blocks"] = _with_texts(blocks, texts)
    return pa.table({name: columns[name] for name in names})


def _rows(chunk: pa.Table, blocks: pa.Array) -> Iterator[tuple[list[str], list[dict[str, Any]]]]:
    spans = chunk.column(PERSONAL).to_pylist()
    for texts, found in zip(field_of_blocks(blocks, "text").to_pylist(), spans, strict=True):
        yield texts or [], found or []


def _masked_page(texts: list[str], spans: Sequence[dict[str, Any]]) -> list[str]:
    by_block: dict[int, list[Personal]] = {}
    for one in spans:
        by_block.setdefault(one["block"], []).append(Personal(one["start"], one["end"], one["type"]))
    return [masked(text, by_block[number]) if number in by_block else text for number, text in enumerate(texts)]


def _joined(texts: Sequence[str], stays: Sequence[bool] | None) -> str:
    return "\n".join(text for text, stay in zip(texts, stays or (), strict=True) if stay) if texts else ""


def _with_texts(blocks: pa.Array, texts: Sequence[Sequence[str]]) -> pa.Array:
    """Blocks whose texts, and views of them, are replaced by these."""
    flat = pa.array([text for page in texts for text in page], pa.string())
    values = blocks.flatten()
    fields = [
        flat if field.name == "text" else pa.nulls(len(values), field.type) if field.name == "normalised" else part
        for field, part in zip(blocks.type.value_type, values.flatten(), strict=True)
    ]
    structs = pa.StructArray.from_arrays(fields, fields=list(blocks.type.value_type))
    offsets = pa.array([0, *_running(texts)], pa.int32())
    return pa.ListArray.from_arrays(offsets, structs, mask=blocks.is_null() if blocks.null_count else None)


def _running(texts: Sequence[Sequence[str]]) -> Iterator[int]:
    total = 0
    for page in texts:
        total += len(page)
        yield total
