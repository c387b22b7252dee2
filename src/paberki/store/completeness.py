"""Which layers cover every shard, as the footers of their files say.

A corpus of a thousand shards has tens of thousands of layer files. Their footers are read once; after that a layer
whose files have the same sizes and times as last time counts as complete. The memory of this is in ``.paberki`` and may be
lost at any time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Sequence

from paberki.errors import PaberkiError, StoreError
from paberki.store import layer
from paberki.store.directory import Directory, Shard
from paberki.store.files import read_memory, write_json

_MEMORY = "complete-layers.json"


def complete_layers(directory: Directory, layers: Sequence[str]) -> list[str]:
    """Layers that cover every shard. A layer that covers only some is an error: joined by position, its rows would belong to wrong pages."""
    shards = directory.manifest().shards
    noted_states = read_memory(directory.private / _MEMORY)
    states = {name: _state(directory, name, shards) for name in layers}
    complete = []
    for name in layers:
        is_known = bool(states[name]) and noted_states.get(name) == states[name]
        if is_known or _is_complete(directory, name, shards):
            complete.append(name)
    complete_states = {name: states[name] for name in complete}
    if complete_states != {name: noted_states.get(name) for name in complete_states}:
        with contextlib.suppress(OSError, PaberkiError):  # a corpus that cannot be written can be read all the same
            directory.private.mkdir(exist_ok=True)
            write_json(directory.private / _MEMORY, {**noted_states, **complete_states})
    return complete


def _state(directory: Directory, name: str, shards: Sequence[Shard]) -> str:
    """Sizes and times of the files of a layer and the pages they belong to; empty where a file is missing."""
    try:
        with os.scandir(directory.layer(name, 0).parent) as entries:
            files = {entry.name: entry.stat() for entry in entries}
    except OSError:
        return ""
    digest = hashlib.blake2b(digest_size=16)
    for number, shard in enumerate(shards):
        there = files.get(directory.layer(name, number).name)
        if there is None:
            return ""
        digest.update(f"{there.st_size} {there.st_mtime_ns} {shard.rows} {shard.keys}\n".encode())
    return digest.hexdigest()


def _is_complete(directory: Directory, name: str, shards: Sequence[Shard]) -> bool:
    footers = [layer.footer(directory.layer(name, number)) for number in range(len(shards))]
    if any(footers) and not all(footers):
        missing = next(number for number, one in enumerate(footers) if one is None)
        raise StoreError(f"layer {name} has no shard {missing:05d}; run: paberki build {directory.root}")
    for number, (one, shard) in enumerate(zip(footers, shards, strict=True)):
        if one is not None and (one.rows != shard.rows or one.keys != shard.keys):
            path = directory.layer(name, number)
            raise StoreError(f"{path}: belongs to other pages; remove it and run: paberki build {directory.root}")
    return bool(shards) and all(footers)
