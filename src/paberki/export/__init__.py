"""Export: the kept pages of a corpus in formats that other tools read.

All formats read the same stream of pages, so that they hold the same pages in the same order; the same corpus gives
the same bytes. A file appears whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from paberki.dedup.published import write_signatures
from paberki.engine.plan import Plan
from paberki.errors import ConfigError
from paberki.export import conllu, jsonl, parquet, vert
from paberki.export.form import About, Form
from paberki.export.pages import page_chunks
from paberki.export.target import written
from paberki.nearest import nearest
from paberki.recipe import load
from paberki.store.directory import Directory

FORMATS: dict[str, Form] = {"conllu": conllu.FORM, "jsonl": jsonl.FORM, "parquet": parquet.FORM, "vert": vert.FORM}

SIGNATURES = "signatures"
"""Not texts but what others need to find copies of them: see :mod:`paberki.dedup.published`."""

__all__ = ["FORMATS", "SIGNATURES", "export"]


def export(
    directory: Directory,
    plan: Plan,
    form: str,
    out: Path,
    *,
    where: str | None = None,
    kept: bool = True,
    shard_pages: int | None = None,
    mask: bool = False,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Write pages in a format; the number of pages written.

    ``out`` is a file, ``-`` for standard output, or with ``shard_pages`` a directory of files with that many pages
    each. ``kept=False`` writes the pages that were left out as well, with their reasons; ``mask`` puts the type of
    personal data in its place.
    """
    if form == SIGNATURES:
        if where or not kept or shard_pages or str(out) == "-":
            raise ConfigError("signatures are written of all kept pages, to one file; leave the other options out")
        return write_signatures(directory.root, out)
    if form not in FORMATS:
        known = (*FORMATS, SIGNATURES)
        raise ConfigError(f"no format {form!r}{nearest(form, known)}; known: {', '.join(known)}")
    if shard_pages is not None and shard_pages < 1:
        raise ConfigError(f"pages per file should be at least 1, not {shard_pages}")
    chosen = FORMATS[form]
    pages = page_chunks(directory, plan, chosen.content, where=where, kept=kept, mask=mask)
    counted = _Counted(pages, progress)
    about = About(load(directory.recipe).name, pages.schema)
    written(chosen, counted, out, about, shard_pages)
    return counted.pages


class _Counted:
    """Chunks as they pass by, counted."""

    def __init__(self, chunks: Iterable[pa.Table], progress: Callable[[int], None] | None) -> None:
        self._chunks, self._progress = chunks, progress
        self.pages = 0

    def __iter__(self) -> Iterator[pa.Table]:
        for chunk in self._chunks:
            yield chunk
            self.pages += chunk.num_rows
            if self._progress:
                self._progress(self.pages)
