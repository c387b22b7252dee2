"""Lists of pages that are taken down while a build runs: some layers still have theirs."""

import pyarrow as pa
import pyarrow.compute as pc

from paberki.store.taken_down.hiding import without_lists

EARLIER = pa.array([["a", "b"], ["c", "d", "e"], ["f"]])
LATER = pa.array([[1, 0], None, [1]])


def test_lists_of_blocks_fit_together() -> None:
    columns = {"extract.blocks.text": EARLIER, "furniture.furniture": LATER, "archive.key": pa.array(["x", "y", "z"])}
    assert len(pc.list_parent_indices(EARLIER)) != len(LATER.flatten())
    hidden = without_lists(columns, {1})
    texts, furniture = hidden["extract.blocks.text"], hidden["furniture.furniture"]
    assert texts.to_pylist() == [["a", "b"], None, ["f"]]
    assert len(pc.list_parent_indices(texts)) == len(furniture.flatten()) == 3
    assert hidden["archive.key"].to_pylist() == ["x", "y", "z"]


def test_copies_are_recognised_by_lists_that_stay() -> None:
    columns = {"near.dup_longer": EARLIER}
    assert without_lists(columns, {1})["near.dup_longer"].equals(EARLIER)
    assert without_lists(columns, ()) is columns


def test_flags_of_blocks_go_with_the_blocks() -> None:
    """The tombstone comes before the layers are hidden: all of them may still have their lists."""
    columns = {"extract.blocks.text": EARLIER, "select.block_keep": pa.array([[True] * 2, [True] * 3, [True]])}
    hidden = without_lists(columns, {1})
    assert [len(values.flatten()) for values in hidden.values()] == [3, 3]
