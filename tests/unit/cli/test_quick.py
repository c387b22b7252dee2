"""The quick reader of options understands the same as the library, or leaves it to it."""

from __future__ import annotations

import pytest
import typer

from paberki.cli import query
from paberki.cli.query_actions import QueryRequest, join_window
from paberki.cli.quick import read

UNDERSTOOD = [
    ["DIR", '[lemma="grad"]'],
    ["DIR", "x", "--count"],
    ["DIR", "--first", "5", "x", "--sort=right", "--view", "sentence"],
    ["DIR", "x", "--filter", '-[lemma="a"]', "--filter", '+[lemma="b"]', "--filter-window", "-5..5"],
    ["DIR", "x", "--colloc", "lemma", "-5..5", "--measure", "mi", "--min", "3", "--within", "s"],
    ["DIR", "x", "--colloc", "lemma"],
    ["DIR", "x", "--freq", "A.lemma,B.lemma", "--include", "f.txt", "--exclude", "g.txt", "--regex", "a.*"],
    [
        "DIR",
        "x",
        "--set",
        "all",
        "--where",
        "year = 1",
        "--strategy",
        "all",
        "--dialect",
        "manatee",
        "--timeout",
        "2.5",
    ],
    ["DIR", "x", "--format", "csv", "--out", "a.csv", "--no-header", "--context", "3"],
    ["DIR", "x", "--sample", "10", "--seed", "4", "--per-page", "2", "--no-overlap", "--fold", "--good"],
    ["DIR", "x", "--dist", "year", "--dispersion"],
]


def by_library(args: list[str], monkeypatch: pytest.MonkeyPatch) -> QueryRequest:
    """What the library makes of options."""
    requests: list[QueryRequest] = []
    monkeypatch.setattr(query, "answer", requests.append)
    app = typer.Typer()
    app.command(cls=query.COMMAND)(query.run)
    typer.main.get_command(app)(list(args), standalone_mode=False)
    return requests[0]


@pytest.mark.parametrize("args", UNDERSTOOD, ids=lambda args: " ".join(args[2:4]) or "plain")
def test_both_readers_agree(args: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    quick = read(args)
    assert quick is not None
    assert quick == by_library(args, monkeypatch)


@pytest.mark.parametrize(
    "args",
    [
        [], ["DIR"], ["DIR", "x", "y"], ["DIR", "x", "--help"], ["DIR", "x", "-n", "3"], ["DIR", "x", "--first"],
        ["DIR", "x", "--first", "many"], ["DIR", "x", "--first", "0"], ["DIR", "x", "--nonsense"],
        ["DIR", "x", "--count=yes"], ["DIR", "x", "--timeout", "nan"], ["DIR", "x", "--sample", "-3"],
        ["DIR", "x", "--context", "5000"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_everything_else_is_left_to_the_library(args: list[str]) -> None:
    assert read(args) is None


def test_the_window_of_collocations_is_joined() -> None:
    assert join_window(["a", "--colloc", "lemma", "-3..3", "--count"]) == ["a", "--colloc", "lemma -3..3", "--count"]
    assert join_window(["a", "--colloc", "lemma", "--count"]) == ["a", "--colloc", "lemma", "--count"]
