"""Functions of CQP's manual, inside tokens and after ``::``, against plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from random_corpora import make
from reference import Corpus, fold

from paberki.errors import QueryError
from paberki.query import run
from paberki.query.index.reader import Index

Token = dict[str, Any]
_Pair = Callable[[Token, Token], bool]


@pytest.fixture(scope="module", params=[None, 40])
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Index, Corpus]:
    return make(tmp_path_factory.mktemp("functions"), 11, 30, request.param)


def common(one: str, other: str) -> str:
    size = 0
    while size < min(len(one), len(other)) and one[size] == other[size]:
        size += 1
    return one[:size]


def starts(index: Index, query: str) -> list[int]:
    return [int(start) for start in run(index, query, strategy="all").all().starts]


_TOKENS: list[tuple[str, Callable[[Token], bool]]] = [
    ('[is_prefix("a", word)]', lambda token: token["word"].startswith("a")),
    ('[is_prefix(word, "abc")]', lambda token: "abc".startswith(token["word"])),
    ("[is_prefix(word, lemma)]", lambda token: token["lemma"].startswith(token["word"])),
    ('[!is_prefix(word, "abc") & tag="N"]', lambda token: token["word"] not in ("a", "ab") and token["tag"] == "N"),
    ('[normalize(word, "c") = "[aá]b?"]', lambda token: token["word"].lower() in ("a", "ab")),
    ('[normalize(word, "cd") == "c"]', lambda token: fold(token["word"], "cd") == "c"),
    ('[normalize(word, "%d") != "c"]', lambda token: fold(token["word"], "d") != "c"),
    ('[prefix(word, "abc") = "ab"]', lambda token: token["word"] == "ab"),
    ('[minus(word, "a") = ".+"]', lambda token: token["word"].removeprefix("a") != ""),
    ('[minus(word, "a") = ""]', lambda token: token["word"] == "a"),
    ('[strlen(normalize(word, "c")) = 2]', lambda token: len(token["word"]) == 2),
    ('[strlen(prefix(word, "abc")) >= 1]', lambda token: token["word"].startswith("a")),
    ("[word = lemma]", lambda token: token["word"] == token["lemma"]),
    ('[word != lemma & tag="N"]', lambda token: token["word"] != token["lemma"] and token["tag"] == "N"),
    ("[tag >= word]", lambda token: token["tag"] >= token["word"]),
    ('[prefix(word, tag) = ""]', lambda token: common(token["word"], token["tag"]) == ""),
    ('[normalize(tag, "c") > normalize(word, "c")]', lambda token: token["tag"].lower() > token["word"].lower()),
    ('[is_prefix(tag, normalize("NA", "c"))]', lambda token: "na".startswith(token["tag"])),
    ('[unify(feats, "|Case=Nom|Num=Sg|") contains "Case=.*"]', lambda token: "Case=Nom" in token["feats"]),
    ("[ambiguity(feats) = 2 & is_prefix(tag, tag)]", lambda token: len(token["feats"]) == 2),
]  # fmt: skip


@pytest.mark.parametrize(("query", "holds"), _TOKENS, ids=[query for query, _ in _TOKENS])
def test_inside_tokens(corpus: tuple[Index, Corpus], query: str, holds: Callable[[Token], bool]) -> None:
    index, plain = corpus
    expected = [at for at, token in enumerate(plain.tokens) if holds(token)]
    assert starts(index, query) == expected


_PAIRS: list[tuple[str, _Pair]] = [
    ("is_prefix(a.word, b.word)", lambda one, other: other["word"].startswith(one["word"])),
    ("!is_prefix(a.word, b.word)", lambda one, other: not other["word"].startswith(one["word"])),
    ("is_prefix(a.word, b.word) = 1", lambda one, other: other["word"].startswith(one["word"])),
    ('normalize(a.word, "cd") = normalize(b.word, "cd")', lambda one, other: fold(one["word"], "cd") == fold(other["word"], "cd")),
    ('normalize(a.word, "c") = b.word', lambda one, other: one["word"].lower() == other["word"]),
    ('prefix(a.word, b.word) = "a.*"', lambda one, other: common(one["word"], other["word"]).startswith("a")),
    ('minus(a.word, b.word) = "b"', lambda one, other: one["word"][len(common(one["word"], other["word"])):] == "b"),
    ('minus(a.word, b.word) != "b"', lambda one, other: one["word"][len(common(one["word"], other["word"])):] != "b"),
    ("strlen(minus(a.word, b.word)) = 0", lambda one, other: other["word"].startswith(one["word"])),
    ('unify(a.feats, b.feats) != "[|]"', lambda one, other: bool(one["feats"] & other["feats"])),
    ("ambiguity(unify(a.feats, b.feats)) = 1", lambda one, other: len(one["feats"] & other["feats"]) == 1),
    ('unify(a.feats, b.feats) contains "Num=Sg"', lambda one, other: "Num=Sg" in one["feats"] & other["feats"]),
    ("ambiguity(a.word) = 1", lambda one, other: True),
    ("ignore(a) & ignore(b)", lambda one, other: True),
    ("a.tag = b.tag & !ignore(b)", lambda one, other: False),
]  # fmt: skip


@pytest.mark.parametrize(("condition", "holds"), _PAIRS, ids=[condition for condition, _ in _PAIRS])
def test_after_labels(corpus: tuple[Index, Corpus], condition: str, holds: _Pair) -> None:
    index, plain = corpus
    expected = [at for at in range(len(plain.tokens) - 1) if holds(plain.tokens[at], plain.tokens[at + 1])]
    assert starts(index, f"a:[] b:[] :: {condition}") == expected


def test_edges_of_regions_inside_tokens(corpus: tuple[Index, Corpus]) -> None:
    index, plain = corpus
    firsts = sorted({start for start, _, _ in plain.regions["s"]})
    assert starts(index, "[lbound_of(s, _) = _]") == starts(index, "[lbound(s)]") == firsts
    assert starts(index, "[rbound_of(s, _) = _]") == starts(index, "[rbound(s)]")
    assert starts(index, "[int(doc_year) > 2010]") == starts(index, "[doc_year > 2010]")


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("[nosuch(word)]", "no function 'nosuch'"),
        ("[is_prefx(word, lemma)]", "did you mean 'is_prefix'"),
        ("a:[] :: nosuch(a.word) = 3", "no function 'nosuch'"),
        ("[normalize(word) = 'a']", "of 1 arguments; it takes 2"),
        ('[normalize(word, "x") = "a"]', "normalize"),
        ("a:[] b:[is_prefix(a.word, word)]", "after ::"),
        ("[is_prefix(wrd, lemma)]", "no attribute 'wrd'"),
        ("[lbound_of(sent, _) = _]", "no structure 'sent'"),
        ('a:[] :: f(normalize(a.word, "c")) = 3', "takes an attribute"),
    ],
)
def test_errors(corpus: tuple[Index, Corpus], query: str, reason: str) -> None:
    with pytest.raises(QueryError, match=reason.replace("(", r"\(")):
        run(corpus[0], query).all()
