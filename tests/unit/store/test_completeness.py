"""A layer is read only if it covers all pages; what was checked once is not checked again until a file changes."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from paberki.errors import StoreError
from paberki.store import layer
from paberki.store.columns import ERROR
from paberki.store.completeness import complete_layers
from paberki.store.directory import Directory, Manifest, Shard

SHAPE = pa.schema([("value", pa.int64()), ("error", ERROR)])


def write(directory: Directory, name: str, shard: int, keys: str, rows: int = 2) -> Path:
    path = directory.layer(name, shard)
    layer.write(path, SHAPE, [pa.table({"value": list(range(rows)), "error": [None] * rows}, SHAPE)], key="", keys=keys)
    return path


@pytest.fixture
def directory(tmp_path: Path) -> Directory:
    """Two shards of two pages each, with two layers."""
    made = Directory(tmp_path)
    for name in ("archive", "shout"):
        for shard in range(2):
            write(made, name, shard, f"pages {shard}")
    made.seal(Manifest(shards=[Shard(2, "pages 0"), Shard(2, "pages 1")]))
    return made


def test_layers_that_cover_all_shards(directory: Directory) -> None:
    assert complete_layers(directory, ["archive", "shout", "absent"]) == ["archive", "shout"]
    assert complete_layers(directory, ["shout"]) == ["shout"]


def test_a_layer_that_lacks_a_shard_is_an_error(directory: Directory) -> None:
    assert complete_layers(directory, ["shout"]) == ["shout"]
    directory.layer("shout", 1).unlink()
    with pytest.raises(StoreError, match="layer shout has no shard 00001"):
        complete_layers(directory, ["shout"])


@pytest.mark.parametrize(("keys", "rows"), [("other pages", 2), ("pages 1", 3)])
def test_a_layer_of_other_pages_is_an_error(directory: Directory, keys: str, rows: int) -> None:
    assert complete_layers(directory, ["shout"]) == ["shout"]
    write(directory, "shout", 1, keys, rows)
    with pytest.raises(StoreError, match="belongs to other pages"):
        complete_layers(directory, ["shout"])


def test_a_memory_that_is_lost_or_damaged_does_no_harm(directory: Directory) -> None:
    complete_layers(directory, ["archive"])
    [memory] = directory.private.glob("complete-layers.json")
    for text in ("[]", "{", '{"shout": "0"}'):
        memory.write_text(text)
        assert complete_layers(directory, ["archive", "shout"]) == ["archive", "shout"]


def test_a_corpus_without_pages_has_no_layers(tmp_path: Path) -> None:
    assert complete_layers(Directory(tmp_path), ["archive"]) == []
