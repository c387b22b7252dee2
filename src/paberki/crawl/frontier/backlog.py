"""URLs that wait for long: packets in sorted runs on disk, which need no memory.

A run is a file with one column per property of its packets, sorted by host, template, rank and number, followed by
their paths in the same order. Runs never change: the database notes how many packets of a host's template were taken
out. Runs of similar size are merged; merging joins small packets of one slot and leaves out packets that were taken.
The number of copies of a URL grows with the logarithm of the number of runs.
"""

from __future__ import annotations

import os
import sqlite3
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paberki.crawl.frontier.arrivals import PACKET, Packet, QueueSlot

COLUMNS = (
    ("id", "u8"), ("start", "u8"), ("host", "u4"), ("template", "u4"), ("rank", "u4"), ("depth", "u4"), ("count", "u4"),
    ("form", "u4"),
)  # fmt: skip
_AT_ONCE = 20_000
"""Packets copied at a time."""
Labels = dict[str, NDArray[np.uint64] | NDArray[np.uint32]]


class QueueRun:
    """One sorted file; ``taken_counts`` is the number of packets of (host, template) that were taken out."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.taken_counts: dict[tuple[int, int], int] = {}
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115 - closed with the run
        self.packets = int.from_bytes(self._file.read(8), "little")
        if os.fstat(self._file.fileno()).st_size < 8 + 40 * self.packets:
            self._file.close()
            raise ValueError(f"{path} is cut short")
        self._map = mmap(self._file.fileno(), 8 + 40 * self.packets, access=ACCESS_READ)
        self._columns: dict[str, memoryview[int]] = {}
        at = 8
        for name, kind in COLUMNS:
            size = int(kind[1]) * self.packets
            column = memoryview(self._map)[at : at + size]
            self._columns[name] = column.cast("Q") if kind == "u8" else column.cast("I")
            at += size
        self._data = at
        self.bytes = os.fstat(self._file.fileno()).st_size - at

    def first(self, host: int, template: int) -> tuple[int, int] | None:
        """Rank and number of the first packet of a host's template."""
        at = self._next(host, template)
        return None if at is None else (self._columns["rank"][at], self._columns["id"][at])

    def take(self, host: int, template: int) -> Packet:
        """Read the first packet of a host's template and count it as taken."""
        at = self._next(host, template)
        assert at is not None
        self.taken_counts[host, template] = self.taken_counts.get((host, template), 0) + 1
        return self._packet(at)

    def of(self, host: int) -> Iterator[tuple[int, str]]:
        """Form and path of every remaining URL of a host."""
        for at in self._remaining(host):
            packet = self._packet(at)
            for path in packet.paths:
                yield packet.form, path

    def drop(self, host: int) -> list[int]:
        """Count all packets of a host as taken; return its templates."""
        templates = {self._columns["template"][at] for at in self._remaining(host)}
        for template in templates:
            start, end = self._range(host, template)
            self.taken_counts[host, template] = end - start
        return list(templates)

    def labels(self) -> tuple[Labels, NDArray[np.uint64]]:
        """Columns of the remaining packets, and where their paths end."""
        are_left = np.ones(self.packets, bool)
        for (host, template), count in self.taken_counts.items():
            start, _ = self._range(host, template)
            are_left[start : start + count] = False
        columns: Labels = {name: np.asarray(self._columns[name])[are_left] for name, _ in COLUMNS}
        ends = np.append(np.asarray(self._columns["start"])[1:], np.uint64(self.bytes))
        return columns, ends[are_left]

    def read(self, start: int, end: int) -> bytes:
        """Paths as they are in the file, each followed by a line end."""
        return os.pread(self._file.fileno(), end - start, self._data + start)

    def close(self) -> None:
        """Close the file."""
        for column in self._columns.values():
            column.release()
        self._map.close()
        self._file.close()

    def _range(self, host: int, template: int) -> tuple[int, int]:
        hosts, templates = self._columns["host"], self._columns["template"]
        start = bisect_left(hosts, host)
        if start == self.packets or hosts[start] != host:
            return start, start
        end = bisect_right(hosts, host, start)
        return bisect_left(templates, template, start, end), bisect_right(templates, template, start, end)

    def _next(self, host: int, template: int) -> int | None:
        start, end = self._range(host, template)
        if start < end and self.taken_counts:
            start += self.taken_counts.get((host, template), 0)
        return start if start < end else None

    def _remaining(self, host: int) -> Iterator[int]:
        hosts, templates = self._columns["host"], self._columns["template"]
        at = bisect_left(hosts, host)
        while at < self.packets and hosts[at] == host:
            template = templates[at]
            start, end = self._range(host, template)
            yield from range(start + self.taken_counts.get((host, template), 0), end)
            at = end

    def _packet(self, at: int) -> Packet:
        column = self._columns
        end = column["start"][at + 1] if at + 1 < self.packets else self.bytes
        form = column["form"][at]
        slot = QueueSlot(column["host"][at], column["template"][at], column["rank"][at], column["depth"][at], form >> 1)
        paths = self.read(column["start"][at], end).decode().split("\n")
        return Packet(column["id"][at], slot, form & 1 == 1, paths[:-1])


