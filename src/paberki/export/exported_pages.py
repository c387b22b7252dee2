"""The pages to export: the columns that the schema calls exported, without pages that were taken down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from paberki.engine.plan import Plan
from paberki.errors import StoreError
from paberki.export.masking import Mask, mask_chunk
from paberki.quality.permissions.personal import PersonalConfig
from paberki.store.columns import Column
from paberki.store.directory import Directory
from paberki.store.reading import TEXT, Table, open_table, read_chunks


@dataclass(frozen=True, slots=True)
class ExportedPages:
    """A stream of pages with its schema; it can be read more than once."""

    table: Table
    names: tuple[str, ...]
    where: str | None
    kept: bool
    mask: Mask | None = None
    """Which personal data to mask."""

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        types = [pa.string() if name == TEXT else self.table.columns[name].type for name in self.names]
        return pa.schema(list(zip(self.names, types, strict=True)))

    @property
    def columns(self) -> tuple[Column, ...]:
        """What the schema says of the columns, but for the text."""
        return tuple(self.table.columns[name] for name in self.names if name != TEXT)

    def __iter__(self) -> Iterator[pa.Table]:
        columns = tuple(dict.fromkeys(("key", *self.names)))
        for chunk in read_chunks(self.table, columns, where=self.where, kept=self.kept):
            present = self._without_gone(chunk)
            if present.num_rows:
                yield self._finished(present)

    def _finished(self, chunk: pa.Table) -> pa.Table:
        if self.mask is not None:
            return mask_chunk(chunk, self.names, self.table.columns, self.mask)
        return chunk.select(list(self.names))

    def _without_gone(self, chunk: pa.Table) -> pa.Table:
        """Drop pages that were taken down, also after the last build."""
        if not self.table.gone:
            return chunk
        stays = np.array([key not in self.table.gone for key in chunk.column("key").to_pylist()], bool)
        return chunk.filter(pa.array(stays))


def page_chunks(
    directory: Directory, plan: Plan, content: Sequence[str], *, where: str | None, kept: bool, mask: bool = False
) -> ExportedPages:
    """Pages with the columns of a format, one row group at a time."""
    table = open_table(directory, plan)
    if "block_keep" not in table.columns:
        raise StoreError(f"nothing is selected yet; run: paberki build {directory.root}")
    names = [column.name for column in exported_columns(table, kept=kept) if column.level == "page"]
    names += [name for name in content if name not in names and (name == TEXT or name in table.columns)]
    return ExportedPages(table, tuple(names), where, kept, Mask(_masked_types(plan)) if mask else None)


def exported_columns(table: Table, *, kept: bool) -> list[Column]:
    """Columns that exports write; the columns of the verdict too where pages that were left out are written."""
    return [one for one in table.columns.values() if one.exported or (one.verdict and not kept)]


def _masked_types(plan: Plan) -> tuple[str, ...]:
    """Which personal data the recipe names; all types by default."""
    return next((step.config.types for step in plan.steps if isinstance(step.config, PersonalConfig)), ())
