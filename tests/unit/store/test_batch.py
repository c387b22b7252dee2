"""A stage sees the columns that it declares, and values that are computed once."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.errors import ContractError
from paberki.store.batch import Batch, base_column, field_of_blocks

BLOCKS = pa.list_(pa.struct([("text", pa.string()), ("chars", pa.int32())]))


def batch() -> Batch:
    blocks = [[{"text": "a", "chars": 1}, {"text": "bc", "chars": 2}], None, []]
    columns = {"archive.url": pa.array(["x", "y", "z"]), "extract.blocks": pa.array(blocks, BLOCKS)}
    return Batch(np.arange(3), columns, values={"payload": [b"1", b"2", b"3"]})


def test_only_declared_columns_are_visible() -> None:
    view = batch().view(("archive.url",))
    assert view["archive.url"] == ["x", "y", "z"]
    assert view.names() == ["archive.url"]
    for name in ("extract.blocks", "payload"):
        with pytest.raises(ContractError, match="not declared in needs"):
            view[name]


def test_one_field_of_the_blocks_has_their_shape() -> None:
    assert batch().arrow("extract.blocks.text").to_pylist() == [["a", "bc"], None, []]
    assert batch().arrow("extract.blocks.chars").to_pylist() == [[1, 2], None, []]


@given(
    st.lists(st.none() | st.lists(st.tuples(st.text(max_size=3), st.integers(0, 9)), max_size=4), max_size=6), st.data()
)
def test_fields_of_any_blocks(pages: list[list[tuple[str, int]] | None], data: st.DataObject) -> None:
    rows = [None if page is None else [{"text": text, "chars": count} for text, count in page] for page in pages]
    array = pa.array(rows, BLOCKS)
    low = data.draw(st.integers(0, len(rows)))
    expected = [None if page is None else [text for text, _ in page] for page in pages]
    assert field_of_blocks(array, "text").to_pylist() == expected
    assert field_of_blocks(pa.concat_arrays([array.slice(low)]), "text").to_pylist() == expected[low:]


def test_names_are_found_by_their_short_form() -> None:
    assert batch().full_name("url") == "archive.url"
    with pytest.raises(ContractError, match="no column 'date'"):
        batch().full_name("date")
    assert (base_column("extract.blocks.text"), base_column("payload")) == ("extract.blocks", "payload")


def test_what_a_stage_returns_is_visible_to_the_next_one() -> None:
    pages = batch()
    pages.add({"shout.upper_share": pa.array([0.0, 1.0, 0.5])}, {"decoded": ["1", "2", "3"]})
    view = pages.view(("shout.upper_share", "decoded"))
    assert view["shout.upper_share"] == [0.0, 1.0, 0.5]
    assert view["decoded"] == ["1", "2", "3"]
