"""The manifest of an index: which segments are in force. One rename swaps it, so that readers see the old or the new one."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from paberki.errors import StoreError
from paberki.store.directory import RECIPE
from paberki.store.files import read_json, write_json

FORMAT: Final = 1
"""Bump when files written so far cannot be read any longer."""
FILE: Final = "index.json"
CACHE: Final = "cache"
"""Folder for what is counted at first use and kept."""


@dataclass(frozen=True, slots=True)
class SegmentEntry:
    """A segment as the manifest names it."""

    file: str
    digest: str
    tokens: int
    shards: dict[str, str] = field(default_factory=dict)
    """For a segment of our own corpus: number of each shard in it, and key of what it was made from."""
    columns: str = ""
    """File with the attributes of pages and blocks; they may change while tokens stay."""
    columns_key: str = ""
    """What these attributes were made from."""


@dataclass(frozen=True, slots=True)
class SelectionEntry:
    """A selection as the manifest names it."""

    file: str
    tokens: int
    """Tokens in selected blocks."""
    dropped_tokens: int


@dataclass(frozen=True, slots=True)
class IndexManifest:
    """Everything that a reader must know before it opens a segment."""

    source: str
    """``vertical``, ``conllu`` or ``corpus``."""
    name: str
    lang: str | None
    attributes: tuple[str, ...]
    structures: dict[str, tuple[str, ...]]
    segments: tuple[SegmentEntry, ...]
    default: str = "word"
    aliases: dict[str, str] = field(default_factory=dict)
    multi: tuple[str, ...] = ()
    commit: int = 1
    """Number of times that the index was brought up to date."""
    selections: dict[str, SelectionEntry] = field(default_factory=dict)
    """By the key of what made them."""
    selection: str = ""
    """The one that is in force now."""

    @property
    def digest(self) -> str:
        """Short name of this state of the index."""
        return hashlib.blake2b(json.dumps(asdict(self), sort_keys=True).encode(), digest_size=6).hexdigest()


def write_manifest(directory: Path, manifest: IndexManifest) -> None:
    """Put a manifest in force."""
    write_json(directory / FILE, {"paberki_index": FORMAT, **asdict(manifest)})


def read_manifest(directory: Path) -> IndexManifest:
    """The manifest in force."""
    path = directory / FILE
    try:
        content: dict[str, Any] = read_json(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise StoreError(f"{directory}: no index here; type: {_command(directory, {}, 'or')}") from error
    version = content.pop("paberki_index", None) if isinstance(content, dict) else None
    if version != FORMAT:
        raise StoreError(
            f"{path}: index of format {version}, this version of paberki reads format {FORMAT}; "
            f"make it again: {_command(directory, content)}"
        )
    try:
        segments = tuple(SegmentEntry(**entry) for entry in content.pop("segments"))
        structures = {name: tuple(names) for name, names in content.pop("structures").items()}
        selections = {key: SelectionEntry(**entry) for key, entry in content.pop("selections").items()}
        content |= {name: tuple(content[name]) for name in ("attributes", "multi")}
        return IndexManifest(segments=segments, structures=structures, selections=selections, **content)
    except (KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"{path}: damaged ({error}); make the index again") from error


def _command(directory: Path, content: Any, both: str = "") -> str:
    """What makes the index in a directory: that of a corpus is made from the corpus."""
    if (directory.parent / RECIPE).is_file():
        return f"paberki index {directory.parent}"
    columns = _columns(content) if isinstance(content, dict) else []
    options = f" --attributes '{','.join(columns)}'" if columns else ""
    foreign = f"paberki index {directory} --vertical FILE{options}"
    if isinstance(content, dict) and content.get("source") == "conllu":
        foreign = f"paberki index {directory} --conllu FILE"
    return f"paberki index {directory}   {both}: {foreign}" if both else foreign


def _columns(content: dict[str, Any]) -> list[str]:
    """Columns that an index was probably made from: attributes without the derived ones, and the head before its relation."""
    names, sets = content.get("attributes"), content.get("multi")
    if not isinstance(names, list):
        return []
    sets = sets if isinstance(sets, list) else []
    columns: list[str] = []
    for place, name in enumerate(map(str, names)):
        if (name == "lc" and place == 1) or (name == "lemma" and columns[-1:] == ["lempos"]):
            continue
        columns += ["head"] if name == "deprel" else []
        columns.append(f"{name}*" if name in sets else name)
    return columns
