"""Select by a list: exactly the pages and blocks that a published list names, for corpora that are rebuilt from one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from paberki.corpus_file import NO_FILE, CorpusFile
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin

SCHEMA = pa.schema([("head", pa.uint64()), ("tail", pa.uint64()), ("spans", pa.list_(pa.int64()))])
"""The two halves of a key, sorted, and starts and ends of the blocks in turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListConfig:
    """Which list."""

    file: CorpusFile = NO_FILE
    """Arrow file that ``paberki rebuild`` has made from a list; without one, every page is in the list."""


@map_stage(
    "select.listed.v1",
    layer="listed",
    needs=("archive.key", "extract.blocks.start", "extract.blocks.end"),
    adds=builtin("listed"),
    config=ListConfig,
)
def list_verdicts(batch: Batch, config: ListConfig) -> Columns:
    """Whether a page is in the list, and which of its blocks are, by their byte spans (no paper)."""
    spans_of = _MappedPageList(config.file.path) if config.file else None
    in_list: list[bool] = []
    of_blocks: list[list[bool] | None] = []
    names = ("archive.key", "extract.blocks.start", "extract.blocks.end")
    for key, starts, ends in zip(*(batch[name] for name in names), strict=True):
        spans = spans_of.spans(key) if spans_of else None
        in_list.append(spans_of is None or spans is not None)
        places = None if starts is None else list(zip(starts, ends, strict=True))
        everything = spans_of is None
        of_blocks.append(None if places is None else [everything or place in (spans or ()) for place in places])
    return {"in_list": in_list, "block_in_list": of_blocks}


class _MappedPageList:
    """The list, mapped into memory."""

    def __init__(self, path: Path) -> None:
        about = path.stat()
        self._table = _open_list(path, (about.st_ino, about.st_mtime_ns, about.st_size))
        self._heads, self._tails = (self._table.column(name).chunk(0).to_numpy() for name in ("head", "tail"))

    def spans(self, key: str) -> frozenset[tuple[int, int]] | None:
        """Byte spans of the blocks of a page; None where it is not in the list."""
        head, tail = halves(key)
        at = int(np.searchsorted(self._heads, np.uint64(head)))
        while at < len(self._heads) and int(self._heads[at]) == head:
            if int(self._tails[at]) == tail:
                flat: list[int] = self._table.column("spans").chunk(0)[at].as_py()
                return frozenset(zip(flat[::2], flat[1::2], strict=True))
            at += 1
        return None


@lru_cache(maxsize=2)
def _open_list(path: Path, version: tuple[int, int, int]) -> pa.Table:
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()


def halves(key: str) -> tuple[int, int]:
    """A key as two numbers."""
    return int(key[:16], 16), int(key[16:], 16)


def write_list(path: Path, pages: Iterable[tuple[str, list[list[int]]]]) -> None:
    """Write keys with the byte spans of their blocks as the stage reads them."""
    rows = sorted((*halves(key), [place for span in spans for place in span]) for key, spans in pages)
    columns: list[Any] = list(zip(*rows, strict=True)) or [(), (), ()]
    table = pa.table([pa.array(one, field.type) for one, field in zip(columns, SCHEMA, strict=True)], schema=SCHEMA)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, SCHEMA) as writer:
        writer.write_table(table, max_chunksize=max(1, table.num_rows))
