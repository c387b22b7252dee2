"""What the labelling kernel works on: word types with their hashed columns and possible labels, templates, weights.

Tagging and finding names differ in their templates, in the columns of a word type and in which labels a word may have;
learning and labelling are the same (Collins 2002: averaged perceptron, here greedy from left to right).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from paberki.annotation.tagging.string_hashes import Ints, Keys, Longs, key
from paberki.kernels import load

_KINDS: Final = {"w-2": 0, "w-1": 1, "w": 2, "w+1": 3, "w+2": 4, "t": 5, "p": 6, "first": 7}
_COLUMNS: Final = 32
_EARLIER: Final = "pqr"
"""Letters for the labels of earlier passes, in their order."""
_PLACES: Final = 5
MOST_PARTS: Final = 5
_UNKNOWN: Final = -(1 << 30)
_TAG_KIND: Final = 3
_ATTRIBUTE_KIND: Final = 7
MOST_TYPES: Final = 30_000
_STEPS: Final = 127


def templates_of(lines: Sequence[str], columns: Sequence[str]) -> tuple[npt.NDArray[np.int16], int]:
    """Templates written as ``w.form w+1.form``, ``t-1``, ``p+1``; those of the word alone come first, with their number.

    ``w-1.form`` is a column of the word before, ``t-1`` the label given to it, ``p+1`` the label that an earlier pass
    gave to the next word, ``first`` whether the word is the first of its sentence.
    """
    static_first = sorted(lines, key=lambda line: not _static(line))
    table = np.zeros((len(lines), MOST_PARTS), np.int16)
    for row, line in enumerate(static_first):
        for place, word in enumerate(line.split()):
            table[row, place] = 1 + _code(word, columns)
    return table, sum(map(_static, lines))


def _static(line: str) -> bool:
    return all(word.startswith("w.") for word in line.split())


def _code(word: str, columns: Sequence[str]) -> int:
    if word == "first":
        return _KINDS["first"] * _COLUMNS
    if word[0] == "t":
        return _KINDS["t"] * _COLUMNS + int(word[2:]) - 1
    if word[0] in _EARLIER:
        offset = (int(word[1:]) if word[1:] else 0) + 2
        return _KINDS["p"] * _COLUMNS + _EARLIER.index(word[0]) * _PLACES + offset
    place, _, column = word.partition(".")
    return _KINDS[place] * _COLUMNS + columns.index(column)


class Description(NamedTuple):
    """What is known about some words."""

    columns: Keys
    """A row of hashed columns for each."""
    choices: Ints
    """The labels that each may have, one word after the other."""
    edges: Longs
    """Where each word's labels begin, and where the last one's end."""


@dataclass(slots=True)
class Types:
    """Word types: rows of hashed columns and the labels each may have; grows as words turn up."""

    describe: Callable[[Sequence[str]], Description]
    """From forms to their columns and possible labels."""
    width: int
    most: int = MOST_TYPES
    """After this many types the table is emptied, so that memory stays bounded."""
    numbers: dict[str, int] = field(default_factory=dict)
    rows: Keys = field(init=False)
    edges: Ints = field(init=False)
    choices: Ints = field(init=False)
    statics: list[Ints] = field(default_factory=list)
    count: int = 0
    filled: int = 0
    passes: int = 1

    def __post_init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all types."""
        self.numbers.clear()
        self.count = self.filled = 0
        self.rows = np.zeros((1024, self.width), np.uint64)
        self.edges = np.zeros(1025, np.int32)
        self.choices = np.zeros(8192, np.int32)
        self.statics = [np.full(8192, _UNKNOWN, np.int32) for _ in range(self.passes)]

    def forget_scores(self) -> None:
        """Forget scores stored with the types, after the weights have changed."""
        for static in self.statics:
            static[:] = _UNKNOWN

    def of(self, forms: Sequence[str]) -> Ints:
        """Numbers of the types of some words."""
        if self.count > self.most:
            self.clear()
        numbers = self.numbers
        missing = list(set(forms).difference(numbers))
        if missing:
            missing.sort()
            numbers.update(zip(missing, self.add(self.describe(missing)), strict=True))
        return np.fromiter(map(numbers.__getitem__, forms), np.int32, len(forms))

    def add(self, described: Description) -> range:
        """New types; their numbers."""
        first, last = self.count, self.count + len(described.columns)
        filled = self.filled + len(described.choices)
        while last >= len(self.rows):
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
            self.edges = np.concatenate([self.edges, np.zeros(len(self.edges) - 1, np.int32)])
        while filled > len(self.choices):
            self.choices = np.concatenate([self.choices, np.zeros_like(self.choices)])
            self.statics = [np.concatenate([one, np.full_like(one, _UNKNOWN)]) for one in self.statics]
        self.rows[first:last] = described.columns
        self.choices[self.filled : filled] = described.choices
        self.edges[first : last + 1] = self.filled + described.edges
        self.count, self.filled = last, filled
        return range(first, last)


