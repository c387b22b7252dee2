"""An index as queries see it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.index.manifest import FILE, read_manifest
from paberki.query.index.segment import Segment
from paberki.query.index.selection import Selection


def open_index(path: Path | str) -> Index:
    """Open the index in a directory, or that of a corpus directory."""
    directory = Path(path)
    if not (directory / FILE).is_file() and (directory / "index" / FILE).is_file():
        directory /= "index"
    return Index(directory)


class Index:
    """Segments one after the other. Global positions are ``segment.base`` plus local ones."""

    def __init__(self, path: Path) -> None:
        self.path = path
        manifest = read_manifest(path)
        self.name, self.lang, self.build = manifest.name, manifest.lang, manifest.digest
        self.attributes, self.structures = manifest.attributes, manifest.structures
        self.default, self.aliases = manifest.default, manifest.aliases
        self.multi = frozenset(manifest.multi)
        segments, base = [], 0
        for number, entry in enumerate(manifest.segments):
            segments.append(Segment(path / entry.file, number, entry.digest, base))
            base += entry.tokens
        self.segments: tuple[Segment, ...] = tuple(segments)
        self.tokens = base

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def resolve(self, name: str) -> str:
        """The real name of a positional attribute."""
        real = self.aliases.get(name, name)
        if real not in self.attributes:
            names = (*self.attributes, *self.aliases)
            raise QueryError(
                f"there is no attribute {name!r}{nearest(name, names)}; it has {', '.join(self.attributes)}"
            )
        return real

    def selection(self, name: str | None) -> Selection | None:
        """A named set of blocks; None is everything."""
        if name is None or name == "all":
            return None
        raise QueryError(f"there is no selection {name!r}; it has: all")

    @property
    def selections(self) -> Mapping[str, int]:
        """Names of selections and their tokens."""
        return {}

    def close(self) -> None:
        """Let go of the files; arrays that somebody still holds stay valid."""
        self.segments = ()
