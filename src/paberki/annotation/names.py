"""Names of persons, places, organisations: the same perceptron as the tagger, over begin, inside and outside.

Besides the words it sees the tags that the tagger gave; the labels of the two words before it are known when a word is
labelled, so that an *inside* follows a *begin*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from paberki.annotation.hashing import Keys, Longs, Strings, key
from paberki.annotation.progress import Log, silent
from paberki.annotation.sequence import (
    MOST_TYPES,
    Described,
    Labels,
    Learner,
    Types,
    Weights,
    templates_of,
)

OUTSIDE: Final = "O"
COLUMNS: Final = (
    "form", "word", "shape", "p3", "p4", "p5", "s2", "s3", "s4", "case", "known",
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
_PIECES: Final = [(1, 0), (4, -3), (5, -4), (6, -5), (7, 2), (8, 3), (9, 4)]
_LONGEST: Final = 60


def picture(word: str) -> str:
    """The word with every letter replaced by its kind, runs shortened: ``McDonald's`` → ``XxXx'x``."""
    if word.isalpha() and (word.islower() or (word.istitle() and len(word) > 1)):
        return "x" if word.islower() else "Xx"
    made = ""
    for letter in word[:12]:
        kind = "X" if letter.isupper() else "x" if letter.isalpha() else "d" if letter.isdigit() else letter
        if not made or made[-1] != kind:
            made += kind
    return made


def attributes(label: str) -> list[str]:
    """Begin or inside, and of what."""
    return [label[:1], label[2:]] if label != OUTSIDE else [OUTSIDE]


class Names:
    """A trained finder of names."""

    def __init__(self, labels: Sequence[str], known: dict[str, str], plain: set[str], bits: int) -> None:
        self.labels = Labels.of(labels, attributes)
        self.known = known
        """Beginnings of words that were part of a name, with the kind of name it most often was."""
        self.plain = plain
        """Words in lower case that never were."""
        self.types = Types(self.describe, len(COLUMNS))
        self.weights = Weights(self.labels, *templates_of(TEMPLATES, COLUMNS), bits)
        self._all = list(range(len(labels)))
        self._outside = labels.index(OUTSIDE)

    def describe(self, forms: Sequence[str]) -> Described:
        """Columns of forms, and the labels each may have."""
        forms = [form[:_LONGEST] for form in forms]
        lowers = [form.lower() for form in forms]
        capital = [form[:1].isupper() for form in forms]
        kinds = [self.known.get(stem(one), "-") if big else "-" for one, big in zip(lowers, capital, strict=True)]
        pieces = Strings(lowers).columns(_PIECES)
        columns = np.column_stack([
            pieces[:, 0], Strings(forms).keys(2), np.array([key(picture(form), 3) for form in forms], np.uint64),
            pieces[:, 1:], np.array([1 + big + 2 * form.isupper() for form, big in zip(forms, capital, strict=True)], np.uint64),
            np.array([key(kind, 10) for kind in kinds], np.uint64),
        ])  # fmt: skip
        plain = [not big and one in self.plain for one, big in zip(lowers, capital, strict=True)]
        edges = np.r_[0, np.cumsum(np.where(plain, 1, len(self._all)))].astype(np.int64)
        choices = np.tile(np.array(self._all, np.int32), len(forms)).reshape(len(forms), -1)
        used = np.ones(choices.shape, bool)
        used[plain, 1:] = False
        choices[plain, 0] = self._outside
        return Described(columns, choices[used], edges)

    def find(self, starts: Longs, forms: Sequence[str], tags: Keys) -> list[str]:
        """Labels of the words of sentences; ``tags`` are the hashed tags of the words."""
        found, _ = self.weights.label(self.types, 0, starts, self.types.of(forms), tags)
        names = self.labels.names
        return mended([names[number] for number in found.tolist()], starts)


def stem(lower: str) -> str:
    """The part of a name that stays in most of its cases."""
    return lower[: max(4, len(lower) - 2)]


def mended(labels: list[str], starts: Longs) -> list[str]:
    """An inside that follows nothing of its kind begins a name."""
    first = set(starts.tolist())
    for at, label in enumerate(labels):
        if label[:2] == "I-" and (at in first or labels[at - 1][2:] != label[2:]):
            labels[at] = f"B-{label[2:]}"
    return labels


@dataclass(frozen=True, slots=True, kw_only=True)
class NamesConfig:
    """How names are learnt."""

    rounds: int = 12
    bits: int = 20
    seed: int = 1


Labelled = Sequence[Sequence[tuple[str, str]]]
"""Sentences of (form, label)."""


def train_names(sentences: Labelled, tags: Keys, config: NamesConfig, log: Log = silent) -> Names:
    """Learn names; ``tags`` are the hashed tags that the tagger gives the words."""
    labels = sorted({label for sentence in sentences for _, label in sentence} | {OUTSIDE})
    inside: dict[str, Counter[str]] = {}
    common: Counter[str] = Counter()
    for sentence in sentences:
        for form, label in sentence:
            if label == OUTSIDE:
                common[form.lower()] += 1
            elif form[:1].isupper():
                inside.setdefault(stem(form.lower()), Counter())[label[2:]] += 1
    named = {form.lower() for sentence in sentences for form, label in sentence if label != OUTSIDE}
    known = {
        part: min(kinds, key=lambda kind: (-kinds[kind], kind))
        for part, kinds in sorted(inside.items())
        if kinds.total() >= 3
    }
    plain = {word for word, count in common.items() if count >= 3 and word not in named}
    made = Names(labels, known, plain, config.bits)
    made.types.most = 1 << 40
    numbers = {label: number for number, label in enumerate(labels)}
    forms = [form for sentence in sentences for form, _ in sentence]
    gold = np.array([numbers[label] for sentence in sentences for _, label in sentence], np.int32)
    starts = np.r_[0, np.cumsum([len(sentence) for sentence in sentences])].astype(np.int64)
    words = made.types.of(forms)
    rng = np.random.default_rng(config.seed)
    learner = Learner(made.weights)
    for _ in range(config.rounds):
        learner.learn(made.types, starts, words, gold, rng.permutation(len(starts) - 1), tags)
    made.weights.set(learner.averaged())
    made.types.most = MOST_TYPES
    made.types.clear()
    log(f"{len(sentences)} sentences, {len(labels)} labels")
    return made
