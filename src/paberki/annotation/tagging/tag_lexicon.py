"""Which tags may a word have? Those it was seen with, those of words with the same ending, those of its spelling with
diacritics where somebody typed without them.

Words and endings are looked up by hash in arrays: as dictionaries they took most of the memory of a model.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from paberki.annotation.lemmas.dictionary import dictionary_entries
from paberki.annotation.tagging.string_hashes import (
    CLASS_HASH,
    NOTHING,
    Bytes,
    HashedStrings,
    HashTable,
    Ints,
    Keys,
    Longs,
    crc_table,
)
from paberki.annotation.tagging.tag_attributes import coarse
from paberki.kernels import load

SUFFIX: Final = 5
FREQUENT: Final = 20
"""A word seen so often has no other tags than those it was seen with."""
_ALIKE: Final = 3
"""Endings of two and more letters count if so many words share them, so that no word votes for itself alone."""
_MOST: Final = 40
_MOST_MORE: Final = 30
_ENOUGH: Final = 20
_TRUSTED: Final = 3
_TAGS_KIND: Final = 11
_ODD: Final = str.maketrans({"đ": "d", "ł": "l", "ø": "o", "ß": "s"})
_MARKS: Final = re.compile("[\u0300-\u036f]")
_RULE: Final = "r"
"""In the place of a word's class: not an ending, but a dictionary's rule."""
_ENDINGS: Final = [(CLASS_HASH, length or NOTHING) for length in range(SUFFIX, -1, -1)]


def word_class(word: str) -> str:
    """``d`` with digits, ``w`` with letters, ``p`` without either."""
    if any(letter.isdigit() for letter in word):
        return "d"
    return "w" if any(letter.isalpha() for letter in word) else "p"


def bare(text: str) -> str:
    """As typed on a keyboard without diacritics: ``kuća`` → ``kuca``, ``đak`` → ``dak``."""
    return _MARKS.sub("", unicodedata.normalize("NFD", text.translate(_ODD)))


class LexiconArrays(NamedTuple):
    """The data of a lexicon, as arrays that processes can share."""

    word_text: Bytes
    word_text_edges: Longs
    word_hashes: Keys
    word_order: Ints
    word_counts: Bytes
    word_edges: Longs
    word_tags: npt.NDArray[np.uint16]
    ending_text: Bytes
    ending_text_edges: Longs
    ending_hashes: Keys
    ending_order: Ints
    ending_edges: Longs
    ending_tags: npt.NDArray[np.uint16]
    bare_hashes: Keys
    """Spellings without diacritics that are no words themselves,"""
    bare_order: Ints
    restored: Ints
    """and the most frequent word that each stands for."""

    @classmethod
    def of(
        cls, words: Sequence[str], counts: Bytes, lengths: Any, tags: npt.NDArray[np.uint16],
        endings: Sequence[str], ending_lengths: Any, ending_tags: npt.NDArray[np.uint16],
    ) -> LexiconArrays:  # fmt: skip
        """From words and endings; ``lengths`` are how many of the tags each has."""
        strings, ends = HashedStrings(words), HashedStrings(endings)
        table, end_table = HashTable(strings.hashes()), HashTable(ends.hashes())
        bare_table, restored = _bare_words(words, counts, table)
        return cls(
            strings.text, strings.edges, table.hashes, table.order, counts, _edges(lengths), tags,
            ends.text, ends.edges, end_table.hashes, end_table.order, _edges(ending_lengths), ending_tags,
            bare_table.hashes, bare_table.order, restored,
        )  # fmt: skip


def _bare_words(words: Sequence[str], counts: Bytes, table: HashTable) -> tuple[HashTable, Ints]:
    """The most frequent word for each spelling without diacritics that is not a word itself."""
    accented = [number for number, word in enumerate(words) if not word.isascii() and "\n" not in word]
    plain = bare("\n".join(words[number] for number in accented)).split("\n") if accented else []
    hashes = HashedStrings(plain).hashes()
    good = (table.find(hashes) < 0) & np.array([word.isascii() for word in plain], bool)
    numbers = np.array(accented, np.int32)[good]
    best = np.argsort(-counts[numbers].astype(np.int64), kind="stable")
    return HashTable(hashes[good][best]), numbers[best]


class TagLexicon:
    """Words with the tags they were seen with, most frequent first, and tags by ending."""

    def __init__(self, arrays: LexiconArrays, coarse: Sequence[str]) -> None:
        self.arrays = arrays
        self.words = HashedStrings.from_arrays(arrays.word_text, arrays.word_text_edges)
        """Words in lower case."""
        self.counts = arrays.word_counts
        """How often each was seen, at most :data:`FREQUENT`."""
        self.edges, self.tags = arrays.word_edges, arrays.word_tags
        self.endings = HashedStrings.from_arrays(arrays.ending_text, arrays.ending_text_edges)
        """Endings with the class of the word in front."""
        self.ending_edges, self.ending_tags = arrays.ending_edges, arrays.ending_tags
        self.coarse = coarse
        """Part of speech of each tag."""
        kinds = {kind: number for number, kind in enumerate(dict.fromkeys(coarse))}
        self._kinds = np.array([kinds[kind] for kind in coarse], np.int32)
        self._words = HashTable.from_arrays(arrays.word_hashes, arrays.word_order)
        self._endings = HashTable.from_arrays(arrays.ending_hashes, arrays.ending_order)
        self._bare = HashTable.from_arrays(arrays.bare_hashes, arrays.bare_order)

    @classmethod
    def of(
        cls, words: Mapping[str, tuple[int, Sequence[int]]], endings: Mapping[str, Sequence[int]], coarse: Sequence[str]
    ) -> TagLexicon:
        """From dictionaries: word → how often and which tags, ending → tags."""
        arrays = LexiconArrays.of(
            list(words),
            np.array([count for count, _ in words.values()], np.uint8),
            np.array([len(tags) for _, tags in words.values()], np.uint8),
            np.array([tag for _, tags in words.values() for tag in tags], np.uint16),
            list(endings),
            np.array([len(tags) for tags in endings.values()], np.uint8),
            np.array([tag for tags in endings.values() for tag in tags], np.uint16),
        )
        return cls(arrays, coarse)

    def entries(self) -> dict[str, tuple[int, tuple[int, ...]]]:
        """Word → how often it was seen, its tags."""
        tags = _lists(self.edges, self.tags)
        return dict(zip(self.words, zip(self.counts.tolist(), tags, strict=True), strict=True))

    def ending_entries(self) -> dict[str, tuple[int, ...]]:
        """Ending → tags."""
        return dict(zip(self.endings, _lists(self.ending_edges, self.ending_tags), strict=True))

    def find(self, lowers: Sequence[str]) -> Ints:
        """Numbers of words, -1 for those that are not there."""
        return self._words.find(HashedStrings(lowers).hashes())

    def spelled(self, lowers: Sequence[str]) -> tuple[list[str], Ints]:
        """Words with diacritics restored, where the typed form is not a word itself."""
        rows, spellings = self.find(lowers), list(lowers)
        doubtful = [at for at in np.flatnonzero(rows < 0).tolist() if spellings[at].isascii()]
        if doubtful:
            matches = self._bare.find(HashedStrings([spellings[at] for at in doubtful]).hashes())
            for at, place in zip(doubtful, matches.tolist(), strict=True):
                if place >= 0:
                    rows[at] = self.arrays.restored[place]
                    spellings[at] = self.words[rows[at]]
        return spellings, rows

    def choices(
        self, lowers: Sequence[str], rows: Ints, classes: npt.NDArray[np.uint8], rules: Sequence[str]
    ) -> tuple[Ints, Any, Keys]:
        """Tags that words may have, one after the other; where each word's end; a column that tells the first of them.

        ``rows`` are the numbers of the words, -1 for one that is to be taken as unknown; ``rules`` are those by which
        a dictionary makes their lemmas.
        """
        count = len(lowers)
        hashes = HashedStrings(lowers).columns(_ENDINGS, classes)
        endings = self._endings.find(
            np.column_stack([HashedStrings([f"{_RULE}{rule}" for rule in rules]).hashes(), hashes])
        )
        listed_rows = rows[rows >= 0]
        room = int((self.edges[listed_rows + 1] - self.edges[listed_rows]).sum()) + _MOST * count
        choices, edges, keys = np.zeros(room, np.int32), np.zeros(count + 1, np.int64), np.zeros(count, np.uint64)
        tags = len(self.coarse)
        filled = load("paberki.annotation.tagging.word_features_kernel").choose(
            rows, np.fromiter(map(len, lowers), np.int32, count), endings, self.counts, self.edges, self.tags,
            self.ending_edges, self.ending_tags, self._kinds, np.zeros((2, tags), np.int64),
            np.zeros(int(self._kinds.max()) + 1, np.int64), np.zeros(tags + 1, np.int32), FREQUENT, _MOST, _MOST_MORE,
            _ENOUGH, _TAGS_KIND, crc_table(), choices, edges, keys,
        )  # fmt: skip
        return choices[:filled], edges, keys


def _edges(lengths: Any) -> Any:
    return np.r_[0, np.cumsum(lengths.astype(np.int64))].astype(np.int64)


def _lists(edges: Any, values: Any) -> list[tuple[int, ...]]:
    ends, flat = edges.tolist(), values.tolist()
    return [tuple(flat[begin:end]) for begin, end in pairwise(ends)]


def build_lexicon(sentences: Iterable[Sequence[tuple[str, str]]], tags: Sequence[str], lang: str = "") -> TagLexicon:
    """The lexicon of sentences of (form, tag), with what the dictionary of a language says about its words."""
    numbers = {tag: number for number, tag in enumerate(tags)}
    tag_counts: dict[str, Counter[int]] = defaultdict(Counter)
    for sentence in sentences:
        for form, tag in sentence:
            tag_counts[form.lower()][numbers[tag]] += 1
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    alike: Counter[str] = Counter()
    for (word, counts), (rule, _) in zip(tag_counts.items(), dictionary_entries(lang, list(tag_counts)), strict=True):
        kind = word_class(word)
        endings = [kind + (word[-length:] if length else "") for length in range(min(SUFFIX, len(word)) + 1)]
        for ending in [*endings, *([f"{_RULE}{rule}"] if rule else [])]:
            alike[ending] += 1
            for number, count in counts.items():
                votes[ending][number] += min(count, _TRUSTED)
    words = {
        word: (min(counts.total(), FREQUENT), tuple(tag for tag, _ in rank(counts)))
        for word, counts in sorted(tag_counts.items())
    }
    shared = {
        ending: tuple(tag for tag, _ in rank(counts)[:_MOST])
        for ending, counts in sorted(votes.items())
        if len(ending) < 3 or alike[ending] >= _ALIKE
    }
    return TagLexicon.of(words, shared, [coarse(tag) for tag in tags])


def rank(counts: Counter[int]) -> list[tuple[int, int]]:
    """Most frequent first, ties by number, so that the same data give the same lexicon."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
