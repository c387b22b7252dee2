"""The lemmatiser: what was seen, then a dictionary, then rules for endings.

A form with its tag that was seen in training gets its lemma from there. Forms that were not are looked up in the
dictionary of the library simplemma. The rest goes by rules, learnt with the tag and the longest ending that was seen:
cut so many letters, add these, and write the lemma with a capital or not. No lemma is ever empty.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

from paberki.annotation.tagsets import coarse

LONGEST_ENDING: Final = 6
_LONGEST: Final = 100
_RULES: Final = 4
_SIMPLEMMA: Final = {"hr": "hbs", "sr": "hbs", "bs": "hbs", "nb": "nb"}
_NAMES: Final = ("Np", "PROPN")
UPPER: Final = 2
LITERAL: Final = 3


class Rule(NamedTuple):
    """Cut letters from the end of the form in lower case, add others, set the case."""

    cut: int
    add: str
    case: int
    """0 lower, 1 capital first, 2 all capitals, 3 as it stands in the rule."""


def rule_of(form: str, lemma: str) -> Rule:
    """The rule that makes this lemma of this form."""
    low, goal = form.lower(), lemma.lower()
    same = 0
    while same < min(len(low), len(goal)) and low[same] == goal[same]:
        same += 1
    case = 2 if lemma.isupper() and len(lemma) > 1 else 1 if lemma[:1].isupper() else 0
    made = Rule(len(low) - same, goal[same:], case)
    return made if apply_rule(low, made) == lemma else Rule(len(low), lemma, LITERAL)


def apply_rule(lower: str, rule: Rule) -> str:
    """The lemma by a rule; empty if it does not fit."""
    if rule.cut > len(lower):
        return ""
    made = lower[: len(lower) - rule.cut] + rule.add
    if rule.case == LITERAL:
        return rule.add
    if rule.case == 1:
        return made[:1].upper() + made[1:]
    return made.upper() if rule.case == 2 else made


@dataclass(slots=True)
class Lemmatiser:
    """A trained lemmatiser."""

    seen: dict[tuple[str, str], str]
    """(form in lower case, tag) → lemma."""
    rules: dict[tuple[str, str], tuple[Rule, ...]]
    """(ending, tag or part of speech) → rules, most frequent first."""
    lang: str = ""
    own: dict[tuple[str, str], str] = field(default_factory=dict)
    """What is different in this language, where several share a model."""
    coarse_seen: dict[tuple[str, str], str] = field(default_factory=dict)
    lemmas: set[str] = field(default_factory=set)
    forms: set[str] = field(default_factory=set)
    fitting: set[tuple[Rule, str]] = field(default_factory=set)
    """Rules that were seen with a part of speech: what a dictionary says must be made by one of them."""

    def __post_init__(self) -> None:
        for table in (self.own, self.seen):
            for (form, tag), lemma in table.items():
                self.coarse_seen.setdefault((form, coarse(tag)), lemma)
                self.lemmas.add(lemma)
                self.forms.add(form)

    def lemma(self, form: str, tag: str, spelling: str | None = None) -> str:
        """The lemma of a form with this tag; ``spelling`` is the form in lower case with its diacritics restored."""
        lower = spelling or form.lower()
        kind = coarse(tag)
        found = self.own.get((lower, tag)) or self.seen.get((lower, tag)) or self.coarse_seen.get((lower, kind))
        if found:
            return found
        if len(lower) > _LONGEST or not any(letter.isalpha() for letter in lower):
            return form
        made = self._known(form, lower, tag, kind) or self._ruled(lower, tag, kind, form.isupper()) or form
        return as_written(form, made) if tag.startswith(_NAMES) else made

    def _known(self, form: str, lower: str, tag: str, kind: str) -> str | None:
        if lower in self.forms or not lower.isalpha():
            return None
        name = tag.startswith(_NAMES)
        found = dictionary(self.lang, form if name else lower)
        if found is None or (self.fitting and (rule_of(lower, found.lower()), kind) not in self.fitting and not name):
            return None
        return found[:1].upper() + found[1:] if name else found

    def _ruled(self, lower: str, tag: str, kind: str, capitals: bool) -> str | None:
        first = None
        for tags in (tag, kind):
            for length in range(min(LONGEST_ENDING, len(lower)), -1, -1):
                for rule in self.rules.get((lower[len(lower) - length :], tags), ()):
                    fits = rule.case < UPPER or (rule.case == UPPER and capitals)
                    made = apply_rule(lower, rule) if fits else ""
                    first = first or made
                    if made and length and made in self.lemmas:
                        return made
                if first and length <= 2:
                    return first
        return first


def as_written(form: str, lemma: str) -> str:
    """The letters that a name shares with its form, written as there: *YUCOM-a* → *YUCOM*."""
    same = 0
    while same < min(len(form), len(lemma)) and form[same].lower() == lemma[same].lower():
        same += 1
    if same < 2 or form[:same].islower():
        return lemma
    return form[:same] + (lemma[same:].upper() if form.isupper() and lemma.isupper() else lemma[same:].lower())


def dictionary(lang: str, form: str) -> str | None:
    """What simplemma's dictionary of a language says about a form; ``None`` if it is not there."""
    lookup = _dictionary(_SIMPLEMMA.get(lang, lang))
    if lookup is None:
        return None
    return lookup(form) or (lookup(form.lower()) if not form.islower() else None)


@lru_cache(maxsize=4)
def _dictionary(lang: str) -> Any:
    from simplemma.strategies import DictionaryLookupStrategy

    strategy = DictionaryLookupStrategy()
    try:
        strategy.get_lemma("a", lang)
    except ValueError:
        return None
    return lambda form: strategy.get_lemma(form, lang)


def train_lemmatiser(words: Iterable[tuple[str, str, str]], lang: str = "") -> Lemmatiser:
    """Learn from (form, tag, lemma)."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for form, tag, lemma in words:
        if lemma and lemma != "_":
            counts[form.lower(), tag][lemma] += 1
    votes: dict[tuple[str, str], Counter[Rule]] = defaultdict(Counter)
    fitting: set[tuple[Rule, str]] = set()
    for (lower, tag), lemmas in sorted(counts.items()):
        for lemma in sorted(lemmas):
            rule = rule_of(lower, lemma)
            fitting.add((rule, coarse(tag)))
            if rule.case == LITERAL:
                continue
            for length in range(min(LONGEST_ENDING, len(lower)) + 1):
                ending = lower[len(lower) - length :]
                votes[ending, tag][rule] += 1
                votes[ending, coarse(tag)][rule] += 1
    seen = {pair: most_common(lemmas) for pair, lemmas in sorted(counts.items())}
    rules = {pair: tuple(_ranked(found)[:_RULES]) for pair, found in votes.items()}
    return Lemmatiser(seen, dict(sorted(_needed(rules).items())), lang, fitting=fitting)


def most_common(counts: Counter[str]) -> str:
    """The most frequent one, the first in order among equals."""
    return min(counts, key=lambda one: (-counts[one], one))


def _ranked(counts: Counter[Rule]) -> list[Rule]:
    return sorted(counts, key=lambda rule: (-counts[rule], rule))


def _needed(rules: dict[tuple[str, str], tuple[Rule, ...]]) -> dict[tuple[str, str], tuple[Rule, ...]]:
    """Without endings that say the same as the next shorter one."""
    return {
        (ending, tag): own
        for (ending, tag), own in rules.items()
        if not ending or rules[ending[1:], tag][: len(own)] != own
    }
