"""The endless parts of the demo web lead on for ever and give the same page for the same address."""

from __future__ import annotations

import pytest

from paberki.demo import plans
from paberki.demo.traps import CALENDAR, CATALOGUE, trap_of, trap_page
from paberki.demo.world import world


@pytest.mark.parametrize(
    ("host", "path", "trap"),
    [
        (plans.COUNCIL, CALENDAR, "calendar"),
        (plans.COUNCIL, f"{CALENDAR}?mjesec=7", "calendar"),
        (plans.SHOP, CATALOGUE, "facet"),
        (plans.SHOP, CALENDAR, None),
        (plans.COUNCIL, "/", None),
    ],
)
def test_where_traps_are(host: str, path: str, trap: str | None) -> None:
    assert trap_of(host, path) == trap


def test_the_calendar_never_ends() -> None:
    site, path, months = world()[plans.COUNCIL], CALENDAR, set()
    for _ in range(50):
        page = trap_page(site, path)
        assert page is not None
        months.add(page.title)
        path = page.entries[-1].path
    assert len(months) == 50


@pytest.mark.parametrize("query", ["", "?mjesec=x", "?mjesec=99999999999999", "?mjesec=-3", "?"])
def test_any_query_is_answered(query: str) -> None:
    assert trap_page(world()[plans.COUNCIL], CALENDAR + query) is not None


def test_filters_can_be_added_without_end() -> None:
    site = world()[plans.SHOP]
    first = trap_page(site, CATALOGUE)
    assert first is not None
    filters = [entry.path for entry in first.entries if "?" in entry.path]
    assert len(filters) > 5
    second = trap_page(site, filters[0])
    assert second is not None
    assert any(len(entry.path) > len(filters[0]) for entry in second.entries)


def test_the_same_address_gives_the_same_page() -> None:
    site = world()[plans.COUNCIL]
    assert trap_page(site, f"{CALENDAR}?mjesec=4") == trap_page(site, f"{CALENDAR}?mjesec=4")


def test_other_pages_are_no_traps() -> None:
    assert trap_page(world()[plans.COUNCIL], "/") is None
