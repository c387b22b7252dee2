"""A list of pages from which the corpus can be rebuilt: addresses, digests and byte spans, nothing of the text.

Corpora that may not be handed on can be made again by whoever has the same archives: ``paberki rebuild``. The first page of
each piece carries the recipe.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from datetime import datetime
from typing import Any

import pyarrow as pa

from paberki.export.export_format import ExportHead, ExportPiece, Form

_DIGEST = "sha224"
COLUMNS = ("key", "url", "date", "sha224", "warc_file", "warc_offset", "warc_length", "blocks", "block_keep")


def render(pages: pa.Table, about: ExportHead) -> ExportPiece:
    """One JSON object for each page."""
    return ExportPiece(page_lines(pages, about), Counter(pages=pages.num_rows))


def page_lines(chunk: pa.Table, about: ExportHead) -> bytes:
    """The lines of some pages."""
    columns = [chunk.column(name).combine_chunks() for name in COLUMNS[:-2]]
    blocks, keep = chunk.column("blocks").combine_chunks(), chunk.column("block_keep").to_pylist()
    lines = []
    for row, stays in enumerate(keep):
        values: dict[str, Any] = {name: column[row].as_py() for name, column in zip(COLUMNS[:-2], columns, strict=True)}
        facts = _facts(values, blocks[row].as_py() or [], stays or [])
        if not row and about.recipe:
            facts["recipe"] = about.recipe
        lines.append(json.dumps(facts, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines).encode()


def text_digest(text: str) -> str:
    """By which a rebuilt text is compared with the one that was listed."""
    return hashlib.sha224(text.encode("utf-8", "surrogatepass")).hexdigest()


def _facts(page: dict[str, Any], blocks: list[dict[str, Any]], stays: list[bool]) -> dict[str, Any]:
    kept_blocks = [block for block, stay in zip(blocks, stays, strict=True) if stay]
    text = "\n".join(block["text"] or "" for block in kept_blocks)
    date: datetime | None = page["date"]
    return {
        "url": page["url"],
        "date": date.isoformat(timespec="seconds") + "Z" if date else None,
        "digest": f"{_DIGEST}:{page['sha224']}",
        "key": page["key"],
        "file": page["warc_file"],
        "offset": page["warc_offset"],
        "length": page["warc_length"],
        "spans": [[block["start"], block["end"]] for block in kept_blocks],
        "text_digest": f"{_DIGEST}:{text_digest(text)}",
    }


FORM = Form(render, COLUMNS, ".jsonl", full_blocks=True, attributes=False, hidden_columns=("blocks",))
