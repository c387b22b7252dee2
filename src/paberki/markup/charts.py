"""The three kinds of figure in a report: bars with a label each, a histogram, and a curve over ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from paberki.markup.svg import FONT, box, figure, line, text, width

WIDE = 540.0
"""Units; at 400 pixels letters are 10 pixels high."""
_ROW = 26.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A label, a bar of one or two pieces, and a note after it."""

    label: str
    value: float
    note: str
    kind: str = "kept"
    more: float = 0
    """Length of the second piece."""
    more_kind: str = "other"


def bars(name: str, title: str, about: str, rows: Sequence[Bar], *, axis: str = "pages") -> str:
    """Horizontal bars, one below the other; ``axis`` says what their length is."""
    if not rows:
        return nothing(name, title)
    left = min(190.0, max(width(row.label) for row in rows)) + 12
    right = max(width(row.note) for row in rows) + 14
    room = WIDE - left - right
    longest = max(row.value + row.more for row in rows) or 1
    parts = []
    for number, row in enumerate(rows):
        y = number * _ROW + 4
        first, second = room * row.value / longest, room * row.more / longest
        tip = f"{row.label}: {row.note}"
        parts += [
            text(left - 10, y + 15, row.label, anchor="end", room=left - 12),
            box(left, y + 2, room, 17, "track"),
            box(left, y + 2, _drawable(first), 17, row.kind, tip),
            box(left + _drawable(first), y + 2, _drawable(second), 17, row.more_kind, tip),
            text(WIDE, y + 15, row.note, anchor="end"),
        ]
    bottom = len(rows) * _ROW + 8
    parts.append(text(left + room / 2, bottom + 14, axis, anchor="middle", muted=True))
    return figure(name, title, about, WIDE, bottom + 22, parts)


def _drawable(length: float) -> float:
    """At least 1.5 units for a length above zero, so that small values stay visible."""
    return max(length, 1.5) if length > 0 else 0.0


def histogram(
    name: str,
    title: str,
    about: str,
    bins: Sequence[tuple[str, int]],
    *,
    axis: str,
    upwards: str = "pages",
    below: bool = False,
    high: float = 270,
) -> str:
    """Upright bars side by side; each label stands at the lower end of its bin, or ``below`` its middle, and has the room until the next label."""
    if not bins:
        return nothing(name, title)
    tallest = max(count for _, count in bins) or 1
    left, top, bottom = width(_number(tallest)) + 14, 34.0, high - 56
    step = min(110.0, (WIDE - left) / len(bins))
    begin = left + (WIDE - left - step * len(bins)) / 2
    label_numbers = [number for number, (label, _) in enumerate(bins) if label]
    space = min((b - a for a, b in pairwise(label_numbers)), default=len(bins)) * step
    parts = [text(0, 16, upwards, muted=True)]
    for share in (0.0, 0.5, 1.0):
        y = bottom - (bottom - top) * share
        parts.append(line(left, y, WIDE, y))
        if share == 0 or tallest * share >= 1:
            parts.append(text(left - 8, y + 4, _number(round(tallest * share)), anchor="end", muted=True))
    for number, (label, count) in enumerate(bins):
        x, tall = begin + number * step, (bottom - top) * count / tallest
        parts.append(
            box(x + 2, bottom - _drawable(tall), step - 4, _drawable(tall), "kept", f"{label}: {_number(count)}")
        )
        place, anchor = (x + step / 2, "middle") if below else (x + 2, "start")
        parts.append(text(place, bottom + 18, label, anchor=anchor, muted=True, room=space))
    parts.append(text((left + WIDE) / 2, high - 8, axis, anchor="middle", muted=True))
    return figure(name, title, about, WIDE, high, parts)


def rank_curve(
    name: str, title: str, about: str, points: Sequence[tuple[int, int]], *, across: str, upwards: str
) -> str:
    """Counts by rank, both axes logarithmic: a straight line is a power law."""
    if not points:
        return nothing(name, title)
    high, most = 320.0, (_ceiling(points[-1][0]), _ceiling(max(count for _, count in points)))
    left, right, top, bottom = width(_number(most[1])) + 14, WIDE - 30, 34.0, high - 48

    def place(rank: float, count: float) -> tuple[float, float]:
        x = left + (right - left) * math.log10(rank) / math.log10(most[0])
        return x, bottom - (bottom - top) * math.log10(count) / math.log10(most[1])

    parts = [text(0, 16, upwards, muted=True), text((left + right) / 2, high - 8, across, anchor="middle", muted=True)]
    for tick in _ticks(most[0]):
        x, _ = place(tick, 1)
        parts += [line(x, top, x, bottom), text(x, bottom + 18, _number(tick), anchor="middle", muted=True)]
    for tick in _ticks(most[1]):
        _, y = place(1, tick)
        parts += [line(left, y, right, y), text(left - 8, y + 4, _number(tick), anchor="end", muted=True)]
    places = [place(rank, count) for rank, count in points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts.append(f'<polyline points="{path}" class="curve"/>')
    if len(places) <= 40:
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" class="dot"/>' for x, y in places]
    return figure(name, title, about, WIDE, high, parts)


def _ceiling(value: int) -> int:
    """The next number of the 1-2-5 scale."""
    power = int(10 ** int(math.log10(max(value, 2))))
    return next(digit * power for digit in (2, 5, 10) if digit * power >= value) if value > power else max(power, 2)


def _ticks(most: int) -> list[int]:
    """Powers of ten, and between them where there is room; the last stands at the end of the axis."""
    scale = [digit * 10**power for power in range(12) for digit in ((1, 2, 5) if most <= 1000 else (1,))]
    return [tick for tick in scale if tick <= most]


def nothing(name: str, title: str) -> str:
    """A figure of nothing says so."""
    middle = text(WIDE / 2, 30 + FONT / 3, "no pages to show", anchor="middle", muted=True)
    return figure(name, title, "There is nothing to show.", WIDE, 60, [middle])


def _number(value: int) -> str:
    return f"{value:,}"
