"""Parquet: the same columns as a table, compressed, for data frames and SQL; in a directory with a card and Croissant metadata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from paberki.export.dataset_files import dataset_files
from paberki.export.export_format import ExportHead, ExportPiece, Form
from paberki.store.reading import TEXT
from paberki.store.splice import splice

FORMAT = "2"
LEVEL = 3
"""Of zstd; 6 takes twice the time and saves a hundredth."""


def render(pages: pa.Table, about: ExportHead) -> ExportPiece:
    """A file of one row group."""
    out = pa.BufferOutputStream()
    schema = about.schema.with_metadata(_metadata(about))
    with pq.ParquetWriter(out, schema, compression="zstd", compression_level=LEVEL) as writer:
        writer.write_table(pages.cast(schema), row_group_size=max(pages.num_rows, 1))
    return ExportPiece(memoryview(out.getvalue()), Counter(pages=pages.num_rows))


def join(pieces: Sequence[Path], out: Path, about: ExportHead) -> None:
    """Row groups of all pieces in one file, without unpacking them."""
    splice(out, pieces, _metadata(about))


def _metadata(about: ExportHead) -> dict[str, str]:
    return {"paberki.export": FORMAT, "paberki.recipe": about.name}


FORM = Form(render, (TEXT, "attributes"), ".parquet", join=join, inside=dataset_files, compressed=True)
