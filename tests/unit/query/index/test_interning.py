"""Equal strings of one column are one entry, however many there are."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from paberki.query.index.writing.interning import Interner


@given(st.lists(st.tuples(st.sampled_from("ab"), st.text(max_size=5)), max_size=200))
def test_entries_are_equal_where_column_and_string_are(pairs: list[tuple[str, str]]) -> None:
    interner = Interner()
    entries = [int(interner.strings([text], column)[0]) for column, text in pairs]
    assert len(set(entries)) == len(set(pairs)) == interner.entries
    assert interner.values(np.array(entries, np.int64)).to_pylist() == [text for _, text in pairs]
    names = {"a": interner.column("a"), "b": interner.column("b")}
    assert interner.columns_of_entries()[entries].tolist() == [names[column] for column, _ in pairs]


def test_the_table_grows() -> None:
    interner = Interner()
    before = interner.bytes_in_use
    words = pa.array([f"riječ {number} {'x' * (number % 50)}" for number in range(100_000)])
    entries = interner.strings(words, "word")
    assert interner.bytes_in_use > before
    assert (interner.strings(words, "word") == entries).all()
    assert len(np.unique(entries)) == 100_000
    assert interner.values(entries[[5, 99_999]].astype(np.int64)).to_pylist() == [
        words[5].as_py(),
        words[99_999].as_py(),
    ]


def test_a_value_longer_than_the_table() -> None:
    interner = Interner()
    long = "č" * 3_000_000
    assert interner.values(interner.strings([long], "x").astype(np.int64)).to_pylist() == [long]


def test_null_and_slices() -> None:
    interner = Interner()
    array = pa.array(["a", None, "b", "a"]).slice(1)
    entries = interner.strings(array, "x").astype(np.int64)
    assert interner.values(entries).to_pylist() == ["", "b", "a"]


def test_bytes_that_are_no_text_are_replaced() -> None:
    interner = Interner()
    data = np.frombuffer(b"\xff\xfeok", np.uint8)
    entries = interner.spans(data, np.array([0, 2], np.int32), np.array([2, 4], np.int32), "x")
    assert interner.values(entries.astype(np.int64)).to_pylist() == ["��", "ok"]
