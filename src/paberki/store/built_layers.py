"""The layers and columns of a corpus as they lie on disk: enough to read it without its recipe and without its stages.

The schema knows the columns of our own layers. Other columns, of stages from other packages and of aliases, are taken
from the files; nobody knows whether they hold personal data, so they are treated as if they did.

A build also remembers the layers and columns of its plan. As long as the recipe stays as it is, readers take them from
there: making the plan again would import every stage, which takes longer than most questions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from paberki.errors import StoreError
from paberki.store import layer
from paberki.store.columns import BUILTIN, Column
from paberki.store.directory import Directory
from paberki.store.files import read_json, write_json

__all__ = ["BuiltLayers", "Layout", "built_layers", "remember", "remembered_layers"]

_ERROR = "error"
_FILE = "layout.json"


class Layout(Protocol):
    """What readers must know of a corpus: a plan says it, and so do the files."""

    @property
    def layers(self) -> list[str]:
        """Layers in order, the archive first."""

    @property
    def columns(self) -> Mapping[str, Column]:
        """All columns by their full name."""


@dataclass(frozen=True, slots=True)
class BuiltLayers:
    """What a plan says about layers, read off the files."""

    layers: list[str]
    """Layers on disk, the archive first, our own in the order of the schema."""
    columns: dict[str, Column]
    """All columns by their full name."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What else the last build noted, for exports."""


def built_layers(directory: Directory) -> BuiltLayers:
    """The layers of a corpus that has been built. Of two columns with one name the first counts."""
    names = _layers_on_disk(directory)
    columns: dict[str, Column] = {}
    short_names: set[str] = set()
    for name in names:
        for column in _columns_of(directory, name):
            if column.name not in short_names:
                short_names.add(column.name)
                columns[column.full] = column
    return BuiltLayers(names, columns)


def _layers_on_disk(directory: Directory) -> list[str]:
    on_disk = {path.parent.name for path in directory.layers.glob("*/00000.parquet")}
    own = [name for name in dict.fromkeys(column.layer for column in BUILTIN) if name in on_disk]
    return [*own, *sorted(on_disk.difference(own))]


def _columns_of(directory: Directory, name: str) -> list[Column]:
    builtin_columns = {column.name: column for column in BUILTIN if column.layer == name}
    fields = [field for field in layer.schema_of(directory.layer(name, 0)) if field.name != _ERROR]
    return [
        builtin_columns.get(field.name) or Column(field.name, name, field.type, "unknown", personal=True)
        for field in fields
    ]


def remember(
    directory: Directory, layers: Sequence[str], columns: Sequence[Column], facts: Mapping[str, Any] | None = None
) -> None:
    """Note the layers and columns of a recipe, and facts that others want of it, by who wants them.

    Columns of other packages are not noted: only their stages know them.
    """
    names = [column.full for column in columns if column in BUILTIN]
    if len(names) == len(columns):
        note = {"recipe": _recipe_digest(directory), "layers": list(layers), "columns": names, "facts": facts or {}}
        write_json(directory.private / _FILE, note)


def remembered_layers(directory: Directory) -> BuiltLayers | None:
    """What the last build noted; None where the recipe or the schema has changed since."""
    note = _note(directory)
    builtin_columns = {column.full: column for column in BUILTIN}
    try:
        columns = {name: builtin_columns[name] for name in note["columns"]}
        return BuiltLayers(list(note["layers"]), columns, dict(note.get("facts", {})))
    except (KeyError, TypeError, ValueError):
        return None


def _note(directory: Directory) -> Mapping[str, Any]:
    """The note of the last build with this recipe. It is only a shortcut: a missing or damaged one costs time."""
    try:
        note = read_json(directory.private / _FILE)
        return note if isinstance(note, dict) and note.get("recipe") == _recipe_digest(directory) else {}
    except (OSError, ValueError, StoreError):
        return {}


def _recipe_digest(directory: Directory) -> str:
    return hashlib.sha256(directory.recipe.read_bytes()).hexdigest()
