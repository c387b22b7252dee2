"""The pages to export: a short list of columns that people use, without pages that were taken down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from paberki.engine.plan import Plan
from paberki.errors import ConfigError, StoreError
from paberki.export.masking import NEEDED, PERSONAL, mask_chunk
from paberki.store.directory import Directory
from paberki.store.reading import TEXT, Table, open_table, read_chunks

ABOUT_PAGES = (
    "id",
    "key",
    "url",
    "host",
    "domain",
    "date",
    "title",
    "lang",
    "lang_p",
    "langdistr",
    "site_lang",
    "script",
    "cyrillic_num",
    "cyrillic_perc",
    "encoding",
    "selected_char_count",
    "selected_word_count",
    "badness",
    "ngram3",
    "ngram3_rank",
    "ngram12",
    "ngram12_rank",
    "diacr_perc",
    "open_licence",
    "linear_label",
    "linear_score",
    "dup_exact",
    "dup_exact_count",
    "dup_cluster",
    "dup_size",
    "dup_similarity",
)
"""Columns that are written where the corpus has them, under their own names."""
ABOUT_VERDICT = ("keep", "reason", "dup_of", "dup_corpus")
"""Only where pages that were left out are written too."""


@dataclass(frozen=True, slots=True)
class Pages:
    """A stream of pages and what they look like; can be read again from the start."""

    table: Table
    names: tuple[str, ...]
    where: str | None
    kept: bool
    gone: frozenset[str]
    mask: bool = False
    """Put the type of personal data in its place."""

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        types = [pa.string() if name == TEXT else self.table.columns[name].type for name in self.names]
        return pa.schema(list(zip(self.names, types, strict=True)))

    def __iter__(self) -> Iterator[pa.Table]:
        wanted = tuple(dict.fromkeys((*self.names, *NEEDED))) if self.mask else self.names
        for chunk in read_chunks(self.table, wanted, where=self.where, kept=self.kept):
            left = self._without_gone(chunk)
            if left.num_rows:
                yield mask_chunk(left, self.names) if self.mask else left

    def _without_gone(self, chunk: pa.Table) -> pa.Table:
        """A page may have been taken down after the last build: it must not leave the house."""
        if not self.gone:
            return chunk
        stays = np.array([key not in self.gone for key in chunk.column("key").to_pylist()], bool)
        return chunk.filter(pa.array(stays))


def page_chunks(
    directory: Directory, plan: Plan, content: Sequence[str], *, where: str | None, kept: bool, mask: bool = False
) -> Pages:
    """Pages with the columns of a format, one row group at a time."""
    table = open_table(directory, plan)
    if "block_keep" not in table.columns:
        raise StoreError(f"nothing is selected yet; run: paberki build {directory.root}")
    if mask and PERSONAL not in table.columns:
        raise ConfigError('masking needs the spans of personal data; put "quality.personal.v1" into stages and build')
    wanted = (*ABOUT_PAGES, *(() if kept else ABOUT_VERDICT))
    names = [name for name in wanted if name in table.columns]
    names += [name for name in content if name == TEXT or name in table.columns]
    return Pages(table, tuple(names), where, kept, directory.tombstones(), mask)
