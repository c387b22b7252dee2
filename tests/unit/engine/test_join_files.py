"""Intermediate files of joins: their keys, ranges of groups, chunks that are reused, and a memory without leftovers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.engine.passes.apply_tasks import _same, one_per_page
from paberki.engine.passes.join_files import (
    emitted_key,
    outside_batch,
    read_range,
    remove_unnamed,
    save,
    saved_key,
)
from paberki.engine.passes.join_tasks import RANGE_ROWS, ranges


def rows(*groups: int) -> pa.Table:
    return pa.table({"group": pa.array(groups, pa.uint64()), "page": pa.array(range(len(groups)), pa.int64())})


def test_a_file_has_the_key_of_what_it_was_made_from(tmp_path: Path) -> None:
    path = tmp_path / "some.parquet"
    assert saved_key(path) is None
    assert save(path, iter([rows(1, 2), rows(3)]), "key") == 3
    assert saved_key(path) == "key"
    path.write_bytes(path.read_bytes()[:-9])
    assert saved_key(path) is None


def test_a_walk_does_not_read_rows_with_groups(tmp_path: Path) -> None:
    grouped, walk = tmp_path / "grouped.parquet", tmp_path / "walk.parquet"
    save(grouped, rows(1, 2), "key")
    save(walk, rows(1, 2).select(["page"]), "key")
    assert (emitted_key(grouped, grouped=True), emitted_key(walk, grouped=False)) == ("key", "key")
    assert (emitted_key(grouped, grouped=False), emitted_key(walk, grouped=True)) == (None, None)
    assert emitted_key(tmp_path / "none.parquet", grouped=True) is None


@given(
    st.lists(st.integers(0, 2**64 - 1), max_size=50).map(sorted), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)
)
def test_a_range_has_the_rows_of_its_groups(groups: list[int], one: int, other: int) -> None:
    low, high = min(one, other), max(one, other)
    path = Path("/dev/shm") / "paberki-test-range.parquet" if Path("/dev/shm").is_dir() else Path("range.parquet")
    try:
        pq.write_table(rows(*groups), path, row_group_size=7)
        assert read_range(path, "group", low, high).column("group").to_pylist() == [
            group for group in groups if low <= group <= high
        ]
    finally:
        path.unlink(missing_ok=True)


def test_ranges_cover_all_groups_once(tmp_path: Path) -> None:
    count = RANGE_ROWS + 1
    save(tmp_path / "a.parquet", rows(*range(10)), "")
    assert ranges([tmp_path / "a.parquet"]) == [(0, 2**64 - 1)]
    save(
        tmp_path / "b.parquet", pa.table({"group": pa.array(np.zeros(count, np.uint64)), "page": np.arange(count)}), ""
    )
    found = ranges([tmp_path / "a.parquet", tmp_path / "b.parquet"])
    assert len(found) == 2
    assert (found[0][0], found[-1][1]) == (0, 2**64 - 1)
    assert found[0][1] + 1 == found[1][0]


def test_files_of_a_memory_stay_while_its_json_names_them(tmp_path: Path) -> None:
    for name in ("walked-1.parquet", "walked-1.tuples", "run-2.keys", "run-3.keys", "walked-1.parquet.tmp"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "walk.json").write_text(json.dumps({"walked": "walked-1", "runs": [["run-2", 7]]}))
    remove_unnamed(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "run-2.keys", "walk.json", "walked-1.parquet", "walked-1.tuples",
    ]  # fmt: skip
    (tmp_path / "walk.json").write_text("{")
    remove_unnamed(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["walk.json"]
    remove_unnamed(tmp_path / "none")


def test_pages_of_other_corpora_have_the_columns_that_the_join_needs() -> None:
    table = pa.table({"key": ["k"], "corpus": ["other"], "signature": [b"s"]})
    batch = outside_batch(table, np.array([-1]), ("signatures.signature", "archive.key", "extract.blocks.text"))
    assert sorted(batch.names()) == ["archive.key", "elsewhere.corpus", "signatures.signature"]


@given(st.sets(st.integers(0, 30)), st.integers(0, 30), st.integers(0, 12))
def test_every_page_of_a_batch_has_one_row_of_decisions(decided: set[int], first: int, count: int) -> None:
    pages = sorted(decided)
    decisions = pa.table(
        {"page": pa.array(pages, pa.int64()), "label": pa.array([f"of {page}" for page in pages], pa.string())}
    )
    labels = one_per_page(decisions, np.arange(first, first + count)).column("label").to_pylist()
    assert labels == [f"of {page}" if page in decided else None for page in range(first, first + count)]


@pytest.mark.parametrize(
    ("before", "now", "same"),
    [((), ("a",), set()), (("a", "b"), ("a", "c"), {0}), (("a",), ("a", "b"), {0}), (("a", "b"), ("b", "a"), set())],
)
def test_chunks_with_the_same_key_are_reused(before: tuple[str, ...], now: tuple[str, ...], same: set[int]) -> None:
    assert _same(before, now) == same
