"""The nearest right spelling, for error messages."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known_words: Iterable[str]) -> str:
    """``"; did you mean 'extract'?"`` or nothing when no known word is near."""
    from difflib import get_close_matches  # only needed where something is wrong

    close = get_close_matches(word, list(known_words), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""
