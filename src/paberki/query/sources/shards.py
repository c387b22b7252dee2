"""One shard of a corpus into the segment in the making, row group by row group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa

from paberki.query.index.selection import Bits
from paberki.query.index.writing.writer import SegmentWriter
from paberki.query.sources.layers import ANNOTATED, TokenPages, add_pages, annotated_pages
from paberki.query.sources.splitting import split_pages
from paberki.store import layer
from paberki.store.directory import Directory


def add_shard(
    writer: SegmentWriter,
    directory: Directory,
    shard: int,
    first_page: int,
    gone: frozenset[str],
    commits: Mapping[int, int],
    commit: int,
    annotated: bool,
) -> Iterator[tuple[int, float]]:
    """Add a shard; yields the tokens of each row group and how much of the shard is done.

    Pages that were taken down are left out. A page keeps the commit number that ``commits`` has for it.
    """
    with (
        layer.LayerFile(directory.layer("archive", shard)) as archive,
        layer.LayerFile(directory.layer("extract", shard)) as extract,
        layer.LayerFile(directory.layer("annotate" if annotated else "extract", shard)) as annotate,
    ):
        row = 0
        for group in range(archive.groups):
            before = writer.tokens
            rows = archive.group_rows(group)
            numbers = np.arange(first_page + row, first_page + row + rows, dtype=np.int64)
            page_commits = np.array([commits.get(number, commit) for number in numbers.tolist()], np.int64)
            hidden = _hidden(archive, group, gone)
            texts = extract.read(group, ["blocks.text"])["blocks.text"]
            if annotated:
                columns = annotate.read(group, list(ANNOTATED))
                columns = {name: _emptied(values, hidden) for name, values in columns.items()}
                add_pages(writer, annotated_pages(columns, texts), columns, numbers, page_commits)
            else:
                add_pages(
                    writer, _split(extract, group, texts, hidden, writer.schema.lang or ""), None, numbers, page_commits
                )
            row += rows
            yield writer.tokens - before, (group + 1) / archive.groups


def _hidden(archive: layer.LayerFile, group: int, gone: frozenset[str]) -> Bits:
    if not gone:
        return np.zeros(archive.group_rows(group), np.bool_)
    return np.array([key in gone for key in archive.read(group, ["key"])["key"].to_pylist()], np.bool_)


def _emptied(values: pa.Array, hidden: Bits) -> pa.Array:
    """Lists without those of hidden pages."""
    return values.take(pa.array(np.arange(len(values)), mask=hidden)) if hidden.any() else values


def _split(extract: layer.LayerFile, group: int, texts: pa.Array, hidden: Bits, lang: str) -> TokenPages:
    are_text = extract.read(group, ["blocks.kept"])["blocks.kept"]
    return split_pages(_emptied(texts, hidden), _emptied(are_text, hidden), lang)
