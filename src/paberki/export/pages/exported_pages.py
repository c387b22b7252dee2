"""The pages to export: which they are, which of their columns are written, and what is done to them before a format sees them.

All formats see the same pages in the same order. Personal data is masked here, so that no format can forget it; pages that
were taken down never get here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.errors import ConfigError, StoreError
from paberki.export.pages.imported_values import IMPORTED, NEEDED, with_given_values
from paberki.export.pages.paragraph_order import shuffle_paragraphs
from paberki.store.blocks import lengths_of
from paberki.store.columns import Column
from paberki.store.reading import TEXT, LayerTable, PageSet, ShardFiles, chosen_rows, read_rows, taken_down
from paberki.store.selection.condition import parse

if TYPE_CHECKING:
    from paberki.export.masking import Mask

BLOCKS: Final = "blocks"
_PLACES: Final = ("sent_block", "sent_length", "tok_start", "tok_end")


@dataclass(frozen=True, slots=True)
class PageSelection:
    """Which pages."""

    where: str | None = None
    pages: PageSet = "kept"
    every: int = 1
    """One page of so many."""
    requires: str = ""
    """Column that a page must have."""

    def rows(self, files: ShardFiles, group: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Which pages of a row group are written, and which are left out because they lack the required column."""
        page_mask = chosen_rows(files, group, parse(self.where) if self.where else None, self.pages)
        if page_mask.any():
            page_mask &= ~taken_down(files, group)
        if not self.requires or not page_mask.any():
            return page_mask, np.zeros(len(page_mask), np.bool_)
        has = files.read(group, [self.requires])[self.requires].is_valid().to_numpy(zero_copy_only=False)
        return page_mask & has, page_mask & ~has


@dataclass(frozen=True, slots=True)
class ExportedPages:
    """Pages with their columns; it travels to the processes that write them."""

    table: LayerTable
    selection: PageSelection
    names: tuple[str, ...]
    """Columns that the format gets, in order."""
    shown_columns: frozenset[str] = frozenset()
    """Those that describe a page or block; the others hold its words."""
    mask: Mask | None = None
    """Which personal data to mask."""
    imported: bool = False
    """Some pages were imported with attributes of their own."""
    full_blocks: bool = False
    """Blocks have all their fields; else their text and label alone."""
    paragraph_seed: int | None = None
    """Paragraphs of a page are put into another order."""
    hidden_columns: tuple[str, ...] = ()
    """Columns that are not masked, since nothing of them is written."""

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        types = [pa.string() if name == TEXT else self.table.columns[name].type for name in self.names]
        return pa.schema(list(zip(self.names, types, strict=True)))

    @property
    def columns(self) -> tuple[Column, ...]:
        """What the schema says of the columns, but for the text."""
        return tuple(self.table.columns[name] for name in self.names if name != TEXT)

    def open_shard(self, number: int) -> ShardFiles:
        """The files of a shard. Arrow reads no lists of words from several row groups at once: each has its own dictionary."""
        return ShardFiles(
            self.table, number, ahead=True, together=all(column.level == "page" for column in self.columns)
        )

    def read(self, files: ShardFiles, group: int, rows: npt.NDArray[np.bool_]) -> pa.Table:
        """The chosen pages of a row group, ready for a format."""
        names = [*dict.fromkeys((*self.names, *(NEEDED if self.imported else ())))]
        names += [name for name in self._beside(names) if name not in names]
        chunk = read_rows(files, group, [name for name in names if name != BLOCKS or self.full_blocks], rows)
        if BLOCKS in names and not self.full_blocks:
            fields = [files.read(group, [BLOCKS], field=name)[BLOCKS].filter(pa.array(rows)) for name in _FIELDS]
            chunk = chunk.append_column(BLOCKS, _as_blocks(fields))
        if IMPORTED in chunk.column_names and chunk.column(IMPORTED).null_count < chunk.num_rows:
            chunk = with_given_values(chunk, self.table.columns)
        if self.paragraph_seed is not None and BLOCKS in chunk.column_names:
            chunk = shuffle_paragraphs(chunk, self.table.columns, self.paragraph_seed)
        if self.mask is not None:
            from paberki.export.masking import mask_chunk

            return mask_chunk(chunk, self.names, self.table.columns, self.mask, self.hidden_columns)
        return chunk.select(list(self.names))

    def _beside(self, names: Sequence[str]) -> list[str]:
        """Columns that are read although they are not written: what tells how others are shuffled and masked."""
        levels = {self.table.columns[name].level for name in names if name in self.table.columns}
        shuffles, more = self.paragraph_seed is not None, []
        if levels & {"sentence", "token"} and (shuffles or self.mask is not None):
            more += [BLOCKS, *_PLACES]
        if shuffles and (TEXT in names or BLOCKS in names or levels - {"page"}):
            more += ["id", BLOCKS, "block_keep"]
        if list(names) == [BLOCKS]:  # which is read by itself, beside another column
            more.append("id")
        return [name for name in dict.fromkeys(more) if name in self.table.columns]


