"""Wraps loose pages as WARC ``resource`` records, so that all later steps read one format.

Input is a directory, a single file or a table. The same input gives the same bytes: no clock, no absolute path. A page
without a date gets the date that is read as unknown.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from paberki.archive.adding.annotated import read_pages, reader_name
from paberki.archive.adding.page_tables import LoosePage, pages, table_suffix
from paberki.archive.annotated_page import MIME
from paberki.archive.reading.numbered_lines import OnError, open_stream
from paberki.archive.reading.warc import format_of
from paberki.archive.warc_writer import WarcWriter
from paberki.errors import InputError

PAGE_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".txt": "text/plain",
    ".md": "text/plain",
}
PAGE_BYTES = 64 << 20
"""Longest page file; a longer one is reported and skipped."""

Kind = Literal["warc", "directory", "table", "page", "annotated"]

_ARCHIVE_SUFFIXES = (".warc", ".arc", ".wet", ".warc.gz", ".arc.gz", ".wet.gz", ".warc.zst")
_ANNOTATED_SUFFIXES = (".vert", ".conllu", ".tei.xml", ".wsf.xml", ".parquet")
_TAKES = "paberki import takes WARC, ARC, WET, HTML, text, CSV, JSONL, vertical, CoNLL-U, TEI, WSF, Parquet"


@dataclass(frozen=True, slots=True)
class WrapResult:
    """Number of pages written, number of entries skipped, and digest of the file."""

    records: int
    skipped: int
    sha256: str


def kind_of(path: Path) -> Kind:
    """The kind of an input; raises InputError that names the accepted kinds if it cannot be imported."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            os.scandir(path).close()
            return "directory"
        if not stat.S_ISREG(mode):
            raise InputError(f"{path.name}: is not a regular file; {_TAKES}")
        with open(path, "rb") as file:
            head = file.read(1024)
    except FileNotFoundError:
        raise InputError(f"{path}: does not exist") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    if not head:
        raise InputError(f"{path.name}: is empty")
    return _file_kind(path, head)


def sources_in(path: Path) -> list[Path]:
    """What an import of a file or directory adds: the archives in a directory one by one, and its pages together."""
    if not path.is_dir():
        return [path]
    files = list(_files(path))
    archives = [file for file in files if file.name.lower().endswith(_ARCHIVE_SUFFIXES)]
    has_others = any(file.suffix.lower() in PAGE_TYPES or _is_several_pages(file) for file in files)
    return [*archives, path] if has_others or not archives else archives


def _is_several_pages(path: Path) -> bool:
    return bool(table_suffix(path)) or path.name.lower().removesuffix(".gz").endswith(_ANNOTATED_SUFFIXES)


def wrap(
    source: Path,
    target: Path,
    *,
    base_url: str | None = None,
    on_error: OnError,
    progress: Callable[[int], None] | None = None,
) -> WrapResult:
    """Write all pages of ``source`` to ``target``, which appears only when it is complete.

    ``progress`` is called after each page with the number of pages so far.
    """
    records = skipped_entries = 0

    def report(where: str, why: str) -> None:
        nonlocal skipped_entries
        skipped_entries += 1
        on_error(where, why)

    loose_pages = _pages(source, base_url, report)
    part = target.with_name(f".{target.name}.part")
    part.unlink(missing_ok=True)
    try:
        with WarcWriter(part) as writer:
            for page in loose_pages:
                writer.write("resource", url=page.url, date=page.date, content_type=page.content_type, block=page.data)
                records += 1
                if progress:
                    progress(records)
            writer.flush(fsync=True)
        if not records and not skipped_entries:
            raise InputError(f"{source.name}: holds no pages; {_TAKES}")
        with open(part, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        os.replace(part, target)
        _sync_directory(target.parent)
    finally:
        part.unlink(missing_ok=True)
    return WrapResult(records, skipped_entries, digest)


def _file_kind(path: Path, head: bytes) -> Kind:
    try:
        format_of(path)
    except InputError:
        if path.name.lower().endswith(_ARCHIVE_SUFFIXES):
            raise
    else:
        return "warc"
    if table_suffix(path):
        return "table"
    if _annotation_reader(path):
        return "annotated"
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:14].lower()
    if path.suffix.lower() in PAGE_TYPES or start.startswith((b"<!doctype html", b"<html")):
        return "page"
    raise InputError(f"{path.name}: is of no kind that we know; {_TAKES}")


