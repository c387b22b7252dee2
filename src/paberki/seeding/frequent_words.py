"""Ranks words by frequency, from a list, a text or an older corpus."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from paberki.errors import InputError
from paberki.languages.telling_words import FUNCTION_WORDS
from paberki.seeding.seed_lines import read_lines

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_COUNT = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")
_CONTENT = ("N", "V", "A", "R")
_CONTENT_TAGS = frozenset(("noun", "propn", "verb", "adj", "adv"))
_MOST_TYPES = 5_000_000
_LONGEST_WORD = 60


@dataclass(frozen=True, slots=True)
class RankedWord:
    """A word form with its frequency, and its part of speech where the list gives one."""

    form: str
    count: float
    tag: str = ""

    def is_content(self, function_words: frozenset[str]) -> bool:
        """Whether its tag is that of a noun, verb, adjective or adverb; untagged, any longer non-function word."""
        if self.tag:
            return self.tag.lower() in _CONTENT_TAGS or (
                self.tag[0] in _CONTENT and self.tag.lower() not in _OTHER_TAGS
            )
        return len(self.form) >= 4 and self.form.lower() not in function_words


# Universal tags that begin with the letter of an open class in other tag sets.
_OTHER_TAGS = frozenset(("adp", "aux", "num"))


def function_words(languages: Sequence[str]) -> frozenset[str]:
    """Function words of some languages, or of all known languages if none is given."""
    return frozenset(word for lang in languages or FUNCTION_WORDS for word in FUNCTION_WORDS.get(lang, "").split())


def ranked_words(source: Path) -> list[RankedWord]:
    """Words by falling frequency; equally frequent ones in alphabetical order, so that ranks are reproducible.

    ``source`` is a corpus directory, a list with tab-separated word, count and perhaps part of speech, or any text.
    """
    words = _of_corpus(source) if source.is_dir() else _of_file(source)
    return sorted(words, key=lambda word: (-word.count, word.form))


def _of_corpus(directory: Path) -> list[RankedWord]:
    from paberki.corpus import Corpus

    return _count_words(page["text"] or "" for page in Corpus(directory).pages("text"))


def _of_file(path: Path) -> list[RankedWord]:
    lines = read_lines(path)
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        raise InputError(f"{path}: has no words")
    whole = _chain(first, lines)
    return list(_list_entries(whole)) if _entry(first) or "\t" in first else _count_words(whole)


def _chain(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield first
    yield from lines


def _list_entries(lines: Iterable[str]) -> Iterator[RankedWord]:
    """The entries of a list, without numbers, punctuation and a heading."""
    entry_count = 0
    for line in lines:
        word = _entry(line)
        if word is not None and _WORD.fullmatch(word.form):
            yield word
            entry_count += 1
        if entry_count >= _MOST_TYPES:
            return


def _entry(line: str) -> RankedWord | None:
    """Parse ``word TAB count [TAB tag]`` or ``count TAB word``, optionally after a rank; None for other lines."""
    fields = [field.strip() for field in line.split("\t")]
    numbers = [place for place, field in enumerate(fields) if _COUNT.match(field)]
    words = [place for place, field in enumerate(fields) if field and place not in numbers]
    if len(fields) < 2 or not numbers or not words:
        return None
    tag = fields[words[1]] if len(words) > 1 else ""
    form = unicodedata.normalize("NFC", fields[words[0]])
    return RankedWord(form, float(fields[numbers[-1]]), tag) if len(form) <= _LONGEST_WORD else None


def _count_words(texts: Iterable[str]) -> list[RankedWord]:
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(word for word in _WORD.findall(unicodedata.normalize("NFC", text)) if len(word) <= _LONGEST_WORD)
        if len(counts) > _MOST_TYPES:
            # Words that occurred once in so much text are far below any window of ranks.
            counts = Counter({word: count for word, count in counts.items() if count > 1})
    return [RankedWord(form, count) for form, count in counts.items()]
