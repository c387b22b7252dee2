"""The open elements of a page, innermost last."""

from __future__ import annotations

from typing import Final

from paberki.extraction.html.elements import TABLE_PARTS, WALLS

Frame = tuple[str, str, bool]
"""Tag, path, and whether the element is hidden."""

BODY: Final[Frame] = ("body", "", False)

DEPTH_LIMIT: Final = 4_096
"""Elements below this depth are no steps of a path."""

_SEARCH_LIMIT: Final = 64


def close(stack: list[Frame], tag: str) -> None:
    """Close the nearest open element of that name, with all it holds; a stray end tag does nothing."""
    for index in range(len(stack) - 1, max(0, len(stack) - _SEARCH_LIMIT), -1):
        name = stack[index][0]
        if name == tag:
            del stack[index:]
            return
        if name in WALLS and tag not in TABLE_PARTS:
            return
