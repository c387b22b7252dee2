"""A rule is written into a recipe, and the rest of the file stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from paberki.errors import PaberkiError
from paberki.report.rule_writing import write_rule

RECIPE = """# my corpus
preset = "modern"
lang = ["hr"]

[[select.pages]]
reason = "too-short"   # mine
drop = "selected_char_count < 500"  # words
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    (tmp_path / "corpus.toml").write_text(RECIPE, "utf-8")
    return tmp_path / "corpus.toml"


def test_a_new_rule_is_added_at_the_end(recipe: Path) -> None:
    assert write_rule(recipe, "high-badness", "badness < 8") == "not (badness < 8)"
    text = recipe.read_text("utf-8")
    assert text.startswith(RECIPE)
    assert text.endswith('\n[[select.pages]]\nreason = "high-badness"\ndrop = "not (badness < 8)"\n')


def test_a_rule_of_the_same_reason_is_replaced_with_its_comments(recipe: Path) -> None:
    write_rule(recipe, "too-short", "selected_char_count >= 900")
    text = recipe.read_text("utf-8")
    assert text == RECIPE.replace('"selected_char_count < 500"', '"not (selected_char_count >= 900)"')


def test_writing_twice_changes_nothing_more(recipe: Path) -> None:
    write_rule(recipe, "high-badness", "badness < 8")
    once = recipe.read_text("utf-8")
    write_rule(recipe, "high-badness", "badness < 8")
    assert recipe.read_text("utf-8") == once


@pytest.mark.parametrize(("reason", "keep"), [("Bad Reason", "badness < 8"), ("x", "badness <"), ("", "badness < 8")])
def test_what_cannot_be_a_rule_is_refused_and_nothing_is_written(recipe: Path, reason: str, keep: str) -> None:
    with pytest.raises(PaberkiError):
        write_rule(recipe, reason, keep)
    assert recipe.read_text("utf-8") == RECIPE
