"""Which URLs were met before: 64-bit keys in sorted runs, eight bytes each.

New keys gather in a set and are saved with every commit. When there are many, they become a run: a sorted file of
integers that is memory-mapped. Runs of similar size are merged, so there are few. Keys of one host are neighbours (see
``urls.url_key``), so that looking up the links of a page touches few places of a run.

Two URLs of a host share a key once in 10^12 pairs; the second one is then missed, which a crawl can accept.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]

FRESH = 1 << 17
"""Keys that gather before they become a run."""
_RECENT = 100_000


class SeenUrls:
    """The set of all keys; :meth:`save` writes in the caller's transaction."""

    def __init__(self, directory: Path, db: sqlite3.Connection) -> None:
        self._directory = directory
        self._db = db
        db.execute("CREATE TABLE IF NOT EXISTS run (name TEXT PRIMARY KEY) WITHOUT ROWID")
        db.execute("CREATE TABLE IF NOT EXISTS fresh (keys BLOB)")
        self._runs = [(name, _load(directory / name)) for (name,) in db.execute("SELECT name FROM run ORDER BY name")]
        self._runs.sort(key=lambda run: -run[1].size)
        self._number = max((int(name[5:-4]) for name, _ in self._runs), default=0)
        for orphan in {path.name for path in directory.glob("seen-*.u64")} - {name for name, _ in self._runs}:
            (directory / orphan).unlink()
        self._fresh: set[int] = set()
        for (blob,) in db.execute("SELECT keys FROM fresh"):
            self._fresh.update(np.frombuffer(blob, np.uint64).tolist())
        self._unsaved_keys: list[int] = []
        self._recent: set[int] = set()
        """Keys that were looked up recently and known: most links repeat the site's navigation."""
        self._garbage: list[str] = []

    def __len__(self) -> int:
        return len(self._fresh) + sum(run.size for _, run in self._runs)

    def add(self, keys: Iterable[int]) -> list[int]:
        """Add keys; return those that were new, in order, each once."""
        fresh, recent = self._fresh, self._recent
        unsure = [key for key in dict.fromkeys(keys) if key not in fresh and key not in recent]
        if unsure and self._runs:
            candidates = np.array(unsure, np.uint64)
            in_runs = self._in_runs(candidates)
            if in_runs.any():
                if len(recent) + len(candidates) > _RECENT:
                    recent.clear()
                recent.update(candidates[in_runs].tolist())
                unsure = candidates[~in_runs].tolist()
        fresh.update(unsure)
        self._unsaved_keys += unsure
        return unsure

    def _in_runs(self, keys: Keys) -> NDArray[np.bool_]:
        """Which keys are in a run; looked up in sorted order, since neighbours are close together."""
        order = keys.argsort()
        sorted_keys = keys[order]
        sorted_matches = np.zeros(len(keys), bool)
        for _, run in self._runs:
            at = run.searchsorted(sorted_keys)
            at[at == run.size] = 0
            sorted_matches |= run[at] == sorted_keys
        matches = np.empty_like(sorted_matches)
        matches[order] = sorted_matches
        return matches

    def save(self) -> None:
        """Write the keys since the last call; to be called right before a commit."""
        if self._unsaved_keys:
            self._db.execute("INSERT INTO fresh VALUES (?)", (np.array(self._unsaved_keys, np.uint64).tobytes(),))
            self._unsaved_keys = []
        if len(self._fresh) >= FRESH:
            self._make_run()

    def remove_garbage(self) -> None:
        """Remove files of merged runs; to be called right after a commit."""
        while self._garbage:
            (self._directory / self._garbage.pop()).unlink(missing_ok=True)

    def _make_run(self) -> None:
        keys = np.fromiter(self._fresh, np.uint64, len(self._fresh))
        keys.sort()
        while self._runs and self._runs[-1][1].size <= 2 * keys.size:
            name, run = self._runs.pop()
            keys = np.concatenate((run, keys))
            keys.sort(kind="stable")  # finds the sorted stretches and merges them
            self._db.execute("DELETE FROM run WHERE name = ?", (name,))
            self._garbage.append(name)
        self._number += 1
        name = f"seen-{self._number:06}.u64"
        with open(self._directory / name, "wb") as file:
            file.write(keys.tobytes())
            file.flush()
            os.fsync(file.fileno())
        self._db.execute("INSERT INTO run VALUES (?)", (name,))
        self._db.execute("DELETE FROM fresh")
        self._runs.append((name, _load(self._directory / name)))
        self._fresh = set()


def _load(path: Path) -> Keys:
    size = path.stat().st_size
    if not size or size % np.dtype(np.uint64).itemsize:
        raise ValueError(f"{path} is cut short")
    return np.asarray(np.memmap(path, np.uint64, "r"))
