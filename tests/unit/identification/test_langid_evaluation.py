"""Measuring methods, comparing two, and judging where they differ."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from paberki.errors import ConfigError
from paberki.identification.answer import Identification
from paberki.identification.training.language_scores import agreement, evaluate, read_pool, write_pool
from paberki.report.figures.confusion import confusion_figure

TEXTS = [("hr", f"tekst {number}") for number in range(30)] + [("en", f"text {number}") for number in range(10)]


class Constant:
    """Says the same to everything."""

    def __init__(self, lang: str, share: float) -> None:
        self.answer = Identification(lang, {lang: share, "xx": 1 - share}, "Latn")

    def identify(self, texts, languages=None):
        return [self.answer for _ in texts]


@pytest.fixture
def results():
    return evaluate(TEXTS, "one", Constant("sr", 0.9)), evaluate(TEXTS, "other", Constant("hr", 0.75))


def test_figures(results) -> None:
    one, other = results
    assert (one.accuracy, one.merged) == (0.0, 0.75)
    assert (other.accuracy, other.calibration) == (0.75, pytest.approx(0.0))
    assert other.by_language() == [("en", 10, 0.0, 0.0), ("hr", 30, 1.0, 0.75)]
    assert other.confusion() == {("hr", "hr"): 30, ("en", "hr"): 10}
    assert agreement(one, other) == 0.0
    assert agreement(one, one) == 1.0


def test_pool_is_seeded_and_read_back(results, tmp_path: Path) -> None:
    path = tmp_path / "pool.jsonl"
    assert write_pool(path, TEXTS, *results, 8, 1) == 8
    first = path.read_bytes()
    write_pool(path, TEXTS, *results, 8, 1)
    assert path.read_bytes() == first
    rows = [json.loads(line) for line in first.decode().splitlines()]
    for row, right in zip(rows, ["sr", "hr", "hr", "NA", "de", "", "hr", "sr"], strict=True):
        row["right"] = right
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = read_pool(path)
    assert (found.methods, found.first, found.second, found.neither, found.mixed, found.open) == (
        ("one", "other"),
        2,
        3,
        1,
        1,
        1,
    )


@pytest.mark.parametrize("line", ["{}", "no json", '{"row": 1, "right": "", "text": ""}'])
def test_what_is_no_pool_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "pool.jsonl").write_text(line)
    with pytest.raises(ConfigError, match="line 1"):
        read_pool(tmp_path / "pool.jsonl")


def test_figure(results) -> None:
    drawn = confusion_figure(results[1].confusion(), "a <title>")
    ElementTree.fromstring(drawn)
    assert "en taken for hr: 10 of 10" in drawn
