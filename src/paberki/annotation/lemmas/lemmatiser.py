"""The lemmatiser: pairs from training, then a dictionary, then rules for endings.

A pair of form and tag from training has the lemma of training. Other forms are looked up in the dictionary of the library
simplemma, which has no tags. The dictionary is not used where its rule from form to lemma is mostly wrong for words with the
same tag (*satiru*, a noun, from *satirati*). The remaining words get their lemmas by rules, learnt for the tag and the
longest known ending: cut some letters, add others, set the capital. No lemma is ever empty.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from paberki.annotation.lemmas.dictionary import dictionary
from paberki.annotation.lemmas.ending_rules import LITERAL, UPPER, EndingRule, apply_rule, rule_of
from paberki.annotation.tagging.string_hashes import (
    HASH,
    NOTHING,
    HashedStrings,
    HashTable,
    Ints,
    Keys,
    Longs,
    is_in,
    key,
    pair_hashes,
)
from paberki.annotation.tagging.tag_attributes import coarse

LONGEST_ENDING: Final = 6
_LONGEST: Final = 100
_RULES: Final = 4
_LEFT: Final = 2
_NAMES: Final = ("Np", "PROPN")
_TAG: Final = 12
_ENDINGS: Final = [(HASH, length or NOTHING) for length in range(LONGEST_ENDING, -1, -1)]


@dataclass(slots=True)
class LearntLemmas:
    """What a treebank says about lemmas."""

    training_lemmas: dict[tuple[str, str], str]
    """(form in lower case, tag) → lemma."""
    rules: dict[tuple[str, str], tuple[EndingRule, ...]]
    """(ending, tag or part of speech) → rules, most frequent first."""
    lang: str = ""
    doubtful: set[tuple[str, str]] = field(default_factory=set)
    """Pairs of dictionary rule and tag that are mostly wrong in training."""


@dataclass(slots=True)
class Pairs:
    """Forms or endings, each with a tag and a rule."""

    forms: Sequence[str]
    tags: Sequence[str]
    rules: Ints

    @classmethod
    def of(cls, table: Mapping[tuple[str, str], str], numbers: dict[EndingRule, int]) -> Pairs:
        """From (form, tag) → lemma; rules that are new get their numbers."""
        rules = [numbers.setdefault(rule_of(form, lemma), len(numbers)) for (form, _), lemma in table.items()]
        return cls([form for form, _ in table], [tag for _, tag in table], np.array(rules, np.int32))

    def hashes(self) -> Keys:
        """Hashes of the forms."""
        return HashedStrings(self.forms).hashes()


class TagKeys:
    """Numbers of tags, and of their parts of speech."""

    def __init__(self) -> None:
        self._numbers: dict[str, tuple[int, int]] = {}

    def of(self, tags: Sequence[str]) -> tuple[Keys, Keys]:
        """Both numbers of some tags."""
        numbers = self._numbers
        for tag in set(tags).difference(numbers):
            numbers[tag] = key(tag, _TAG), key(coarse(tag), _TAG)
        both = np.array([numbers[tag] for tag in tags], np.uint64).reshape(-1, 2)
        return both[:, 0], both[:, 1]


class LemmaArrays(NamedTuple):
    """All data of a lemmatiser except its rules, as arrays that processes can share."""

    pair_hashes: Keys
    """Forms with tags, and with parts of speech,"""
    pair_order: Ints
    pair_rules: Ints
    """and their rules."""
    lemmas: Keys
    """Lemmas that were seen, in order."""
    ending_hashes: Keys
    ending_order: Ints
    ending_edges: Longs
    ending_rules: Ints
    """Several for each ending, in its place between the edges."""

    @classmethod
    def of(
        cls, rules: Sequence[EndingRule], training_pairs: Pairs, own: Pairs, endings: Pairs, ending_edges: Longs
    ) -> LemmaArrays:
        """From pairs; ``own`` is what is different in one language, where several share a model."""
        form_hashes, own_hashes = training_pairs.hashes(), own.hashes()
        tags, kinds = TagKeys().of(training_pairs.tags)
        own_tags, own_kinds = TagKeys().of(own.tags)
        # The language's own data first, then all data, then the same part of speech with another tag.
        pairs = HashTable(np.concatenate([
            pair_hashes(own_hashes, own_tags), pair_hashes(form_hashes, tags),
            pair_hashes(own_hashes, own_kinds), pair_hashes(form_hashes, kinds),
        ]))  # fmt: skip
        ends = HashTable(pair_hashes(endings.hashes(), TagKeys().of(endings.tags)[0]))
        return cls(
            pairs.hashes, pairs.order, np.concatenate([own.rules, training_pairs.rules] * 2),
            np.unique(np.concatenate([_lemmas_by_rule(own, own_hashes, rules), _lemmas_by_rule(training_pairs, form_hashes, rules)])),
            ends.hashes, ends.order, ending_edges, endings.rules,
        )  # fmt: skip


def _lemmas_by_rule(pairs: Pairs, hashes: Keys, rules: Sequence[EndingRule]) -> Keys:
    """Hashes of the lemmas of forms that were seen."""
    _, first = np.unique(pair_hashes(hashes, pairs.rules.astype(np.uint64)), return_index=True)
    numbers = pairs.rules[first].tolist()
    lemmas = [apply_rule(pairs.forms[at], rules[rule]) for at, rule in zip(first.tolist(), numbers, strict=True)]
    return HashedStrings(lemmas).hashes()


class Lemmatiser:
    """A lemmatiser that looks up many words at a time by hash."""

    def __init__(
        self, lang: str, rules: Sequence[EndingRule], arrays: LemmaArrays, doubtful: set[tuple[str, str]] | None = None
    ) -> None:
        """``doubtful`` are pairs of dictionary rule and tag that are not used."""
        self.lang, self.rules, self.doubtful = lang, list(rules), doubtful or set()
        self._tags = TagKeys()
        self._pairs = HashTable.from_arrays(arrays.pair_hashes, arrays.pair_order)
        self._pair_rules = arrays.pair_rules
        self._lemmas = arrays.lemmas
        self._endings = HashTable.from_arrays(arrays.ending_hashes, arrays.ending_order)
        self._ending_edges, self._ending_rules = arrays.ending_edges, arrays.ending_rules
        self._of_endings: dict[int, list[int]] = {}

    @classmethod
    def of(cls, lemmas: LearntLemmas) -> Lemmatiser:
        """Put to work what was learnt."""
        numbers: dict[EndingRule, int] = {}
        training_pairs = Pairs.of(lemmas.training_lemmas, numbers)
        rules = [numbers.setdefault(rule, len(numbers)) for own in lemmas.rules.values() for rule in own]
        pairs = lemmas.rules
        endings = Pairs([ending for ending, _ in pairs], [tag for _, tag in pairs], np.array(rules, np.int32))
        edges = np.cumsum([0, *(len(own) for own in pairs.values())], dtype=np.int64)
        own = Pairs([], [], np.zeros(0, np.int32))
        return cls(
            lemmas.lang,
            list(numbers),
            LemmaArrays.of(list(numbers), training_pairs, own, endings, edges),
            lemmas.doubtful,
        )

    def lemma(self, form: str, tag: str) -> str:
        """The lemma of a form with this tag."""
        return self.lemmas([form], [tag])[0]

    def lemmas(self, forms: Sequence[str], tags: Sequence[str], spelled: Sequence[str] | None = None) -> list[str]:
        """The lemmas of forms with tags; ``spelled`` are the forms in lower case with diacritics restored."""
        lowers = spelled or [form.lower() for form in forms]
        hashes = HashedStrings(lowers).hashes()
        tag_keys, kind_keys = self._tags.of(tags)
        rows = self._pairs.find(pair_hashes(hashes, tag_keys))
        rows = np.where(rows >= 0, rows, self._pairs.find(pair_hashes(hashes, kind_keys)))
        rules = np.where(rows >= 0, self._pair_rules[rows] if len(self._pairs) else -1, -1)
        lemmas = [
            (apply_rule(lower, self.rules[rule]) if rule >= 0 else "") or form
            for form, lower, rule in zip(forms, lowers, rules.tolist(), strict=True)
        ]
        open_words = [
            at
            for at in np.flatnonzero(rules < 0).tolist()
            if len(lowers[at]) <= _LONGEST and any(map(str.isalpha, lowers[at]))
        ]
        words = [_Word(forms[at], lowers[at], tags[at]) for at in open_words]
        for at, lemma in zip(
            open_words, self._guessed(words, tag_keys[open_words], kind_keys[open_words]), strict=True
        ):
            lemmas[at] = lemma
        return lemmas

    def _guessed(self, words: Sequence[_Word], tags: Keys, kinds: Keys) -> list[str]:
        """Lemmas of words that were not seen with their part of speech."""
        lemmas = self._dictionary_lemmas(words)
        rest = [at for at, lemma in enumerate(lemmas) if lemma is None]
        for at, lemma in zip(rest, self._ruled([words[at] for at in rest], tags[rest], kinds[rest]), strict=True):
            lemmas[at] = lemma
        return [
            as_written(word.form, lemma or word.form) if word.is_name else lemma or word.form
            for word, lemma in zip(words, lemmas, strict=True)
        ]

    def _dictionary_lemmas(self, words: Sequence[_Word]) -> list[str | None]:
        """Lemmas from the dictionary, unless its rule is doubtful for the tag."""
        lemmas: list[str | None] = [None] * len(words)
        alphabetic = [at for at, word in enumerate(words) if word.lower.isalpha()]
        lexicon = dictionary(self.lang) if alphabetic else None
        if lexicon is None:
            return lemmas
        forms = [words[at].form if words[at].is_name else words[at].lower for at in alphabetic]
        for at, lemma in zip(alphabetic, lexicon.look_up(forms), strict=True):
            if lemma and (way(words[at].lower, lemma), words[at].tag) not in self.doubtful:
                lemmas[at] = lemma[:1].upper() + lemma[1:] if words[at].is_name else lemma
        return lemmas

    def _ruled(self, words: Sequence[_Word], tags: Keys, kinds: Keys) -> list[str]:
        """Lemmas by rules for endings: the first that is a known lemma, else the first; empty if there is none."""
        endings = HashedStrings([word.lower for word in words]).columns(_ENDINGS)
        rows = np.concatenate(
            [self._endings.find(pair_hashes(endings, keys[:, None])) for keys in (tags, kinds)], axis=1
        )
        candidates = [self._candidates(word, own) for word, own in zip(words, rows.tolist(), strict=True)]
        flat = [lemma for own in candidates for lemma, _ in own]
        attested = iter(is_in(self._lemmas, HashedStrings(flat).hashes()).tolist())
        lemmas = []
        for own in candidates:
            good = [lemma for (lemma, ending), is_lemma in zip(own, attested, strict=False) if is_lemma and ending]
            lemmas.append(good[0] if good else own[0][0] if own else "")
        return lemmas

    def _rules_of(self, row: int) -> list[int]:
        """Numbers of the rules of an ending, remembered for the next word that ends alike."""
        if row not in self._of_endings:
            rules = self._ending_rules[self._ending_edges[row] : self._ending_edges[row + 1]]
            self._of_endings[row] = rules.tolist()
        return self._of_endings[row]

    def _candidates(self, word: _Word, rows: Sequence[int]) -> list[tuple[str, int]]:
        """What rules make of a word, with the length of their ending, longest first.

        Of a word of letters something must be left: *lepší* becomes *dobrý*, but no other word does.
        """
        candidates: list[tuple[str, int]] = []
        most = max(0, len(word.lower) - _LEFT) if word.lower.isalpha() else len(word.lower)
        for place, row in enumerate(rows):
            length = LONGEST_ENDING - place % (LONGEST_ENDING + 1)
            if length > len(word.lower):
                continue
            if row >= 0:
                for number in self._rules_of(row):
                    rule = self.rules[number]
                    fits = rule.case < UPPER or (rule.case == UPPER and word.form.isupper())
                    lemma = apply_rule(word.lower, rule) if fits and rule.cut <= most else ""
                    if lemma:
                        candidates.append((lemma, length))
            if candidates and length <= 2:
                break
        return candidates


class _Word(NamedTuple):
    form: str
    lower: str
    tag: str

    @property
    def is_name(self) -> bool:
        return self.tag.startswith(_NAMES)


def as_written(form: str, lemma: str) -> str:
    """The letters that a name shares with its form, written as there: *YUCOM-a* → *YUCOM*."""
    same = 0
    while same < min(len(form), len(lemma)) and form[same].lower() == lemma[same].lower():
        same += 1
    if same < 2 or form[:same].islower():
        return lemma
    return form[:same] + (lemma[same:].upper() if form.isupper() and lemma.isupper() else lemma[same:].lower())


def train_lemmatiser(words: Iterable[tuple[str, str, str]], lang: str = "") -> LearntLemmas:
    """Learn from (form, tag, lemma)."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for form, tag, lemma in words:
        if lemma and lemma != "_":
            counts[form.lower(), tag][lemma] += 1
    votes: dict[tuple[str, str], Counter[EndingRule]] = defaultdict(Counter)
    for (lower, tag), lemmas in sorted(counts.items()):
        for lemma in sorted(lemmas):
            rule = rule_of(lower, lemma)
            if rule.case == LITERAL:
                continue
            for length in range(min(LONGEST_ENDING, len(lower)) + 1):
                ending = lower[len(lower) - length :]
                votes[ending, tag][rule] += 1
                votes[ending, coarse(tag)][rule] += 1
    training_lemmas = {pair: most_common(lemmas) for pair, lemmas in sorted(counts.items())}
    rules = {pair: tuple(_rank(counts_of_rules)[:_RULES]) for pair, counts_of_rules in votes.items()}
    return LearntLemmas(training_lemmas, dict(sorted(_needed(rules).items())), lang, _doubtful(training_lemmas, lang))


