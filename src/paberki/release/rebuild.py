"""Rebuild a corpus from a list of pages and the archives that hold them.

The listed records are copied into an archive of their own. They go through the stages of the recipe that the list carries;
only the selection is another one: it takes the pages and blocks that the list names. So a page has the text that it had,
whatever other pages were left out for.
"""

from __future__ import annotations

import gzip
import json
import lzma
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import zstandard

from paberki.amounts import several
from paberki.archive.adding.recompress import recompress
from paberki.archive.archive_rows import is_page, page_row
from paberki.archive.reading.archived_record import ArchiveRecord, RecordLimits
from paberki.archive.reading.warc import Archive, is_single_member
from paberki.archive.warc_writer import WarcWriter
from paberki.errors import InputError, StoreError
from paberki.export.formats.recipe_list import text_digest
from paberki.recipe.corpus_recipe import parse
from paberki.release.toml_text import toml_text
from paberki.store.directory import RECIPE
from paberki.store.files import explain, local, write_json, write_text
from paberki.store.scratch import scratch_folder
from paberki.store.selection.list_choice import write_list
from paberki.store.selection.select import SelectConfig

LIST_FILE: Final = "listed.arrow"
_ARCHIVE: Final = "rebuilt.warc.gz"
_STAGE: Final = "select.listed.v1"
_NEEDED: Final = ("url", "date", "digest", "key", "spans")


@dataclass(slots=True)
class RebuildResult:
    """What came of it."""

    root: Path
    pages: int
    """Pages in the list."""
    restored: int = 0
    gone: list[dict[str, Any]] = field(default_factory=list)
    """Pages that are in none of the archives."""
    different: list[dict[str, Any]] = field(default_factory=list)
    """Pages whose text is not the one that was listed."""


@dataclass(slots=True)
class _PublishedPages:
    pages: dict[str, dict[str, Any]]
    """By key; byte spans go into a file, since there may be many."""
    recipe: str


def rebuild(
    listing: Path,
    archives: Sequence[Path],
    out: Path,
    *,
    jobs: int | None = None,
    listen: Callable[..., None] | None = None,
) -> RebuildResult:
    """Make the corpus ``out`` from a list and archives; what could not be restored is in the result."""
    from paberki.corpus import Corpus

    _check_target(out)
    try:
        out.mkdir(parents=True, exist_ok=True)
        page_list = _read_list(listing, out / LIST_FILE)
        found_keys = _collect(archives, out / "warc", page_list.pages.keys())
        if not found_keys:
            shutil.rmtree(out)
            raise InputError(f"none of the {several(len(page_list.pages), 'page')} of {listing} is in these archives")
        write_text(out / RECIPE, rebuilt_recipe(page_list.recipe, str(listing)))
    except OSError as error:
        raise explain(error, f"rebuilding {out}") from error
    missing_pages = [page for key, page in page_list.pages.items() if key not in found_keys]
    corpus = Corpus(out)
    corpus.build(jobs=jobs, listen=listen)
    result = RebuildResult(out, len(page_list.pages), gone=missing_pages)
    texts = {page["key"]: text_digest(page["text"]) for page in corpus.pages("key", "text")}
    for key in found_keys:
        page = page_list.pages[key]
        if texts.get(key) == page["text_digest"].rpartition(":")[2]:
            result.restored += 1
        else:
            result.different.append(page)
    return result


def _check_target(out: Path) -> None:
    if local(out).exists() and (not out.is_dir() or any(out.iterdir())):
        raise StoreError(f"{out}: exists and is not empty; choose another name")


