"""Things that are kept for a while."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import sleep

from paberki.serve.last_used import LastUsed


def test_the_one_that_nobody_used_makes_room() -> None:
    pages: LastUsed[str] = LastUsed(2)
    pages.keep("a", "A")
    pages.keep("b", "B")
    assert pages.get("a") == "A"
    pages.keep("c", "C")
    assert [pages.get(key) for key in "abc"] == ["A", None, "C"]


def test_many_who_need_one_thing_make_it_once() -> None:
    pages: LastUsed[str] = LastUsed(2)
    makings: list[int] = []

    def ask(number: int) -> str | None:
        with pages.made_once("key"):
            if pages.get("key") is None:
                makings.append(number)
                sleep(0.02)
                pages.keep("key", "thing")
            return pages.get("key")

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(8))) == {"thing"}
    assert len(makings) == 1


def test_who_waits_long_goes_on_alone() -> None:
    pages: LastUsed[str] = LastUsed(2)
    with pages.made_once("key"), pages.made_once("key", seconds=0.01):
        pages.keep("key", "thing")
    assert pages.get("key") == "thing"
