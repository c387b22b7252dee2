"""Writing an export: pages in, a format out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from paberki.annotation.annotate_config import AnnotateConfig
from paberki.dedup.signatures.published import write_signatures
from paberki.engine.plan import Plan
from paberki.errors import ConfigError
from paberki.export.annotated_pages import FIRST
from paberki.export.annotation_tables import COLUMNS, NEEDED, with_layers
from paberki.export.coverage import ANNOTATED, AnnotationCoverage, check_annotated, config_of
from paberki.export.export_format import About, Form
from paberki.export.exported_pages import page_chunks
from paberki.export.format_list import SIGNATURES, form_of
from paberki.export.target import write_files
from paberki.recipe.corpus_recipe import load
from paberki.store.directory import Directory
from paberki.store.reading import TEXT


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
    tokens: bool | None = None,
    progress: Callable[[int], None] | None = None,
    note: Callable[[str], None] | None = None,
) -> int:
    """Write pages in a format; the number of pages written.

    ``out`` is a file, ``-`` for standard output, or with ``shard_pages`` a directory of files with that many pages
    each. ``kept=False`` writes the pages that were left out as well, with their reasons; ``mask`` puts the type of
    personal data in its place. ``tokens`` adds annotation to formats that hold texts, which else only corpora with several
    annotations do. ``note`` is told what is missing.
    """
    if form == SIGNATURES:
        if where or not kept or shard_pages or str(out) == "-":
            raise ConfigError("signatures are written of all kept pages, to one file; leave the other options out")
        return write_signatures(directory.root, out)
    writer = form_of(form)
    if shard_pages is not None and shard_pages < 1:
        raise ConfigError(f"pages per file should be at least 1, not {shard_pages}")
    config = config_of(plan)
    if writer.content == (TEXT,) and (tokens if tokens is not None else config and len(config.taggers) > 1):
        writer = with_tokens(writer)
    pages = page_chunks(directory, plan, writer.content, where=where, kept=kept, mask=mask)
    is_annotated = ANNOTATED in pages.table.columns
    if writer.requires or tokens:
        check_annotated(pages.table, plan, form, directory.root)
    coverage = AnnotationCoverage(form, config)
    chunks = _CountedChunks(pages, progress, coverage if writer.requires else None)
    about = About(
        load(directory.recipe).name,
        pages.schema,
        pages.columns,
        _schemes(config) if is_annotated else (),
        has_frames=bool(is_annotated and config and config.valency),
    )
    write_files(writer, chunks, out, about, shard_pages)
    if note is not None and str(coverage):
        note(f"left out of {form}: {coverage}")
    return chunks.pages


def _schemes(config: AnnotateConfig | None) -> tuple[str, ...]:
    return tuple(map(str, config.taggers)) if config else (FIRST,)


def with_tokens(form: Form) -> Form:
    """A format of texts that holds their tokens too."""

    def write(chunks: Iterable[pa.Table], file: BinaryIO, about: About) -> None:
        schema = pa.schema([field for field in about.schema if field.name not in NEEDED])
        form.write(with_layers(chunks), file, replace(about, schema=schema))

    return replace(form, write=write, content=(*form.content, *NEEDED, *COLUMNS))


class _CountedChunks:
    """Counts pages as chunks are read; skips pages without annotation where the format needs one."""

    def __init__(
        self, chunks: Iterable[pa.Table], progress: Callable[[int], None] | None, coverage: AnnotationCoverage | None
    ) -> None:
        self._chunks, self._progress, self._coverage = chunks, progress, coverage
        self.pages = 0

    def __iter__(self) -> Iterator[pa.Table]:
        for chunk in self._chunks:
            annotated = self._coverage.split(chunk) if self._coverage else chunk
            if annotated.num_rows:
                yield annotated
            self.pages += annotated.num_rows
            if self._progress:
                self._progress(self.pages)
        if self._coverage:
            self._coverage.check()
