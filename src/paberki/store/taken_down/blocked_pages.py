"""What a build owes to take-downs: pages of blocked addresses that came in later, and layers that were changed under it."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import Final

from paberki.store import layer
from paberki.store.directory import Directory
from paberki.store.files import read_json, write_json
from paberki.store.lock import hold
from paberki.store.taken_down.hiding import forget_key
from paberki.store.taken_down.tombstones import BlockedAddresses, Tombstone, read_tombstones, write_tombstones

LOCK: Final = "takedown"
_CHANGED: Final = "takedown-during-build.json"


def now() -> str:
    """The time, in UTC, as it is written into tombstones and releases."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def take_down_blocked(directory: Directory, shards: Iterable[int]) -> int:
    """Take down pages of these shards whose address or host is blocked; their number."""
    blocklist = BlockedAddresses(directory.root)
    if not blocklist:
        return 0
    with hold(directory.lock(LOCK), doing="taking down", wait=True):
        stones = list(read_tombstones(directory.root))
        tombstone_keys = {stone.key for stone in stones}
        new = [stone for shard in shards for stone in _blocked_in(directory, shard, blocklist, tombstone_keys)]
        if new:
            write_tombstones(directory.root, [*stones, *new])
    return len(new)


def _blocked_in(
    directory: Directory, shard: int, blocklist: BlockedAddresses, tombstone_keys: Collection[str]
) -> list[Tombstone]:
    names = ["id", "key", "url", "host"]
    with layer.LayerFile(directory.layer("archive", shard)) as file:
        columns = [file.read_all([name])[name].to_pylist() for name in names]
    rows = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    return [
        Tombstone(**row, time=now(), reason="its address or its host is blocked", because="blocked")
        for row in rows
        if row["url"] and row["key"] not in tombstone_keys and row["url"] in blocklist
    ]


def note_change(directory: Directory, shards: Collection[int]) -> None:
    """Note that layers of these shards were changed while a build was running, before they are."""
    write_json(directory.private / _CHANGED, sorted({*changed_shards(directory), *shards}))


def changed_shards(directory: Directory) -> list[int]:
    """Shards whose layers were changed under a build."""
    try:
        shards: list[int] = read_json(directory.private / _CHANGED)
    except FileNotFoundError:
        return []
    return shards


def renew_changed(directory: Directory) -> None:
    """Make all layers of such shards stale: their keys say nothing about pages that were hidden half-way.

    Only call it while no other build can run.
    """
    shards = changed_shards(directory)
    if not shards:
        return
    shutil.rmtree(directory.private / "join", ignore_errors=True)
    for shard in shards:
        for path in sorted(directory.layers.glob(f"*/{shard:05d}.parquet")):
            if path.parent.name != "archive":
                forget_key(path)
        for folder in directory.layers.glob(f"*/{shard:05d}.parts"):
            shutil.rmtree(folder, ignore_errors=True)
    (directory.private / _CHANGED).unlink(missing_ok=True)
