"""The queue and the set of URLs met, killed at any point."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from paberki.crawl.frontier import seen_urls
from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.frontier.frontier import Frontier, QueueSlot
from paberki.crawl.frontier.seen_urls import SeenUrls
from paberki.web.urls import url_key, url_keys


def _urls(count: int, host: str = "a.hr") -> list[str]:
    return [f"http://{host}/p/{i}" for i in range(count)]


def _slot(url: str) -> QueueSlot:
    return QueueSlot(1 if "a.hr" in url else 2, 1, 3, 3)


def test_urls_come_back_in_order_and_once(tmp_path: Path) -> None:
    state = CrawlDatabase(tmp_path)
    frontier = Frontier(state)
    assert len(frontier.add_batch(_urls(250), _slot)) == 250
    assert frontier.add_batch(_urls(250), _slot) == []
    found = []
    while (entry := frontier.pop(1, 1)) is not None:
        found.append(entry.url("a.hr"))
        frontier.done_batch([entry])
    assert found == _urls(250)
    assert state.db.execute("SELECT count(*) FROM queue").fetchone() == (0,)
    state.close()


def test_what_was_not_committed_is_still_there(tmp_path: Path) -> None:
    state = CrawlDatabase(tmp_path)
    frontier = Frontier(state)
    frontier.add_batch(_urls(10), _slot)
    frontier.commit()
    for _ in range(4):
        entry = frontier.pop(1, 1)
        assert entry is not None
        frontier.done_batch([entry])
    frontier.commit()
    entry = frontier.pop(1, 1)
    assert entry is not None
    frontier.put_off(entry, 50.0)
    frontier.commit()
    handed_out = frontier.pop(1, 1)
    assert handed_out is not None
    frontier.done_batch([handed_out])
    frontier.add_batch(_urls(20, "b.hr"), _slot)
    state.close()  # rolls back, as a kill does

    state = CrawlDatabase(tmp_path)
    frontier = Frontier(state)
    assert frontier.pop_due(1, 49.0) is None
    retry = frontier.pop_due(1, 51.0)
    assert retry is not None
    assert (retry.path, retry.tries) == ("/p/4", 1)
    following = frontier.pop(1, 1)
    assert following is not None
    assert following.path == "/p/5"
    assert len(frontier.add_batch(_urls(20, "b.hr"), _slot)) == 20
    assert frontier.add_batch(_urls(10), _slot) == []
    state.close()


def test_nearer_urls_come_first(tmp_path: Path) -> None:
    state = CrawlDatabase(tmp_path)
    frontier = Frontier(state)
    frontier.add_batch(["http://a.hr/far"], lambda url: QueueSlot(1, 1, 9, 9))
    first = frontier.peek(1, 1)
    frontier.add_batch(["https://a.hr/near"], lambda url: QueueSlot(1, 1, 2, 2))
    entry = frontier.pop(1, 1)
    assert first is not None
    assert entry is not None
    assert (first.path, entry.url("a.hr")) == ("/far", "https://a.hr/near")
    state.close()


def test_runs_of_packets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of URLs through arrivals, runs and table, killed now and then: each comes back once, in order."""
    monkeypatch.setattr("paberki.crawl.frontier.frontier.POUR", 150)
    pick = random.Random(7)
    waiting: dict[tuple[int, int], dict[str, int]] = {}
    state = CrawlDatabase(tmp_path)
    frontier = Frontier(state)
    for step in range(120):
        before = {key: dict(paths) for key, paths in waiting.items()}
        slots: dict[str, QueueSlot] = {}
        for number in range(500 * step, 500 * step + pick.randrange(90)):
            host, rank = pick.choice((1, 2, 2, 2, 3, 70_000)), pick.randrange(3)
            url = f"http{'s' * pick.randrange(2)}://{host}.hr/{number}"
            slots[url] = QueueSlot(host, pick.choice((1, 1, 4)), rank, rank, pick.randrange(2))
            waiting.setdefault((host, slots[url].template), {})[f"/{number}"] = rank
        frontier.add_batch(slots, slots.__getitem__)
        for key in pick.sample(sorted(waiting), min(2, len(waiting))):
            for _ in range(pick.randrange(40)):
                entry = frontier.pop(*key)
                if entry is None:
                    assert not waiting[key]
                    break
                assert entry.rank == waiting[key].pop(entry.path) <= min(waiting[key].values(), default=9)
                frontier.done_batch([entry])
        if step % 40 == 33:
            frontier.drop(2)
            waiting = {key: {} if key[0] == 2 else paths for key, paths in waiting.items()}
        if pick.random() < 0.2:
            waiting = before  # killed before the commit
        else:
            frontier.commit()
        if pick.random() < 0.3 or waiting is before:
            frontier.close()
            state.close()
            state = CrawlDatabase(tmp_path)
            frontier = Frontier(state)
    for host in (1, 2, 3, 70_000):
        left = sorted(path for key, paths in waiting.items() if key[0] == host for path in paths)
        assert sorted(path for _, path in frontier.waiting_urls(host)) == left
    assert 1 <= len(list(tmp_path.glob("queue-*.run"))) <= 8
    frontier.close()
    state.close()


def test_runs_of_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen_urls, "FRESH", 100)
    pick = random.Random(3)
    known: set[int] = set()
    state = CrawlDatabase(tmp_path)
    keys = SeenUrls(tmp_path, state.db)
    for _ in range(60):
        batch = [pick.randrange(3000) << 40 for _ in range(80)]
        new = keys.add(batch)
        assert set(new) == set(batch) - known
        assert len(new) == len(set(new))
        known |= set(batch)
        keys.save()
        state.commit()
        keys.remove_garbage()
        if pick.random() < 0.3:
            keys.add([1, 2, 3])
            state.close()
            state = CrawlDatabase(tmp_path)
            keys = SeenUrls(tmp_path, state.db)
        assert len(keys) == len(known)
    assert 1 <= len(list(tmp_path.glob("seen-*.u64"))) <= 6
    state.close()


def test_keys_of_a_batch() -> None:
    urls = [*_urls(50), "https://b.hr:8080/x", "http://[::1]/", "https://c.hr/š"]
    assert url_keys(urls) == {url_key(url): url for url in urls}
    assert len({url_key(url) >> 40 for url in _urls(50)}) == 1
