"""Indexes of earlier formats still open and say the same."""

from __future__ import annotations

import json
from pathlib import Path

from make_index1 import COLUMNS, TEXT, content

from paberki.query.index.reader import open_index
from paberki.query.sources.vertical import index_vertical

HERE = Path(__file__).parent
EXPECTED = json.loads((HERE / "index1.json").read_text("utf-8"))


def test_the_first_format_says_what_it_said() -> None:
    index = open_index(HERE / "index1")
    assert (index.name, index.lang, index.tokens) == ("old", "hr", 9)
    assert content(index) == EXPECTED


def test_a_new_index_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "x.vert").write_text(TEXT, "utf-8")
    index_vertical(tmp_path / "x.vert", tmp_path / "out", COLUMNS, lang="hr")
    assert content(open_index(tmp_path / "out")) == EXPECTED


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in (HERE / "index1").iterdir()) < 50_000