_FIELDS: Final = ("text", "label")
"""Fields of blocks that every format gets."""


def _as_blocks(fields: Sequence[pa.Array]) -> pa.Array:
    """Texts and labels of blocks in the shape of blocks, of which no other field is read."""
    texts = fields[0]
    values = pa.StructArray.from_arrays([field.values for field in fields], names=list(_FIELDS))
    missing = texts.is_null() if texts.null_count else None
    return pa.ListArray.from_arrays(texts.offsets, values, mask=missing)


def exported_pages(
    table: LayerTable,
    selection: PageSelection,
    content: Sequence[str],
    *,
    columns: Sequence[str] = (),
    attributes: bool = True,
) -> ExportedPages:
    """Pages with the columns of a format: those named, or those that the schema calls exported."""
    if "block_keep" not in table.columns:
        raise StoreError(f"nothing is selected yet; run: paberki build {table.directory.root}")
    about = _columns_about(table, selection.pages, columns)
    if not attributes:
        about = []
    if attributes and columns:
        content = [name for name in content if name != TEXT]
    shown_columns = [name for name in about if name != TEXT]
    of_blocks = [name for name in content if name in table.columns and table.columns[name].level == "block"]
    shown_columns += [name for name in of_blocks if table.columns[name].exported]
    names = [*about, *(name for name in content if name not in about and (name == TEXT or name in table.columns))]
    if selection.where:
        for name in parse(selection.where).names:
            if name != TEXT:
                table.column(name)
    return ExportedPages(table, selection, tuple(names), frozenset(shown_columns))


def _columns_about(table: LayerTable, pages: PageSet, columns: Sequence[str]) -> list[str]:
    """Columns of pages; those of the verdict too where pages that were left out are written."""
    if columns:
        names = [name if name == TEXT else table.column(name).name for name in columns]
        if len(set(names)) < len(names):
            raise ConfigError(f"--columns: a name stands twice in {','.join(columns)}")
        return [*names, *(["reason"] if pages == "dropped" and "reason" not in names else [])]
    every = [one for one in table.columns.values() if one.exported or (one.verdict and pages != "kept")]
    return [one.name for one in every if one.level == "page"]


def with_mask(pages: ExportedPages, mask: Mask | None) -> ExportedPages:
    """The same pages, masked."""
    return replace(pages, mask=mask)


def page_numbers(shard: int, first: int, rows: npt.NDArray[np.bool_]) -> Any:
    """Numbers of the chosen pages of a row group that begins with page ``first`` of its shard."""
    from paberki.store.layer import SHARD

    return shard * SHARD + first + np.flatnonzero(rows)


def combine(tables: Sequence[pa.Table], *, repeats: bool = False) -> pa.Table:
    """Tables in one piece. Words of layers become plain strings; with ``repeats`` they get one dictionary, in which words
    stand several times."""
    if len(tables) == 1:
        return tables[0]
    layers = {}
    for column in tables[0].schema if repeats else ():
        if _is_layer(column.type):
            layers[column.name] = _one_dictionary([table.column(column.name) for table in tables])
    whole = pa.concat_tables([_plain_words(table.drop_columns(list(layers))) for table in tables]).combine_chunks()
    arrays = {name: layers[name] if name in layers else whole.column(name) for name in tables[0].column_names}
    return pa.table(arrays)


def _is_layer(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) and pa.types.is_dictionary(kind.value_type))


def _plain_words(table: pa.Table) -> pa.Table:
    """Layers of words as strings: their dictionaries cannot be put together by Arrow where they are in lists."""
    for at, column in enumerate(table.schema):
        if _is_layer(column.type):
            table = table.set_column(at, column.name, pc.cast(table.column(at), pa.list_(pa.string())))
    return table


def _one_dictionary(columns: Sequence[pa.ChunkedArray]) -> pa.ListArray:
    """Lists of words of several tables; the dictionaries stand one after the other."""
    lists = [chunk for column in columns for chunk in column.chunks]
    words = [one.flatten() for one in lists]
    shifts = np.cumsum([0, *(len(one.dictionary) for one in words)])
    codes = pa.concat_arrays(
        [pc.add(one.indices.cast(pa.int32()), int(at)) for one, at in zip(words, shifts, strict=False)]
    )
    values = pa.DictionaryArray.from_arrays(codes, pa.concat_arrays([one.dictionary for one in words]), safe=False)
    offsets = np.r_[0, np.cumsum(np.concatenate([lengths_of(one) for one in lists]))].astype(np.int32)
    missing = np.concatenate([one.is_null().to_numpy(zero_copy_only=False) for one in lists])
    return pa.ListArray.from_arrays(pa.array(offsets), values, mask=pa.array(missing) if missing.any() else None)
