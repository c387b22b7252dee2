"""Stages of a recipe: added where they can work, removed with the rules that need them."""

from __future__ import annotations

import pytest

from paberki.engine.plan import make_plan
from paberki.errors import ConfigError
from paberki.recipe.corpus_recipe import parse


def names(text: str) -> list[str]:
    recipe = parse(text, "recipe")
    make_plan(recipe.stages)  # everything that a stage needs is before it
    return [stage.name for stage, _ in recipe.stages]


def test_a_stage_is_added_where_its_needs_are_met() -> None:
    found = names('add = ["quality.rules.v1"]\n')
    assert found.index("quality.rules.v1") < found.index("select.v1")
    found = names('add = ["quality.ngrams.v1", "quality.graphs.v1"]\n')
    assert found.index("quality.ngrams.v1") < found.index("quality.graphs.v1") < found.index("select.v1")
    assert names('add = ["quality.linear.tone.v1"]\n').count("quality.linear.tone.v1") == 1


def test_what_a_stage_adds_can_be_used_in_rules() -> None:
    names('add = ["quality.rules.v1"]\n[[select.pages]]\nreason = "few"\ndrop = "gopher_word_count < 50"\n')


def test_stages_are_removed_with_their_rules() -> None:
    before = names("")
    found = names('remove = ["quality"]\n')
    assert [name for name in before if name not in found] == ["quality.connected.v3"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('add = ["metadata.pag.v1"]', "line 1: there is no stage 'metadata.pag.v1'; did you mean 'metadata.page.v1'"),
        ('remove = ["quality.rules.v1"]', "line 1: the recipe has no stage 'quality.rules.v1'"),
        ('add = ["extract.tagpath.v1"]', "writes the layer 'extract', as extract.learned.v1 does"),
        ('add = "x"', "should be a list of stages"),
    ],
)
def test_mistakes(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        names(text + "\n")


def test_a_rule_has_something_to_fall_back_on() -> None:
    def rule(text: str) -> str:
        [select] = [config for stage, config in parse(text, "recipe").stages if stage.name == "select.v1"]
        return next(one.drop for one in select.pages if one.reason == "other-language")

    assert "close_lang" in rule('lang = "hr"\n')
    assert rule('lang = "hr"\nremove = ["identify.close.v1"]\n').startswith("lang not in $lang")
