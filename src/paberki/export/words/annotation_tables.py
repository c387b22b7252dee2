"""Annotation as columns of a table, with offsets into the text of the same row.

In the store, offsets are relative to blocks, and all blocks that the extractor kept are annotated. The text of an export has
only the blocks that select kept, one per line. So sentences of other blocks are dropped and offsets are computed again.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any, Final

import pyarrow as pa

from paberki.export.words.token_table import IMPORTED, LAYERS
from paberki.store.batch import field_of_blocks

TOKENS: Final = (
    "tok_start", "tok_end", "tok_byte_start", "tok_byte_end", *(f"tok_{name}" for name in LAYERS), "tok_oov", "tok_frame",
    "tok_deps", "tok_misc",
)  # fmt: skip
SENTENCES: Final = tuple(name for name in IMPORTED if name.startswith("sent_"))
COLUMNS: Final = (
    "annotated", "schemes", "token_count", "sentence_count", "sent_block", "sent_length", *SENTENCES, *TOKENS,
    "other_annotations",
)  # fmt: skip
NEEDED: Final = ("blocks", "block_keep")


def with_layers(chunk: pa.Table) -> pa.Table:
    """A chunk whose annotation is that of the text."""
    names = [name for name in COLUMNS if name in chunk.column_names]
    texts = field_of_blocks(chunk.column("blocks"), "text").to_pylist()
    pages = chunk.select([*names, "block_keep"]).to_pylist()
    new_pages = [_page(page, blocks or []) for page, blocks in zip(pages, texts, strict=True)]
    for name in names:
        values = pa.array([page[name] for page in new_pages], chunk.schema.field(name).type)
        chunk = chunk.set_column(chunk.schema.get_field_index(name), name, values)
    return chunk.drop_columns([name for name in NEEDED if name in chunk.column_names])


def _page(page: dict[str, Any], texts: list[str]) -> dict[str, Any]:
    if not page["annotated"]:
        return page
    keep = page["block_keep"] or [False] * len(texts)
    begins = list(
        accumulate((len(text) + 1 if stays else 0 for text, stays in zip(texts, keep, strict=True)), initial=0)
    )
    lines = list(accumulate(keep, initial=0))
    sentences = list(zip(page["sent_block"], page["sent_length"], strict=True))
    blocks = [block for block, length in sentences for _ in range(length)]
    stay = [keep[block] for block in blocks]
    new_page = dict(page)
    for name in TOKENS:
        if page.get(name):
            new_page[name] = _where(page[name], stay)
    moves = [begins[block] for block in _where(blocks, stay)]
    for name in ("tok_start", "tok_end"):
        new_page[name] = [place + move for place, move in zip(new_page[name], moves, strict=True)]
    new_page["sent_block"] = [lines[block] for block, _ in sentences if keep[block]]
    for name in SENTENCES:
        if page.get(name):
            new_page[name] = _where(page[name], [keep[block] for block, _ in sentences])
    new_page["sent_length"] = [length for block, length in sentences if keep[block]]
    new_page["token_count"], new_page["sentence_count"] = len(moves), len(new_page["sent_block"])
    new_page["other_annotations"] = [
        {name: _where(value, stay) if isinstance(value, list) and value else value for name, value in one.items()}
        for one in page.get("other_annotations") or ()
    ]
    return new_page


def _where(values: list[Any], stay: list[bool]) -> list[Any]:
    return [value for value, stays in zip(values, stay, strict=True) if stays]
