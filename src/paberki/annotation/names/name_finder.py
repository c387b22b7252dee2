"""Names of persons, places, organisations: the same perceptron as the tagger, over begin, inside and outside.

Besides the words, the features are the tags of the tagger, lists of names (:mod:`paberki.annotation.names.name_lists`) and a
dictionary. The dictionary gives lemmas, so that *podjetja Mura* and *podjetje Krka* look alike, and says whether a capitalised
word is a common word. When a word is labelled, the labels of the two words before it are known; *inside* is possible only
after *begin* or *inside* of the same kind. In training, rare names are sometimes treated as unknown, so that the model does
not rely on known names, and the right label must win by a margin.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from paberki.annotation.lemmas.dictionary import dictionary
from paberki.annotation.names.name_lists import listed_kinds
from paberki.annotation.tagging.sequence import (
    MOST_TYPES,
    Description,
    LabelTable,
    SequenceLearner,
    Types,
    Weights,
    templates_of,
)
from paberki.annotation.tagging.string_hashes import HashedStrings, Ints, Keys, Longs, key
from paberki.annotation.training_progress import Log, silent

OUTSIDE: Final = "O"
COLUMNS: Final = (
    "form", "word", "shape", "p3", "p4", "p5", "s2", "s3", "s4", "case", "known", "listed", "lemma",
    "sort",
)  # fmt: skip
TEMPLATES: Final = (
    "w.form", "w.word", "w.shape", "w.p3", "w.p4", "w.p5", "w.s2", "w.s3", "w.s4", "w.known", "w.shape first",
    "w-1.form", "w+1.form", "w-2.form", "w+2.form", "w-1.shape", "w+1.shape", "w-2.shape", "w+2.shape",
    "w-1.s3", "w+1.s3", "w-1.p4", "w+1.p4", "w.shape w-1.shape", "w.shape w+1.shape", "w-1.form w.shape",
    "w.shape w+1.form", "w-1.case w.case w+1.case", "w-1.known", "w+1.known", "w-1.known w.known", "w.known w+1.known",
    "t-1", "t-1 t-2", "t-1 w.form", "t-1 w.shape", "t-1 w.s3", "t-1 w.p4", "t-1 w-1.form", "t-1 w+1.shape", "t-1 w.known",
    "t-1 t-2 w.shape", "p", "p-1 p", "p p+1", "p-1 p p+1", "p w.shape", "t-1 p", "t-1 t-2 p", "p w.p4", "t-1 p w+1.case",
    "w-1.form w.case", "w-2.form w-1.form w.case", "w.form w+1.form", "w-1.form w.form",
)  # fmt: skip
LISTED: Final = (
    "w.listed", "w.listed first", "w-1.listed", "w+1.listed", "w-1.listed w.listed", "w.listed w+1.listed", "p w.listed",
    "t-1 w.listed", "w.listed w+1.shape", "w-1.form w.listed", "t-1 t-2 w.listed",
)  # fmt: skip
"""Templates of a model that looks into the lists."""
LEMMAS: Final = (
    "q-1", "q+1", "q", "q-1 q", "q q+1", "q-1 q q+1", "q-2 q-1 q", "q w.shape", "q-1 q w.shape", "t-1 q", "q-1 w.shape",
    "q w.shape q+1 w+1.shape", "w.sort", "w.sort first", "w+1.sort w.sort", "w-1.sort w.sort", "t-1 w.sort", "q w.sort",
    "w.listed w.sort", "w.sort w.known", "w-1.form w.sort", "t-1 w.sort w+1.shape", "w.sort w.listed first", "w.lemma",
    "w-1.lemma", "w+1.lemma", "w-2.lemma", "w-1.lemma w.shape", "w.shape w+1.lemma", "w-2.lemma w-1.lemma w.case",
    "t-1 w-1.lemma", "t-1 w.lemma", "w-1.lemma w.lemma", "w.lemma w+1.lemma",
)  # fmt: skip
"""Templates of a model that looks into a dictionary, and at parts of speech (``q``)."""
_UNKNOWN_FORM: Final = key("<unknown>", 1)
_KNOWN_KIND, _LISTED_KIND, _LEMMA_KIND, _SORT_KIND = 10, 11, 30, 31
_UNKNOWN_LEMMA: Final = key("<unknown>", _LEMMA_KIND)
_PIECES: Final = [(1, 0), (4, -3), (5, -4), (6, -5), (7, 2), (8, 3), (9, 4)]
_LONGEST: Final = 60


def picture(word: str) -> str:
    """The word with every letter replaced by its kind, runs shortened: ``McDonald's`` → ``XxXx'x``."""
    if word.isalpha():
        if word.islower():
            return "x"
        if word.istitle() and len(word) > 1:
            return "Xx"
    shape = ""
    for letter in word[:12]:
        kind = "X" if letter.isupper() else "x" if letter.isalpha() else "d" if letter.isdigit() else letter
        if not shape or shape[-1] != kind:
            shape += kind
    return shape


def attributes(label: str) -> list[str]:
    """Begin or inside, and of what."""
    return [label[:1], label[2:]] if label != OUTSIDE else [OUTSIDE]


def continues(label: str, before: str) -> bool:
    """Whether a label may follow another: an inside label must follow a label of the same kind of name."""
    return label[:2] != "I-" or label[2:] == before[2:]


class NameFinder:
    """A trained finder of names."""

    def __init__(
        self,
        labels: Sequence[str],
        usual_labels: dict[str, str],
        plain: set[str],
        bits: int,
        lists: bool = True,
        lemmas: str | None = "",
    ) -> None:
        """Without ``lists`` no lists of names are looked into; ``lemmas`` is the language of the dictionary.

        It is empty for a language without one, and ``None`` for a model from before there were lemmas: that one had
        learnt that any label may follow any other.
        """
        self.lists, self.lemmas = lists, lemmas
        self.labels = (
            LabelTable.of(labels, attributes) if lemmas is None else LabelTable.of(labels, attributes, continues)
        )
        self.usual_labels = usual_labels
        """Beginnings of words that were part of a name, with the kind of name it most often was."""
        self.plain = plain
        """Words in lower case that never were."""
        self.types = Types(self.describe, len(COLUMNS))
        templates = (*TEMPLATES, *(LISTED if lists else ()), *(LEMMAS if lemmas is not None else ()))
        self.weights = Weights(self.labels, *templates_of(templates, COLUMNS), bits)
        self._all = list(range(len(labels)))
        self._outside = labels.index(OUTSIDE)

    def describe(self, forms: Sequence[str], unknown: bool = False) -> Description:
        """Columns of forms and their possible labels; ``unknown`` treats the forms as unseen."""
        forms = [form[:_LONGEST] for form in forms]
        lowers = [form.lower() for form in forms]
        capital = [form[:1].isupper() for form in forms]
        kinds = [
            self.usual_labels.get(stem(one), "-") if big else "-" for one, big in zip(lowers, capital, strict=True)
        ]
        cases = [1 + big + 2 * form.isupper() for form, big in zip(forms, capital, strict=True)]
        pieces = HashedStrings(lowers).columns(_PIECES)
        columns = np.column_stack([
            pieces[:, 0], HashedStrings(forms).keys(2), keys_of(map(picture, forms), 3), pieces[:, 1:],
            np.array(cases, np.uint64), keys_of(kinds, _KNOWN_KIND),
            keys_of(listed_kinds(forms) if self.lists else kinds, _LISTED_KIND), self._looked_up(forms, lowers, capital),
        ])  # fmt: skip
        if unknown:
            columns[:, [0, 1]] = _UNKNOWN_FORM
            columns[:, COLUMNS.index("known")] = key("-", _KNOWN_KIND)
            columns[:, COLUMNS.index("lemma")] = _UNKNOWN_LEMMA
        plain = [not big and one in self.plain for one, big in zip(lowers, capital, strict=True)]
        edges = np.r_[0, np.cumsum(np.where(plain, 1, len(self._all)))].astype(np.int64)
        choices = np.tile(np.array(self._all, np.int32), len(forms)).reshape(len(forms), -1)
        used_choices = np.ones(choices.shape, bool)
        used_choices[plain, 1:] = False
        choices[plain, 0] = self._outside
        return Description(columns, choices[used_choices], edges)

    def _looked_up(self, forms: Sequence[str], lowers: Sequence[str], capital: Sequence[bool]) -> Keys:
        """Lemma of each word, and what sort of word the dictionary takes it for."""
        if self.lemmas is None:
            return np.zeros((len(forms), 2), np.uint64)
        lexicon = dictionary(self.lemmas) if self.lemmas else None
        dictionary_lemmas = [None] * len(forms) if lexicon is None else lexicon.look_up(forms)
        lemmas = [
            stem(lower) if one is None else one.lower() for lower, one in zip(lowers, dictionary_lemmas, strict=True)
        ]
        return np.column_stack(
            [HashedStrings(lemmas).keys(_LEMMA_KIND), keys_of(map(sort_of, capital, dictionary_lemmas), _SORT_KIND)]
        )

    def find(self, starts: Longs, forms: Sequence[str], tags: Keys) -> list[str]:
        """Labels of the words of sentences; ``tags`` are those of the words as :meth:`PerceptronTagger.tag_keys` gives them."""
        numbers, _ = self.weights.label(self.types, 0, starts, self.types.of(forms), tags)
        names = self.labels.names
        labels = [names[number] for number in numbers.tolist()]
        return mend(labels, starts) if self.lemmas is None else labels


def stem(lower: str) -> str:
    """The stem of a name, which most of its case forms share."""
    return lower[: max(4, len(lower) - 2)]


def sort_of(capital: bool, lemma: str | None) -> str:
    """Class of a word in the dictionary (name, common word, neither), and whether it is capitalised here."""
    if lemma is None:
        return "-U" if capital else "-l"
    if capital:
        return "PU" if lemma[:1].isupper() else "cU"
    return "Pl" if lemma[:1].isupper() else "cl"


def keys_of(values: Iterable[str], kind: int) -> Keys:
    """:func:`key` of many strings, few of which are different."""
    all_values = list(values)
    keys = {value: key(value, kind) for value in set(all_values)}
    return np.fromiter(map(keys.__getitem__, all_values), np.uint64, len(all_values))


def mend(labels: list[str], starts: Longs) -> list[str]:
    """Turn an inside label that follows no name of its kind into a begin label."""
    first = set(starts.tolist())
    for at, label in enumerate(labels):
        if label[:2] == "I-" and (at in first or labels[at - 1][2:] != label[2:]):
            labels[at] = f"B-{label[2:]}"
    return labels


@dataclass(frozen=True, slots=True, kw_only=True)
class NamesConfig:
    """How names are learnt."""

    rounds: int = 10
    bits: int = 21
    seed: int = 1
    margin: int = 250
    """By how much the score of the right label should exceed the others; one step of learning changes it by some hundreds."""
    mixes: int = 2
    """Models that are learnt with different orders of the sentences and averaged."""


Labelled = Sequence[Sequence[tuple[str, str]]]
"""Sentences of (form, label)."""
_STRETCH: Final = 50
_CAPITALS: Final = 15
_FEW: Final = 0.05


def annotated_parts(sentences: Labelled) -> list[Sequence[tuple[str, str]]]:
    """Drop stretches that were not annotated: many capitals in mid-sentence but hardly any name."""
    parts: list[Sequence[tuple[str, str]]] = []
    for first in range(0, len(sentences), _STRETCH):
        part = sentences[first : first + _STRETCH]
        capitals = sum(form[:1].isupper() and len(form) > 2 for sentence in part for form, _ in sentence[1:])
        name_tokens = sum(label != OUTSIDE for sentence in part for _, label in sentence)
        if capitals < _CAPITALS or name_tokens >= _FEW * capitals:
            parts += part
    return parts


def train_names(sentences: Labelled, tags: Keys, config: NamesConfig, log: Log = silent, lang: str = "") -> NameFinder:
    """Learn names; ``tags`` are those that the tagger gives the words, ``lang`` names the dictionary."""
    labels = sorted({label for sentence in sentences for _, label in sentence} | {OUTSIDE})
    finder = NameFinder(labels, *_vocabulary(sentences), config.bits, lemmas=lang)
    finder.types.most = 1 << 40
    numbers = {label: number for number, label in enumerate(labels)}
    forms = [form for sentence in sentences for form, _ in sentence]
    gold = np.array([numbers[label] for sentence in sentences for _, label in sentence], np.int32)
    starts = np.r_[0, np.cumsum([len(sentence) for sentence in sentences])].astype(np.int64)
    words = finder.types.of(forms)
    unknown, chance = _as_unknown(finder, forms)
    total = np.zeros(len(finder.weights.weights), np.float64)
    for mix in range(config.mixes):
        rng = np.random.default_rng(config.seed + mix)
        learner = SequenceLearner(finder.weights)
        for _ in range(config.rounds):
            noisy_words = np.where(rng.random(len(words)) < chance, unknown, words)
            order = rng.permutation(len(starts) - 1)
            learner.learn(finder.types, starts, noisy_words, gold, order, tags, config.margin)
        total += learner.averaged()
    finder.weights.set(total)
    finder.types.most = MOST_TYPES
    finder.types.clear()
    log(f"{len(sentences)} sentences, {len(labels)} labels")
    return finder


def _vocabulary(sentences: Labelled) -> tuple[dict[str, str], set[str]]:
    """Stems that were often part of a name with the kind of name, and words that never were."""
    inside: dict[str, Counter[str]] = {}
    common: Counter[str] = Counter()
    for sentence in sentences:
        for form, label in sentence:
            if label == OUTSIDE:
                common[form.lower()] += 1
            elif form[:1].isupper():
                inside.setdefault(stem(form.lower()), Counter())[label[2:]] += 1
    names = {form.lower() for sentence in sentences for form, label in sentence if label != OUTSIDE}
    usual_labels = {
        part: min(kinds, key=lambda kind: (-kinds[kind], kind))
        for part, kinds in sorted(inside.items())
        if kinds.total() >= 3
    }
    return usual_labels, {word for word, count in common.items() if count >= 3 and word not in names}


def _as_unknown(finder: NameFinder, forms: Sequence[str]) -> tuple[Ints, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """The type of each word as if it were unknown, and how likely it is treated so: the rarer its stem, the likelier."""
    different = sorted(set(forms))
    numbers = dict(zip(different, finder.types.add(finder.describe(different, unknown=True)), strict=True))
    stems = [stem(form.lower()) for form in forms]
    counts = Counter(stems)
    chance = [2 / (2 + counts[part]) if form[:1].isupper() else 0.0 for form, part in zip(forms, stems, strict=True)]
    return np.fromiter((numbers[form] for form in forms), np.int32, len(forms)), np.array(chance)