def _pages(source: Path, base_url: str | None, on_error: OnError) -> Iterator[LoosePage]:
    kind = kind_of(source)
    if kind == "table":
        return pages(source, base_url=base_url, on_error=on_error)
    if kind == "annotated":
        return _annotated_pages(source, base_url, on_error)
    if kind == "directory":
        root = source.resolve()
        base = base_url or f"file:///{quote(os.fsencode(root.name))}"
        for path in filter(_is_several_pages, _files(root)):
            on_error(_printable_name(path.relative_to(root)), "holds several pages; name it by itself")
        return _file_pages(root, _walk(root), base, on_error)
    if kind == "page":
        return _file_pages(source.parent, iter([source]), base_url or "file://", on_error)
    raise InputError(f"{source.name}: is an archive already and needs no wrapping")


def _annotation_reader(path: Path) -> str | None:
    """The module that reads a file with tokens; its first bytes, unpacked, tell what XML is."""
    head = b""
    if ".xml" in path.name.lower():
        with open_stream(path) as stream:
            head = stream.read(4096)
    return reader_name(path, head)


def _annotated_pages(path: Path, base_url: str | None, on_error: OnError) -> Iterator[LoosePage]:
    for page in read_pages(path, _annotation_reader(path) or "", on_error):
        data = page.to_bytes()
        if len(data) > PAGE_BYTES:
            on_error(f"{path.name}: {page.id or page.url}", f"is longer than {PAGE_BYTES} bytes")
            continue
        url = page.url if base_url is None or not page.url.startswith("file:") else f"{base_url}{page.url[8:]}"
        yield LoosePage(url, page.date, f"{MIME}; charset=utf-8", data)


def _walk(root: Path) -> Iterator[Path]:
    """Page files below ``root``."""
    return (path for path in _files(root) if path.suffix.lower() in PAGE_TYPES)


def _files(root: Path) -> Iterator[Path]:
    """Files below ``root`` in a fixed order, without hidden files and links that leave the directory."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(folder, name)
            if name.startswith("."):
                continue
            if not path.is_symlink() or Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root)):
                yield path


def _file_pages(root: Path, paths: Iterator[Path], base: str, on_error: OnError) -> Iterator[LoosePage]:
    for path in paths:
        relative = path.relative_to(root).as_posix()
        try:
            data = _content(path)
        except (OSError, ValueError) as error:
            on_error(_printable_name(path.relative_to(root)), getattr(error, "strerror", None) or str(error))
            continue
        url = f"{base.rstrip('/') if base != 'file://' else base}/{quote(os.fsencode(relative))}"
        yield LoosePage(url, None, PAGE_TYPES.get(path.suffix.lower(), "text/html"), data)


def _printable_name(relative: Path) -> str:
    return relative.as_posix().encode("utf-8", "replace").decode()


def _content(path: Path) -> bytes:
    """The file's bytes; raises ValueError if it is not a page. Pipes are refused, since reading one could block."""
    info = path.stat()
    if not stat.S_ISREG(info.st_mode):
        raise ValueError("is not a regular file")
    if info.st_size > PAGE_BYTES:
        raise ValueError(f"is longer than {PAGE_BYTES} bytes")
    with open(path, "rb") as file:
        data = file.read(PAGE_BYTES + 1)
    if not data:
        raise ValueError("is empty")
    return data[:PAGE_BYTES]


def _sync_directory(path: Path) -> None:
    """Make the new file name survive a power cut."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
