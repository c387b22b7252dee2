"""A corpus is a directory: where things are in it, which shards it has, which archives belong to it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path

from paberki.errors import StoreError
from paberki.store.files import local, read_json, write_json
from paberki.store.taken_down.tombstones import keys_of, read_tombstones

FORMAT = 1
RECIPE = "corpus.toml"
INDEX_FILE = "index.json"
"""What an index of a file from elsewhere has in the place of a recipe."""
RELEASE = "release.json"
"""What a frozen version has."""

TAKEN_DOWN = "taken-down"
"""The reason why a page with a tombstone is left out."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Up to 10,000 pages, sealed for ever."""

    rows: int
    keys: str
    """Digest of the page keys: every layer of the shard carries it."""


@dataclass(slots=True)
class Manifest:
    """What is sealed. Swapped atomically; shards are only ever appended."""

    format: int = FORMAT
    shards: list[Shard] = field(default_factory=list)
    covered: dict[str, int] = field(default_factory=dict)
    """For each archive file the offset up to which its records are numbered."""
    revisits: list[str] = field(default_factory=list)
    """Files in layers/archive with revisit records, one for each build that met any."""

    @property
    def pages(self) -> int:
        """Number of pages in all shards."""
        return sum(shard.rows for shard in self.shards)


@dataclass(frozen=True, slots=True)
class ArchiveSource:
    """An archive file in warc/ and how much of it is committed."""

    name: str
    path: Path
    committed: int
    sha256: str = ""
    modified: int | None = None
    """Time of the last change when it was imported, in nanoseconds."""


class Directory:
    """Paths and small state of a corpus directory."""

    def __init__(self, root: Path | str) -> None:
        self.root = local(root)

    @classmethod
    def open(cls, root: Path | str) -> Directory:
        """An existing corpus; anything else is an error that says what to type.

        A corpus that has been built can be read without its recipe.
        """
        directory = cls(root)
        if not directory.root.exists():
            raise StoreError(f"{root}: no such directory; make a corpus with: paberki new {root} --lang CODE")
        if not directory.recipe.is_file() and (directory.root / INDEX_FILE).is_file():
            raise StoreError(
                f"{root}: an index of a file from elsewhere, without pages; try: paberki query {root} '[]'"
            )
        if not directory.recipe.is_file() and not directory.manifest().shards:
            raise StoreError(f"{root}: not a corpus (no {RECIPE}); make one with: paberki new {root} --lang CODE")
        return directory

    @property
    def parts(self) -> Path:
        """Notes of a build in parts; there only while one is under way."""
        return self.private / "parts"

    @property
    def recipe(self) -> Path:
        """The recipe."""
        return self.root / RECIPE

    @property
    def warc(self) -> Path:
        """Bytes as received."""
        return self.root / "warc"

    @property
    def crawl(self) -> Path:
        """Frontier and crawl log."""
        return self.root / "crawl"

    @property
    def layers(self) -> Path:
        """One folder per stage."""
        return self.root / "layers"

    @property
    def models(self) -> Path:
        """What stages learnt from this corpus."""
        return self.root / "models"

    @property
    def report(self) -> Path:
        """Tables and figures for people."""
        return self.root / "report"

    @property
    def runs(self) -> Path:
        """One JSON file per build."""
        return self.root / "runs"

    @property
    def private(self) -> Path:
        """Locks, progress and intermediate files: never needed to read the corpus."""
        return self.root / ".paberki"

    def lock(self, name: str) -> Path:
        """Path of one of the separate locks: crawl, layers, index."""
        return self.private / f"{name}.lock"

    def layer(self, layer: str, shard: int) -> Path:
        """Path of a layer file."""
        return self.layers / layer / f"{shard:05d}.parquet"

    def part(self, layer: str, shard: int, chunk: int) -> Path:
        """Path of a finished chunk that waits for the rest of its shard."""
        return self.layers / layer / f"{shard:05d}.parts" / f"{chunk:03d}.parquet"

    def manifest(self) -> Manifest:
        """What is sealed so far; a new corpus has an empty one."""
        path = self.layers / "manifest.json"
        try:
            fields = read_json(path)
        except FileNotFoundError:
            return Manifest()
        if not isinstance(fields, dict) or not isinstance(fields.get("format"), int):
            raise StoreError(f"{path}: not a list of shards; restore it from a backup")
        if fields["format"] > FORMAT:
            raise StoreError(
                f"{path}: format {fields['format']} is newer than this paberki reads ({FORMAT}); update paberki"
            )
        try:
            shards = [Shard(**shard) for shard in fields["shards"]]
            return Manifest(fields["format"], shards, fields["covered"], fields["revisits"])
        except (KeyError, TypeError) as error:
            raise StoreError(f"{path}: not a list of shards ({error}); restore it from a backup") from error

    def seal(self, manifest: Manifest) -> None:
        """Swap the manifest."""
        write_json(self.layers / "manifest.json", asdict(manifest))

    def sources(self) -> list[ArchiveSource]:
        """Archive files in the order of their names, each with its committed length."""
        return [self._source(sidecar) for sidecar in sorted(self.warc.glob("*.json"))]

    def _source(self, sidecar: Path) -> ArchiveSource:
        fields, name = read_json(sidecar), sidecar.name.removesuffix(".json")
        try:
            committed, modified = int(fields["committed"]), fields.get("modified")
            return ArchiveSource(name, self.warc / name, committed, str(fields.get("sha256") or ""), modified)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StoreError(
                f"{sidecar}: does not say how much of {name} is committed ({error}); remove both and import it again"
            ) from error

    def refuse_release(self) -> None:
        """A release does not change: an error for whoever tries."""
        if (self.root / RELEASE).is_file():
            raise StoreError(f"{self.root}: is a release and does not change; work on the corpus that it was made from")

    def tombstones(self) -> frozenset[str]:
        """Keys of pages that were taken down; readers treat them as absent."""
        return keys_of(read_tombstones(self.root))

    def held_back(self) -> frozenset[str]:
        """Keys of copies of pages that were taken down: they must not take their place."""
        return frozenset(key for stone in read_tombstones(self.root) for key in stone.copies)