def _read_list(path: Path, spans_file: Path) -> _PublishedPages:
    pages: dict[str, dict[str, Any]] = {}
    spans: dict[str, list[list[int]]] = {}
    recipe = ""
    for number, line in enumerate(_lines(path), 1):
        try:
            page = json.loads(line)
            missing = [name for name in _NEEDED if name not in page]
            spans[page["key"]] = [[int(start), int(end)] for start, end in page["spans"]] if not missing else []
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(
                f"{path}, line {number}: not a page of a list ({error}); make one with: paberki export"
            ) from error
        if missing:
            raise InputError(
                f"{path}, line {number}: has no {missing[0]}; make a list with: paberki export DIR recipe-list"
            )
        recipe = recipe or page.get("recipe", "")
        pages[page["key"]] = {name: page.get(name) for name in ("url", "date", "digest", "key", "text_digest")}
    if not pages:
        raise InputError(f"{path}: names no page")
    if not recipe:
        raise InputError(f"{path}: has no recipe; the first page of a list carries it")
    write_list(spans_file, spans.items())
    return _PublishedPages(pages, recipe)


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with open(path, "rb") as file:
            yield from (line for line in _unpack(file, path.suffix.lower()) if line.strip())
    except (OSError, EOFError, lzma.LZMAError, zstandard.ZstdError) as error:
        raise InputError(f"{path}: cannot be read ({error}); give a list made with: paberki export") from error


def _unpack(file: BinaryIO, suffix: str) -> Iterator[bytes]:
    if suffix == ".gz":
        return iter(gzip.GzipFile(fileobj=file))
    if suffix == ".xz":
        return iter(lzma.LZMAFile(file))
    if suffix == ".zst":
        import io

        return iter(io.BufferedReader(cast("Any", zstandard.ZstdDecompressor().stream_reader(file))))
    return iter(file)


def _collect(archives: Sequence[Path], folder: Path, keys: Collection[str]) -> set[str]:
    """Copy the listed records into an archive of the new corpus; the keys of those that were there."""
    folder.mkdir(parents=True, exist_ok=True)
    found_keys: set[str] = set()
    with WarcWriter(folder / _ARCHIVE) as writer:
        for path in archives:
            for record, key in _pages_in(local(path)):
                if key in keys and key not in found_keys:
                    found_keys.add(key)
                    _copy(record, writer)
        writer.flush(fsync=True)
    write_json(
        folder / f"{_ARCHIVE}.json",
        {"committed": (folder / _ARCHIVE).stat().st_size, "complete": True, "origin": "rebuild"},
    )
    return found_keys


def _pages_in(path: Path) -> Iterator[tuple[ArchiveRecord, str]]:
    if not path.is_file():
        raise InputError(f"{path}: no such archive; give WARC or ARC files with --warc")
    with scratch_folder() as scratch:
        if is_single_member(path):
            recompress(path, aligned_archive := scratch / "aligned.warc.gz")
            path = aligned_archive
        limits = RecordLimits()
        with Archive(path, limits) as archive:
            for record in archive.scan():
                if is_page(record) and not record.error:
                    yield record, page_row(record, path.name, limits)["key"]


def _copy(record: ArchiveRecord, writer: WarcWriter) -> None:
    """The record with the same content; its key depends on address, time and payload alone."""
    names = {"warc-truncated": "WARC-Truncated", "warc-ip-address": "WARC-IP-Address"}
    headers = {name: record.headers[low] for low, name in names.items() if record.headers.get(low)}
    kind = record.headers.get("content-type") or record.headers.get("arc-content-type")
    writer.write(
        record.type,
        url=record.url,
        date=record.date,
        content_type=kind,
        block=record.body,
        headers=headers,
        record_id=record.id,
    )


def rebuilt_recipe(text: str, where: str) -> str:
    """The recipe with the list in the place of its rules."""
    recipe = parse(text, where)
    import tomllib

    own = tomllib.loads(text)
    select = next((config for _, config in recipe.stages if isinstance(config, SelectConfig)), SelectConfig())
    tables = {"pages": (select.pages, "in_list"), "blocks": (select.blocks, "block_in_list")}
    rules: dict[str, Any] = {"copies": ""}
    for name, (old_rules, column) in tables.items():
        off = [{"reason": reason, "drop": ""} for reason in dict.fromkeys(rule.reason for rule in old_rules)]
        rules[name] = [*off, {"reason": "not-listed", "drop": f"not {column}"}]
    own["select"] = {**{k: v for k, v in own.get("select", {}).items() if k not in rules}, **rules}
    own["add"] = [*own.get("add", []), _STAGE]
    own["listed"] = {"file": LIST_FILE}
    own.setdefault("name", recipe.name)
    return toml_text(own)
