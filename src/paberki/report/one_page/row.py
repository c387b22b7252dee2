"""One page out of a corpus: an id is an address, so that only its row group is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from paberki.engine.plan import Plan
from paberki.errors import QueryError, StoreError
from paberki.store.directory import Directory
from paberki.store.layer import CHUNK, SHARD, LayerFile, column_names, footer


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
    gone: bool
    """The page was taken down; its content must not be shown."""

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name)

    def selected_texts(self) -> list[str]:
        """The blocks that select keeps, or extraction where nothing is selected yet; none of a page that is gone."""
        blocks = self["blocks"] or []
        keep = self["block_keep"] or [block["kept"] for block in blocks]
        if self.gone:
            return []
        return [block["text"] or "" for block, stays in zip(blocks, keep, strict=True) if stays]


def read_row(directory: Directory, plan: Plan, number: int) -> Row:
    """The page with this number, from every layer of the plan."""
    shards = directory.manifest().shards
    if not shards:
        raise StoreError(f"{directory.root}: no pages yet; type: paberki build {directory.root}")
    shard, row = divmod(number, SHARD)
    if number < 0 or shard >= len(shards) or row >= shards[shard].rows:
        last = (len(shards) - 1) * SHARD + shards[-1].rows - 1
        raise QueryError(f"no page with the id {number:09d}; the last one is {last:09d}")
    values: dict[str, Any] = {}
    errors, missing = [], []
    for layer in plan.layers:
        there = footer(directory.layer(layer, shard))
        if there is None or there.keys != shards[shard].keys or there.rows != shards[shard].rows:
            missing.append(layer)
            continue
        stored = column_names(directory.layer(layer, shard))  # an earlier version of the stage had fewer
        names = [column.name for column in plan.columns.values() if column.layer == layer and column.name in stored]
        layer_values = _read_layer_row(directory, layer, shard, row, names)
        errors.append(layer_values.pop("error"))
        values |= layer_values
    error = next((one for one in errors if one), None)
    return Row(number, values, error, tuple(missing), values.get("key") in directory.tombstones())


def _read_layer_row(directory: Directory, layer: str, shard: int, row: int, names: list[str]) -> dict[str, Any]:
    group, place = divmod(row, CHUNK)
    with LayerFile(directory.layer(layer, shard)) as file:
        columns = file.read(group, [*names, "error"])
    return {name: _value(values[place]) for name, values in columns.items()}


def _value(scalar: Any) -> Any:
    """A Python value; None for a time outside Python's calendar."""
    try:
        return scalar.as_py()
    except OverflowError:
        return None
