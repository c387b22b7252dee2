"""Parts of a corpus: P2 takes 50 parts of a million tokens and shows how a figure varies between them (P2 §5, Figs. 1–3).

Smaller corpora are cut into 50 equal parts, or fewer where a part would have under 200 tokens; from larger ones 50 parts of
a million tokens are taken, spread evenly. What was taken is stated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.amounts import several
from paberki.markup.plots import Box
from paberki.report.words.word_source import Ints, WordSource

PARTS: Final = 50
PART_TOKENS: Final = 1_000_000
_LEAST: Final = 200


@dataclass(frozen=True, slots=True)
class TokenParts:
    """How a corpus is cut: ``count`` parts of ``size`` tokens, one every ``stride``."""

    count: int
    size: int
    stride: int

    @property
    def about(self) -> str:
        """The cut in words."""
        return f"{self.count} parts of {several(self.size, 'token')}"

    def number_of(self, offsets: Ints) -> Ints:
        """The part of each token, −1 for tokens between parts."""
        parts = offsets // self.stride
        inside = (offsets - parts * self.stride < self.size) & (parts < self.count)
        return np.where(inside, parts, -1)


def parts_of(tokens: int) -> TokenParts:
    """The cut of a corpus of that size."""
    count = max(1, min(PARTS, tokens // _LEAST))
    stride = max(1, tokens // count)
    return TokenParts(count, min(stride, PART_TOKENS), stride)


def counts_by_part(source: WordSource, attribute: str, classes: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Tokens of each class in each part; ``classes`` gives the class of each value of the attribute."""
    parts = parts_of(source.tokens)
    table = np.zeros(parts.count * size, np.int64)
    for piece in source.pieces(attribute):
        numbers = parts.number_of(piece.before + np.arange(len(piece.positions), dtype=np.int64))
        mask = numbers >= 0
        cells = numbers[mask] * size + classes[piece.ids[attribute][mask]]
        table += np.bincount(cells, minlength=len(table))
    return table.reshape(parts.count, size)


def summary(values: NDArray[np.float64]) -> dict[str, Any]:
    """Mean, standard deviation and quartiles of a figure over the parts."""
    if not len(values):
        return {"mean": None, "sd": None}
    quarter, median, upper = (float(one) for one in np.quantile(values, (0.25, 0.5, 0.75)))
    return {
        "mean": float(values.mean()),
        "sd": float(values.std(ddof=1)) if len(values) > 1 else None,
        "min": float(values.min()),
        "quarter": quarter,
        "median": median,
        "three_quarters": upper,
        "max": float(values.max()),
        "parts": len(values),
    }


def box_of(name: str, values: NDArray[np.float64], scale: float = 1.0) -> Box:
    """A box plot by Tukey's rule: whiskers end at the last values within 1.5 times the box."""
    scaled_values = values * scale
    quarter, median, upper = (float(one) for one in np.quantile(scaled_values, (0.25, 0.5, 0.75)))
    reach = 1.5 * (upper - quarter)
    near = scaled_values[(scaled_values >= quarter - reach) & (scaled_values <= upper + reach)]
    far = scaled_values[(scaled_values < quarter - reach) | (scaled_values > upper + reach)]
    return Box(name, float(near.min()), quarter, median, upper, float(near.max()), far.tolist()[:20])
