"""Models after an erasure: one that holds words of erased pages which no other page has is removed and learnt again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

import pyarrow as pa

from paberki.model import pins
from paberki.store import layer
from paberki.store.directory import Directory
from paberki.store.files import write_json

_LEAST: Final = 3
"""Shorter strings say nothing about a page."""
_MOST: Final = 300
"""So many strings are looked for on other pages, the longest first."""


def erase_from_models(directory: Directory, texts: Collection[str]) -> list[str]:
    """Remove such models; a note where there are any. Without texts, as after a kill, all that hold strings are removed.

    Call it with the lock of the layers, when the pages are hidden.
    """
    model_pins = pins(directory.models)
    suspects = {path: _strings(path, texts) for path in sorted(directory.models.glob("*.arrow"))}
    if texts:
        erased_strings = {string for strings in suspects.values() for string in strings}
        own = _on_no_page(directory, erased_strings)
        stale = [path for path, strings in suspects.items() if own & strings]
    else:
        stale = [path for path, strings in suspects.items() if strings]
    if not stale:
        return []
    names = {path.name for path in stale}
    remaining = {name: asdict(one) for name, one in model_pins.items() if one.file not in names}
    write_json(directory.models / "pins.json", remaining)
    for path in stale:
        path.unlink(missing_ok=True)
    stage_names = ", ".join(one.stage for one in model_pins.values() if one.file in names)
    return [
        f"models that had learnt words of it were removed ({stage_names}); to learn them again: paberki build {directory.root}"
    ]


def _strings(path: Path, texts: Collection[str]) -> set[str]:
    """Strings of a model that stand on the erased pages; all of them if these are not known any more."""
    with pa.memory_map(str(path)) as source:
        table = pa.ipc.open_file(source).read_all()
        values = {
            str(value)
            for column in table.columns
            if pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
            for value in column.unique().to_pylist()
            if value and len(value) >= _LEAST
        }
    if not texts:
        return values
    content = "\n".join([*texts, *(text.lower() for text in texts)])
    return set(sorted((value for value in values if value in content), key=lambda one: (-len(one), one))[:_MOST])


def _on_no_page(directory: Directory, strings: Collection[str]) -> set[str]:
    """Which of these strings stand on no page."""
    remaining = set(strings)
    for text in _texts(directory):
        if not remaining:
            break
        content = f"{text}\n{text.lower()}"
        remaining = {string for string in remaining if string not in content}
    return remaining


def _texts(directory: Directory) -> Iterator[str]:
    for shard in range(len(directory.manifest().shards)):
        if not directory.layer("extract", shard).is_file():
            continue
        with layer.LayerFile(directory.layer("extract", shard)) as file:
            for group in range(file.groups):
                for blocks in file.read(group, ["blocks.text"])["blocks.text"].to_pylist():
                    yield "\n".join(blocks or ())
