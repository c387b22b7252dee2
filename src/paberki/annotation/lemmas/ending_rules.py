"""From a form to its lemma: cut some letters, add others, set the case."""

from __future__ import annotations

from typing import Final, NamedTuple

UPPER: Final = 2
LITERAL: Final = 3


class EndingRule(NamedTuple):
    """Cut letters from the end of the form in lower case, add others, set the case."""

    cut: int
    add: str
    case: int
    """0 lower, 1 capital first, 2 all capitals, 3 as it stands in the rule."""


def rule_of(form: str, lemma: str) -> EndingRule:
    """The rule that makes this lemma of this form."""
    low, goal = form.lower(), lemma.lower()
    same = 0
    while same < min(len(low), len(goal)) and low[same] == goal[same]:
        same += 1
    if goal == lemma:
        return EndingRule(len(low) - same, goal[same:], 0)
    case = 2 if lemma.isupper() and len(lemma) > 1 else 1 if lemma[:1].isupper() else 0
    rule = EndingRule(len(low) - same, goal[same:], case)
    return rule if apply_rule(low, rule) == lemma else EndingRule(len(low), lemma, LITERAL)


def apply_rule(lower: str, rule: EndingRule) -> str:
    """Apply a rule to a form; empty if it does not fit."""
    if rule.cut > len(lower):
        return ""
    lemma = lower[: len(lower) - rule.cut] + rule.add
    if rule.case == LITERAL:
        return rule.add
    if rule.case == 1:
        return lemma[:1].upper() + lemma[1:]
    return lemma.upper() if rule.case == 2 else lemma
