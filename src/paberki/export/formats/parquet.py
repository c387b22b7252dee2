"""Parquet: the same columns as a table, compressed, for data frames and SQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from paberki.export.export_format import About, Form
from paberki.store.reading import TEXT

FORMAT = "1"
GROUP_BYTES = 32 << 20
"""Chunks are gathered up to this size: few kept pages in a chunk would make thousands of tiny row groups."""


def write(chunks: Iterable[pa.Table], file: BinaryIO, about: About) -> None:
    """One file; memory holds one row group at a time."""
    metadata = {"paberki.export": FORMAT, "paberki.recipe": about.name}
    schema = about.schema.with_metadata(metadata)
    with pq.ParquetWriter(file, schema, compression="zstd", compression_level=6) as writer:
        for group in _gather(chunks):
            writer.write_table(group.cast(schema), row_group_size=group.num_rows)


def _gather(chunks: Iterable[pa.Table]) -> Iterator[pa.Table]:
    waiting: list[pa.Table] = []
    for chunk in chunks:
        waiting.append(chunk)
        if sum(one.get_total_buffer_size() for one in waiting) >= GROUP_BYTES:
            yield pa.concat_tables(waiting)
            waiting = []
    if waiting:
        yield pa.concat_tables(waiting)


FORM = Form(write, (TEXT,), ".parquet", compressed=True)
