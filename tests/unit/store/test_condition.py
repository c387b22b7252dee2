"""Conditions: what they mean, and that wrong ones are nothing worse than wrong."""

from __future__ import annotations

import datetime
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.errors import QueryError
from paberki.store.selection.condition import MAX_LENGTH, parse

COLUMNS = {
    "n": pa.array([1, 2, None, 4], pa.int32()),
    "x": pa.array([0.5, None, 2.0, -1.0], pa.float32()),
    "s": pa.array(["hr", "sl", None, "it's"]),
    "b": pa.array([True, False, None, True]),
    "date": pa.array([datetime.datetime(2020, 1, day) for day in (1, 2, 3)] + [None], pa.timestamp("ms")),
    "block.kept": pa.array([True, False, True, False]),
}


def truth(source: str, **variables: Any) -> list[Any]:
    def column(name: str) -> pa.Array:
        if name not in COLUMNS:
            raise QueryError(f"no column {name}")
        return COLUMNS[name]

    found = parse(source).evaluate(column, variables)
    return [found.as_py()] * 4 if isinstance(found, pa.Scalar) else found.to_pylist()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("n = 2", [False, True, None, False]),
        ("n == 2", [False, True, None, False]),
        ("n != 2", [True, False, None, True]),
        ("n <> 2", [True, False, None, True]),
        ("n >= 2", [False, True, None, True]),
        ("2 < n", [False, False, None, True]),
        ("n is null", [False, False, True, False]),
        ("n is not null", [True, True, False, True]),
        ("n IS NOT NULL AND n < 3", [True, True, False, False]),
        ("not b", [False, True, None, False]),
        ("not not b", [True, False, None, True]),
        ("b", [True, False, None, True]),
        ("b = true", [True, False, None, True]),
        # Three-valued logic: unknown or true is true, unknown and false is false.
        ("b or n = 4", [True, False, None, True]),
        ("n > 0 or true", [True] * 4),
        ("n > 0 and false", [False] * 4),
        ("n = 1 or n is null", [True, False, True, False]),
        # and binds stronger than or, not stronger than and, comparison stronger than not.
        ("n = 1 or n = 2 and b", [True, False, None, False]),
        ("(n = 1 or n = 2) and b", [True, False, None, False]),
        ("not n = 1 and n = 2", [False, True, None, False]),
        ("not (n = 1 and n = 2)", [True, True, None, True]),
        # Arithmetic: * before +, left to right, division is never whole.
        ("n + 2 * 3 = 7", [True, False, None, False]),
        ("(n + 2) * 3 = 9", [True, False, None, False]),
        ("n - 1 - 1 = 0", [False, True, None, False]),
        ("n / 2 = 0.5", [True, False, None, False]),
        ("-n = -2", [False, True, None, False]),
        ("x * 2 > n", [False, None, None, False]),
        ("n > 1_000", [False, False, None, False]),
        ("n > .5", [True, True, None, True]),
        ("n in (1, 4)", [True, False, None, True]),
        ("n not in (1, 4)", [False, True, None, False]),
        ("s in ('hr')", [True, False, None, False]),
        ("s in $lang", [True, False, None, False]),
        ("s is null or s not in $lang", [False, True, True, True]),
        ("s like 'h%'", [True, False, None, False]),
        ("s not like '_l'", [True, False, None, True]),
        ("s = 'it''s'", [False, False, None, True]),
        ("date < '2020-01-02'", [True, False, False, None]),
        ("'2020-01-02' <= date", [False, True, True, None]),
        ("block.kept and n is not null", [True, False, False, False]),
        ("1 = 1", [True] * 4),
        (f"n < {'9' * 30}", [True, True, None, True]),
        (f"n < {'9' * 5000}", [True, True, None, True]),
        ("n = - - 2", [False, True, None, False]),
    ],
)
def test_meaning(source: str, expected: list[Any]) -> None:
    assert truth(source, lang=("hr",)) == expected


def test_names_and_variables_are_collected_once() -> None:
    found = parse("s in $lang or n > 1 and n < 3 or s = 'x'")
    assert found.names == ("s", "n")
    assert found.variables == ("lang",)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("", "the end"),
        ("n =", "the end"),
        ("n = 1 n = 2", "'and' or 'or' expected"),
        ("(n = 1", r"'\)' expected"),
        ("n in ()", "expected"),
        ("n in (s)", "values expected"),
        ("n in 3", r"'\(' expected"),
        ("s like n", "a pattern in quotes"),
        ("n not 3", "'in' or 'like' expected"),
        ("n is 3", "'null' expected"),
        ("n = 'open", "cannot read"),
        ("n ; drop", "cannot read"),
        ("and", "expected"),
        ("(" * 200 + "n" + ")" * 200, "nested too deeply"),
        ("n = 1 or " * 2000 + "n = 1", "longer than"),
    ],
)
def test_wrong_conditions_say_what_is_wrong(source: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        parse(source)


@pytest.mark.parametrize("source", ["s > 5", "b + 1 = 2", "not n", "n and b", "n like 'x'", "date > 5", "n in ('x')",
                                    "date = 'yesterday'", "b / s"])  # fmt: skip
def test_different_kinds_are_a_query_error(source: str) -> None:
    with pytest.raises(QueryError):
        truth(source)


def test_variable_that_is_not_set() -> None:
    with pytest.raises(QueryError, match=r"\$lang is not set"):
        truth("s in $lang")


def test_division_by_zero_is_no_crash() -> None:
    assert truth("n / 0 > 1")[0] is True


WORDS = st.sampled_from(
    [
        "n",
        "s",
        "b",
        "x",
        "date",
        "$lang",
        "and",
        "or",
        "not",
        "in",
        "is",
        "null",
        "like",
        "true",
        "false",
        "(",
        ")",
        ",",
    ]
    + ["=", "!=", "<", ">=", "+", "-", "*", "/", "1", "2.5", "'hr'", "''", "'2020-01-01'", "9" * 30, "block.kept"]
)


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=14).map(" ".join)))
def test_anything_is_a_condition_or_a_query_error(source: str) -> None:
    try:
        truth(source, lang=("hr",))
    except QueryError:
        pass


def test_long_but_allowed_conditions_work() -> None:
    source = " or ".join(["n = 1"] * 900)
    assert len(source) < MAX_LENGTH
    assert truth(source) == [True, False, None, False]


def test_many_signs_are_no_crash() -> None:
    for source in ("-" * 5000 + "1 = 1", "not " * 2000 + "b", "n" + " + 1" * 2000 + " = 1", "((((" * 2000):
        try:
            truth(source)
        except QueryError:
            pass
