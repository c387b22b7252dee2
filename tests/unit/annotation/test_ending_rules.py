"""Rules from forms to lemmas."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.annotation.lemmas.ending_rules import LITERAL, UPPER, EndingRule, apply_rule, rule_of


@pytest.mark.parametrize(
    ("form", "lemma", "rule"),
    [
        ("gradovima", "grad", EndingRule(5, "", 0)),
        ("radićemo", "raditi", EndingRule(4, "ti", 0)),
        ("Zagrebu", "Zagreb", EndingRule(1, "", 1)),
        ("EU-u", "EU", EndingRule(2, "", UPPER)),
        ("McDonaldsa", "McDonalds", EndingRule(10, "McDonalds", LITERAL)),
    ],
)
def test_rules_of_words(form: str, lemma: str, rule: EndingRule) -> None:
    assert rule_of(form, lemma) == rule


@given(st.text(max_size=12), st.text(max_size=12))
def test_a_rule_makes_its_own_lemma(form: str, lemma: str) -> None:
    assert apply_rule(form.lower(), rule_of(form, lemma)) == lemma


@given(st.text(max_size=5), st.integers(6, 9))
def test_a_rule_that_cuts_more_than_there_is_does_not_fit(form: str, cut: int) -> None:
    assert apply_rule(form, EndingRule(cut, "x", 0)) == ""


def test_a_rule_serves_other_words() -> None:
    rule = rule_of("knjigama", "knjiga")
    assert apply_rule("rukama", rule) == "ruka"
