"""The dependency parser: what its features are, how trees become arrays and back.

Trees with several roots (the scheme of SETimes.HR, P3 §4) are made into trees with one: further roots hang on the
first, their relation marked ``@0``, and are set free again after parsing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.annotation.tagging.string_hashes import HashedStrings, Ints, Keys, Longs, key
from paberki.kernels import load

PLACES: Final = (
    "s0", "s1", "s2", "b0", "b1", "b2", "s0l", "s0r", "s1l", "s1r", "b0l", "s0l2", "s0r2", "b0l2", "s1r2",
)  # fmt: skip
"""Top of the stack and below, the words to come, and their outermost children."""
COLUMNS: Final = ("form", "lemma", "pos", "tag", "agr", "agreeing", "label")
MORE: Final = (
    "distance", "distance1", "valency0", "valencyb", "valency1", "where", "match", "match1", "left0", "right0", "leftb", "right1",
)  # fmt: skip
TEMPLATES: Final = (
    "s0.form", "s0.lemma", "s0.tag", "s1.form", "s1.lemma", "s1.tag", "b0.form", "b0.lemma", "b0.tag", "b1.lemma",
    "b1.tag", "b2.tag", "s2.tag", "s0.lemma b0.lemma", "s0.tag b0.tag", "s0.lemma b0.tag", "s0.tag b0.lemma",
    "s1.lemma s0.lemma", "s1.tag s0.tag", "s1.lemma s0.tag", "s1.tag s0.lemma", "s0.pos b0.pos", "s1.pos s0.pos",
    "b0.tag b1.tag", "s0.agr b0.agr", "s1.agr s0.agr", "s0.pos b0.pos b1.pos", "s0.pos b0.pos b1.pos b2.pos",
    "s1.pos s0.pos b0.pos", "s2.pos s1.pos s0.pos", "s1.pos s0.pos b0.pos b1.pos", "s0.tag b0.tag b1.pos",
    "s1.tag s0.tag b0.pos", "s0.pos s0l.pos s0l.label", "s0.pos s0r.pos s0r.label", "s1.pos s1r.pos s1r.label",
    "s1.pos s1l.pos s1l.label", "b0.pos b0l.pos b0l.label", "s0.pos b0.pos s0l.label", "s0.pos b0.pos s0r.label",
    "s0.pos b0.pos b0l.label", "s1.pos s0.pos s0l.label", "s1.pos s0.pos s0r.label", "s1.pos s0.pos s1r.label",
    "s0.tag s0l.tag s0r.tag", "b0.tag b0l.tag b0l.label", "s0.pos s0l.label s0l2.label", "s0.pos s0r.label s0r2.label",
    "b0.pos b0l.label b0l2.label", "s1.pos s1r.label s1r2.label", "s0.lemma valency0", "s0.pos valency0",
    "b0.pos valencyb", "s1.pos valency1", "s0.pos b0.pos distance", "s1.pos s0.pos distance1", "s0.lemma s0l.lemma",
    "s0.tag s0l.lemma", "s1.tag s0l.lemma s0.tag", "b0.tag s0l.lemma s0.tag", "s0.form b0.pos", "s1.form s0.pos",
    "s2.tag s1.tag s0.tag", "s1.lemma s1r.lemma s0.pos", "where",
    "s0.pos b0.pos match", "s1.pos s0.pos match1", "s0.pos left0", "s0.pos right0", "b0.pos leftb", "s1.pos right1",
)  # fmt: skip
ROOT: Final = "root"
EXTRA: Final = "@0"
FEWEST_TEMPLATES: Final = 65
"""Number of templates of model files that do not state it."""
_AGREEMENT: Final = ("Case=", "Gender=", "Number=", "Person=")
_LINE: Final = 32


def template_table(lines: Sequence[str] = TEMPLATES) -> npt.NDArray[np.int16]:
    """Templates as numbers of what the kernel looks at."""
    table = np.full((len(lines), 4), -1, np.int16)
    for row, line in enumerate(lines):
        for part, word in enumerate(line.split()):
            place, _, column = word.partition(".")
            table[row, part] = (
                PLACES.index(place) * len(COLUMNS) + COLUMNS.index(column)
                if column
                else len(PLACES) * len(COLUMNS) + MORE.index(word)
            )
    return table


def columns_of(
    forms: Sequence[str], lemmas: Sequence[str], analyses: Sequence[tuple[str, str, str]], own_tags: bool = True
) -> Keys:
    """Hashed columns of words for the parser; an analysis is part of speech, own tag and features.

    Without ``own_tags`` the treebank's own tag is not looked at: treebanks that are learnt together may have different ones.
    """
    lowers = HashedStrings([form[:60].lower() for form in forms])
    tags = np.array([_tag_columns(*analysis, own_tags) for analysis in analyses], np.uint64).reshape(-1, 4)
    return np.column_stack([lowers.keys(1), HashedStrings(lemmas).keys(2), tags])


@lru_cache(maxsize=1 << 13)
def _tag_columns(upos: str, xpos: str, feats: str, own_tags: bool) -> tuple[int, int, int, int]:
    tag = xpos if own_tags and xpos != "_" else f"{upos}|{feats}"
    agreement = [one for one in feats.split("|") if one.startswith(_AGREEMENT)]
    agreeing = sum((key(one) % 255 + 1) << 8 * _AGREEMENT.index(one[: one.index("=") + 1]) for one in agreement)
    return key(upos, 3), key(tag, 4), key(upos + "|".join(agreement), 5), agreeing


NOTHING: Final = [*(801 + column for column in range(5)), 0]
TOP: Final = [*(901 + column for column in range(5)), 0]
"""Rows 0 and 1 of the table of words: no word, and the root."""


def label_keys(labels: Sequence[str]) -> Keys:
    """Relations as the templates see them."""
    return np.array([key(label, 9) for label in labels], np.uint64)


def working_memory(longest: int, templates: int) -> tuple[Any, ...]:
    """What a kernel needs for sentences of up to so many words: stack and children, labels, atoms, rows found."""
    return (
        np.zeros((7, longest + 3), np.int32),
        np.zeros((3, longest + 3), np.uint64),
        np.zeros(load("paberki.annotation.parsing.tree_kernel").ATOMS, np.uint64),
        np.zeros(templates, np.int64),
    )


def rows_of(weights: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Weights as they are worked with: rows of whole cache lines, as fetching them is most of the work."""
    width = weights.shape[1]
    rows = np.zeros((len(weights), -(-width // _LINE) * _LINE), np.int8)
    rows[:, :width] = weights
    return rows


class Parser:
    """A trained parser."""

    def __init__(
        self,
        labels: Sequence[str],
        bits: int,
        weights: npt.NDArray[np.int8],
        own_tags: bool = True,
        templates: int = len(TEMPLATES),
    ) -> None:
        """``weights`` are a row for each hash; its columns are SHIFT and, for each relation, LEFT and RIGHT.

        The first ``templates`` of the features are looked at: a model from before there were more works as it did.
        """
        self.own_tags = own_tags
        self.labels = tuple(labels)
        self.bits = bits
        self.templates = template_table(TEMPLATES[:templates])
        self.label_keys = label_keys(labels)
        self._rows = rows_of(weights)

    @classmethod
    def from_arrays(
        cls, labels: Sequence[str], bits: int, rows: npt.NDArray[np.int8], own_tags: bool, templates: int
    ) -> Parser:
        """A parser from weights that :func:`rows_of` has already arranged."""
        parser = cls(labels, bits, rows[:0], own_tags, templates)
        parser._rows = rows
        return parser

    @property
    def weights(self) -> npt.NDArray[np.int8]:
        """The weights as they are stored."""
        return self._rows[:, : 1 + 2 * len(self.labels)]

    def parse(self, starts: Longs, words: Ints, rows: Keys) -> tuple[Ints, Ints]:
        """Heads (the sentence's length for the root) and relations of words given by rows of the table."""
        heads, relations = np.zeros(len(words), np.int32), np.zeros(len(words), np.int32)
        longest = int(np.diff(starts).max()) if len(starts) > 1 else 0
        kernel = load("paberki.annotation.parsing.tree_kernel")
        kernel.parse(
            starts, words, rows, self.templates, self._rows, np.uint64(64 - self.bits), len(self.labels),
            self.label_keys, *working_memory(longest, len(self.templates)), np.zeros(self._rows.shape[1], np.int16), heads, relations,
        )  # fmt: skip
        return heads, relations

    def trees(self, starts: Longs, heads: Ints, relations: Ints) -> tuple[list[int], list[str]]:
        """Heads and relations as CoNLL-U has them: numbers from 1, 0 for roots."""
        lengths = np.diff(starts)
        lasts = np.repeat(lengths, lengths)
        numbers = np.where(heads == lasts, 0, heads + 1)
        names = self.labels
        relation = [names[number] for number in relations.tolist()]
        if any(name.endswith(EXTRA) for name in names):
            numbers = np.where([name.endswith(EXTRA) for name in relation], 0, numbers)
            relation = [name.removesuffix(EXTRA) for name in relation]
        elif ROOT in names:
            for at in np.flatnonzero(numbers == 0).tolist():
                relation[at] = ROOT
        return numbers.tolist(), relation
