"""Recipes: presets are whole, mistakes are named with their line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from paberki.engine.plan import make_plan
from paberki.errors import ConfigError, ContractError
from paberki.recipe.corpus_recipe import load, parse, presets
from paberki.recipe.tables import crawl_settings
from paberki.stage import find


@pytest.mark.parametrize("name", presets())
def test_presets_make_a_plan(name: str) -> None:
    recipe = parse(f'preset = "{name}"\nlang = "hr"\n', "test")
    layers = make_plan(recipe.stages).layers
    assert set(layers[layers.index("select") + 1 :]) <= {"paragraphs", "annotate"}
    assert ("annotate" in layers) == (name == "modern")


def test_all_papers_have_a_preset() -> None:
    wanted = {"hrwac2011", "czweb2010", "hbs2014", "tsubaki2008", "cow2012", "modern", "llm"}
    assert wanted <= set(presets())


def test_papers_values() -> None:
    settings = {stage.layer: config for stage, config in parse('preset = "cow2012"', "test").stages}
    assert settings["dedup"].by == "fingerprint"
    assert (settings["quality"].types, settings["quality"].variant) == (10, "2012")
    rules = {rule.reason: rule.drop for rule in settings["select"].pages}
    assert rules["too-short"] == "char_count < 2000"
    crawl = parse('preset = "hrwac2011"', "test").crawl
    assert (crawl.min_body_bytes, crawl.max_body_bytes) == (50_000, 500_000)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('preset = "modrn"', r"line 1: no preset 'modrn'; did you mean 'modern'\?"),
        ("lang = 'hr'\nlanguage = 'hr'", r"line 2: unknown name 'language'"),
        (
            "preset = 'hrwac2011'\n[extract]\nmin_word = 3",
            r"line 3: unknown setting 'min_word'; did you mean 'min_words'\?",
        ),
        ("preset = 'hrwac2011'\n[extract]\nmin_words = 'three'", r"line 3: min_words = 'three' should be of type int"),
        ("preset = 'hrwac2011'\n[extract]\nmin_words = true", r"line 3: min_words = True should be of type int"),
        ("[dedup]\nby = 'sha-224'", r"line 2: by = 'sha-224' is not one of .*did you mean 'sha224'"),
        ("stages = ['decode.declard.v1']", r"line 1: there is no stage 'decode.declard.v1'; did you mean"),
        ("[build]\nmax_error = 1.0", r"line 2: unknown setting 'max_error'; did you mean 'max_errors'\?"),
        ("lang = [", r"Invalid value|Unclosed|Cannot|line 1"),
        ("[crawl]\ndelay = -3", "delay"),
    ],
)
def test_mistakes_are_named(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse(text, "corpus.toml")


def test_unknown_column_in_a_rule() -> None:
    recipe = parse("[[select.pages]]\nreason = 'x'\ndrop = 'badnes > 3'\n", "corpus.toml")
    with pytest.raises(ConfigError, match="no column 'badnes'; did you mean 'badness'"):
        make_plan(recipe.stages)


def test_own_rules_replace_and_follow_those_of_the_preset() -> None:
    text = (
        "[[select.pages]]\nreason = 'too-short'\ndrop = 'char_count < 7'\n"
        "[[select.pages]]\nreason = 'mine'\ndrop = 'status = 201'\n"
    )
    preset = [rule.reason for rule in dict_of(parse("", "p"))["select"].pages]
    rules = dict_of(parse(text, "p"))["select"].pages
    assert [rule.reason for rule in rules] == [*preset, "mine"]
    assert next(rule.drop for rule in rules if rule.reason == "too-short") == "char_count < 7"


def dict_of(recipe: object) -> dict[str, object]:
    return {stage.layer: config for stage, config in recipe.stages}  # type: ignore[attr-defined]


def test_order_is_checked_when_the_plan_is_made() -> None:
    stages = [(find(name), find(name).config()) for name in ("identify.words.v1", "extract.tagpath.v1")]
    with pytest.raises(
        ContractError, match=r"needs 'extract.blocks.text', which no stage before it adds; extract\.\w+\.v1.* does"
    ):
        make_plan(stages)


def test_a_layer_has_one_writer() -> None:
    stage = find("captures.v1")
    with pytest.raises(ContractError, match="two stages write the layer 'captures'"):
        make_plan([(stage, stage.config()), (stage, stage.config())])


def test_recipe_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "corpus.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"corpus\.toml"):
        load(path)


def test_stages_of_ones_own_leave_out_rules_of_the_preset_that_ask_for_others() -> None:
    few = '["captures.v1", "decode.declared.v1", "extract.tagpath.v1", "identify.words.v1", "select.v1"]'
    select = {stage.layer: config for stage, config in parse(f'lang = "hr"\nstages = {few}', "test").stages}["select"]
    reasons = {rule.reason for rule in select.pages}
    assert "other-language" in reasons
    assert "not-connected" not in reasons
    assert select.copies == ""
    own = f'stages = {few}\n[select]\ncopies = "dup_cluster"'
    with pytest.raises(ConfigError, match="dup_cluster"):
        make_plan(parse(own, "test").stages)


def test_a_crawl_reads_its_settings_without_the_stages(tmp_path: Path) -> None:
    path = tmp_path / "corpus.toml"
    path.write_text('lang = ["hr", "sr"]\npreset = "hbs2014"\n[crawl]\ndelay = 7.5\ntld = ["hr"]\n')
    recipe = load(path)
    assert crawl_settings(path) == (recipe.lang, recipe.crawl)
    path.write_text('lang = "hr"\n[crwal]\ndelay = 7.5\n')
    assert crawl_settings(path) is None
    path.write_text("[crawl]\ndelya = 7.5\n")
    with pytest.raises(ConfigError, match="line 2.*delya"):
        crawl_settings(path)
    code = "import sys, paberki.recipe.tables, paberki.cli.crawl; print('pyarrow' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "False", done.stderr


def test_scope_of_the_crawl_is_that_of_select() -> None:
    def scope(text: str) -> tuple[str, ...]:
        recipe = parse(f"preset = 'hrwac2011'\n{text}", "test")
        return next(config.scope for stage, config in recipe.stages if stage.layer == "select")

    assert scope("[crawl]\ntld = ['HR']\ndomains = ['unizg.hr']") == (".hr", "unizg.hr")
    assert scope("[crawl]\ntld = ['hr']\neverywhere = true") == ()
    assert scope("[crawl]\ntld = ['hr']\n[select]\nscope = []") == ()
    assert scope("") == ()
