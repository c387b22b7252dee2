"""The tagger: averaged perceptron over the tags a word may have, in two passes.

The first pass goes from left to right and uses the words on both sides, but only the tags on the left. The second pass also
uses the first pass's tags on the right, and decides again where the first pass was not sure. Tags are scored as wholes and by
their attributes, so that agreement in case, gender and number is learnt across parts of speech.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np

from paberki.annotation.lemmas.dictionary import dictionary_entries
from paberki.annotation.tagging.sequence import Description, LabelTable, Types, Weights, templates_of
from paberki.annotation.tagging.string_hashes import HashedStrings, Ints, Keys, Longs, key
from paberki.annotation.tagging.tag_attributes import attributes, broad
from paberki.annotation.tagging.tag_lexicon import TagLexicon

COLUMNS: Final = (
    "form", "s1", "s2", "s3", "s4", "s5", "p1", "p2", "p3", "shape", "tags", "rule", "lemma", "lemma3",
)  # fmt: skip
"""Columns of a word type: the word, its endings and beginnings, its shape, which tags it may have, and how a dictionary
makes its lemma, that lemma and its ending."""
FIRST: Final = (
    "w.form", "w.s1", "w.s2", "w.s3", "w.s4", "w.s5", "w.p1", "w.p2", "w.p3", "w.shape first",
    "w-1.form", "w+1.form", "w-2.form", "w+2.form", "w-1.s3", "w+1.s3", "w-1.s2", "w+1.s2", "w+1.shape",
    "t-1", "t-1 t-2", "t-1 w.form", "t-1 w.s3", "t-1 w.s2", "w+1.tags", "t-1 w+1.tags", "w-1.form w.form",
    "w.form w+1.form", "w.s3 w+1.s3", "w.tags w+1.tags", "t-1 w.tags", "w-2.s3 w-1.s3", "t-2 w.tags",
    "t-1 w.tags w+1.tags", "w.rule", "w.rule w.s1", "w.rule w.shape", "w.lemma", "w.lemma3", "w.lemma3 w.s2", "t-1 w.rule", "w+1.rule", "w-1.rule",
)  # fmt: skip
SECOND: Final = (
    *FIRST, "p", "p+1", "p+1 p+2", "p+1 w.tags", "p+1 w.s3", "t-1 p+1", "t-1 p+1 w.tags", "t-1 p", "p p+1",
)  # fmt: skip
_PIECES: Final = [
    (1, 0),
    *((20 + length, length) for length in range(1, 6)),
    *((30 + length, -length) for length in range(1, 4)),
]
_UNKNOWN_FORM: Final = key("<unknown>", 1)
_CLASSES: Final = {"d": ord("d"), "D": ord("d"), "p": ord("p")}
"""Class of a word for its endings, by its shape."""
_RULE_KIND: Final = 13
_BROAD_KIND: Final = 21
_WORD: Final = ord("w")
_LONGEST: Final = 60
"""Longest prefix of a word that is hashed; longer strings are not words."""


def shape(word: str) -> str:
    """What a word looks like: digits, capitals, a sign."""
    if word.islower() and word.isalpha():
        return "a"
    if word.isdigit():
        return "d"
    if any(letter.isdigit() for letter in word):
        return "D"
    if word.isupper():
        return "U" if len(word) > 1 else "u"
    if word[:1].isupper():
        return "C"
    return "a" if any(letter.isalpha() for letter in word) else f"p{word[:1]}"


class PerceptronTagger:
    """A trained tagger."""

    def __init__(self, tags: Sequence[str], lexicon: TagLexicon, bits: int, passes: int = 2, lang: str = "") -> None:
        """``lang`` names the dictionary that it looks into; none without it."""
        self.lang = lang
        self.labels = LabelTable.of(tags, attributes)
        self.lexicon = lexicon
        self.types = Types(self.describe, len(COLUMNS), passes=passes)
        self.passes = [Weights(self.labels, *templates_of(lines, COLUMNS), bits) for lines in (FIRST, SECOND)[:passes]]
        self.unsure: int = 1 << 28
        """Margin of the first pass below which the second looks again."""
        self.unseen: Ints | None = None
        """While training: what the first pass said about sentences it had not learnt from."""

    @property
    def tags(self) -> tuple[str, ...]:
        """Names of the tags."""
        return self.labels.names

    @cached_property
    def _broad_keys(self) -> Keys:
        return np.array([key(broad(tag), _BROAD_KIND) for tag in self.tags], np.uint64)

    def tag_keys(self, tags: Ints) -> Keys:
        """Keys of tags for the name finder: first whole tags, then part of speech and case."""
        return np.concatenate([self.labels.label_keys[tags], self._broad_keys[tags]])

    def describe(self, forms: Sequence[str], unknown: bool = False) -> Description:
        """Columns and possible tags of forms; ``unknown`` as if they were in no lexicon."""
        lowers, rows = self.lexicon.spelled([form[:_LONGEST].lower() for form in forms])
        if unknown:
            rows = np.full_like(rows, -1)
        shapes = [shape(form[:_LONGEST]) for form in forms]
        classes = np.fromiter((_CLASSES.get(one[0], _WORD) for one in shapes), np.uint8, len(shapes))
        is_listed = dictionary_entries(self.lang, lowers)
        rules = [one.rule for one in is_listed]
        choices, edges, tag_keys = self.lexicon.choices(lowers, rows, classes, rules)
        dictionary_keys = HashedStrings([one.lemma for one in is_listed]).columns([(14, 0), (15, 3)])
        hashed = HashedStrings(lowers).columns(_PIECES)
        hashed[rows < 0, 0] = _UNKNOWN_FORM
        shape_keys = np.array([key(one, 2) for one in shapes], np.uint64)
        return Description(
            np.column_stack([hashed, shape_keys, tag_keys, HashedStrings(rules).keys(_RULE_KIND), dictionary_keys]),
            choices,
            edges,
        )

    def tag(self, starts: Longs, forms: Sequence[str]) -> Ints:
        """Numbers of the tags of the words of sentences that begin at ``starts``."""
        words = self.types.of(forms)
        return self.tag_types(starts, words)

    def tag_types(self, starts: Longs, words: Ints, order: Longs | None = None) -> Ints:
        """The same for word types."""
        labels, margins = self.passes[0].label(self.types, 0, starts, words, order=order)
        if len(self.passes) == 1:
            return labels
        aux = self.labels.label_keys[labels]
        skip = margins >= self.unsure
        return self.passes[1].label(self.types, 1, starts, words, aux, labels, skip, order)[0]
