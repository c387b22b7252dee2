"""Models: what fit stages learnt from a corpus, kept as Arrow files named by their content.

A model is a table (scalars in the schema's metadata), memory-mapped where it is used, so that it costs its size once
per machine. Pins say which file is in force for which stage: a build reuses the pinned model however the corpus has
grown, until ``build --refit``.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from paberki.errors import StoreError
from paberki.kernels.preparation import prepared
from paberki.store.files import read_json, replacing, write_json


@dataclass(frozen=True, eq=False)
class Model:
    """A loaded model; two with the same digest are the same."""

    digest: str
    table: pa.Table

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and other.digest == self.digest

    def __reduce__(self) -> Any:
        return Model, (self.digest, self.table)


@dataclass(frozen=True, slots=True)
class Pin:
    """Which model a corpus uses for a fit stage, and what it was learnt from."""

    stage: str
    file: str
    digest: str
    settings: str
    """Key of the settings of the stage and all stages before it; another key means another model."""
    pages: int
    """Pages in the corpus when it was learnt."""


def save_model(folder: Path, layer: str, table: pa.Table) -> tuple[str, str]:
    """Write a model under a name with its digest; file name and digest."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    data = sink.getvalue()
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    name = f"{layer}-{digest[:12]}.arrow"
    with replacing(folder / name) as beside:
        beside.write_bytes(data)
    return name, digest


@lru_cache(maxsize=32)
@prepared
def load_model(path: Path) -> Model:
    """Open a model and check that it is what its name says."""
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise StoreError(f"{path} is missing; run 'paberki build --refit' to learn it again") from error
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    if not path.name.endswith(f"-{digest[:12]}.arrow"):
        raise StoreError(f"{path}: the model has changed since it was learnt; run 'paberki build --refit'")
    return Model(digest, pa.ipc.open_file(pa.memory_map(str(path))).read_all())


def pins(folder: Path) -> dict[str, Pin]:
    """Models in force, by layer of their fit stage."""
    try:
        return {layer: Pin(**fields) for layer, fields in read_json(folder / "pins.json").items()}
    except FileNotFoundError:
        return {}


def pin(folder: Path, layer: str, new: Pin) -> None:
    """Put a model in force."""
    pinned_models = {**pins(folder), layer: new}
    write_json(folder / "pins.json", {name: asdict(one) for name, one in sorted(pinned_models.items())})
