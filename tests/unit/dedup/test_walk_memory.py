"""A walk that goes on where the one before can be trusted ends as one from the beginning does."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from paberki.dedup import tuples
from paberki.dedup.tuple_stages import Paragraphs, ParagraphsConfig
from paberki.store.batch import Batch
from paberki.store.layer import CHUNK, SHARD
from paberki.store.portions import Portions

APART = 100
"""Between the numbers of pages, so that few of them are many chunks."""


class Pages:
    """Pages with blocks of a few words, some of which are kept."""

    def __init__(self, seed: int) -> None:
        self.some = random.Random(seed)
        self.blocks: list[list[str]] = []
        self.kept: set[int] = set()

    def grow(self, count: int) -> None:
        for _ in range(count):
            self.kept.add(len(self.blocks))
            self.blocks.append([self.block() for _ in range(self.some.randrange(1, 4))])

    def block(self) -> str:
        if self.blocks and self.some.random() < 0.4:
            return self.some.choice(self.some.choice(self.blocks))
        return " ".join(f"w{self.some.randrange(30)}" for _ in range(self.some.randrange(3, 30)))

    def chunks(self) -> tuple[tuple[str, ...], ...]:
        """Keys that tell which pages of a chunk are kept."""
        last = len(self.blocks) * APART // SHARD
        return tuple(
            tuple(
                str(sorted(page for page in self.kept if page * APART // CHUNK == shard * (SHARD // CHUNK) + chunk))
                for chunk in range(SHARD // CHUNK)
            )
            for shard in range(last + 1)
        )

    def read(self, pages: np.ndarray, columns: object) -> list[Batch]:
        if not len(pages):
            return []
        texts = [self.blocks[page // APART] for page in pages.tolist()]
        keep = [[True] * len(one) for one in texts]
        return [Batch(pages, {"extract.blocks.text": pa.array(texts), "select.block_keep": pa.array(keep)})]

    def link(self, *memory: object) -> list[dict]:
        rows = pa.table({"page": pa.array(sorted(page * APART for page in self.kept), pa.int64())})
        told = Paragraphs.link(Portions.of(rows), self.read, ParagraphsConfig(stub=3), *memory)
        return pa.concat_tables(list(told)).to_pylist()


@pytest.mark.parametrize("limit", [10_000, 150])
@pytest.mark.parametrize("seed", range(4))
def test_going_on_is_beginning_again(seed, limit, tmp_path, monkeypatch):
    monkeypatch.setattr("paberki.dedup.tuple_stages.LIMIT", limit)
    monkeypatch.setattr(tuples, "_MOST_RUNS", 3)
    monkeypatch.setattr(tuples, "_BLOCK", 8)
    monkeypatch.setattr(tuples, "_BLOCKS_AT_ONCE", 3)
    monkeypatch.setattr(tuples, "_AT_ONCE", 50)
    pages = Pages(seed)
    for turn in range(7):
        pages.grow(12)
        if turn % 3 == 2:  # an old page goes, another one comes back
            pages.kept.symmetric_difference_update(pages.some.sample(range(len(pages.blocks)), 3))
        assert pages.link((tmp_path / "memory", pages.chunks())) == pages.link()
    assert any(one["marked"] for one in pages.link())


def test_what_is_damaged_is_not_trusted(tmp_path):
    pages = Pages(9)
    pages.grow(20)
    wanted = pages.link()
    for damage in ("run-*.keys", "walked-*.parquet", "walk.json"):
        pages.link((tmp_path / "memory", pages.chunks()))
        for path in (tmp_path / "memory").glob(damage):
            path.write_bytes(b"")
        assert pages.link((tmp_path / "memory", pages.chunks())) == wanted
