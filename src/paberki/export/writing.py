"""Writing an export: a survey of the pages, pieces of them in a format, and a file or directory of all pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from paberki.errors import ConfigError
from paberki.export.export_format import Counts, ExportHead, Form
from paberki.export.format_list import SIGNATURES, TOKENS, form_of
from paberki.export.pages import survey
from paberki.export.pages.coverage import ANNOTATED, AnnotationCoverage, check_annotated
from paberki.export.pages.exported_pages import ExportedPages, PageSelection, exported_pages
from paberki.export.pages.imported_places import has_misc
from paberki.export.pages.imported_values import has_imported, without_imported
from paberki.export.pages.shuffled_pages import Buckets
from paberki.export.pages.survey import RowGroupPages, close_shard, pieces
from paberki.export.piece_files import ExportJob, key_of, work_folder
from paberki.export.recipe_facts import RecipeFacts, recipe_facts
from paberki.export.target import Assembly, check_place, ending_of, is_stream
from paberki.export.words.annotation_form import schema_without_needed
from paberki.export.words.token_table import FIRST
from paberki.store.built_layers import Layout
from paberki.store.directory import Directory
from paberki.store.files import explain
from paberki.store.layer import CHUNK, SHARD
from paberki.store.reading import TEXT, PageSet, ShardFiles, open_table
from paberki.store.scratch import scratch_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """What is exported and how; the command line has the same words."""

    where: str | None = None
    pages: PageSet = "kept"
    shard_pages: int | None = None
    mask: bool = False
    tokens: bool | None = None
    columns: Sequence[str] = ()
    every: int = 1
    shuffle: bool = False
    shuffle_paragraphs: bool = False
    seed: int = 0
    tokenizer: str = ""
    jobs: int | None = None

    def check(self) -> None:
        """Refuse numbers that mean nothing."""
        if self.shard_pages is not None and self.shard_pages < 1:
            raise ConfigError(f"pages per file should be at least 1, not {self.shard_pages}")
        if self.every < 1:
            raise ConfigError(f"--every should be at least 1, not {self.every}")
        if self.seed < 0:
            raise ConfigError(f"--seed should be at least 0, not {self.seed}")


def export(
    directory: Directory,
    layout: Layout,
    form: str,
    out: Path,
    *,
    where: str | None = None,
    kept: bool = True,
    pages: PageSet | None = None,
    shard_pages: int | None = None,
    mask: bool = False,
    tokens: bool | None = None,
    columns: Sequence[str] = (),
    every: int = 1,
    shuffle: bool = False,
    shuffle_paragraphs: bool = False,
    seed: int = 0,
    tokenizer: Path | str = "",
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    note: Callable[[str], None] | None = None,
) -> int:
    """Write pages in a format; the number of pages written.

    ``out`` is a file, ``-`` for standard output, or with ``shard_pages`` a directory of files with that many pages
    each. ``pages`` are those kept, dropped or all (``kept=False`` is short for all); dropped ones come with their reasons.
    ``mask`` puts the type of personal data in its place. ``columns`` names the columns about pages; ``every=n`` takes one
    page of n; ``shuffle`` puts pages, ``shuffle_paragraphs`` the paragraphs of each page into an order that ``seed`` decides.
    ``tokens`` adds annotation to formats that hold texts, which else only corpora with several annotations do.
    ``progress`` gets the number of pages written and that of all; ``note`` is called with what is missing.
    """
    options = ExportOptions(
        where=where, pages=pages or ("kept" if kept else "all"), shard_pages=shard_pages, mask=mask, tokens=tokens,
        columns=columns, every=every, shuffle=shuffle, shuffle_paragraphs=shuffle_paragraphs, seed=seed,
        tokenizer=str(tokenizer), jobs=jobs,
    )  # fmt: skip
    if form == SIGNATURES:
        if options != ExportOptions() or str(out) == "-":
            raise ConfigError("signatures are written of all kept pages, to one file; leave the other options out")
        from paberki.dedup.signatures.published import write_signatures

        return write_signatures(directory.root, out)
    try:
        return _export(directory, layout, form, out, options, progress, note)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise explain(error, f"writing {out}") from error


def _export(
    directory: Directory,
    layout: Layout,
    form: str,
    out: Path,
    options: ExportOptions,
    progress: Callable[[int, int], None] | None,
    note: Callable[[str], None] | None,
) -> int:
    options.check()
    facts = recipe_facts(directory, layout)
    writer, has_tokens = _writer(form, options, facts)
    ending = ending_of(writer, out)
    selected_pages = _pages(directory, layout, facts, writer, options)
    if writer.requires or options.tokens:
        check_annotated(selected_pages.table, facts, form, directory.root)
    check_place(out, writer, options.shard_pages)
    about = replace(
        _about(directory, selected_pages, facts, has_tokens),
        seed=options.seed,
        ending=ending,
        extra=_extra(form, options),
    )
    coverage = AnnotationCoverage(form, facts)
    key = key_of(
        form,
        has_tokens,
        selected_pages,
        about,
        f"{options.shard_pages} {options.shuffle} {survey.PIECE_PAGES} {survey.PIECE_CHARS}",
    )
    with _folder(out, key, options) as folder:
        job = ExportJob(form, has_tokens, selected_pages, about, folder)
        counts = _write(job, writer, out, options, coverage, progress)
    coverage.blocks = counts["blocks left out"]
    if note is not None and str(coverage):
        note(f"left out of {form}: {coverage}")
    return counts["pages"]


def _writer(form: str, options: ExportOptions, facts: RecipeFacts) -> tuple[Form, bool]:
    writer = form_of(form)
    usual = options.tokens if options.tokens is not None else len(facts.taggers) > 1
    has_tokens = bool(usual and writer.attributes and TEXT in writer.content and not options.columns)
    return (form_of(form, tokens=True), True) if has_tokens else (writer, False)


def _pages(
    directory: Directory, layout: Layout, facts: RecipeFacts, writer: Form, options: ExportOptions
) -> ExportedPages:
    selection = PageSelection(options.where, options.pages, options.every, writer.requires)
    table = open_table(directory, layout)
    if writer.requires and writer.requires not in table.columns:
        selection = replace(selection, requires="")
    imported = has_imported(table)
    content = list(writer.content) if imported else without_imported(writer.content)
    selected_pages = exported_pages(table, selection, content, columns=options.columns, attributes=writer.attributes)
    selected_pages = replace(
        selected_pages, full_blocks=writer.full_blocks, imported=imported, hidden_columns=writer.hidden_columns
    )
    shuffles = options.shuffle_paragraphs and writer.has_paragraphs
    selected_pages = replace(selected_pages, paragraph_seed=options.seed if shuffles else None)
    if options.mask:
        from paberki.export.masking import Mask

        selected_pages = replace(selected_pages, mask=Mask(facts.masked_types))
    return selected_pages


def _about(directory: Directory, pages: ExportedPages, facts: RecipeFacts, has_tokens: bool) -> ExportHead:
    is_annotated = ANNOTATED in pages.table.columns
    return ExportHead(
        facts.name,
        schema_without_needed(pages.schema) if has_tokens else pages.schema,
        pages.columns,
        pages.shown_columns,
        (facts.taggers or (FIRST,)) if is_annotated else (),
        has_frames=is_annotated and facts.has_frames,
        has_misc=is_annotated and pages.imported and has_misc(pages.table),
        lang=facts.lang,
        root=directory.root,
        recipe=directory.recipe.read_text("utf-8") if directory.recipe.is_file() else "",
    )


def _extra(form: str, options: ExportOptions) -> str:
    if form != TOKENS:
        return ""
    from paberki.export.formats.tokens import open_tokenizer

    open_tokenizer(options.tokenizer)
    return str(Path(options.tokenizer).resolve())


@contextmanager
def _folder(out: Path, key: str, options: ExportOptions) -> Iterator[Path]:
    """A folder for pieces: beside the target, or anywhere if that is a stream."""
    if options.shard_pages is None and is_stream(out):
        with scratch_folder() as folder:
            yield folder
    else:
        with work_folder(out, key) as folder:
            yield folder


def _write(
    job: ExportJob,
    writer: Form,
    out: Path,
    options: ExportOptions,
    coverage: AnnotationCoverage,
    progress: Callable[[int, int], None] | None,
) -> Counts:
    shuffles = options.shuffle or (writer.shuffled and options.shard_pages is not None)
    buckets = Buckets(job.folder, options.seed, job.pages.table.pages) if shuffles else None
    units = list(survey.survey(job.pages, coverage, buckets))
    if buckets is not None:
        _spread(job, buckets)
    work = pieces(units, options.shard_pages)
    coverage.written_pages = sum(unit.pages for unit in units)
    coverage.check()
    assembly = Assembly(job, writer, work, options.jobs, progress)
    try:
        return _assemble(assembly, out, options)
    finally:
        close_shard()


def _assemble(assembly: Assembly, out: Path, options: ExportOptions) -> Counts:
    if options.shard_pages is not None:
        return assembly.to_directory(out)
    return assembly.to_stream(out) if is_stream(out) else assembly.to_file(out)


def _spread(job: ExportJob, buckets: Buckets) -> None:
    """Put all pages into the files of their hashes, once."""
    marker_file = job.folder / "buckets"
    if marker_file.exists():
        return
    for leftover in job.folder.glob("bucket-*"):
        leftover.unlink()
    page_count, every = 0, job.pages.selection.every
    for shard in range(job.pages.table.shards):
        with ShardFiles(job.pages.table, shard) as files:
            for number in range(files.groups):
                page_mask, _ = job.pages.selection.rows(files, number)
                rows = RowGroupPages(shard, number, -page_count % every, every).rows(page_mask)
                page_count += int(page_mask.sum())
                if rows.any():
                    numbers = shard * SHARD + number * CHUNK + rows.nonzero()[0]
                    buckets.add(job.pages.read(files, number, rows), numbers)
    marker_file.touch()
