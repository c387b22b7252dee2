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
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.annotation.dictionary import listed
from paberki.annotation.hashing import CLASS_HASH, NOTHING, Ints, Keys, Strings, Table, crc_table
from paberki.annotation.tagsets import coarse
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


class TagLexicon:
    """Words with the tags they were seen with, most frequent first, and tags by ending."""

    def __init__(
        self, words: Sequence[str], counts: npt.NDArray[np.uint8], lengths: Any, tags: npt.NDArray[np.uint16],
        endings: Sequence[str], ending_lengths: Any, ending_tags: npt.NDArray[np.uint16], coarse: Sequence[str],
    ) -> None:  # fmt: skip
        self.words = words
        """Words in lower case."""
        self.counts = counts
        """How often each was seen, at most :data:`FREQUENT`."""
        self.edges, self.tags = _edges(lengths), tags
        self.endings = endings
        """Endings with the class of the word in front."""
        self.ending_edges, self.ending_tags = _edges(ending_lengths), ending_tags
        self.coarse = coarse
        """Part of speech of each tag."""
        kinds = {kind: number for number, kind in enumerate(dict.fromkeys(coarse))}
        self._kinds = np.array([kinds[kind] for kind in coarse], np.int32)
        self._words = Table(Strings(words).hashes())
        self._endings = Table(Strings(endings).hashes())
        self._bare: Table | None = None
        self._restored = np.zeros(0, np.int64)

    @classmethod
    def of(
        cls, words: Mapping[str, tuple[int, Sequence[int]]], endings: Mapping[str, Sequence[int]], coarse: Sequence[str]
    ) -> TagLexicon:
        """From dictionaries: word → how often and which tags, ending → tags."""
        return cls(
            list(words),
            np.array([count for count, _ in words.values()], np.uint8),
            np.array([len(tags) for _, tags in words.values()], np.uint8),
            np.array([tag for _, tags in words.values() for tag in tags], np.uint16),
            list(endings),
            np.array([len(tags) for tags in endings.values()], np.uint8),
            np.array([tag for tags in endings.values() for tag in tags], np.uint16),
            coarse,
        )

    def entries(self) -> dict[str, tuple[int, tuple[int, ...]]]:
        """Word → how often it was seen, its tags."""
        tags = _lists(self.edges, self.tags)
        return dict(zip(self.words, zip(self.counts.tolist(), tags, strict=True), strict=True))

    def ending_entries(self) -> dict[str, tuple[int, ...]]:
        """Ending → tags."""
        return dict(zip(self.endings, _lists(self.ending_edges, self.ending_tags), strict=True))

    def find(self, lowers: Sequence[str]) -> Ints:
        """Numbers of words, -1 for those that are not there."""
        return self._words.find(Strings(lowers).hashes())

    def spelled(self, lowers: Sequence[str]) -> tuple[list[str], Ints]:
        """The words that were meant, where one was typed without its diacritics and is no word as it stands."""
        rows, made = self.find(lowers), list(lowers)
        doubtful = [at for at in np.flatnonzero(rows < 0).tolist() if made[at].isascii()]
        if doubtful:
            bare_words = self._bare_words()
            found = bare_words.find(Strings([made[at] for at in doubtful]).hashes())
            for at, place in zip(doubtful, found.tolist(), strict=True):
                if place >= 0:
                    rows[at] = self._restored[place]
                    made[at] = self.words[rows[at]]
        return made, rows

    def _bare_words(self) -> Table:
        """The most frequent word for each spelling without diacritics that is not a word itself."""
        if self._bare is None:
            accented = [number for number, word in enumerate(self.words) if not word.isascii() and "\n" not in word]
            plain = bare("\n".join(self.words[number] for number in accented)).split("\n") if accented else []
            hashes = Strings(plain).hashes()
            good = (self._words.find(hashes) < 0) & np.array([word.isascii() for word in plain], bool)
            numbers = np.array(accented, np.int64)[good]
            best = np.argsort(-self.counts[numbers].astype(np.int64), kind="stable")
            self._restored = numbers[best]
            self._bare = Table(hashes[good][best])
        return self._bare

    def choices(
        self, lowers: Sequence[str], rows: Ints, classes: npt.NDArray[np.uint8], rules: Sequence[str]
    ) -> tuple[Ints, Any, Keys]:
        """Tags that words may have, one after the other; where each word's end; a column that tells the first of them.

        ``rows`` are the numbers of the words, -1 for one that is to be taken as unknown; ``rules`` are those by which
        a dictionary makes their lemmas.
        """
        count = len(lowers)
        hashes = Strings(lowers).columns(_ENDINGS, classes)
        endings = self._endings.find(np.column_stack([Strings([f"{_RULE}{rule}" for rule in rules]).hashes(), hashes]))
        known = rows[rows >= 0]
        room = int((self.edges[known + 1] - self.edges[known]).sum()) + _MOST * count
        choices, edges, keys = np.zeros(room, np.int32), np.zeros(count + 1, np.int64), np.zeros(count, np.uint64)
        tags = len(self.coarse)
        filled = load("paberki.annotation.words_kernel").choose(
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
    seen: dict[str, Counter[int]] = defaultdict(Counter)
    for sentence in sentences:
        for form, tag in sentence:
            seen[form.lower()][numbers[tag]] += 1
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    alike: Counter[str] = Counter()
    for (word, counts), (rule, _) in zip(seen.items(), listed(lang, list(seen)), strict=True):
        kind = word_class(word)
        endings = [kind + (word[-length:] if length else "") for length in range(min(SUFFIX, len(word)) + 1)]
        for ending in [*endings, *([f"{_RULE}{rule}"] if rule else [])]:
            alike[ending] += 1
            for number, count in counts.items():
                votes[ending][number] += min(count, _TRUSTED)
    words = {
        word: (min(counts.total(), FREQUENT), tuple(tag for tag, _ in ranked(counts)))
        for word, counts in sorted(seen.items())
    }
    shared = {
        ending: tuple(tag for tag, _ in ranked(counts)[:_MOST])
        for ending, counts in sorted(votes.items())
        if len(ending) < 3 or alike[ending] >= _ALIKE
    }
    return TagLexicon.of(words, shared, [coarse(tag) for tag in tags])


def ranked(counts: Counter[int]) -> list[tuple[int, int]]:
    """Most frequent first, ties by number, so that the same data give the same lexicon."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
