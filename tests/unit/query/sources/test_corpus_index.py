"""Which segments stay, and which are made again."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from paberki.query.index.manifest import SegmentEntry
from paberki.query.sources.corpus_index import SMALL_SEGMENTS, SMALL_TOKENS, _kept_entries


def entries(tmp_path: Path, sizes: list[int]) -> list[SegmentEntry]:
    made = [SegmentEntry(f"{at}.segment", "x", size, {str(at): f"key{at}"}) for at, size in enumerate(sizes)]
    for entry in made:
        (tmp_path / entry.file).touch()
    return made


def state(tmp_path: Path, count: int, **changed: str) -> SimpleNamespace:
    keys = {str(at): f"key{at}" for at in range(count)} | {name[1:]: key for name, key in changed.items()}
    return SimpleNamespace(out=tmp_path, keys=keys)


def test_what_is_unchanged_stays(tmp_path: Path) -> None:
    some = entries(tmp_path, [5, 5, 5])
    assert _kept_entries(state(tmp_path, 3), some) == some
    assert _kept_entries(state(tmp_path, 3, s1="other"), some) == [some[0], some[2]]
    assert _kept_entries(state(tmp_path, 2), some) == some[:2]
    (tmp_path / "0.segment").unlink()
    assert _kept_entries(state(tmp_path, 3), some) == some[1:]


def test_many_small_segments_are_made_into_one(tmp_path: Path) -> None:
    few = entries(tmp_path, [SMALL_TOKENS, *[5] * (SMALL_SEGMENTS - 1)])
    assert _kept_entries(state(tmp_path, len(few)), few) == few
    many = entries(tmp_path, [SMALL_TOKENS, *[5] * SMALL_SEGMENTS])
    assert _kept_entries(state(tmp_path, len(many)), many) == many[:1]