class Backlog:
    """All runs; changes belong to the transaction in which they are made."""

    def __init__(self, directory: Path, db: sqlite3.Connection) -> None:
        self._directory, self._db = directory, db
        db.execute("CREATE TABLE IF NOT EXISTS backlog (name TEXT PRIMARY KEY) WITHOUT ROWID")
        db.execute(
            "CREATE TABLE IF NOT EXISTS taken (name TEXT, host INTEGER, template INTEGER, count INTEGER,"
            " PRIMARY KEY (name, host, template)) WITHOUT ROWID"
        )
        self.runs = [QueueRun(directory / name) for (name,) in db.execute("SELECT name FROM backlog")]
        self.runs.sort(key=lambda run: -run.bytes)
        self._number = max((int(run.name[6:-4]) for run in self.runs), default=0)
        for orphan in {path.name for path in directory.glob("queue-*.run")} - {run.name for run in self.runs}:
            (directory / orphan).unlink()
        by_name = {run.name: run for run in self.runs}
        for name, host, template, count in db.execute("SELECT * FROM taken"):
            by_name[name].taken_counts[host, template] = count
        self._garbage: list[str] = []

    def take(self, run: QueueRun, host: int, template: int) -> Packet:
        """Take the first packet of a host's template out of a run."""
        packet = run.take(host, template)
        self._note(run, host, template)
        return packet

    def drop(self, host: int) -> None:
        """Take out all packets of a host."""
        for run in self.runs:
            for template in run.drop(host):
                self._note(run, host, template)

    def receive(self, packets: list[Packet]) -> None:
        """Write packets as a run and merge it with runs that are not much larger."""
        self._write(_PouredPackets(packets))
        while len(self.runs) > 1 and self.runs[-2].bytes <= 2 * self.runs[-1].bytes:
            pair = self.runs[-2:]
            del self.runs[-2:]
            self._write(_MergedRuns(pair))
            for run in pair:
                self._db.execute("DELETE FROM backlog WHERE name = ?", (run.name,))
                self._db.execute("DELETE FROM taken WHERE name = ?", (run.name,))
                self._garbage.append(run.name)
                run.close()

    def remove_garbage(self) -> None:
        """Remove files of merged runs; to be called right after a commit."""
        while self._garbage:
            (self._directory / self._garbage.pop()).unlink(missing_ok=True)

    def close(self) -> None:
        """Close all files."""
        for run in self.runs:
            run.close()

    def _note(self, run: QueueRun, host: int, template: int) -> None:
        row = (run.name, host, template, run.taken_counts[host, template])
        self._db.execute("INSERT OR REPLACE INTO taken VALUES (?, ?, ?, ?)", row)

    def _write(self, source: _PouredPackets | _MergedRuns) -> None:
        self._number += 1
        path = self._directory / f"queue-{self._number:06}.run"
        with open(path, "wb") as file:
            file.write(len(source.labels["id"]).to_bytes(8, "little"))
            for name, kind in COLUMNS:
                file.write(source.labels[name].astype(f"<{kind}").tobytes())
            for part in source.parts():
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        self._db.execute("INSERT INTO backlog VALUES (?)", (path.name,))
        self.runs.append(QueueRun(path))


