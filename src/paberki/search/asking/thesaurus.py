"""Synonyms and hypernyms of a user: further words that a search finds, worth a little less (TSUBAKI: .99 and .7)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from paberki.errors import InputError

WEIGHTS: Final = {"synonym": 0.99, "hypernym": 0.7}
_PARTS: Final = 3


class Thesaurus:
    """Related words with what they are worth."""

    def __init__(self, weights: dict[str, dict[str, float]] | None = None) -> None:
        self._weights = weights or {}

    def related_words(self, words: str) -> dict[str, float]:
        """Words that stand for these, with their weights."""
        return self._weights.get(" ".join(words.lower().split()), {})


def read_thesaurus(path: Path) -> Thesaurus:
    """A thesaurus from a file of lines ``word TAB synonym|hypernym TAB word``; synonyms hold both ways."""
    weights: dict[str, dict[str, float]] = {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); give a text file in UTF-8") from error
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [" ".join(part.lower().split()) for part in line.split("\t")]
        if len(parts) != _PARTS or parts[1] not in WEIGHTS or not parts[0] or not parts[2]:
            raise InputError(f"{path}, line {number}: write: word TAB synonym or hypernym TAB word")
        word, kind, other = parts
        weights.setdefault(word, {})[other] = WEIGHTS[kind]
        if kind == "synonym":
            weights.setdefault(other, {})[word] = WEIGHTS[kind]
    return Thesaurus(weights)
