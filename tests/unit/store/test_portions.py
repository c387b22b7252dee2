"""Several files in the order of pages, read as one."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paberki.store import portions
from paberki.store.portions import Portions


def write(path, pages: list[int], rows: int) -> None:
    table = pa.table(
        {"page": pa.array(sorted(pages), pa.int64()), "file": pa.array([path.name] * len(pages), pa.string())}
    )
    pq.write_table(table.replace_schema_metadata({"key": path.name}), path, row_group_size=rows)


@pytest.mark.parametrize("seed", range(5))
def test_all_rows_and_whole_pages(seed, tmp_path, monkeypatch):
    monkeypatch.setattr(portions, "ROWS", 30)
    some = random.Random(seed)
    written = []
    for number in range(4):
        pages = [some.randrange(-20, 40) for _ in range(some.choice([0, 3, 80, 200]))]
        write(tmp_path / f"{number}", pages, 11)
        written += [(page, str(number)) for page in pages]
    files = Portions(sorted(tmp_path.iterdir()))
    for _ in range(2):
        found = list(files)
        told = [(row["page"], row["file"]) for table in found for row in table.to_pylist()]
        assert sorted(told) == sorted(written)
        ends = [
            (table.column("page").to_numpy().min(), table.column("page").to_numpy().max())
            for table in found
            if table.num_rows
        ]
        assert all(one[1] < other[0] for one, other in itertools.pairwise(ends))
    assert files.table().num_rows == len(written)
    assert len(found) > 1 or len(written) < 200


def test_nothing_is_a_portion_without_rows(tmp_path):
    write(tmp_path / "0", [], 5)
    assert [table.num_rows for table in Portions([tmp_path / "0"])] == [0]


def test_a_page_with_many_rows_is_in_one_portion(tmp_path, monkeypatch):
    monkeypatch.setattr(portions, "ROWS", 10)
    write(tmp_path / "0", [7] * 95 + [8], 10)
    write(tmp_path / "1", [6, 7, 9], 10)
    where = [np.unique(table.column("page").to_numpy()).tolist() for table in Portions(sorted(tmp_path.iterdir()))]
    assert sum(7 in pages for pages in where) == 1
