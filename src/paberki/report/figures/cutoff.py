"""Precision, recall and F against the cut-off, as a figure (P5 Fig. 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from paberki.markup.svg import figure, line, standalone, text

_WIDE, _HIGH, _LEFT, _BOTTOM = 640.0, 380.0, 40.0, 40.0
_CURVES = (("precision", ""), ("recall", "stroke-dasharray: 7 4"), ("f", "stroke: var(--dropped)"))


class Point(Protocol):
    """What there must be at each cut-off."""

    @property
    def cutoff(self) -> float:
        """From 0 to 1."""

    @property
    def precision(self) -> float:
        """Share of what is kept that should be."""

    @property
    def recall(self) -> float:
        """Share of what should be kept that is."""

    @property
    def f(self) -> float:
        """Their harmonic mean."""


def cutoff_figure(points: Sequence[Point], title: str) -> str:
    """A figure in a file of its own."""
    parts = []
    for tenth in range(0, 11, 2):
        x, y = _x(tenth / 10), _y(tenth / 10)
        parts += [line(_LEFT, y, _WIDE, y), text(_LEFT - 6, y + 4, f"{tenth / 10:.1f}", anchor="end", muted=True)]
        parts.append(text(x, _HIGH - 18, f"{tenth / 10:.1f}", anchor="middle", muted=True))
    parts.append(text((_LEFT + _WIDE) / 2, _HIGH - 2, "cut-off", anchor="middle", muted=True))
    for number, (name, style) in enumerate(_CURVES):
        places = " ".join(f"{_x(point.cutoff):.1f},{_y(getattr(point, name)):.1f}" for point in points)
        parts.append(f'<polyline class="curve" style="{style}" points="{places}"/>')
        at = 20.0 + 110 * number + _LEFT
        parts.append(
            f'<polyline class="curve" style="{style}" points="{at:.0f},{_y(0.06):.0f} {at + 28:.0f},{_y(0.06):.0f}"/>'
        )
        parts.append(text(at + 34, _y(0.06) + 4, "F" if name == "f" else name))
    about = "Precision, recall and F of the characters in blocks whose score reaches the cut-off"
    return standalone(figure("cutoff", title, about, _WIDE, _HIGH, parts))


def _x(share: float) -> float:
    return _LEFT + (_WIDE - _LEFT - 8) * share


def _y(share: float) -> float:
    return 8 + (_HIGH - _BOTTOM - 8) * (1 - share)
