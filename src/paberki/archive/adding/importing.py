"""Imports files: archives are linked or copied into warc/, loose pages and tables are wrapped as WARC records."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paberki.archive.adding.wrap import kind_of, wrap
from paberki.archive.reading.warc import is_single_member
from paberki.errors import InputError
from paberki.store.directory import Directory
from paberki.store.files import explain, local, replacing, write_json
from paberki.store.lock import hold


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of importing one source."""

    source: str
    name: str
    """Name of the archive file in warc/."""
    bytes: int
    known: bool
    """Whether the source was imported before; then nothing was done."""
    records: int | None = None
    skipped: tuple[str, ...] = ()
    """Rows of a table or files of a directory that were skipped, with the reason."""


def add(
    directory: Directory,
    source: Path,
    *,
    copy: bool = False,
    base_url: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Imported:
    """Add one file or directory to a corpus; the next build numbers its pages."""
    kind = kind_of(local(source))
    try:
        with hold(directory.lock("import"), doing="importing", wait=True):
            directory.warc.mkdir(parents=True, exist_ok=True)
            if kind == "warc":
                return _add_archive(directory, source, copy, progress)
            return _add_wrapped(directory, source, base_url, progress)
    except OSError as error:
        raise explain(error, f"importing {source}") from error


def _digest(path: Path, progress: Callable[[int], None] | None) -> str:
    digest, read_bytes = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
            read_bytes += len(piece)
            if progress:
                progress(read_bytes)
    return digest.hexdigest()


def _existing_name(directory: Directory, sha256: str) -> str | None:
    return next((one.name for one in directory.sources() if one.sha256 == sha256), None)


def _free_name(directory: Directory, name: str, sha256: str) -> str:
    """The file's name, with its digest added if another file has that name."""
    name = _storable(name)
    if not (directory.warc / name).exists() and not (directory.warc / f"{name}.json").exists():
        return name
    stem, dot, suffixes = name.partition(".")
    return f"{stem}-{sha256[:8]}{dot}{suffixes}"


def _storable(name: str) -> str:
    """A printable name that cannot be mistaken for a sidecar."""
    plain = "".join(char if char.isprintable() and not "\ud800" <= char <= "\udfff" else "_" for char in name)
    return f"{plain}.warc" if plain.endswith(".json") else plain


def _commit(directory: Directory, name: str, origin: dict[str, Any]) -> int:
    """Write the sidecar that makes the whole file part of the corpus; return its size."""
    about = (directory.warc / name).stat()
    facts = {"committed": about.st_size, "modified": about.st_mtime_ns, "complete": True, "origin": "import"}
    write_json(directory.warc / f"{name}.json", {**facts, **origin})
    return about.st_size


def _add_archive(directory: Directory, source: Path, copy: bool, progress: Callable[[int], None] | None) -> Imported:
    sha256 = _digest(source, progress)
    if name := _existing_name(directory, sha256):
        return Imported(str(source), name, source.stat().st_size, known=True)
    name = _free_name(directory, source.name, sha256)
    is_ours = is_single_member(source)
    if is_ours:
        # Compressed as one piece: its records have no positions, so it must be recompressed.
        from paberki.archive.adding.recompress import recompress

        recompress(source, directory.warc / name)
    elif copy:
        with replacing(directory.warc / name) as beside:
            shutil.copyfile(source, beside)
    else:
        (directory.warc / name).unlink(missing_ok=True)
        os.symlink(source.resolve(), directory.warc / name)
    # A recompressed file has another digest than its source; it is our own, so it needs no check for changes.
    own = {"modified": None} if is_ours else {}
    return Imported(str(source), name, _commit(directory, name, {"sha256": sha256, **own}), known=False)


def _add_wrapped(
    directory: Directory, source: Path, base_url: str | None, progress: Callable[[int], None] | None
) -> Imported:
    skipped_entries: list[str] = []

    def on_error(where: str, why: str) -> None:
        skipped_entries.append(f"{where}: {why}")

    target = directory.warc / f".wrapping-{os.getpid()}.warc.gz"
    try:
        result = wrap(source, target, base_url=base_url, on_error=on_error, progress=progress)
        if not result.records:
            why = f" ({skipped_entries[0]})" if skipped_entries else ""
            raise InputError(f"{source}: no HTML or text page in it{why}")
        if name := _existing_name(directory, result.sha256):
            return Imported(str(source), name, target.stat().st_size, True, result.records, tuple(skipped_entries))
        name = f"{_plain(source.name or source.resolve().name)}-{result.sha256[:12]}.warc.gz"
        os.replace(target, directory.warc / name)
    finally:
        target.unlink(missing_ok=True)
    size = _commit(directory, name, {"sha256": result.sha256, "modified": None})
    return Imported(str(source), name, size, False, result.records, tuple(skipped_entries))


def _plain(name: str) -> str:
    letters = "".join(char if char.isalnum() and char.isascii() else "-" for char in name.split(".")[0])
    return letters.strip("-")[:40] or "pages"
