"""An index as queries see it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from copy import copy
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.index.container import Container
from paberki.query.index.manifest import FILE, read_manifest
from paberki.query.index.segment import Segment
from paberki.query.index.selection import BLOCK, Bits, Selection, selected_tokens
from paberki.store.directory import RECIPE, Directory

if TYPE_CHECKING:
    from paberki.query.sources.overlay import Overlay

DIRECTORY = "index"
"""Where the index of a corpus is in its directory."""
ALL, KEPT, DROPPED = "all", "kept", "dropped"
_PAGES = ("doc", "text", "file")
"""Structures whose regions are pages, the first that an index has."""


def open_index(path: Path | str) -> Index:
    """Open the index in a directory, or that of a corpus directory."""
    directory = Path(path)
    if not (directory / FILE).is_file() and (
        (directory / RECIPE).is_file() or (directory / DIRECTORY / FILE).is_file()
    ):
        directory /= DIRECTORY
    index = Index(directory)
    if (directory.parent / "codings").is_dir():
        from paberki.coding.coded_index import coded  # only where people have coded something

        return coded(index, Directory(directory.parent))
    return index


class Index:
    """Segments one after the other. Global positions are ``segment.base`` plus local ones."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest = manifest = read_manifest(path)
        self.name, self.lang, self.build = manifest.name, manifest.lang, manifest.digest
        self.attributes, self.structures = manifest.attributes, manifest.structures
        self.default, self.aliases = manifest.default, manifest.aliases
        self.multi = frozenset(manifest.multi)
        segments, base = [], 0
        for number, entry in enumerate(manifest.segments):
            columns = path / entry.columns if entry.columns else None
            segments.append(Segment(path / entry.file, number, entry.digest, base, manifest.structures, columns))
            base += entry.tokens
        self.segments: tuple[Segment, ...] = tuple(segments)
        self.tokens = base

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def with_overlay(self, overlay: Overlay) -> Index:
        """The same index with one more structure; what was found out about it stays known."""
        other = copy(self)
        other.structures = {**self.manifest.structures, overlay.name: overlay.attributes}
        other.segments = tuple(segment.with_overlay(overlay) for segment in self.segments)
        return other

    @property
    def page_structure(self) -> str | None:
        """The structure whose regions are pages."""
        return next((name for name in _PAGES if name in self.structures), None)

    def resolve(self, name: str) -> str:
        """The real name of a positional attribute."""
        real = self.aliases.get(name, name)
        if real not in self.attributes:
            names = (*self.attributes, *self.aliases)
            raise QueryError(
                f"there is no attribute {name!r}{nearest(name, names)}; it has {', '.join(self.attributes)}"
            )
        return real

    @property
    def tombstones(self) -> frozenset[str]:
        """Keys of pages that were taken down, as the corpus says now."""
        if self.manifest.source != "corpus":
            return frozenset()
        return Directory(self.path.parent).tombstones()

    def blocks_taken_down(self, segment: Segment) -> Bits:
        """Which blocks of a segment are on pages that were taken down."""
        blocks = segment.structure(BLOCK)
        bits = np.zeros(blocks.size, np.bool_)
        if self.tombstones and "key" in self.structures.get("doc", ()):
            pages = segment.structure("doc")
            keys = pages.attribute("key")
            ids = [number for number in map(keys.id_of, self.tombstones) if number >= 0]
            if ids:
                bits = np.append(np.isin(keys.ids, ids), False)[pages.region_of(blocks.starts)]
        return bits

    @property
    def selections(self) -> Mapping[str, int]:
        """Names of selections and their tokens."""
        sizes = {ALL: self.tokens}
        for key, entry in self.manifest.selections.items():
            sizes |= {f"{KEPT}@{key}": entry.tokens, f"{DROPPED}@{key}": entry.dropped_tokens}
        if now := self.manifest.selections.get(self.manifest.selection):
            sizes |= {KEPT: now.tokens, DROPPED: now.dropped_tokens}
        return sizes

    def selection(self, name: str | None) -> Selection | None:
        """A named set of blocks; None is everything. Pages that were taken down since are in none."""
        what, _, key = (name or ALL).partition("@")
        if what == ALL and not key:
            return self._without_hidden() if self.tombstones else None
        if name not in self.selections:
            raise QueryError(f"there is no selection {name!r}{nearest(str(name), self.selections)}; there are: "
                             f"{', '.join(self.selections)}")  # fmt: skip
        key = key or self.manifest.selection
        container = Container(self.path / self.manifest.selections[key].file)

        def read(segment: Segment) -> Bits:
            count = segment.structure(BLOCK).size
            packed_bits = (
                container.array(segment.file) if segment.file in container else np.zeros((count + 7) // 8, np.uint8)
            )
            bits = np.unpackbits(packed_bits, count=count, bitorder="little").astype(np.bool_)
            return (bits if what == KEPT else ~bits) & ~self.blocks_taken_down(segment)

        size = self.selections[str(name)]
        if self.tombstones:
            size = sum(selected_tokens(segment, read(segment)) for segment in self.segments)
        return Selection(str(name), f"{what}@{key}{self._tombstone_digest()}", size, read)

    def _tombstone_digest(self) -> str:
        if not self.tombstones:
            return ""
        return "-" + hashlib.blake2b("\n".join(sorted(self.tombstones)).encode(), digest_size=6).hexdigest()

    def _without_hidden(self) -> Selection:
        hidden_tokens = sum(selected_tokens(segment, self.blocks_taken_down(segment)) for segment in self.segments)
        return Selection(
            ALL,
            f"{ALL}{self._tombstone_digest()}",
            self.tokens - hidden_tokens,
            lambda segment: ~self.blocks_taken_down(segment),
        )

    def rest(self) -> None:
        """Give the memory of mapped files back, between two pieces of work that read all of them."""
        for segment in self.segments:
            segment.rest()

    def close(self) -> None:
        """Let go of the files; arrays that somebody still holds stay valid."""
        self.segments = ()
