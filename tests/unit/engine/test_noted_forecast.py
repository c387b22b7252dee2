"""The answer of ``plan`` is noted, and given again only while nothing has changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import paberki
from paberki.corpus import Corpus
from paberki.engine.noted_forecast import note_forecast, noted_forecast

ANSWER: dict[str, Any] = {"new_bytes": 0, "stages": [], "meanings": {}}


@pytest.fixture
def small(tmp_path: Path) -> Corpus:
    """A corpus with files in it; nobody reads them here."""
    corpus = paberki.new(tmp_path / "hr", lang="hr")
    for name in ("decode", "extract"):
        path = corpus.directory.layer(name, 0)
        path.parent.mkdir(parents=True)
        path.write_bytes(b"layer")
    (corpus.root / "warc").mkdir(exist_ok=True)
    return corpus


def _touch(path: Path) -> None:
    os.utime(path, ns=(1, 1))


@pytest.mark.parametrize(
    "change",
    [
        lambda corpus: corpus.directory.recipe.write_text(corpus.directory.recipe.read_text() + "\n"),
        lambda corpus: _touch(corpus.directory.layer("decode", 0)),
        lambda corpus: corpus.directory.layer("extract", 0).unlink(),
        lambda corpus: (corpus.root / "warc" / "more.json").write_text("{}"),
    ],
)
def test_any_change_ends_it(small: Corpus, change: Callable[[Corpus], object]) -> None:
    note_forecast(small.directory, small.recipe, ANSWER)
    assert noted_forecast(small.directory) == ANSWER
    change(small)
    assert noted_forecast(small.directory) is None


def test_what_is_apart_does_not_count_and_damage_is_no_answer(small: Corpus) -> None:
    note_forecast(small.directory, small.recipe, ANSWER)
    (small.root / "report").mkdir(exist_ok=True)
    (small.root / "report" / "index.html").write_text("x")
    assert noted_forecast(small.directory) == ANSWER
    (small.directory.private / "plan.json").write_text("[1")
    assert noted_forecast(small.directory) is None


def test_a_recipe_that_names_a_file_is_forecast_anew(small: Corpus) -> None:
    recipe = small.directory.recipe
    (small.root / "model.npz").write_bytes(b"x")
    recipe.write_text(recipe.read_text() + '\n[decode]\nmodel = "model.npz"\n')
    note_forecast(small.directory, Corpus(small.root).recipe, ANSWER)
    assert noted_forecast(small.directory) is None
