"""Open layer files: what they tell, and that nothing of them stays after they are closed."""

import gc

import pyarrow as pa
import pyarrow.parquet as pq

from paberki.store import layer
from paberki.store.columns import ERROR


def _file(path, groups=3):
    texts = [[{"text": "x"}], [{"text": "y"}]]
    table = pa.table({"word": ["a", "bb"], "blocks": texts, "error": pa.nulls(2, ERROR)})
    layer.write(path, table.schema, [table] * groups, key="k")
    return path


def test_bytes_of_a_column_group_by_group(tmp_path):
    with layer.LayerFile(_file(tmp_path / "one.parquet")) as file:
        assert len(file.group_bytes("blocks.list.element.text")) == 3
        assert min(file.group_bytes("word")) > 0
        assert file.group_bytes("no such column") == []
    with layer.LayerFile(_file(tmp_path / "empty.parquet", groups=0)) as file:
        assert file.group_bytes("word") == []


def test_a_closed_file_leaves_memory_without_the_collector(tmp_path):
    """Footers of thousands of shards must not wait for a collection of old objects, which may come hours later."""
    paths = [_file(tmp_path / f"{number}.parquet") for number in range(40)]
    gc.collect()
    gc.disable()
    try:
        for path in paths:
            with layer.LayerFile(path) as file:
                file.group_bytes("word")
                file.read(0, ["word", "blocks"])
        del file
        layer._metadata.cache_clear()
        assert not [one for one in gc.get_objects() if isinstance(one, pq.FileMetaData)]
        assert not [one for one in gc.get_objects() if isinstance(one, pq.ParquetSchema)]
    finally:
        gc.enable()
