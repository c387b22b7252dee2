"""A window of tokens around a hit, as people write it: ``-5..5``, also ``-5,5`` and ``-5:5``."""

from __future__ import annotations

import re
from typing import Final

from paberki.errors import QueryError

__all__ = ["is_window", "read_window"]

_WINDOW: Final = re.compile(r"([+-]?\d{1,6})\s*(?:\.\.|,|:)\s*([+-]?\d{1,6})")


def is_window(text: str) -> bool:
    """Whether the text has the form of a window."""
    return bool(_WINDOW.fullmatch(text.strip()))


def read_window(text: str, most: int | None = None) -> tuple[int, int]:
    """First and last token, counted from the hit; at most ``most`` tokens away from it."""
    match = _WINDOW.fullmatch(text.strip())
    if not match or int(match[1]) > int(match[2]):
        raise QueryError(
            f"window {text[:40]!r}: give two numbers of tokens, the smaller first, with two dots between: -5..5"
        )
    low, high = int(match[1]), int(match[2])
    if most is not None and max(-low, high) > most:
        raise QueryError(f"window {text[:40]!r}: {most} tokens on each side are the most")
    return low, high
