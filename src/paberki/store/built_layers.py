"""The layers and columns of a corpus as they lie on disk: enough to read it without its recipe and without its stages.

The schema knows the columns of our own layers. Other columns, of stages from other packages and of aliases, are taken
from the files; nobody knows whether they hold personal data, so they are treated as if they did.
"""

from __future__ import annotations

from dataclasses import dataclass

from paberki.store import layer
from paberki.store.columns import BUILTIN, Column
from paberki.store.directory import Directory

_ERROR = "error"


@dataclass(frozen=True, slots=True)
class BuiltLayers:
    """What a plan says about layers, read off the files."""

    layers: list[str]
    """Layers on disk, the archive first, our own in the order of the schema."""
    columns: dict[str, Column]
    """All columns by their full name."""


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
    declared = {column.name: column for column in BUILTIN if column.layer == name}
    fields = [field for field in layer.schema_of(directory.layer(name, 0)) if field.name != _ERROR]
    return [
        declared.get(field.name) or Column(field.name, name, field.type, "unknown", personal=True) for field in fields
    ]
