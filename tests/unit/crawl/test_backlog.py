"""Sorted runs of packets on disk: what goes in comes out once, in order, over merges, kills and loads."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.crawl.frontier.arrivals import FEED, PACKET, PAGE, Packet, QueueSlot
from paberki.crawl.frontier.backlog import Backlog, QueueRun

SLOT = QueueSlot(1, 2, 3, 4)


@contextmanager
def _backlog(folder: Path) -> Iterator[tuple[Backlog, sqlite3.Connection]]:
    with closing(sqlite3.connect(folder / "db", isolation_level=None)) as db:
        db.execute("BEGIN")
        backlog = Backlog(folder, db)
        yield backlog, db
        backlog.close()


def _commit(backlog: Backlog, db: sqlite3.Connection) -> None:
    db.execute("COMMIT")
    db.execute("BEGIN")
    backlog.remove_garbage()


def _first(backlog: Backlog, host: int, template: int) -> Packet | None:
    """The packet that a frontier would take: the first by rank and number over all runs."""
    places = [(place, run) for run in backlog.runs if (place := run.first(host, template)) is not None]
    if not places:
        return None
    return backlog.take(min(places, key=lambda one: one[0])[1], host, template)


def _drain(backlog: Backlog, host: int, template: int) -> list[tuple[int, int, str]]:
    """Rank, form and path of every URL of a host's template, in the order in which they are taken."""
    urls = []
    while (packet := _first(backlog, host, template)) is not None:
        urls += [(packet.slot.rank, packet.form, path) for path in packet.paths]
    return urls


def test_packets_come_back_as_they_went_in(tmp_path):
    packets = [
        Packet(7, SLOT, False, ["/č", "/b?x=1"]),
        Packet(5, SLOT._replace(rank=1, kind=FEED), True, ["/feed"]),
        Packet(6, SLOT._replace(host=70_000), True, ["/"]),
    ]
    with _backlog(tmp_path) as (backlog, _):
        backlog.receive(packets)
        first, second = _first(backlog, 1, 2), _first(backlog, 1, 2)
        assert first is not None
        assert second is not None
        assert (first.id, first.slot, first.form, first.paths) == (5, packets[1].slot, packets[1].form, ["/feed"])
        assert (second.id, second.slot, second.form, second.paths) == (7, SLOT, PAGE, ["/č", "/b?x=1"])
        assert _first(backlog, 1, 2) is None
        assert _first(backlog, 1, 3) is None
        assert list(backlog.runs[0].of(70_000)) == [(1, "/")]


def test_small_packets_of_one_slot_become_large_ones_when_runs_are_merged(tmp_path):
    with _backlog(tmp_path) as (backlog, _):
        for number in range(1, 301):
            backlog.receive([Packet(number, SLOT, False, [f"/{number:03}"])])
        assert len(backlog.runs) < 12
        packets = []
        while (packet := _first(backlog, 1, 2)) is not None:
            packets.append(packet)
        assert sorted(path for packet in packets for path in packet.paths) == [f"/{n:03}" for n in range(1, 301)]
        assert len(packets) < 40
        assert max(len(packet.paths) for packet in packets) <= 2 * PACKET


def test_files_of_merged_runs_go_after_the_commit_and_not_before(tmp_path):
    with _backlog(tmp_path) as (backlog, db):
        backlog.receive([Packet(1, SLOT, False, ["/a"])])
        _commit(backlog, db)
        backlog.receive([Packet(2, SLOT, False, ["/b"])])
        assert len(list(tmp_path.glob("queue-*.run"))) == 3
        _commit(backlog, db)
        assert [path.name for path in tmp_path.glob("queue-*.run")] == [run.name for run in backlog.runs]


def test_a_kill_before_the_commit_brings_back_what_was_taken_and_removes_the_new_file(tmp_path):
    with _backlog(tmp_path) as (backlog, db):
        backlog.receive([Packet(1, SLOT, False, ["/a"])])
        _commit(backlog, db)
        assert _first(backlog, 1, 2) is not None
        backlog.receive([Packet(2, SLOT, False, ["/b"])])
    with _backlog(tmp_path) as (backlog, _):
        assert _drain(backlog, 1, 2) == [(3, 0, "/a")]
        assert len(list(tmp_path.glob("queue-*.run"))) == 1


def test_a_dropped_host_leaves_the_others(tmp_path):
    with _backlog(tmp_path) as (backlog, db):
        backlog.receive([Packet(n, QueueSlot(n % 2, n % 3, 0, 0), False, [f"/{n}"]) for n in range(1, 13)])
        backlog.drop(1)
        _commit(backlog, db)
    with _backlog(tmp_path) as (backlog, _):
        assert [list(run.of(1)) for run in backlog.runs] == [[]]
        assert sorted(path for _, path in backlog.runs[0].of(0)) == ["/10", "/12", "/2", "/4", "/6", "/8"]


def test_a_run_that_is_cut_short_is_refused(tmp_path):
    with _backlog(tmp_path) as (backlog, _):
        backlog.receive([Packet(1, SLOT, False, ["/a"])])
        path = tmp_path / backlog.runs[0].name
        path.write_bytes(path.read_bytes()[:40])
        with pytest.raises(ValueError, match="cut short"):
            QueueRun(path)


_BATCH = st.lists(
    st.tuples(st.integers(1, 2), st.integers(1, 2), st.integers(0, 2), st.booleans(), st.integers(1, 5)),
    min_size=1,
    max_size=8,
)
_ACTIONS = st.lists(
    st.one_of(_BATCH, st.sampled_from(["commit", "kill"]), st.tuples(st.integers(1, 2), st.integers(1, 2))), max_size=30
)


@settings(max_examples=60, deadline=None)
@given(_ACTIONS)
def test_every_url_comes_out_once_and_in_order_over_save_and_load(actions):
    with TemporaryDirectory() as name:
        folder, number, waiting = Path(name), 0, {}
        saved: dict[tuple[int, int], set[tuple[int, int, str]]] = {}
        pending = [*actions, "end"]
        while pending:
            with _backlog(folder) as (backlog, db):
                while (action := pending.pop(0)) not in ("kill", "end"):
                    if action == "commit":
                        _commit(backlog, db)
                        saved = {key: set(urls) for key, urls in waiting.items()}
                    elif isinstance(action, tuple):
                        packet = _first(backlog, *action)
                        urls = waiting.setdefault(action, set())
                        assert (packet is None) == (not urls)
                        if packet is not None:
                            assert packet.slot.rank == min(rank for rank, _, _ in urls)
                            urls -= {(packet.slot.rank, packet.form, path) for path in packet.paths}
                    else:
                        packets = []
                        for host, template, rank, secure, count in action:
                            number += 1
                            paths = [f"/{number}/{place}" for place in range(count)]
                            packets.append(Packet(number, QueueSlot(host, template, rank, 0), secure, paths))
                            key = (host, template)
                            waiting.setdefault(key, set()).update((rank, int(secure), path) for path in paths)
                        backlog.receive(packets)
                if action == "end":
                    for key, urls in waiting.items():
                        assert sorted(_drain(backlog, *key)) == sorted(urls)
                waiting = {key: set(urls) for key, urls in saved.items()}
