"""Cards of the builder."""

from __future__ import annotations

import pytest

from paberki.query import parse
from paberki.serve.pages.concordance.cards import cards_of


@pytest.mark.parametrize(
    ("query", "kinds", "within"),
    [
        ('"a" []{0,3} [lemma="b" & upos="NOUN"] within <s/>', ["token", "token", "token"], "s"),
        ('[upos="VERB"] -obj-> [upos="NOUN"] -amod-> []', ["token", "relation", "token", "relation", "token"], ""),
        ('("a" | "b") "c"', ["raw", "token"], ""),
        ('(meet "a" "b" -5 5)', ["raw"], ""),
        ('[(word="a" | word="b") & tag="c"]', ["raw"], ""),
        ('"a" within <s id="3"/>', ["raw"], ""),
    ],
)  # fmt: skip
def test_what_can_be_drawn_is(query: str, kinds: list[str], within: str) -> None:
    drawn = cards_of(parse(query))
    assert [card["kind"] for card in drawn["cards"]] == kinds
    assert drawn["within"] == within


def test_raw_cards_are_queries() -> None:
    [card] = cards_of(parse('<s> [upos="VERB"] !containing "a"'))["cards"]
    assert parse(card["alone"]) == parse('<s> [upos="VERB"] !containing "a"')
