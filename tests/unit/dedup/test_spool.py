"""What waits in memory and what waits in a file is the same when it is read."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pyarrow as pa
import pytest

from paberki.dedup.near import spool
from paberki.dedup.signatures import matching
from paberki.dedup.signatures.shingle_sets import SetFile
from paberki.dedup.signatures.shingles import shingle

in_memory_and_not = pytest.mark.parametrize("limit", [1 << 20, 100])


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(spool, "_BLOCK", 16)
    monkeypatch.setattr(spool, "_STEP", 7)
    monkeypatch.setattr(spool, "SORTED_IN_MEMORY", 60)


@in_memory_and_not
def test_bytes_are_read_from_anywhere(limit, monkeypatch):
    monkeypatch.setattr(spool, "IN_MEMORY", limit)
    one = spool.Spool()
    for part in (b"", b"a" * 90, b"b" * 50, np.arange(4, dtype=np.uint8)):
        one.append(part)
    assert one.size == 144
    assert one.read(88, 4) == b"aabb"
    assert one.gather(np.array([143, 0, 90]), np.array([1, 2, 1])) == b"\3aab"
    assert one.read(140, 100) == b"\0\1\2\3"


@in_memory_and_not
def test_rows_are_read_in_portions_and_by_number(limit, monkeypatch):
    monkeypatch.setattr(spool, "IN_MEMORY", limit)
    values = np.random.default_rng(1).integers(0, 1 << 30, (100, 3)).astype(np.uint32)
    rows = spool.SpooledRows(np.uint32, 3)
    assert rows.take(np.empty(0, np.int64)).shape == (0, 3)
    for first in range(0, 100, 9):
        rows.append(values[first : first + 9])
    assert len(rows) == 100
    assert (np.concatenate(list(rows.portions(7))) == values).all()
    which = np.array([99, 3, 3, 50])
    assert (rows.take(which) == values[which]).all()


@in_memory_and_not
@pytest.mark.parametrize("sizes", [(1,), (5, 16, 40, 3), (100,), ()])
def test_columns_of_rows(limit, sizes, monkeypatch):
    monkeypatch.setattr(spool, "IN_MEMORY", limit)
    some = np.random.default_rng(2)
    parts = [some.integers(0, 1 << 60, (size, 5)).astype(np.uint64) for size in sizes]
    columns = spool.ColumnFile(np.uint64, 5)
    for part in parts:
        columns.append(part)
    whole = np.concatenate([*parts, np.empty((0, 5), np.uint64)])
    assert len(columns) == len(whole)
    assert all((columns.column(number) == whole[:, number]).all() for number in range(5))


@in_memory_and_not
@pytest.mark.parametrize("count", [0, 1, 59, 61, 1000])
def test_numbers_are_sorted_in_ranges(limit, count, monkeypatch):
    monkeypatch.setattr(spool, "IN_MEMORY", limit)
    values = np.random.default_rng(3).integers(0, 300, count).astype(np.uint64)
    runs = spool.SortedRuns(together=4)
    for first in range(0, count, 17):
        runs.add(values[first : first + 17])
    ranges = list(runs.ranges())
    assert np.concatenate(ranges).tolist() == sorted(values.tolist())
    assert (len(ranges) > 3) == (count > 500)
    tops = [set((one >> np.uint64(4)).tolist()) for one in ranges]
    assert not any(one & other for one, other in itertools.combinations(tops, 2))


def test_numbers_that_belong_together_stay_together_however_many():
    runs = spool.SortedRuns(together=4)
    values = np.r_[np.arange(16), 16 + np.arange(200) % 16, np.arange(32, 90)].astype(np.uint64)
    runs.add(values[::-1])
    ranges = list(runs.ranges())
    assert np.concatenate(ranges).tolist() == sorted(values.tolist())
    assert sum(bool((one >> np.uint64(4) == 1).any()) for one in ranges) == 1


@in_memory_and_not
def test_strings(limit, monkeypatch):
    monkeypatch.setattr(spool, "IN_MEMORY", limit)
    words = [random.Random(4).choice(["", "riječ", "šuma", "a" * 50]) + str(number) for number in range(60)]
    strings = spool.StringFile()
    for first in range(0, 60, 25):
        strings.append(pa.array(words)[first : first + 25])  # with an offset
    which = [59, 0, 0, 26]
    assert strings.take(np.array(which)).to_pylist() == [words[at] for at in which]
    assert strings.take(np.empty(0, np.int64)).to_pylist() == []


def test_each_number_once():
    some = np.random.default_rng(5)
    parts = [some.integers(-500, 500, 100) for _ in range(9)]
    assert spool.distinct(parts).tolist() == sorted(set(np.concatenate(parts).tolist()))
    assert spool.distinct([np.empty(0, np.int64)]).tolist() == []


@in_memory_and_not
def test_resemblances_are_those_of_the_sets(limit, monkeypatch):
    monkeypatch.setattr(spool, "IN_MEMORY", limit)
    monkeypatch.setattr("paberki.dedup.signatures.shingle_sets.SHINGLES_AT_ONCE", 40)
    some = random.Random(6)
    texts = [" ".join(some.choices("abcdefg", k=some.randrange(60))) for _ in range(30)]
    sets = SetFile()
    for first in range(0, 30, 8):
        sets.append(shingle(texts[first : first + 8]))
    gold = [{tuple(words[at : at + 5]) for at in range(max(1, len(words) - 4))} if (words := text.split()) else set()
            for text in texts]  # fmt: skip
    left, right = np.array(list(itertools.combinations(range(30), 2))).T.copy()
    wanted = [len(gold[i] & gold[j]) / max(1, len(gold[i] | gold[j])) for i, j in zip(left, right, strict=True)]
    assert sets.resemblances(left, right) == pytest.approx(wanted)


@pytest.mark.parametrize("bits", [1, 11, 33, 64])
@pytest.mark.parametrize("count", [0, 1, 100, 5_000])
def test_numbers_in_order(bits, count):
    values = np.random.default_rng(bits).integers(0, (1 << bits) - 1, count, np.uint64, endpoint=True)
    wanted = np.sort(values)
    assert (matching.in_order(values.copy()) == wanted).all()
    assert (matching.in_order(wanted[::-1].copy()) == wanted).all()
