"""A column that a stage of the user's adds is known everywhere without another edit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from paberki.cli.app import app
from paberki.corpus import Corpus


@pytest.fixture
def built(corpus: Callable[..., Corpus], pages: Callable[..., Path]) -> Corpus:
    rules = '[[select.pages]]\nreason = "not-connected"\ndrop = ""\n[[select.pages]]\nreason = "dull"\n'
    made = corpus(pages(6), recipe=f'{rules}drop = "tone_score < 0"\n[linear_tone]\nfile = "tone.json"\n')
    recipe = made.directory.recipe
    recipe.write_text('add = ["quality.linear.tone.v1"]\n' + recipe.read_text("utf-8"), "utf-8")
    (made.root / "tone.json").write_text(json.dumps({"labels": ["a", "b"], "words": {"danas": [1, 0]}}))
    made.build(jobs=1)
    return made


def test_a_column_of_the_user_is_known_everywhere(built: Corpus, tmp_path: Path) -> None:
    _, rows = built.sql("select tone_label, tone_score from pages where keep")
    assert rows
    assert all(label in ("a", "b") and 0 <= score <= 1 for label, score in rows)
    for form in ("jsonl", "vert"):
        built.export(form, tmp_path / f"o.{form}")
    line = json.loads((tmp_path / "o.jsonl").read_text("utf-8").splitlines()[0])
    assert line["tone_label"] == rows[0][0]
    assert f'tone_label="{rows[0][0]}"' in (tmp_path / "o.vert").read_text("utf-8").splitlines()[0]
    run = CliRunner().invoke(app, ["columns", str(built.root), "--json"])
    assert "tone_score" in {one["name"] for one in json.loads(run.stdout)}
    tuned = CliRunner().invoke(app, ["tune", str(built.root)])
    assert "tone_score" in tuned.stdout
