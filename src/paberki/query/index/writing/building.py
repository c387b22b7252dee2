"""Makes an index of one source, segment by segment; what was there stays in force until the new one is whole."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from paberki.errors import StoreError
from paberki.query.index.manifest import CACHE, FILE, IndexManifest, SegmentEntry, read_manifest, write_manifest
from paberki.query.index.writing.segment_writer import Schema, SegmentWriter
from paberki.store.files import TEMPORARY, explain
from paberki.store.lock import hold

SEGMENT_TOKENS: Final = 1 << 27
"""A segment ends, where no structure is open, after so many tokens …"""
TABLE_BYTES: Final = 200 << 20
"""… or when the table of its values takes so much memory."""
SUFFIX: Final = ".segment"
COLUMNS_SUFFIX: Final = ".columns"
SELECTION_SUFFIX: Final = ".selection"
LOCK: Final = "index.lock"


@dataclass(slots=True)
class IndexBuilder:
    """The segments of an index in the making; sources put tokens into :attr:`writer` and cut where they may."""

    directory: Path
    schema: Schema
    segment_tokens: int = SEGMENT_TOKENS
    segments: list[SegmentEntry] = field(default_factory=list)
    structures: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _writer: SegmentWriter | None = None

    @property
    def writer(self) -> SegmentWriter:
        """The segment that tokens are put into."""
        if self._writer is None:
            self._writer = SegmentWriter(self.directory, self.schema)
        return self._writer

    @property
    def full(self) -> bool:
        """Whether the segment should end at the next place where it may."""
        return self.writer.tokens >= self.segment_tokens or self.writer.interner.bytes_in_use > TABLE_BYTES

    @property
    def overfull(self) -> bool:
        """Whether it must end wherever it is: a structure may never be closed."""
        return self.writer.tokens >= 2 * self.segment_tokens

    def cut(self) -> None:
        """End the segment."""
        writer, self._writer = self._writer, None
        if writer is None:
            return
        if not writer.tokens:
            writer.abandon()
            return
        for name, attributes in writer.structures().items():
            self.structures[name] = tuple(dict.fromkeys((*self.structures.get(name, ()), *attributes)))
        self.segments.append(writer.close(self.directory / f"{secrets.token_hex(6)}{SUFFIX}"))

    def abandon(self) -> None:
        """Remove the segment in the making."""
        if self._writer is not None:
            self._writer.abandon()
            self._writer = None

    def manifest(self, source: str, name: str, aliases: dict[str, str]) -> IndexManifest:
        """The manifest of all segments."""
        return IndexManifest(
            source=source,
            name=name,
            lang=self.schema.lang,
            attributes=self.schema.all_attributes,
            structures=self.structures,
            segments=tuple(self.segments),
            default=self.schema.attributes[0],
            aliases=aliases,
            multi=tuple(sorted(self.schema.multi)),
        )


def put_in_force(directory: Path, manifest: IndexManifest) -> None:
    """Swap the manifest, then remove the files that it does not name."""
    write_manifest(directory, manifest)
    sweep(directory, manifest)


def manifest_before(directory: Path) -> IndexManifest | None:
    """The manifest in force; None where there is none, or none that this version can read."""
    try:
        return read_manifest(directory)
    except StoreError:
        return None


def sweep(directory: Path, manifest: IndexManifest | None) -> None:
    """Remove what the manifest does not name: files that were replaced, and what killed processes left.

    Call it with the lock. The files of an index that this version cannot read stay until a new one is in force.
    """
    if manifest is None and (directory / FILE).exists():
        return
    names = _names(manifest) if manifest else set()
    for path in directory.iterdir() if directory.is_dir() else ():
        if path.name.startswith(TEMPORARY):
            _remove(path)
        elif path.suffix in (SUFFIX, COLUMNS_SUFFIX, SELECTION_SUFFIX) and path.name not in names:
            path.unlink(missing_ok=True)


def _names(manifest: IndexManifest) -> set[str]:
    segments = {name for entry in manifest.segments for name in (entry.file, entry.columns)}
    return segments | {entry.file for entry in manifest.selections.values()}


def _remove(path: Path) -> None:
    if path.is_dir():
        for inside in path.iterdir():
            inside.unlink(missing_ok=True)
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


@contextmanager
def making(directory: Path, lock: Path | None = None) -> Iterator[None]:
    """Hold the lock of an index directory; a full disk and the like become one line."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with hold(lock or directory / LOCK, doing="indexing"):
            yield
    except OSError as error:
        raise explain(error, f"indexing {directory}") from error


def check_place(directory: Path) -> None:
    """Refuse a place that holds anything but an index of this kind."""
    if not directory.exists():
        return
    if not directory.is_dir():
        raise StoreError(f"{directory}: is a file; give the name of a directory that the index is to be in")
    if (directory / "corpus.toml").exists():
        raise StoreError(f"{directory}: is a corpus; give another name, or type: paberki index {directory}")
    if (old := manifest_before(directory)) and old.source == "corpus":
        raise StoreError(
            f"{directory}: is the index of the corpus {directory.parent}; give the name of a new directory"
        )
    names = {path.name for path in directory.iterdir()}
    strange = sorted(name for name in names if not _ours(name))
    if strange:
        raise StoreError(f"{directory}: is no index ({strange[0]} is in it); give the name of a new directory")


def _ours(name: str) -> bool:
    return (
        name in (FILE, LOCK, CACHE)
        or name.endswith((SUFFIX, COLUMNS_SUFFIX, SELECTION_SUFFIX))
        or name.startswith(TEMPORARY)
    )
