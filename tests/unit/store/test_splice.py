"""Parquet files joined without unpacking them are what Parquet's own writer would have written."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paberki.errors import StoreError
from paberki.store import layer
from paberki.store.columns import ERROR
from paberki.store.splice import splice

SCHEMA = pa.schema([
    ("text", pa.string()),
    ("number", pa.int64()),
    ("share", pa.float64()),
    ("kept", pa.bool_()),
    ("word", pa.dictionary(pa.int32(), pa.string())),
    ("blocks", pa.list_(pa.struct([("text", pa.string()), ("start", pa.int32())]))),
    ("error", ERROR),
])  # fmt: skip


def table(seed: int, rows: int) -> pa.Table:
    some = random.Random(seed)
    texts = ["".join(some.choices("abcčćž 漢\n", k=some.randrange(40))) for _ in range(rows)]
    blocks = [
        None if some.random() < 0.1 else [{"text": text[:3], "start": len(text)}] * some.randrange(4) for text in texts
    ]
    error = {"stage": "s", "code": "c", "detail": "d"}
    return pa.table(
        [
            texts, range(seed, seed + rows), [some.random() for _ in texts], [some.random() < 0.5 for _ in texts],
            pa.array(some.choices(["a", "b"], k=rows)).dictionary_encode(), blocks,
            [error if seed == 2 and some.random() < 0.2 else None for _ in texts],
        ],
        schema=SCHEMA,
    )  # fmt: skip


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_same_bytes_as_one_writer(tmp_path, count):
    tables = [table(seed, rows=1 + 37 * seed % 300) for seed in range(count)]
    parts = [tmp_path / f"{number}.parquet" for number in range(count)]
    for part, one in zip(parts, tables, strict=True):
        layer.write_part(part, one, SCHEMA, key="k")
    failed = layer.join_parts(tmp_path / "joined", parts, key="k", keys="x")
    assert failed == layer.write(tmp_path / "written", SCHEMA, tables, key="k", keys="x")
    assert (tmp_path / "joined").read_bytes() == (tmp_path / "written").read_bytes()
    assert pq.read_table(tmp_path / "joined").to_pylist() == pa.concat_tables(tables).to_pylist()


def test_groups_can_be_read_one_by_one(tmp_path):
    parts = [tmp_path / "a", tmp_path / "b"]
    for number, part in enumerate(parts):
        layer.write_part(part, table(number, 20), SCHEMA, key="k")
    splice(tmp_path / "joined", parts, {"said": "yes"})
    file = pq.ParquetFile(tmp_path / "joined")
    assert file.metadata.metadata[b"said"] == b"yes"
    assert file.read_row_group(1).column("text").to_pylist() == table(1, 20).column("text").to_pylist()


@pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1\xff\xff\xff\xffPAR1", b"PAR1" + bytes(50)])
def test_a_damaged_part_is_named(tmp_path, data):
    (tmp_path / "part").write_bytes(data)
    with pytest.raises(StoreError, match=r"part: damaged part"):
        splice(tmp_path / "joined", [tmp_path / "part"], {})
    assert not (tmp_path / "joined").exists()


@pytest.mark.parametrize("same", [{0}, {1, 3}, {0, 1, 2, 4}])
def test_a_layer_renewed_in_part_has_the_bytes_of_one_written_at_once(tmp_path, same):
    old, new = ([table(seed, rows=20 + seed) for seed in range(first, first + 5)] for first in (10, 20))
    wanted = [old[at] if at in same else new[at] for at in range(5)]
    layer.write(tmp_path / "renewed", SCHEMA, old, key="k", keys="x")
    before = layer.column_digests(tmp_path / "renewed")
    changed = [one for at, one in enumerate(new) if at not in same]
    layer.renew(tmp_path / "renewed", SCHEMA, changed, same, key="l", keys="x")
    layer.write(tmp_path / "written", SCHEMA, wanted, key="l", keys="x")
    assert (tmp_path / "renewed").read_bytes() == (tmp_path / "written").read_bytes()
    after = layer.column_digests(tmp_path / "renewed")
    assert {at for at in range(5) if before["blocks"][at] == after["blocks"][at]} == same
    assert list(tmp_path.glob(".tmp-*")) == []
