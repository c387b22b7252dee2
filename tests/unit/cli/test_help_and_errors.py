"""Every verb, the sub-commands too: help with an example, a wrong option as one line."""

from __future__ import annotations

import pytest
from in_process import Path, paberki, refused, verbs

VERBS = verbs()
WITHOUT_JSON = [("annotate",)]
"""Verbs whose output is a format of its own; ``--format json`` is one of them."""


def test_no_verb_is_missing() -> None:
    assert len(VERBS) >= 40
    assert {("build",), ("train", "parser"), ("eval", "annotate"), ("report",)} <= set(VERBS)


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_help_shows_an_example(verb: Path) -> None:
    end = paberki(*verb, "--help")
    assert (end.code, end.err) == (0, "")
    example = end.out.partition("Examples:")[2]
    assert f"paberki {' '.join(verb)}" in example


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in WITHOUT_JSON], ids=" ".join)
def test_every_verb_has_json_and_quiet(verb: Path) -> None:
    out = paberki(*verb, "--help").out
    assert "--json" in out
    assert "--quiet" in out


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_a_wrong_option_is_one_line_that_says_where_to_look(verb: Path) -> None:
    line = refused(*verb, "--no-such-option")
    assert "--no-such-option" in line
    assert f"see: paberki {' '.join(verb)} --help" in line


def test_a_wrong_verb_is_one_line() -> None:
    assert "biuld" in refused("biuld")


def test_a_wrong_sub_command_is_one_line() -> None:
    assert "paserr" in refused("train", "paserr")


@pytest.mark.parametrize("verb", ["build", "plan", "status", "peek", "sql", "report", "tune", "stages", "columns"])
def test_a_directory_without_a_corpus_is_one_line_that_names_it(verb: str, tmp_path: object) -> None:
    words = [verb, f"{tmp_path}/none"] + (["select 1"] if verb == "sql" else [])
    assert f"{tmp_path}/none" in refused(*words)


@pytest.mark.parametrize("verb", [("decode",), ("extract",), ("identify",), ("annotate", "--lang", "hr")], ids=" ".join)
def test_a_missing_file_is_one_line_that_names_it(verb: Path, tmp_path: object) -> None:
    assert f"{tmp_path}/none.html" in refused(*verb, f"{tmp_path}/none.html")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("annotate", "--lang", "hr"), "--text or --conllu"),
        (("annotate", "-", "--lang", "hr", "--format", "xml"), "no format 'xml'"),
        (("annotate", "-"), "--lang hr"),
        (("settings", "extract.lerned.v1"), "extract.learned.v1"),
        (("eval", "extract", ".", "--method", "magic"), "known methods"),
        (("train", "tagger", "none.conllu", "-o", "m"), "none.conllu: no such file"),
        (("train", "perceptron", "none.jsonl"), "none.jsonl"),
        (("new", "x", "--lang", "klingon"), "klingon"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_is_wrong_is_said(words: Path, message: str, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    assert message in refused(*words)