def way(lower: str, lemma: str) -> str:
    """The rule from a word to its lemma, without regard to case."""
    rule = rule_of(lower, lemma.lower())
    return f"{rule.cut}{rule.add}"


def _doubtful(training_lemmas: Mapping[tuple[str, str], str], lang: str) -> set[tuple[str, str]]:
    """Dictionary rules that give more wrong than right lemmas for words with a tag."""
    lexicon = dictionary(lang)
    if lexicon is None:
        return set()
    pairs = [pair for pair in training_lemmas if pair[0].isalpha()]
    balance: Counter[tuple[str, str]] = Counter()
    for (lower, tag), lemma in zip(pairs, lexicon.look_up([lower for lower, _ in pairs]), strict=True):
        if lemma:
            balance[way(lower, lemma), tag] += 1 if lemma.lower() == training_lemmas[lower, tag].lower() else -1
    return {pair for pair, sum_ in balance.items() if sum_ < 0}


def most_common(counts: Counter[str]) -> str:
    """The most frequent item; the first one among equals."""
    return min(counts, key=lambda one: (-counts[one], one))


def _rank(counts: Counter[EndingRule]) -> list[EndingRule]:
    return sorted(counts, key=lambda rule: (-counts[rule], rule))


def _needed(rules: dict[tuple[str, str], tuple[EndingRule, ...]]) -> dict[tuple[str, str], tuple[EndingRule, ...]]:
    """Remove endings whose rules equal those of the next shorter ending."""
    return {
        (ending, tag): own
        for (ending, tag), own in rules.items()
        if not ending or rules[ending[1:], tag][: len(own)] != own
    }