@dataclass(frozen=True, slots=True)
class LabelTable:
    """The labels, and the attributes that each is made of."""

    names: tuple[str, ...]
    edges: Ints
    attributes: Ints
    attribute_keys: Keys
    label_keys: Keys
    follow: npt.NDArray[np.bool_]
    """Which label may come after which; the last row is for the first word of a sentence."""

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        attributes_of: Callable[[str], Sequence[str]],
        may_follow: Callable[[str, str], bool] = lambda _label, _before: True,
    ) -> LabelTable:
        """Labels by name; ``may_follow`` tells whether one may come after another, or after nothing (empty)."""
        numbers: dict[str, int] = {}
        edges, values = [0], []
        for name in names:
            values += [numbers.setdefault(one, len(numbers)) for one in attributes_of(name)]
            edges.append(len(values))
        return cls(
            tuple(names),
            np.array(edges, np.int32),
            np.array(values, np.int32),
            np.array([key(one, _ATTRIBUTE_KIND) for one in numbers] or [0], np.uint64),
            np.array([key(one, _TAG_KIND) for one in names], np.uint64),
            np.array([[may_follow(one, before) for one in names] for before in (*names, "")], np.bool_),
        )


class Weights:
    """Hashed weights for one set of templates, and the kernel's working memory."""

    def __init__(self, labels: LabelTable, templates: npt.NDArray[np.int16], static_count: int, bits: int) -> None:
        self.labels, self.templates, self.static_count, self.bits = labels, templates, static_count, bits
        self.parts, self.places = parts_of(templates)
        self.weights = np.zeros(1 << bits, np.int8)
        self._work = working_memory(labels, templates)

    def label(
        self, types: Types, number: int, starts: Longs, words: Ints, aux: Keys | None = None,
        before: Ints | None = None, skip: npt.NDArray[np.bool_] | None = None, order: Longs | None = None,
    ) -> tuple[Ints, Ints]:  # fmt: skip
        """Label sentences; labels and how much better each was than the next. ``skip`` keeps what was given before."""
        count, own = len(words), self.labels
        labels = np.zeros(count, np.int32) if before is None else before.copy()
        margins = np.zeros(count, np.int32)
        load("paberki.annotation.tagging.sequence_kernel").label(
            starts, np.arange(len(starts) - 1) if order is None else order, words,
            np.zeros(max(count, 1), np.uint64) if aux is None else aux, types.rows, types.edges, types.choices,
            types.statics[number], own.edges, own.attributes, own.attribute_keys, own.label_keys, own.follow,
            self.parts, self.places, self.static_count, self.weights, np.uint64(64 - self.bits),
            np.zeros(count, np.bool_) if skip is None else skip, labels, np.zeros(count, np.uint64), margins, *self._work,
        )  # fmt: skip
        return labels, margins

    def set(self, values: npt.NDArray[np.float64]) -> None:
        """Averaged weights in steps of a 127th of the largest: one byte each, no accuracy lost."""
        largest = max(float(np.abs(values).max()), 1e-9)
        self.weights = np.rint(values * (_STEPS / largest)).astype(np.int8)


class SequenceLearner:
    """Weights while they are learnt."""

    def __init__(self, weights: Weights) -> None:
        self._of = weights
        self._weights = np.zeros(len(weights.weights), np.int16)
        self._sums = np.zeros(len(weights.weights), np.int64)
        self._now = 1
        self._work = working_memory(weights.labels, weights.templates)

    def learn(
        self,
        types: Types,
        starts: Longs,
        words: Ints,
        gold: Ints,
        order: Longs,
        aux: Keys | None = None,
        margin: int = 0,
    ) -> None:
        """One pass over sentences; the right label should be better than others by more than ``margin``."""
        own, count = self._of.labels, len(words)
        self._now = load("paberki.annotation.tagging.sequence_learning_kernel").learn(
            starts, order, words, gold, np.zeros(max(count, 1), np.uint64) if aux is None else aux, types.rows,
            types.edges, types.choices, own.edges, own.attributes, own.attribute_keys, own.label_keys,
            own.follow, self._of.parts, self._of.places, self._weights, self._sums, np.uint64(64 - self._of.bits), self._now,
            margin, np.zeros(count, np.uint64), *self._work,
        )  # fmt: skip

    def averaged(self) -> npt.NDArray[np.float64]:
        """The mean of the weights over all that was learnt."""
        return self._weights - self._sums / self._now


def parts_of(templates: npt.NDArray[np.int16]) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
    """All parts that templates are made of, each once, and the templates as places among them, -1 after the last."""
    parts = np.unique(templates[templates > 0])
    places = np.where(templates > 0, np.searchsorted(parts, templates), -1).astype(np.int16)
    return parts - np.int16(1), places


def working_memory(labels: LabelTable, templates: npt.NDArray[np.int16]) -> tuple[Any, Any, Any, Any]:
    """What a kernel needs: parts and features found, sums of attributes, and for which token these were made."""
    count = len(labels.attribute_keys)
    return (
        np.zeros(templates.size, np.uint64), np.zeros(len(templates), np.uint64),
        np.zeros(count, np.int64), np.zeros(count + 1, np.int64),
    )  # fmt: skip
