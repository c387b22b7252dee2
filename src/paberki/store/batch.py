"""A batch of pages as a stage sees it: declared columns and ephemeral values, nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from paberki.errors import ContractError
from paberki.stage import ephemerals


def base_column(need: str) -> str:
    """``extract.blocks`` of ``extract.blocks.text``; a need that is a column or an ephemeral value stays as it is."""
    return ".".join(need.split(".")[:2])


def field_of_blocks(blocks: pa.Array, field: str) -> pa.Array:
    """One field of a list of structs as a list of the same shape, without copying the values."""
    if isinstance(blocks, pa.ChunkedArray):
        blocks = blocks.combine_chunks()
    values = blocks.values.field(field)
    if not blocks.null_count:
        return pa.ListArray.from_arrays(blocks.offsets, values)
    return pa.ListArray.from_arrays(blocks.offsets, values, mask=blocks.is_null())


class Batch:
    """Some rows of a shard. ``batch["archive.url"]`` is a Python list, ``batch.arrow("archive.url")`` the Arrow array.

    Ephemeral values (``payload``, ``decoded``) are computed by their providers when first asked for and kept as long as
    the batch lives, so that a page is read and decoded once however many stages look at it.
    """

    def __init__(
        self,
        pages: np.ndarray[Any, np.dtype[np.int64]],
        columns: Mapping[str, pa.Array],
        *,
        warc: Path | None = None,
        values: Mapping[str, Sequence[Any]] | None = None,
        taken_down: frozenset[int] = frozenset(),
        held_back: frozenset[int] = frozenset(),
    ) -> None:
        self.pages = pages
        """Page numbers (the id as an integer) of the rows."""
        self.warc = warc
        """Directory of the archive files, for the provider of the payload."""
        self.taken_down = taken_down
        """Rows that were taken down."""
        self.held_back = held_back
        """Copies of pages that were taken down, which must not take their place."""
        self._columns: dict[str, pa.Array] = dict(columns)
        self._values: dict[str, Sequence[Any]] = dict(values or {})
        self._allowed_names: frozenset[str] | None = None

    def __len__(self) -> int:
        return len(self.pages)

    def view(self, needs: Sequence[str]) -> Batch:
        """The same batch, through which only these columns and values can be seen."""
        view = Batch.__new__(Batch)
        view.pages, view.warc, view.taken_down, view.held_back = self.pages, self.warc, self.taken_down, self.held_back
        view._columns, view._values = self._columns, self._values
        view._allowed_names = frozenset(needs)
        return view

    def names(self) -> list[str]:
        """Full names of the declared columns that are here."""
        return [name for name in self._columns if self._allowed_names is None or name in self._allowed_names]

    def full_name(self, short: str) -> str:
        """``archive.status`` for ``status``; column names are unique over all layers."""
        for name in self.names():
            if name.partition(".")[2] == short:
                return name
        raise ContractError(f"the batch has no column {short!r}")

    def add(self, columns: Mapping[str, pa.Array], values: Mapping[str, Sequence[Any]]) -> None:
        """Make what a stage returned visible to the next one."""
        self._columns.update(columns)
        self._values.update(values)

    def arrow(self, name: str) -> pa.Array:
        """A column as an Arrow array; ``extract.blocks.text`` gives one field as a list per page."""
        self._check(name)
        if name not in self._columns:
            base = base_column(name)
            if base == name or base not in self._columns:
                raise ContractError(f"the batch has no column {name!r}")
            self._columns[name] = field_of_blocks(self._columns[base], name.split(".")[2])
        return self._columns[name]

    def __getitem__(self, name: str) -> Sequence[Any]:
        self._check(name)
        if name not in self._values:
            provider = None if "." in name else ephemerals().get(name)
            if provider:
                self._values[name] = provider.provide(self.view(provider.needs))
            else:
                self._values[name] = self.arrow(name).to_pylist()
        return self._values[name]

    def _check(self, name: str) -> None:
        if self._allowed_names is not None and name not in self._allowed_names:
            raise ContractError(f"{name!r} is used but not declared in needs")
