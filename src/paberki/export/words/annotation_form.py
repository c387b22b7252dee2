"""A format of texts that holds their tokens too."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from paberki.export.export_format import ExportHead, ExportPiece, Form
from paberki.export.words.annotation_tables import COLUMNS, NEEDED, with_layers


def with_tokens(form: Form) -> Form:
    """The format with the columns of annotation."""

    def render(pages: pa.Table, about: ExportHead) -> ExportPiece:
        return form.render(with_layers(pages), about)

    return replace(form, render=render, content=(*form.content, *NEEDED, *COLUMNS))


def schema_without_needed(schema: pa.Schema) -> pa.Schema:
    """The columns that such a format writes."""
    return pa.schema([field for field in schema if field.name not in NEEDED])
