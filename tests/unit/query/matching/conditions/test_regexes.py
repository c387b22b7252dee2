"""Strings of queries against lexicons: every way of matching gives what Python's ``re`` gives."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from paberki.errors import QueryError
from paberki.query.index.lexicon import ValueLexicon
from paberki.query.matching.conditions import regexes
from paberki.query.matching.conditions.beginnings import leading_strings
from paberki.query.matching.conditions.regexes import (
    alternatives_of,
    check,
    literal_of,
    matching,
    surrounded_alternatives,
    surrounded_literal,
)

_WORDS = sorted(
    {a + b + c for a in ["", "a", "ab", "č", "."] for b in ["", "b", "a", "čb"] for c in ["", "a", "x", "b."]}
)
_LEXICON = ValueLexicon.of_strings(pa.array(_WORDS, pa.large_string()))


def _expected(pattern: str) -> set[str]:
    return {word for word in _WORDS if re.fullmatch(pattern, word)}


@given(st.text("abč.x", max_size=4), st.booleans(), st.booleans())
def test_literals_with_dots_around(text: str, before: bool, after: bool) -> None:
    pattern = ".*" * before + re.escape(text) + ".*" * after
    assert set(_LEXICON.values(matching(_LEXICON, pattern).ids)) == _expected(pattern)


@given(
    st.lists(
        st.sampled_from(
            ["a", "b", "č", ".", "x", "[ab]", "(a|b)", "a?", "b*", ".+", r"\.", "(?:ab)?", "[a-č]", "[b-]{2}", "(ab|č){0,1}", "(b|x).*",
             "[^a]", r"\d?", "[ač]+", ".*(a|b)", "(?:a|č)+"]
        ),
        max_size=5,
    )
)  # fmt: skip
def test_patterns(parts: list[str]) -> None:
    pattern = "".join(parts)
    assert set(_LEXICON.values(matching(_LEXICON, pattern).ids)) == _expected(pattern)


@pytest.mark.parametrize("pattern", ["a(?!b).*", "(?=a).*b.*", r"(a|b).*\1", "(?<!x)a.*"])
def test_beyond_linear_time(pattern: str) -> None:
    assert set(_LEXICON.values(matching(_LEXICON, pattern).ids)) == _expected(pattern)


_PIECES = ["a", "b", "č", ".", "x", "[ab]", "(a|b)", "a?", ".*", r"\.", "(?:ab)?", "|", "(?>ab?)", "a++", "[^a]"]


def _beyond_pattern() -> st.SearchStrategy[str]:
    pieces = st.lists(st.sampled_from(_PIECES), max_size=3).map("".join)
    look = st.builds(
        "({}{})".format, st.sampled_from(["?=", "?!", "?<=", "?<!"]), st.sampled_from(["a", "b", "x", "[ab]", "č|a"])
    )
    return st.lists(st.one_of(pieces, look), min_size=1, max_size=5).map("".join)


@given(_beyond_pattern())
def test_look_around_in_parts_is_the_same_as_at_once(pattern: str) -> None:
    try:
        expected = {word for word in _WORDS if regex.fullmatch(pattern, word)}
    except regex.error:
        return
    assert set(_LEXICON.values(matching(_LEXICON, pattern).ids)) == expected


_CAPITALS = sorted({a + b for a in ["", "A", "č", "Č", "4", "_"] for b in ["", "a", "B", "xČ", " b", "."]})
_MIXED_LEXICON = ValueLexicon.of_strings(pa.array(_CAPITALS, pa.large_string()))


@given(
    st.lists(
        st.one_of(
            st.sampled_from(
                ["a", "č", r"\w", r"\w+", r"\W", r"\d", r"[\wč]", r"[^\s]", r"\S*", ".*", "[]a]", "(a|Č)", r"\."]
            ),
            st.builds(
                "(?{}{})".format, st.sampled_from(["=", "!", "<=", "<!"]), st.sampled_from(["a", r"\w", r"[\dč]", ".b"])
            ),
        ),
        min_size=1,
        max_size=4,
    ).map("".join),
    st.booleans(),
)
def test_classes_mean_the_same_beside_look_around(pattern: str, ignore_case: bool) -> None:
    spelled_out = pattern
    for escape, letters in ((r"\w", "0-9A-Za-z_"), (r"\d", "0-9"), (r"\s", r"\t\n\f\r ")):
        spelled_out = re.sub(rf"(\[[^\]]*){re.escape(escape)}", lambda match, own=letters: match[1] + own, spelled_out)
        spelled_out = spelled_out.replace(escape, f"[{letters}]").replace(escape.upper(), f"[^{letters}]")
    flags = re.IGNORECASE if ignore_case else 0
    expected = {word for word in _CAPITALS if re.fullmatch(spelled_out, word, flags)}
    assert set(_MIXED_LEXICON.values(matching(_MIXED_LEXICON, pattern, ignore_case).ids)) == expected


def test_look_around_at_the_edges_needs_no_engine_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regexes, "_SECONDS", -1.0)
    for pattern in (
        "(?=ab).*",
        "(?!ab).*b",
        "(?!a|b).+",
        ".*(?<=b)",
        "(?=a)(?!ab).*(?<!x)",
        r"(?=\d*ab).*",
        "a(?=b).*",
        ".*(?<=b)x",
    ):
        assert set(_LEXICON.values(matching(_LEXICON, pattern).ids)) == _expected(pattern)


@pytest.mark.parametrize(
    ("pattern", "strings"),
    [
        ("gra.*", ["gra"]), ("gra?d", ["gr"]), ("a*b", None), ("[A-C].*", ["A", "B", "C"]), ("[ač-]x", ["a", "č", "-"]),
        ("[ab]?c", None), ("[ab]{0,2}c", None), ("[ab]{2}", ["a", "b"]), ("[^a]b", None), ("(pre|po).*", ["pre", "po"]),
        ("(pre|po)?a", None), ("(?:ab|c)+", ["ab", "c"]), ("(a|)b", None), ("(?i)ab", None), (r"\d+", [*"0123456789"]),
        (r"\d*", None), ("a.|b.", None), ("(a|b)c|d.", None), ("ab(c|d)", ["ab"]), ("[а-я]x", [*map(chr, range(0x430, 0x450))]),
        ("[一-龥]x", None), (r"a\|b", ["a"]), ("[[:alpha:]]x", None), ("", None), ("((a|b)c)+|d", None),
    ],
)  # fmt: skip
def test_what_every_match_begins_with(pattern: str, strings: list[str] | None) -> None:
    leading = leading_strings(pattern)
    assert (leading and leading.strings) == strings


def test_literals() -> None:
    assert literal_of("abc") == "abc"
    assert literal_of(r"\.") == "."
    assert literal_of(r"\w") is None
    assert literal_of("a.") is None
    assert literal_of("a\\") is None
    assert alternatives_of("(a|b)") == ["a", "b"]
    assert alternatives_of("a|b.") is None
    assert alternatives_of("(a)|(b)") is None
    assert surrounded_literal(".*ab.*") == ("ab", True, True)
    assert surrounded_literal(r"ab\.*") is None
    assert surrounded_alternatives(".*(ost|nje)") == [("ost", True, False), ("nje", True, False)]
    assert surrounded_alternatives("(a|b)") is None
    assert surrounded_alternatives(".*(a|b.)") is None
    assert surrounded_alternatives(".*(a|)") is None


@pytest.mark.parametrize(
    "pattern", ["(a", "a)", "[a", "*", "a{2,1}", "a\\", "(?<=a+)b(", "(?P<n>a)(?=b", "\\p{Nope}", "a)(b", "a)|(?=b"]
)
def test_wrong_patterns(pattern: str) -> None:
    with pytest.raises(QueryError, match="regular expression"):
        check(pattern)


@pytest.mark.parametrize(
    "pattern",
    [r"\p{L}+", r"\p{Lu}\p{Ll}+", r"\p{L}{2}", r"\pL+", r"\++", r"\*+", r"[*+?]+", r"\}+", r"a{1,2}+b", r"\p{L}++", "(?=a)[+*]*a.*"],
)  # fmt: skip
def test_what_gives_nothing_back_is_told_from_what_looks_like_it(pattern: str) -> None:
    words = sorted({*_WORDS, "+", "++", "*", "*+", "}", "}}", "Ab", "Čb", "Abba", "aab"})
    lexicon = ValueLexicon.of_strings(pa.array(words, pa.large_string()))
    expected = {word for word in words if regex.fullmatch(pattern, word)}
    assert expected
    assert set(lexicon.values(matching(lexicon, pattern).ids)) == expected


def test_patterns_that_take_for_ever_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    lexicon = ValueLexicon.of_strings(pa.array(["a" * 40 + "!"] * 3, pa.large_string()))
    assert len(matching(lexicon, "(a+)+b").ids) == 0
    monkeypatch.setattr(regexes, "_SECONDS", -1.0)
    with pytest.raises(QueryError, match="too long"):
        matching(lexicon, r"(?=(a+)+b)a.*\1")
