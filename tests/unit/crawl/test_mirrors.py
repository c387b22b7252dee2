"""Hosts that repeat other hosts page by page."""

from __future__ import annotations

from paberki.crawl.frontier.host_records import HostRecord
from paberki.crawl.steering.mirrors import Mirrors


def test_the_same_texts_under_the_same_paths_make_a_mirror() -> None:
    mirrors = Mirrors()
    first, second = HostRecord(1, "a.hr", 1.0), HostRecord(2, "b.hr", 1.0)
    assert not any(mirrors.repeats(first, f"/{number}", 7 * number) for number in range(1, 5))
    assert [mirrors.repeats(second, f"/{number}", 7 * number) for number in range(1, 5)] == [False, True, True, True]


def test_shared_texts_under_other_paths_and_a_few_shared_pages_make_none() -> None:
    mirrors = Mirrors()
    first, second = HostRecord(1, "a.hr", 1.0), HostRecord(2, "b.hr", 1.0)
    for number in range(20):
        assert not mirrors.repeats(first, f"/{number}", number)
    assert not any(mirrors.repeats(second, f"/b/{number}", number) for number in range(20))
    assert not any(mirrors.repeats(second, f"/{number}", number) for number in range(4))
