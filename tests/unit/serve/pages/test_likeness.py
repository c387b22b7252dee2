"""Queries made from the words of a tree."""

from __future__ import annotations

import pytest

import paberki
from paberki.errors import QueryError
from paberki.serve.pages.explorer.likeness import query_like
from paberki.serve.pages.explorer.tree_svg import Word

WORDS = [
    Word("The", "the", "DET", 3, "det", False),
    Word("old", "old", "ADJ", 3, "amod", False),
    Word("dog", "dog", "NOUN", 4, "nsubj", True),
    Word("ate", "eat", "VERB", 0, "root", False),
    Word('(a"b', '(a"b', "X", 4, "obj", False),
]


@pytest.mark.parametrize(
    ("chosen", "holds", "query"),
    [
        ([2], ["lemma"], '[lemma="dog"]'),
        ([2, 3], ["upos", "relation"], '[upos="VERB"] -nsubj-> [upos="NOUN"]'),
        ([1, 2, 3, 4], ["upos", "relation"], '[upos="VERB"] -nsubj-> ([upos="NOUN"] -amod-> [upos="ADJ"]) ; -obj-> [upos="X"]'),
        ([0, 4], ["word", "relation"], '[word="The"] []{0,3} [word="\\(a\\"b"] within <s/>'),
        ([0, 1], ["lemma"], '[lemma="the"] [lemma="old"]'),
        ([3, 4], ["relation"], "[] -obj-> []"),
    ],
)  # fmt: skip
def test_ticked_words_become_a_query(chosen: list[int], holds: list[str], query: str) -> None:
    assert query_like(WORDS, chosen, holds) == query
    paberki.parse(query)


def test_nothing_ticked_is_said() -> None:
    with pytest.raises(QueryError, match="tick"):
        query_like(WORDS, [], ["lemma"])
