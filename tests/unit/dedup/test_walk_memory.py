"""A walk that goes on where the one before can be trusted ends as one from the beginning does."""

from __future__ import annotations

import random
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from paberki.dedup.repeats import walk_memory, walk_mending, word_run_stages, word_runs
from paberki.dedup.repeats.word_run_stages import Paragraphs, ParagraphsConfig
from paberki.engine.passes.join_files import remove_unnamed
from paberki.stage import Memory
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

    def chunks(self, without: int = -1) -> tuple[tuple[str, ...], ...]:
        """Keys of all chunks: texts do not change, but where one is told to have."""
        last = len(self.blocks) * APART // SHARD
        return tuple(
            tuple(str((chunk, shard * SHARD + chunk * CHUNK == without)) for chunk in range(SHARD // CHUNK))
            for shard in range(last + 1)
        )

    def read(self, pages: np.ndarray, columns: object = None) -> list[Batch]:
        if not len(pages):
            return []
        texts = [self.blocks[page // APART] for page in pages.tolist()]
        keep = [[True] * len(one) for one in texts]
        return [Batch(pages, {"extract.blocks.text": pa.array(texts), "select.block_keep": pa.array(keep)})]

    def walk(self, memory: Memory | None = None) -> list[dict]:
        """Decisions about the kept pages, with a memory that stays or with none of earlier walks."""
        rows = pa.table({"page": pa.array(sorted(page * APART for page in self.kept), pa.int64())})
        with tempfile.TemporaryDirectory() as folder:
            memory = memory or Memory(Path(folder), self.chunks())
            decisions = Paragraphs.solve(Portions.of(rows), self.read, ParagraphsConfig(stub=3), memory)
            return pa.concat_tables(list(decisions)).to_pylist()


@pytest.fixture
def in_small_pieces(monkeypatch):
    monkeypatch.setattr(word_runs, "_MOST_RUNS", 3)
    monkeypatch.setattr(word_runs, "_BLOCK", 8)
    monkeypatch.setattr(word_runs, "_BLOCKS_AT_ONCE", 3)
    monkeypatch.setattr(word_runs, "_AT_ONCE", 50)
    monkeypatch.setattr(walk_mending, "_PORTION", 64)


@pytest.mark.usefixtures("in_small_pieces")
@pytest.mark.parametrize("limit", [10_000, 150])
@pytest.mark.parametrize("seed", range(4))
def test_going_on_is_beginning_again(seed, limit, tmp_path, monkeypatch):
    monkeypatch.setattr("paberki.dedup.repeats.word_run_stages.LIMIT", limit)
    pages = Pages(seed)
    for turn in range(7):
        pages.grow(12)
        if turn % 3 == 2:  # an old page goes, another one comes back
            pages.kept.symmetric_difference_update(pages.some.sample(range(len(pages.blocks)), 3))
        chunks = pages.chunks(without=turn * CHUNK if turn % 2 else -1)
        assert pages.walk(Memory(tmp_path / "memory", chunks)) == pages.walk()
    assert any(one["marked"] for one in pages.walk())


@pytest.mark.usefixtures("in_small_pieces")
@pytest.mark.parametrize("most", [100_000, 400])
@pytest.mark.parametrize("seed", range(12))
def test_pages_that_go_are_taken_out(seed, most, tmp_path, monkeypatch):
    """Blocks that repeated them are new then, and what these bring is old on later pages, and so on."""
    monkeypatch.setattr(walk_mending, "MOST_WORDS", most)
    made: list[object] = []
    real = walk_mending.mend
    monkeypatch.setattr(walk_memory, "mend", lambda *of: made.append(real(*of)) or made[-1])
    pages = Pages(seed)
    pages.grow(20)
    assert pages.walk(Memory(tmp_path / "memory", pages.chunks())) == pages.walk()
    for turn in range(6):
        old = sorted(pages.kept)
        pages.grow(turn % 3 * 5)
        pages.kept.difference_update(pages.some.sample(old, 2 + turn % 2))
        assert pages.walk(Memory(tmp_path / "memory", pages.chunks())) == pages.walk()
    assert len(made) == 6
    assert most < 100_000 or all(made)


def test_what_is_damaged_is_not_trusted(tmp_path):
    pages = Pages(9)
    pages.grow(20)
    wanted = pages.walk()
    for damage in ("run-*.keys", "walked-*.parquet", "walked-*.tuples", "walk.json"):
        pages.walk(Memory(tmp_path / "memory", pages.chunks()))
        for path in (tmp_path / "memory").glob(damage):
            path.write_bytes(b"")
        assert pages.walk(Memory(tmp_path / "memory", pages.chunks())) == wanted


@pytest.mark.usefixtures("in_small_pieces")
def test_two_copies_of_one_task_at_once_do_not_disturb_each_other(tmp_path, monkeypatch):
    """A node that is thought to be lost may still be at work when its task runs again elsewhere."""
    monkeypatch.setattr("paberki.dedup.repeats.word_run_stages.LIMIT", 150)
    pages, folder = Pages(3), tmp_path / "memory"
    with ThreadPoolExecutor(2) as pool:
        for turn in range(20):
            pages.grow(6)
            if turn % 3 == 2:
                pages.kept.difference_update(pages.some.sample(sorted(pages.kept), 2))
            wanted, memory = pages.walk(), Memory(folder, pages.chunks())
            copies = [pool.submit(pages.walk, memory) for _ in range(2)]
            assert [copy.result() for copy in copies] == [wanted, wanted]
            remove_unnamed(folder)
    in_force = len(list(folder.iterdir()))
    assert pages.walk(Memory(folder, pages.chunks())) == wanted
    remove_unnamed(folder)
    assert len(list(folder.iterdir())) <= in_force + 2


@pytest.mark.usefixtures("in_small_pieces")
@pytest.mark.parametrize("span", [word_runs.SPAN, 40])
@pytest.mark.parametrize("limit", [10_000, 150])
def test_blocks_are_numbered_beyond_32_bits(limit, span, tmp_path, monkeypatch):
    monkeypatch.setattr("paberki.dedup.repeats.word_run_stages.LIMIT", limit)
    monkeypatch.setattr(word_runs, "SPAN", span)
    pages, folder = Pages(5), tmp_path / "memory"
    for turn in range(6):
        pages.grow(8)
        if turn > 2:
            pages.kept.difference_update(pages.some.sample(sorted(pages.kept), 2))
        from_zero = pages.walk()
        with monkeypatch.context() as patch:
            patch.setattr(word_run_stages, "WalkMemory", partial(walk_memory.WalkMemory, first=2**32 - 3))
            assert pages.walk(Memory(folder, pages.chunks())) == from_zero
    assert any(one["marked"] for one in pages.walk())
