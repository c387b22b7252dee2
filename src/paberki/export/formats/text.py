"""Plain text: the paragraphs of a page on lines of their own, an empty line after each page."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

from paberki.export.export_format import ExportHead, ExportPiece, Form
from paberki.export.words.column_text import join_columns, not_empty, whole
from paberki.export.words.string_columns import arrow_bytes
from paberki.store.reading import TEXT


def render(pages: pa.Table, about: ExportHead) -> ExportPiece:
    """The texts of some pages; pages without text are not there."""
    del about
    texts = not_empty(whole(pages.column(TEXT))).drop_null()
    if b"\0" in arrow_bytes(texts):
        texts = pc.replace_substring(texts, "\0", " ")
    data = arrow_bytes(join_columns(texts, "\n\n")) if len(texts) else b""
    return ExportPiece(data, Counter(pages=pages.num_rows))


FORM = Form(render, (TEXT,), ".txt", attributes=False, whole=True)
