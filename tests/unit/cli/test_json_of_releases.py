"""``--json`` of the verbs that hand a corpus over and take pages back, of lists and hits, and of errors."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from in_process import Path as Words
from in_process import paberki, verbs
from test_help_and_errors import WITHOUT_JSON
from test_json import TABLE, check, printed

COMPARED_ELSEWHERE = {
    "build",
    "sql",
    "decode",
    "extract",
    "identify",
    "train tokeniser",
    "train lemmatiser",
    "eval corpus",
    "demo",
}
"""Rows whose test compares them otherwise or puts their name together; two that take long are in ``test_eval_corpus`` and ``e2e/test_cli_verbs``."""


@pytest.fixture
def own(corpus: Path, tmp_path: Path) -> Path:
    """A copy that may change."""
    shutil.copytree(corpus, tmp_path / "hr")
    return tmp_path / "hr"


def test_taking_down(own: Path) -> None:
    done = printed("takedown", own, "http://a.hr/1", "--reason", "request")
    check("takedown", done)
    assert [page["url"] for page in done["taken_down"]] == ["http://a.hr/1"]
    listing = printed("takedown", own, "--list")
    check("takedown --list", listing)
    assert len(listing["takedowns"]) == 1
    undone = printed("takedown", own, "--undo", "http://a.hr/1")
    check("takedown --undo", undone)
    assert printed("takedown", own, "--list")["takedowns"] == []


def test_releasing(own: Path) -> None:
    made = printed("release", own, "--version", "1.0")
    check("release", made)
    assert (made["version"], made["pages"]) == ("1.0", 5)
    verified = printed("release", own, "--verify", "1.0")
    check("release --verify", verified)
    assert (verified["fine"], verified["faults"]) == (True, [])
    listing = printed("release", own, "--list")
    check("release --list", listing)
    assert [one["version"] for one in listing["releases"]] == ["1.0"]


def test_rebuilding(own: Path, tmp_path: Path) -> None:
    listing = tmp_path / "list.jsonl"
    printed("export", own, "recipe-list", "-o", listing)
    (archive,) = (own / "warc").glob("*.warc.gz")
    value = printed("rebuild", listing, "--warc", archive, "-o", tmp_path / "again", "--jobs", "1")
    check("rebuild", value)
    assert (value["pages"], value["restored"], value["gone"], value["different"]) == (5, 5, [], [])


def test_the_card(corpus: Path, tmp_path: Path) -> None:
    value = printed("card", corpus, "-o", tmp_path / "README.md")
    check("card", value)
    assert value["card"] == (tmp_path / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (("query", "DIR", '"gradu"'), ["left", "node", "right"]),
        (("wordlist", "DIR", "-a", "lemma"), ["lemma", "hits"]),
        (("ngrams", "DIR", "-n", "2"), ["word", "hits"]),
        (("sketch", "DIR", "grad"), ["relation", "collocate", "hits"]),
        (("similar", "DIR", "grad"), ["lemma", "hits"]),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_lists_are_a_header_and_an_object_for_each_row(words: Words, keys: list[str], corpus: Path) -> None:
    names = [word.replace("DIR", str(corpus)) for word in words]
    header, *rows = _lines(*names)
    assert list(header) == ["header"]
    assert {"corpus", "build", "subcorpus", "tokens"} <= header["header"].keys()
    assert [list(row)[: len(keys)] for row in rows] == [keys] * len(rows)
    assert rows
    assert _lines(*names, "--quiet") == rows


def _lines(*words: object) -> list[dict[str, Any]]:
    end = paberki(*words, "--json")
    assert end.code == 0, end.err
    return [json.loads(line) for line in end.out.splitlines()]


def test_a_count_is_one_object(corpus: Path) -> None:
    value = printed("query", corpus, '"gradu"', "--count")
    assert list(value) == ["hits", "per_million", "tokens", "complete"]
    assert value["hits"] == len(_lines("query", corpus, '"gradu"', "--first", "1000", "--quiet"))


@pytest.mark.parametrize("verb", [verb for verb in verbs() if verb not in WITHOUT_JSON], ids=" ".join)
def test_an_error_is_an_object_with_the_same_sentence(verb: Words) -> None:
    end = paberki(*verb, "--no-such-option", "--json")
    assert end.code == 2
    assert end.json == {"error": end.err.removeprefix("paberki: ").rstrip("\n"), "exit_code": 2}


def test_every_row_of_the_document_is_compared() -> None:
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    compared = set(re.findall(r'check\(\s*"([^"]+)"|^        \("([^"]+)", \("', tests, re.MULTILINE))
    rows = set(TABLE) - {one or other for one, other in compared} - COMPARED_ELSEWHERE
    assert sorted(rows) == []
