"""One shard of a corpus into the segment in the making, row group by row group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa

from paberki.query.index.selection import Bits
from paberki.query.index.writing.segment_writer import SegmentWriter
from paberki.query.sources.layers import ANNOTATED, TokenPages, add_pages, annotated_pages
from paberki.query.sources.splitting import split_pages
from paberki.store import layer
from paberki.store.blocks import lengths_of
from paberki.store.directory import Directory
from paberki.store.taken_down.hiding import layer_files


@dataclass(frozen=True, slots=True)
class ShardSource:
    """Where the tokens of shards come from."""

    directory: Directory
    annotated: bool
    plain_languages: frozenset[str] = frozenset()
    """Languages without a model: pages in them that are not annotated are split into words."""
    language_column: tuple[str, str] | None = None
    """Layer and name of the column with the language of pages."""

    def plain_rows(self, shard: int, rows: int) -> Bits:
        """Which pages of a shard are in a language without a model; all where nothing is annotated."""
        if not self.annotated or not self.plain_languages or self.language_column is None:
            return np.full(rows, not self.annotated, np.bool_)
        name, column = self.language_column
        with layer.LayerFile(self.directory.layer(name, shard)) as file:
            languages = file.read_all([column])[column].to_pylist()
        return np.array([lang in self.plain_languages for lang in languages], np.bool_)


def has_tokens(annotate: Path) -> bool:
    """Whether any page of a layer file is annotated."""
    with layer.LayerFile(annotate) as file:
        return any(len(file.read(group, ["sent_length"])["sent_length"].flatten()) > 0 for group in range(file.groups))


def add_shard(
    writer: SegmentWriter,
    source: ShardSource,
    shard: int,
    first_page: int,
    tombstone_keys: frozenset[str],
    commits: Mapping[int, int],
    commit: int,
) -> Iterator[tuple[int, float]]:
    """Add a shard; yields the tokens of each row group and how much of the shard is done.

    Pages that were taken down are left out. A page keeps the commit number that ``commits`` has for it.
    """
    directory, lang = source.directory, writer.schema.lang or ""
    with ExitStack() as stack:
        annotation = "annotate" if source.annotated else "extract"
        files = layer_files(stack, directory, shard, dict.fromkeys(("archive", "extract", annotation)))
        archive, extract, annotate = files["archive"], files["extract"], files[annotation]
        groups = range(archive.groups)
        plain_rows, row = source.plain_rows(shard, sum(map(archive.group_rows, groups))), 0
        for group in groups:
            before = writer.tokens
            rows = archive.group_rows(group)
            numbers = np.arange(first_page + row, first_page + row + rows, dtype=np.int64)
            page_commits = np.array([commits.get(number, commit) for number in numbers.tolist()], np.int64)
            hidden_pages = _hidden_pages(archive, group, tombstone_keys)
            columns = None
            if source.annotated:
                columns = annotate.read(group, list(ANNOTATED))
                columns = {name: _without_hidden(values, hidden_pages) for name, values in columns.items()}
            plain = plain_rows[row : row + rows]
            for pages, words in _words(extract, group, hidden_pages, columns, plain, lang):
                own = {name: values[pages] for name, values in columns.items()} if columns else None
                add_pages(writer, words, own, numbers[pages], page_commits[pages])
            row += rows
            yield writer.tokens - before, (group + 1) / archive.groups


def _words(
    extract: layer.LayerFile,
    group: int,
    hidden_pages: Bits,
    columns: Mapping[str, pa.Array] | None,
    plain: Bits,
    lang: str,
) -> Iterator[tuple[slice, TokenPages]]:
    """The tokens of a row group, in stretches of pages: those of the layer, or words of the text where that has none."""
    texts = extract.read(group, ["blocks.text"])["blocks.text"]
    if columns is not None:
        plain = plain & (lengths_of(columns["sent_length"]) == 0)
        if not plain.any():
            yield slice(None), annotated_pages(columns, texts)
            return
    texts = _without_hidden(texts, hidden_pages)
    are_text = _without_hidden(extract.read(group, ["blocks.kept"])["blocks.kept"], hidden_pages)
    for first, last in _runs(plain):
        pages = slice(first, last)
        if columns is None or plain[first]:
            yield pages, split_pages(texts[pages], are_text[pages], lang)
        else:
            yield pages, annotated_pages({name: values[pages] for name, values in columns.items()}, texts[pages])


def _runs(flags: Bits) -> Iterator[tuple[int, int]]:
    """Stretches of rows whose flag is the same."""
    return pairwise([0, *(np.flatnonzero(np.diff(flags)) + 1).tolist(), len(flags)])


def _hidden_pages(archive: layer.LayerFile, group: int, tombstone_keys: frozenset[str]) -> Bits:
    if not tombstone_keys:
        return np.zeros(archive.group_rows(group), np.bool_)
    return np.array([key in tombstone_keys for key in archive.read(group, ["key"])["key"].to_pylist()], np.bool_)


def _without_hidden(values: pa.Array, hidden_pages: Bits) -> pa.Array:
    """Lists without those of hidden pages."""
    return values.take(pa.array(np.arange(len(values)), mask=hidden_pages)) if hidden_pages.any() else values
