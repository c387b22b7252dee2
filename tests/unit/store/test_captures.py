"""Captures of one URL: which is the latest, and when a page was last seen."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pyarrow as pa

from paberki.archive.archive_rows import revisit_row
from paberki.archive.archive_stage import Captures
from paberki.archive.reading.archived_record import ArchiveRecord
from paberki.engine.passes.apply_tasks import one_per_page
from paberki.store.batch import Batch
from paberki.store.columns import ERROR, TIME
from paberki.store.group_hashes import hashes


def day(number: int | None) -> datetime.datetime | None:
    return datetime.datetime(2020, 1, number) if number else None


def captures(*pages: tuple[str, int | None, int | None], revisits: Any = (), failed: tuple[int, ...] = ()) -> list[Any]:
    """(capture, latest, day last seen) of pages (url, day, status); revisits are (url, day, day referred to)."""
    error = {"stage": "archive.v1", "code": "x", "detail": "y"}
    columns = {
        "archive.url": pa.array([url for url, _, _ in pages], pa.string()),
        "archive.date": pa.array([day(one) for _, one, _ in pages], TIME),
        "archive.status": pa.array([status for _, _, status in pages], pa.int16()),
        "archive.error": pa.array([error if at in failed else None for at in range(len(pages))], ERROR),
    }
    numbers = np.arange(len(pages), dtype=np.int64)
    batch = Batch(numbers, columns)
    again = pa.table(
        {
            "group": hashes(pa.array([url for url, _, _ in revisits], pa.string())),
            "page": pa.array([-1] * len(revisits), pa.int64()),
            "date": pa.array([day(one) for _, one, _ in revisits], TIME).cast(pa.int64()),
            "since": pa.array([day(one) for _, _, one in revisits], TIME).cast(pa.int64()),
        }
    )
    decisions = Captures.resolve(pa.concat_tables([Captures.emit(batch, None), again]), None).sort_by("page")
    found = Captures.apply(batch, one_per_page(decisions, numbers), None)
    rows = zip(*(found[name].to_pylist() for name in ("capture", "latest", "last_seen")), strict=True)
    return [(number, latest, seen.day if seen else None) for number, latest, seen in rows]


def test_captures_are_counted_by_date_not_by_place() -> None:
    assert captures(("a", 5, 200), ("b", 1, 200), ("a", 2, 200), ("a", 9, 200)) == [
        (2, False, 5), (1, True, 1), (1, False, 2), (3, True, 9),
    ]  # fmt: skip


def test_later_failure_does_not_supersede() -> None:
    found = captures(
        ("a", 1, 200), ("a", 2, 404), ("a", 3, 301), ("a", 4, 200), ("a", 5, 500), ("a", 6, 200), failed=(5,)
    )
    assert found == [
        (1, False, 1), (None, None, None), (None, None, None), (2, True, 4), (None, None, None), (None, None, None),
    ]  # fmt: skip


def test_records_without_http_count() -> None:
    assert captures(("a", 1, None), ("a", 2, None)) == [(1, False, 1), (2, True, 2)]


def test_pages_without_a_date_come_first_in_the_order_of_the_archive() -> None:
    assert captures(("a", None, 200), ("a", 3, 200), ("a", None, 200)) == [
        (1, False, None),
        (3, True, 3),
        (2, False, None),
    ]


def test_pages_without_an_address_are_not_captures_of_each_other() -> None:
    assert captures(("", 1, 200), ("", 2, 200)) == [(None, None, None), (None, None, None)]


def test_revisit_extends_the_capture_before_it() -> None:
    pages = (("a", 1, 200), ("a", 10, 200), ("b", 1, 200))
    assert captures(*pages, revisits=[("a", 5, None)]) == [(1, False, 5), (2, True, 10), (1, True, 1)]
    assert captures(*pages, revisits=[("a", 20, None), ("a", 15, None)]) == [(1, False, 1), (2, True, 20), (1, True, 1)]
    assert captures(*pages, revisits=[("a", 10, None)]) == [(1, False, 1), (2, True, 10), (1, True, 1)]


def test_revisit_may_say_which_capture_it_refers_to() -> None:
    pages = (("a", 1, 200), ("a", 10, 200))
    assert captures(*pages, revisits=[("a", 20, 1)]) == [(1, False, 20), (2, True, 10)]
    assert captures(*pages, revisits=[("a", 20, 10)]) == [(1, False, 1), (2, True, 20)]


def test_revisit_of_nothing_we_have() -> None:
    assert captures(("a", 5, 200), revisits=[("a", 2, None), ("z", 9, None)]) == [(1, True, 5)]
    assert captures(("a", 5, 404), revisits=[("a", 9, None)]) == [(None, None, None)]
    assert captures(("a", None, 200), revisits=[("a", 9, None)]) == [(1, True, 9)]


def test_revisit_record_is_read_with_what_it_refers_to() -> None:
    headers = {
        "warc-target-uri": "http://a.hr/new",
        "warc-date": "2020-01-09T00:00:00Z",
        "warc-refers-to-date": "2020-01-02T00:00:00Z",
        "warc-refers-to-target-uri": "http://a.hr/old",
    }
    found = revisit_row(ArchiveRecord(0, 10, "revisit", headers))
    assert found == {"url": "http://a.hr/old", "date": day(9), "since": day(2)}
    assert revisit_row(ArchiveRecord(0, 10, "response", headers)) is None
    assert revisit_row(ArchiveRecord(0, 10, "revisit", {"warc-target-uri": "http://a.hr/"})) is None
    assert revisit_row(ArchiveRecord(0, 10, "revisit", headers, error=("x", "y"))) is None


def test_no_pages_at_all() -> None:
    assert captures() == []
