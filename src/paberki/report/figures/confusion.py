"""A confusion matrix of languages as a figure (P3 §5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from paberki.markup.svg import clean, figure, standalone, text

_CELL, _LEFT, _TOP = 22.0, 56.0, 56.0


def confusion_figure(counts: Mapping[tuple[str, str], int], title: str) -> str:
    """The figure as a file: rows are gold languages, columns are answers."""
    rows = sorted({right for right, _ in counts})
    columns = [*rows, *sorted({answer for _, answer in counts} - set(rows))]
    totals: Counter[str] = Counter()
    for (right, _), count in counts.items():
        totals[right] += count
    parts = [text(_LEFT, 14, "answered", muted=True), text(0, _TOP - 8, "right", muted=True)]
    for number, name in enumerate(columns):
        short = "–" if name == "und" else name
        parts.append(text(_LEFT + (number + 0.5) * _CELL, _TOP - 8, short, anchor="middle", muted=True, room=_CELL))
    for number, right in enumerate(rows):
        y = _TOP + number * _CELL
        parts.append(text(_LEFT - 8, y + 15, right, anchor="end", muted=True, room=_LEFT - 8))
        for place, answer in enumerate(columns):
            parts.append(_cell(_LEFT + place * _CELL, y, right, answer, counts.get((right, answer), 0), totals[right]))
    wide, high = _LEFT + len(columns) * _CELL + 8, _TOP + len(rows) * _CELL + 8
    about = "Rows are the right languages, columns what was answered; the fuller the colour, the larger the share."
    return standalone(figure("confusion", title, about, wide, high, parts))


def _cell(x: float, y: float, right: str, answer: str, count: int, total: int) -> str:
    kind = "kept" if right == answer else "dropped"
    share = count / total if total else 0.0
    full = 0.06 if not count else 0.2 + 0.8 * share**0.5
    tip = f"<title>{clean(f'{right} taken for {answer}: {count} of {total}')}</title>"
    place = f'x="{x + 1:.1f}" y="{y + 1:.1f}" width="{_CELL - 2:.1f}" height="{_CELL - 2:.1f}"'
    return f'<rect {place} rx="2" class="{kind}" fill-opacity="{full:.2f}">{tip}</rect>'
