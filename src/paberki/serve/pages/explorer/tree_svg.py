"""A dependency tree as SVG: words in a row, arcs above them, no two labels in one place.

An arc is one step higher than the highest arc inside it. The label of an arc stands on its top, on a ground of its own; words
are set so far apart that every label has room above the gap between two neighbours or more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from paberki.markup.svg import clean, width

__all__ = ["Word", "tree_svg"]

_STEP: Final = 24.0
_GAP: Final = 16.0
_MARGIN: Final = 14.0
_LABEL: Final = 11.0


@dataclass(frozen=True, slots=True)
class Word:
    """A token of a sentence; ``head`` counts from 1, 0 is the root."""

    form: str
    lemma: str
    upos: str
    head: int
    deprel: str
    matched: bool = False


@dataclass(slots=True)
class _Arc:
    head: int
    dependent: int
    label: str
    height: int = 1

    @property
    def low(self) -> int:
        return min(self.head, self.dependent)

    @property
    def high(self) -> int:
        return max(self.head, self.dependent)


def tree_svg(words: list[Word], title: str, from_right: bool = False) -> str:
    """The drawing; ``from_right`` sets the first word at the right."""
    arcs = _arcs(words)
    centres, wide = _centres(words, arcs)
    if from_right:
        centres = [wide - centre for centre in centres]
    labels = _label_places(arcs, centres)
    high = max((arc.height for arc in arcs), default=0)
    top = high * _STEP + 34
    parts = [
        '<defs><marker id="tree-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="arrow" d="M0 0 L8 4 L0 8 z"/></marker></defs>'
    ]
    parts += [_arc_path(arc, centres, top) for arc in sorted(arcs, key=lambda one: -one.height)]
    for arc, (x, half) in zip(arcs, labels, strict=True):
        y = top - arc.height * _STEP - 6
        parts.append(
            f'<rect class="label-ground" x="{x - half:.1f}" y="{y - 8:.1f}" width="{2 * half:.1f}" height="14"/>'
        )
        parts.append(
            f'<text class="tree-label" data-testid="tree-label" x="{x:.1f}" y="{y + 3:.1f}" text-anchor="middle">{clean(arc.label)}</text>'
        )
    for at, word in enumerate(words):
        kind = ' class="matched"' if word.matched else ""
        parts.append(
            f'<text{kind} data-testid="tree-word" x="{centres[at]:.1f}" y="{top + 20:.1f}" text-anchor="middle">{clean(word.form)}</text>'
        )
        parts.append(
            f'<text class="lemma" x="{centres[at]:.1f}" y="{top + 38:.1f}" text-anchor="middle">{clean(word.lemma)}</text>'
        )
        parts.append(
            f'<text class="lemma" x="{centres[at]:.1f}" y="{top + 54:.1f}" text-anchor="middle">{clean(word.upos)}</text>'
        )
    total_high = top + 64
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" data-testid="tree" role="img" width="{wide:.0f}" height="{total_high:.0f}" '
        f'viewBox="0 0 {wide:.0f} {total_high:.0f}" aria-label="{clean(title)}">{"".join(parts)}</svg>'
    )


def _arcs(words: list[Word]) -> list[_Arc]:
    """Arcs in the order of their dependents, each as high as what is inside it demands."""
    size = len(words)
    arcs = [
        _Arc(word.head - 1, at, word.deprel)
        for at, word in enumerate(words)
        if 0 < word.head <= size and word.head - 1 != at
    ]
    narrow_first = sorted(arcs, key=lambda one: (one.high - one.low, one.low))
    for at, arc in enumerate(narrow_first):
        arc.height = 1 + max((other.height for other in narrow_first[:at] if _meet(other, arc)), default=0)
    return arcs


def _meet(one: _Arc, other: _Arc) -> bool:
    """Whether two arcs are above a common gap between words."""
    return one.low < other.high and other.low < one.high


def _centres(words: list[Word], arcs: list[_Arc]) -> tuple[list[float], float]:
    """Where words stand: apart by their own width, and so far that every arc is wider than its label."""
    widths = [max(width(word.form, 14), width(word.lemma, 12), width(word.upos, 12), 18.0) for word in words]
    centres: list[float] = []
    minimum_gaps: dict[int, list[tuple[int, float]]] = {}
    for arc in arcs:
        minimum_gaps.setdefault(arc.high, []).append((arc.low, width(arc.label, _LABEL) + 22))
    at = _MARGIN
    for number, own in enumerate(widths):
        centre = at + own / 2
        for low, room in minimum_gaps.get(number, ()):
            centre = max(centre, centres[low] + room)
        centres.append(centre)
        at = centre + own / 2 + _GAP
    return centres, at + _MARGIN


def _label_places(arcs: list[_Arc], centres: list[float]) -> list[tuple[float, float]]:
    """The middle of each label and half its width; arcs of one height do not meet, so their labels do not either."""
    return [((centres[arc.low] + centres[arc.high]) / 2, width(arc.label, _LABEL) / 2 + 3) for arc in arcs]


def _arc_path(arc: _Arc, centres: list[float], top: float) -> str:
    """From the head up, along, and down to the dependent; ends of arcs at one word stand side by side."""
    x1, x2 = centres[arc.head], centres[arc.dependent]
    turn = 5.0 if x2 > x1 else -5.0
    x1 += turn
    y, low = top - arc.height * _STEP - 6, top + 2
    bend = min(8.0, abs(x2 - x1) / 2) * (1 if x2 > x1 else -1)
    return (
        f'<path class="tree-arc" data-testid="tree-arc" marker-end="url(#tree-arrow)" d="M{x1:.1f} {low:.1f} V{y + 8:.1f} '
        f'Q{x1:.1f} {y:.1f} {x1 + bend:.1f} {y:.1f} H{x2 - bend:.1f} Q{x2:.1f} {y:.1f} {x2:.1f} {y + 8:.1f} V{low - 6:.1f}"/>'
    )
