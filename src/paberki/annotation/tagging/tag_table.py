"""From the tag that the tagger learnt to what is written: universal part of speech, own tag, features.

Where the tag is a MULTEXT-East description, part of speech and features follow from it, now and then with the lemma
(*biti* is an auxiliary). Where it is the part of speech with features, the treebank's own tag follows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from paberki.annotation.files.conllu_reading import TreeWord

XPOS: Final = "xpos"
UPOS: Final = "upos+feats"
_SURE: Final = 0.97
_FILLED: Final = 0.95
_LEAST: Final = 2


def tag_of(word: TreeWord, scheme: str) -> str:
    """The tag of a word that is learnt."""
    if scheme == XPOS:
        return word.xpos
    return word.upos if word.feats == "_" else f"{word.upos}|{word.feats}"


def scheme_of(words: Iterable[TreeWord]) -> str:
    """Which tag to learn: the treebank's own if part of speech and features follow from it, else these."""
    pair_counts: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for word in words:
        pair_counts[word.xpos][word.upos, word.feats] += 1
    total = sum(counts.total() for counts in pair_counts.values())
    filled = total - pair_counts.pop("_", Counter()).total()
    follow = sum(max(counts.values()) for counts in pair_counts.values())
    return XPOS if total and filled >= _FILLED * total and follow >= _SURE * filled else UPOS


@dataclass(slots=True)
class TagTable:
    """What each tag stands for."""

    analyses: list[tuple[str, str, str]] = field(default_factory=list)
    """Part of speech, own tag, features."""
    defaults: dict[str, int] = field(default_factory=dict)
    """Tag → number of its analysis."""
    special: dict[str, int] = field(default_factory=dict)
    """Tag and lemma in lower case, divided by a tab → number of another analysis."""

    def of(self, tag: str, lemma: str) -> tuple[str, str, str]:
        """The analysis of a tag with a lemma."""
        number = self.special.get(f"{tag}\t{lemma.lower()}")
        if number is None:
            number = self.defaults.get(tag)
        return self.analyses[number] if number is not None else ("X", tag, "_")


def build_table(words: Iterable[tuple[str, TreeWord]]) -> TagTable:
    """The table of words with the tags that were learnt for them."""
    by_tag: dict[str, Counter[tuple[str, str, str]]] = defaultdict(Counter)
    by_lemma: dict[tuple[str, str], Counter[tuple[str, str, str]]] = defaultdict(Counter)
    for tag, word in words:
        analysis = (word.upos, word.xpos, word.feats)
        by_tag[tag][analysis] += 1
        by_lemma[tag, word.lemma.lower()][analysis] += 1
    table = TagTable()
    numbers: dict[tuple[str, str, str], int] = {}

    def number(analysis: tuple[str, str, str]) -> int:
        if analysis not in numbers:
            numbers[analysis] = len(numbers)
            table.analyses.append(analysis)
        return numbers[analysis]

    for tag, counts in sorted(by_tag.items()):
        table.defaults[tag] = number(_first(counts))
    for (tag, lemma), counts in sorted(by_lemma.items()):
        best = _first(counts)
        if counts[best] >= _LEAST and number(best) != table.defaults[tag]:
            table.special[f"{tag}\t{lemma}"] = number(best)
    return table


def _first(counts: Counter[tuple[str, str, str]]) -> tuple[str, str, str]:
    return min(counts, key=lambda one: (-counts[one], one))
