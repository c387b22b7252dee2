"""Is a text connected, by all that is known about it? Cuts that lose next to no text and still tell lists from it.

A text is not connected for one of three reasons. It has *few function words*: fewer than three tenths of the usual number,
and chance does not explain it; in a short text of short lines, fewer than four tenths are too few, and chance is no excuse:
names, tags and dates under each other are a list. Its words have *no order*: pairs of neighbours are those of shuffled words; where that is
not quite sure, sentences must be missing too. Or *another language* explains its common words far better than its own.
``python benchmarks/quality.py connected`` measures what that loses and finds, in forty languages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.quality.connected.word_order import WordOrderMeasures

FEW: Final = "few function words"
SHUFFLED: Final = "words in no order"
FOREIGN: Final = "common words of another language"
REASONS: Final = (FEW, SHUFFLED, FOREIGN)

FEWEST_SHARE: Final = 0.3
"""Share of the usual number of function words below which a text has too few."""
_ORDERED: Final = 4.0
_SOME_SHARE: Final = 0.2
_SOME_TYPES: Final = 20
"""A list with sentences in it: so many standard deviations of order, such a share of function words and so many different
ones are text after all."""
FEWEST_TYPES: Final = 0.22
_MANY_WORDS: Final = 100
"""A longer text has too few function words as well if it has less than such a share of the different ones: the same
phrase with other names in it."""
LIST_SHARE: Final = 0.4
"""Share of the usual number of function words below which a short list has too few: it has fewer than ``_MANY_WORDS``, ..."""
_LIST_LINES: Final = 0.5
"""... and at least such a share of its words in lines that are no sentences."""
_LINE_WORDS: Final = 6
_CLAUSE_WORDS: Final = 3
"""A line is no sentence if it has fewer words, or so few that the stop after them ends none."""
SHUFFLED_SHARE: Final = 0.15
"""Share of the order that can be expected below which words are shuffled, ..."""
_SURE: Final = 5.0
_SURE_OF_SENTENCES: Final = 6.0
"""... where so many standard deviations can be expected, more if there are sentences."""
_PERHAPS: Final = 2.0
_PERHAPS_SHARE: Final = 0.3
"""Standard deviations, at least expected, and share of what is expected, that make words look shuffled where they are not
reached, unless there are sentences."""
_LEAD: Final = 10.0
_LEAD_PER_WORD: Final = 0.2
"""Nats, and nats per word, by which another language must explain the common words better."""

_ENDS: Final = re.compile(r"[.!?…:;·؟։።][\"'”’»)\]]*\s+[\"'“‘„«(\[¿¡–—-]*(\w)|[。！？।]")
_WORDS: Final = re.compile(r"[^\W\d_]+")
_STOPS: Final = re.compile(r"[.!?…:;,·؟։።。！？।][\"'”’»)\]]*\s*$")
_STARTS: Final = re.compile(r"(?<![\w'’])([^\W\d_])")
_SENTENCES: Final = 5
"""Sentence ends from which on it counts how many are followed by a capital."""
_SILENT_WORDS: Final = 100
"""A text of so many words without a single sentence end has no sentences."""
_CAPITALS: Final = 0.04
_MORE_CAPITALS: Final = 0.25


def reasons(texts: Sequence[str], measures: WordOrderMeasures, lead: npt.NDArray[Any]) -> list[str]:
    """Why each text is not connected; empty for those that are. ``lead``: nats in favour of another language."""
    few = measures.hits + np.sqrt(measures.hits + 1.0) < FEWEST_SHARE * measures.expected_hits
    few &= ~((measures.order > _ORDERED) & (measures.share > _SOME_SHARE) & (measures.types >= _SOME_TYPES))
    few |= (measures.words >= _MANY_WORDS) & (measures.types < FEWEST_TYPES * measures.expected_types)
    for row in np.flatnonzero(~few & (measures.words < _MANY_WORDS) & (measures.share < LIST_SHARE)).tolist():
        few[row] = is_list(texts[row])
    foreign = (lead > _LEAD) & (lead > _LEAD_PER_WORD * measures.words)
    usual = measures.expected_order  # nan, where pairs are not known, is above and below nothing
    is_shuffled = (usual > _SURE_OF_SENTENCES) & (measures.order < SHUFFLED_SHARE * usual)
    nearly = (usual > _SURE) & (measures.order < SHUFFLED_SHARE * usual)
    perhaps = (usual > _PERHAPS) & (measures.order < np.maximum(_PERHAPS, _PERHAPS_SHARE * usual))
    for row in np.flatnonzero((nearly | perhaps) & ~is_shuffled & ~few).tolist():
        sentences = has_sentences(texts[row], int(measures.words[row]))
        is_shuffled[row] = not sentences if sentences is not None else nearly[row]
    words = np.where(few, FEW, np.where(is_shuffled, SHUFFLED, np.where(foreign, FOREIGN, "")))
    return [str(word) for word in words]


def is_list(text: str) -> bool:
    """Whether most words of a text are in short lines that end no sentence or clause."""
    words = list_words = 0
    for line in text.split("\n"):
        count = len(_WORDS.findall(line))
        words += count
        if count < _CLAUSE_WORDS or (count < _LINE_WORDS and not _STOPS.search(line)):
            list_words += count
    return list_words >= _LIST_LINES * words


def has_sentences(text: str, words: int) -> bool | None:
    """Whether sentences end and begin, as far as can be seen; None where it cannot.

    Capitals follow the ends of sentences more often than other words, except in shuffled text. Texts in small letters,
    and scripts without capitals, do not tell.
    """
    firsts = [match.group(1) for match in _ENDS.finditer(text)]
    if not firsts:
        return None if words < _SILENT_WORDS else False
    starts = [letter for letter in firsts if letter and letter.isalpha()]
    every = _STARTS.findall(text)
    capitals = sum(letter.isupper() for letter in every) / max(len(every), 1)
    if len(starts) < _SENTENCES or capitals < _CAPITALS:
        return None
    return bool(sum(letter.isupper() for letter in starts) / len(starts) > min(capitals + _MORE_CAPITALS, 0.95))
