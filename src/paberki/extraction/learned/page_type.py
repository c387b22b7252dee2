"""What kind of page is it? Told by its address, by what it declares, and by what its text is like.

What a page declares (schema.org, Open Graph) is asked first, then words of the address
(:mod:`paberki.extraction.learned.type_hints`), then the shape of the text. Each is a hint; the type with the strongest
hints wins, and an article needs prose.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.extraction.learned.features import KINDS, NAMES, Floats
from paberki.extraction.learned.type_hints import (
    ARTICLE,
    DOCUMENTATION,
    FORUM,
    HINTED,
    LISTING,
    OTHER,
    PAGE_TYPES,
)

__all__ = ["ARTICLE", "DOCUMENTATION", "FORUM", "LISTING", "OTHER", "PAGE_TYPES", "page_type"]

_AT: Final = {name: number for number, name in enumerate(NAMES)}
_PRE: Final = KINDS.index("pre") + 1
_HINTS: Final = [_AT[f"hint_{kind}"] for kind in HINTED]


def page_type(features: Floats, is_text: npt.NDArray[np.bool_], lengths: npt.NDArray[np.int32]) -> int:
    """Kind of the page as number in :data:`PAGE_TYPES`, given what was kept of it."""
    hints = [*features[0, _HINTS].tolist(), 0.0]
    _add_shape(hints, features, is_text, lengths)
    best = max(range(len(hints)), key=hints.__getitem__)
    return best if hints[best] > 0.5 else OTHER


def _add_shape(
    hints: list[float], features: Floats, is_text: npt.NDArray[np.bool_], lengths: npt.NDArray[np.int32]
) -> None:
    mass = lengths * is_text
    total = float(mass.sum())
    if not total:
        hints[LISTING] += 1.0 if features[0, _AT["page_link"]] > 0.6 else 0.0
        return

    def share(flags: npt.NDArray[np.bool_]) -> float:
        return float((mass * flags).sum()) / total

    prose = share(features[:, _AT["sentences"]] > 0)
    in_lists = share((features[:, _AT["in_li"]] > 0) | (features[:, _AT["link"]] > 0.5))
    hints[FORUM] += 2.5 * share(features[:, _AT["words_forum"]] > 0) + 1.5 * share(
        features[:, _AT["words_comment"]] > 0
    )
    hints[DOCUMENTATION] += 6.0 * share(features[:, _AT["kind"]] == _PRE)
    hints[LISTING] += 2.0 * in_lists + 2.0 * max(0.0, float(features[0, _AT["page_link"]]) - 0.5)
    hints[ARTICLE] += 2.0 * prose + min(total / 3000, 1.0) * prose