class _PouredPackets:
    """Packets from memory, sorted."""

    def __init__(self, packets: list[Packet]) -> None:
        slots = np.array([packet.slot for packet in packets], np.uint32).reshape(-1, 5).T
        labels: Labels = dict(zip(("host", "template", "rank", "depth"), slots[:4], strict=True))
        labels["id"] = np.array([packet.id for packet in packets], np.uint64)
        labels["form"] = np.array([packet.form for packet in packets], np.uint32)
        labels["count"] = np.array([len(packet.paths) for packet in packets], np.uint32)
        order = _in_order(labels)
        self.labels: Labels = {name: column[order] for name, column in labels.items()}
        self._texts = [("\n".join(packets[at].paths) + "\n").encode() for at in order.tolist()]
        sizes = np.array(list(map(len, self._texts)), np.uint64)
        self.labels["start"] = np.cumsum(sizes) - sizes

    def parts(self) -> Iterator[bytes]:
        """The paths, in order."""
        for at in range(0, len(self._texts), _AT_ONCE):
            yield b"".join(self._texts[at : at + _AT_ONCE])


class _MergedRuns:
    """The packets of several runs, sorted; small packets of one slot are joined."""

    def __init__(self, runs: list[QueueRun]) -> None:
        self._runs = runs
        labels_of_runs = [run.labels() for run in runs]
        labels: Labels = {name: np.concatenate([one[name] for one, _ in labels_of_runs]) for name, _ in COLUMNS}
        self._order = _in_order(labels)
        source = np.repeat(np.arange(len(runs)), [len(ends) for _, ends in labels_of_runs])
        self._source = source[self._order]
        self._starts = labels["start"][self._order].astype(np.uint64)
        self._ends = np.concatenate([ends for _, ends in labels_of_runs])[self._order]
        sorted_labels = {name: column[self._order] for name, column in labels.items()}
        begins = np.flatnonzero(_beginnings(sorted_labels))
        self.labels: Labels = {name: column[begins] for name, column in sorted_labels.items()}
        sizes = self._ends - self._starts
        if len(begins):
            self.labels["count"] = np.add.reduceat(sorted_labels["count"], begins)
            self.labels["start"] = (np.cumsum(sizes) - sizes)[begins]

    def parts(self) -> Iterator[bytes]:
        """The paths, in order; each run is read from its beginning to its end."""
        for at in range(0, len(self._order), _AT_ONCE):
            part = slice(at, at + _AT_ONCE)
            yield self._join(self._source[part], self._starts[part], self._ends[part])

    def _join(self, source: NDArray[np.intp], starts: NDArray[np.uint64], ends: NDArray[np.uint64]) -> bytes:
        """Read one stretch of each run, then put the packets in order."""
        views: list[memoryview] = []
        shift = np.zeros(len(source), np.uint64)
        for number, run in enumerate(self._runs):
            mine = source == number
            if not mine.any():
                views.append(memoryview(b""))
                continue
            start, end = int(starts[mine][0]), int(ends[mine][-1])
            views.append(memoryview(run.read(start, end)))
            shift[mine] = start
        places = zip(source.tolist(), (starts - shift).tolist(), (ends - shift).tolist(), strict=True)
        return b"".join([views[number][start:end] for number, start, end in places])


def _in_order(labels: Labels) -> NDArray[np.intp]:
    return np.lexsort([labels[name] for name in ("id", "rank", "template", "host")])


def _beginnings(labels: Labels) -> NDArray[np.bool_]:
    """Which sorted packets start a new joined packet: those of another slot, and those after enough URLs."""
    count = len(labels["id"])
    fresh = np.ones(count, bool)
    if count < 2:
        return fresh
    fresh[1:] = False
    for name in ("host", "template", "rank", "depth", "form"):
        fresh[1:] |= labels[name][1:] != labels[name][:-1]
    before = np.cumsum(labels["count"], dtype=np.uint64) - labels["count"]
    begins = np.flatnonzero(fresh)
    within = before - np.repeat(before[begins], np.diff(np.append(begins, count)))
    fresh[1:] |= within[1:] // PACKET != within[:-1] // PACKET
    return fresh
