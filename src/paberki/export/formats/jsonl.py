"""JSON lines: one object for each page, the form that training pipelines read."""

from __future__ import annotations

import json
from collections import Counter

import pyarrow as pa

from paberki.export.export_format import ExportHead, ExportPiece, Form
from paberki.export.words.column_text import join_columns
from paberki.export.words.json_text import json_texts
from paberki.export.words.string_columns import arrow_bytes
from paberki.store.reading import TEXT


def render(pages: pa.Table, about: ExportHead) -> ExportPiece:
    """One line for each page; text is the kept blocks, one per line."""
    del about
    parts: list[pa.Array | str] = []
    for name in pages.column_names:
        if _is_written(pages, name):
            key = json.dumps(name, ensure_ascii=False)
            parts += [f", {key}: " if parts else f"{{{key}: ", json_texts(pages.column(name))]
    data = arrow_bytes(join_columns(*parts, "}\n")) if parts and len(pages) else b""
    return ExportPiece(data, Counter(pages=pages.num_rows))


def _is_written(pages: pa.Table, name: str) -> bool:
    """Attributes of imported files are written where there are any."""
    return name != "attributes" or pages.column(name).null_count < pages.num_rows


FORM = Form(render, (TEXT, "attributes"), ".jsonl", whole=True)
