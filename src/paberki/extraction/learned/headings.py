"""Headings that belong to the text of a page, though the trees are not sure of them.

Half of the people who code pages leave headlines out, and the trees learn from both halves. But a heading that belongs to
text is text (P5 §3.2): the block that repeats the title of the page, right above its text, and a heading that stands
between two pieces of text.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.extraction.learned.features import NAMES, Floats

_TITLE: Final = NAMES.index("title")
_HEADING: Final = NAMES.index("in_h1")
_SHARED: Final = 0.4
"""Share of words that the headline and the title of the page have in common."""
_HEADING_BONUS: Final = 0.15
_HEADLINE_CHANCE, _HEADING_CHANCE = 0.2, 0.1
_NEAR: Final = 8
"""Text begins so many blocks below a headline at most."""


def headings_of_text(features: Floats, chances: Floats, is_text: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Blocks that are headings of what is taken for text, and are not taken for text themselves."""
    headings = np.zeros(len(is_text), np.bool_)
    inside = slice(1, -1)
    headings[inside] = (
        is_text[:-2] & is_text[2:] & (features[inside, _HEADING] > 0) & (chances[inside] >= _HEADING_CHANCE)
    )
    headline = _headline(features)
    if headline is not None and chances[headline] >= _HEADLINE_CHANCE:
        headings[headline] = is_text[headline + 1 : headline + 1 + _NEAR].any()
    return headings & ~is_text


def _headline(features: Floats) -> int | None:
    """The block that repeats the title of the page, one in a heading if there is a choice."""
    shared = features[:, _TITLE]
    likeness = np.where(shared > _SHARED, shared + _HEADING_BONUS * (features[:, _HEADING] > 0), 0.0)
    best = int(likeness.argmax())
    return best if likeness[best] > 0 else None
