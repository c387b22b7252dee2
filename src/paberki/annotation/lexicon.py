"""Which tags may a word have? Those it was seen with, those of words with the same ending, those of its spelling with
diacritics where somebody typed without them."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from paberki.annotation.tagsets import coarse

SUFFIX: Final = 5
FREQUENT: Final = 20
"""A word seen so often has no other tags than those it was seen with."""
_ALIKE: Final = 3
"""Endings of two and more letters count if so many words share them, so that no word votes for itself alone."""
_MOST: Final = 40
_MOST_MORE: Final = 30
_ENOUGH: Final = 20
_TRUSTED: Final = 3
_ODD: Final = str.maketrans({"đ": "d", "ł": "l", "ø": "o", "ß": "s"})


def word_class(word: str) -> str:
    """``d`` with digits, ``w`` with letters, ``p`` without either."""
    if any(letter.isdigit() for letter in word):
        return "d"
    return "w" if any(letter.isalpha() for letter in word) else "p"


def bare(word: str) -> str:
    """The word as typed on a keyboard without diacritics: ``kuća`` → ``kuca``, ``đak`` → ``dak``."""
    if word.isascii():
        return word
    plain = unicodedata.normalize("NFD", word.translate(_ODD))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@dataclass(slots=True)
class TagLexicon:
    """Words with the tags they were seen with, most frequent first, and tags by ending."""

    words: dict[str, tuple[int, tuple[int, ...]]]
    """Word in lower case → how often it was seen (at most :data:`FREQUENT`), numbers of its tags."""
    endings: dict[str, tuple[int, ...]]
    """Ending with the class of the word in front → numbers of tags."""
    coarse: list[str]
    """Part of speech of each tag."""
    restored: dict[str, str] = field(default_factory=dict)
    """Spelling without diacritics → the word it most often stands for; only what is not itself a word."""

    def __post_init__(self) -> None:
        if not self.restored:
            self.restored = restorations(self.words)

    def spelling(self, lower: str) -> str:
        """The word that was meant, if it was typed without its diacritics and is not a word as it stands."""
        if lower in self.words or not lower.isascii():
            return lower
        return self.restored.get(lower, lower)

    def guess(self, lower: str, most: int = _MOST) -> list[int]:
        """Tags of words that end alike, longest ending first."""
        kind = word_class(lower)
        found: dict[int, None] = {}
        for length in range(min(SUFFIX, len(lower)), -1, -1):
            found.update(dict.fromkeys(self.endings.get(kind + (lower[-length:] if length else ""), ())))
            if len(found) >= (_ENOUGH if length >= 3 else most):
                break
        return list(found)[:most] or [0]

    def choices(self, lower: str, unknown: bool = False) -> list[int]:
        """Numbers of the tags that the word may have; as if never seen with ``unknown``."""
        seen = None if unknown else self.words.get(lower)
        if seen is None:
            return self.guess(lower)
        count, tags = seen
        if count >= FREQUENT:
            return list(tags)
        kinds = {self.coarse[tag] for tag in tags}
        more = [tag for tag in self.guess(lower, _MOST_MORE) if tag not in tags and self.coarse[tag] in kinds]
        return [*tags, *more]


def restorations(words: dict[str, tuple[int, tuple[int, ...]]]) -> dict[str, str]:
    """The most frequent word for each spelling without diacritics that is not a word itself."""
    found: dict[str, tuple[int, str]] = {}
    for word, (count, _) in words.items():
        if not word.isascii():
            plain = bare(word)
            if plain.isascii() and plain not in words and count > found.get(plain, (0, ""))[0]:
                found[plain] = (count, word)
    return {plain: word for plain, (_, word) in found.items()}


def build_lexicon(sentences: Iterable[Sequence[tuple[str, str]]], tags: Sequence[str]) -> TagLexicon:
    """The lexicon of sentences of (form, tag)."""
    numbers = {tag: number for number, tag in enumerate(tags)}
    seen: dict[str, Counter[int]] = defaultdict(Counter)
    for sentence in sentences:
        for form, tag in sentence:
            seen[form.lower()][numbers[tag]] += 1
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    alike: Counter[str] = Counter()
    for word, counts in seen.items():
        kind = word_class(word)
        for length in range(min(SUFFIX, len(word)) + 1):
            ending = kind + (word[-length:] if length else "")
            alike[ending] += 1
            for number, count in counts.items():
                votes[ending][number] += min(count, _TRUSTED)
    words = {
        word: (min(counts.total(), FREQUENT), tuple(tag for tag, _ in ranked(counts)))
        for word, counts in sorted(seen.items())
    }
    endings = {
        ending: tuple(tag for tag, _ in ranked(counts)[:_MOST])
        for ending, counts in sorted(votes.items())
        if len(ending) < 3 or alike[ending] >= _ALIKE
    }
    return TagLexicon(words, endings, [coarse(tag) for tag in tags])


def ranked(counts: Counter[int]) -> list[tuple[int, int]]:
    """Most frequent first, ties by number, so that the same data give the same lexicon."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
