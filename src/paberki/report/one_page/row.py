"""One page out of a corpus: an id is an address, so that only its row group is read."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paberki.errors import QueryError, StoreError
from paberki.store.built_layers import Layout
from paberki.store.directory import Directory, Shard
from paberki.store.layer import CHUNK, SHARD, LayerFile


@dataclass(frozen=True, slots=True)
class Row:
    """All that is known about a page."""

    number: int
    values: dict[str, Any]
    """By short column name; columns of layers that are not built yet are not here."""
    error: dict[str, str] | None
    """Of the first stage that failed on the page."""
    missing: tuple[str, ...]
    """Layers that are not built for this page."""
    is_taken_down: bool
    """The page was taken down; its content must not be shown."""

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name)

    def selected_texts(self) -> list[str]:
        """The blocks that select keeps, or extraction where nothing is selected yet; none of a page that is gone."""
        blocks = self["blocks"] or []
        keep = self["block_keep"] or [block["kept"] for block in blocks]
        if self.is_taken_down:
            return []
        return [block["text"] or "" for block, stays in zip(blocks, keep, strict=True) if stays]


def read_row(
    directory: Directory, layout: Layout, number: int, *, tokens: bool = True, only: Collection[str] = ()
) -> Row:
    """The page with this number, from every layer of the layout.

    Columns about tokens and sentences can be left out; ``only`` names the columns that are wanted, all if empty.
    """
    shards = directory.manifest().shards
    if not shards:
        raise StoreError(f"{directory.root}: no pages yet; type: paberki build {directory.root}")
    shard, row = divmod(number, SHARD)
    if number < 0 or shard >= len(shards) or row >= shards[shard].rows:
        last = (len(shards) - 1) * SHARD + shards[-1].rows - 1
        raise QueryError(f"no page with the id {number:09d}; the last one is {last:09d}")
    values: dict[str, Any] = {}
    errors, missing = [], []
    for layer in layout.layers:
        columns = [one for one in layout.columns.values() if one.layer == layer]
        names = [one.name for one in columns if tokens or one.level in ("page", "block")]
        if only:
            names = [name for name in names if name in only]
            if not names:
                continue
        layer_values = _read_layer_row(directory.layer(layer, shard), shards[shard], row, names)
        if layer_values is None:
            missing.append(layer)
            continue
        errors.append(layer_values.pop("error"))
        values |= layer_values
    error = next((one for one in errors if one), None)
    return Row(number, values, error, tuple(missing), values.get("key") in directory.tombstones())


def _read_layer_row(path: Path, shard: Shard, row: int, names: list[str]) -> dict[str, Any] | None:
    """The values of one row; None where the layer is not built for the pages of this shard."""
    if not path.exists():
        return None
    group, place = divmod(row, CHUNK)
    with LayerFile(path) as file:
        footer = file.footer
        if footer.keys != shard.keys or footer.rows != shard.rows:
            return None
        stored_names = [name for name in names if name in file.names]  # an earlier version of the stage had fewer
        columns = file.read(group, [*stored_names, "error"])
    return {name: _value(values[place]) for name, values in columns.items()}


def _value(scalar: Any) -> Any:
    """A Python value; None for a time outside Python's calendar."""
    try:
        return scalar.as_py()
    except OverflowError:
        return None
