"""The document index of a corpus, brought up to date beside the one in force.

``DIR/search/documents.json`` names the generation in force and what each of its shards was made from. New shards are added to
a copy of it (files of the engine never change, so links are enough); where a shard changed, everything is made anew, since
statistics of words would still count what is gone. A killed update goes on where it was.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from paberki.errors import StoreError
from paberki.search.documents import ShardReader
from paberki.search.engine import EngineWriter, Kind, SearchIndex
from paberki.search.lemma_lexicon import PART, join_parts, write_part
from paberki.search.page_fields import column_kinds, engine_fields
from paberki.store import layer
from paberki.store.columns import Column
from paberki.store.completeness import complete_layers
from paberki.store.directory import Directory, Shard
from paberki.store.files import explain, read_json, write_json
from paberki.store.lock import hold

FOLDER: Final = "search"
FILE: Final = "documents.json"
STATE: Final = "shards.json"
FORMAT: Final = 1
TRIES: Final = 3
"""How often a corpus is read again that changes while it is read."""
_BUILDING: Final = "building"
_LOCKS: Final = (".tantivy-writer.lock", ".tantivy-meta.lock")


@dataclass(slots=True)
class DocumentManifest:
    """What an index of documents holds."""

    format: int = FORMAT
    generation: str = ""
    name: str = ""
    languages: list[str] = field(default_factory=list)
    columns: dict[str, Kind] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    """Other names of columns."""
    shards: dict[str, str] = field(default_factory=dict)
    """What each shard was made from."""
    documents: int = 0
    gone: list[str] = field(default_factory=list)
    """Pages that were taken down before it was made."""


@dataclass(slots=True)
class DocumentUpdate:
    """What was done."""

    documents: int = 0
    new_documents: int = 0
    bytes: int = 0
    """Text that was indexed."""
    changed: bool = False


Listener = Callable[[int, float], None]
"""Is told the documents done and their share of all."""


def folder_of(root: Path) -> Path:
    """Where the index of documents of a corpus is."""
    return root / FOLDER


def read_manifest(root: Path) -> DocumentManifest | None:
    """The manifest in force; None where there is none that this version can read."""
    try:
        fields = read_json(folder_of(root) / FILE)
        manifest = DocumentManifest(**fields)
    except (FileNotFoundError, StoreError, TypeError):
        return None
    return manifest if manifest.format == FORMAT and (folder_of(root) / manifest.generation).is_dir() else None


def wanted_manifest(directory: Directory, plan: Any, name: str, languages: tuple[str, ...]) -> DocumentManifest:
    """What the index should hold now."""
    shards = directory.manifest().shards
    if not shards:
        raise StoreError(f"{directory.root}: no pages yet; type: paberki build {directory.root}")
    columns = _columns(directory, plan)
    if "blocks" not in columns:
        raise StoreError(f"{directory.root}: nothing to index yet; type: paberki build {directory.root}")
    kinds = column_kinds(columns.values())
    aliases = {alias: one.name for one in columns.values() for alias in one.aliases if one.name in kinds}
    layers = sorted({one.layer for one in columns.values()})
    keys = {str(number): _shard_key(directory, layers, number, shard) for number, shard in enumerate(shards)}
    tombstone_keys = sorted(directory.tombstones())
    return DocumentManifest(FORMAT, "", name, list(languages), kinds, aliases, keys, gone=tombstone_keys)


def is_current(manifest: DocumentManifest | None, target: DocumentManifest) -> bool:
    """Whether an index is what it should be; pages taken down since are left out by the search itself."""
    return manifest is not None and _facts(manifest) == _facts(target) and manifest.shards == target.shards


def update_documents(
    directory: Directory, plan: Any, *, name: str, languages: tuple[str, ...], listen: Listener | None = None
) -> DocumentUpdate:
    """Bring the index of documents up to date."""
    folder = folder_of(directory.root)
    try:
        folder.mkdir(exist_ok=True)
        with hold(directory.lock("search"), doing="indexing documents"):
            for _ in range(TRIES):
                target = wanted_manifest(directory, plan, name, languages)
                old = read_manifest(directory.root)
                _sweep(folder, old)
                if old is not None and is_current(old, target):
                    return DocumentUpdate(documents=old.documents)
                update = _Update(directory, plan, folder, target, listen)
                update.make(old)
                if wanted_manifest(directory, plan, name, languages).shards == target.shards:
                    return update.put_in_force()
        raise StoreError(
            f"{directory.root}: a build changes the corpus again and again; type the same when it has ended"
        )
    except OSError as error:
        raise explain(error, f"indexing {folder}") from error


@dataclass(slots=True)
class _Update:
    directory: Directory
    plan: Any
    folder: Path
    target: DocumentManifest
    listen: Listener | None
    update: DocumentUpdate = field(default_factory=DocumentUpdate)

    def make(self, old: DocumentManifest | None) -> None:
        """Make what is missing, beside what is in force."""
        building = self.folder / _BUILDING
        ready = self._begin(building, old)
        missing = [shard for shard in self.target.shards if shard not in ready]
        writer = EngineWriter(building, engine_fields(self.target.columns))
        for at, shard in enumerate(missing):
            self._add(writer, building, shard, at, len(missing))
            ready[shard] = self.target.shards[shard]
            writer.commit()
            write_json(building / STATE, {**_facts(self.target), "shards": ready, "documents": self._count(building)})
        writer.close()
        join_parts(building, sorted(building.glob("lemmas-*.arrow")))

    def _begin(self, building: Path, old: DocumentManifest | None) -> dict[str, str]:
        """Start from what a killed update left, from the index in force, or from nothing; the shards that are there."""
        state = _state(building)
        if state and self._fits(state) and state["documents"] == self._count(building):
            return dict(state["shards"])
        shutil.rmtree(building, ignore_errors=True)
        if old is None or not self._fits({**_facts(old), "shards": old.shards}):
            return {}
        _link(self.folder / old.generation, building)
        return dict(old.shards)

    def _fits(self, state: Mapping[str, Any]) -> bool:
        """Whether all shards of an index are wanted as they are."""
        if any(state.get(name) != value for name, value in _facts(self.target).items()):
            return False
        return all(self.target.shards.get(shard) == key for shard, key in state["shards"].items())

    def _count(self, building: Path) -> int:
        try:
            return SearchIndex(building).documents
        except StoreError:
            return -1

    def _add(self, writer: EngineWriter, building: Path, shard: str, at: int, count: int) -> None:
        columns, languages = _columns(self.directory, self.plan), frozenset(self.target.languages)
        tombstone_keys = frozenset(self.target.gone)
        reader = ShardReader(self.directory, int(shard), columns, self.target.columns, languages, tombstone_keys)
        rows, read = self.directory.manifest().shards[int(shard)].rows, 0
        for documents in reader.documents():
            for document in documents:
                writer.add(document)
                self.update.bytes += len(document.stored_page)
            self.update.new_documents += len(documents)
            read += len(documents)
            if self.listen:
                self.listen(self.update.new_documents, (at + min(1.0, read / max(rows, 1))) / count)
        if reader.forms:
            write_part(building / PART.format(int(shard)), reader.forms)

    def put_in_force(self) -> DocumentUpdate:
        """Name the new generation in the manifest, then remove the others."""
        manifest, building = self.target, self.folder / _BUILDING
        manifest.generation, manifest.documents = f"documents-{secrets.token_hex(6)}", self._count(building)
        os.rename(building, self.folder / manifest.generation)
        write_json(self.folder / FILE, asdict(manifest))
        _sweep(self.folder, manifest)
        self.update.documents, self.update.changed = manifest.documents, True
        return self.update


def _columns(directory: Directory, plan: Any) -> dict[str, Column]:
    """Columns of complete layers, by name."""
    layers = complete_layers(directory, plan.layers)
    there = {name: layer.column_names(directory.layer(name, 0)) for name in layers}
    return {one.name: one for one in plan.columns.values() if one.name in there.get(one.layer, ())}


def _shard_key(directory: Directory, layers: list[str], number: int, shard: Shard) -> str:
    facts = [shard.keys]
    for name in layers:
        footer = layer.footer(directory.layer(name, number))
        facts.append(f"{name} {footer.key} {footer.failed}" if footer else name)
    return hashlib.blake2b("\n".join(facts).encode(), digest_size=8).hexdigest()


def _facts(manifest: DocumentManifest) -> dict[str, Any]:
    """What all shards of an index have in common."""
    return {"format": manifest.format, "languages": manifest.languages, "columns": manifest.columns}


def _state(building: Path) -> dict[str, Any] | None:
    try:
        state = read_json(building / STATE)
    except (FileNotFoundError, StoreError):
        return None
    return state if isinstance(state, dict) and {"shards", "documents"} <= set(state) else None


def _link(source: Path, target: Path) -> None:
    """A copy whose files are the same files."""
    target.mkdir()
    for path in source.iterdir():
        if path.name in _LOCKS or not path.is_file():
            continue
        if path.suffix == ".json":
            shutil.copy2(path, target / path.name)
        else:
            os.link(path, target / path.name)


def _sweep(folder: Path, manifest: DocumentManifest | None) -> None:
    """Remove generations that are not in force; what is being made stays."""
    for path in folder.glob("documents-*"):
        if manifest is not None and path.name != manifest.generation:
            shutil.rmtree(path, ignore_errors=True)
