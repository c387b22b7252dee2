"""Figures that compare: curves, box plots and grouped bars of up to four series.

Series differ in colour and in the pattern of their lines, so that they can be told apart without colours and in print.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from paberki.markup.charts import WIDE, nothing
from paberki.markup.svg import clean, figure, fit, line, text, width

SERIES: Final = 4
_HIGH: Final = 330.0
_ROW: Final = 30.0


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through points, each x and y."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Box:
    """Five numbers of a distribution, and values beyond the whiskers."""

    name: str
    low: float
    quarter: float
    median: float
    three_quarters: float
    high: float
    outliers: Sequence[float] = ()


def nice_ceiling(value: float) -> float:
    """The next number of the scale 1, 2, 2.5, 5, 10 that is not smaller."""
    if value <= 0:
        return 1.0
    power = 10 ** math.floor(math.log10(value) + 1e-12)
    return float(next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= value * (1 - 1e-12)))


def short(value: float) -> str:
    """A number on an axis."""
    if value and abs(value) < 0.001:
        return f"{value:.0e}"
    return f"{value:,.0f}" if abs(value) >= 100 or float(value).is_integer() else f"{value:.3g}"


def legend(names: Sequence[str], y: float, *, lines: bool) -> tuple[list[str], float]:
    """The names of the series, as many on a line as fit; where the figure goes on below."""
    parts, x = [], 0.0
    for number, name in enumerate(names):
        label = fit(name, WIDE - 60)
        wide = 42 + width(label) + 18
        if x and x + wide > WIDE:
            x, y = 0.0, y + 22
        kind = f"series{number % SERIES + 1}"
        if lines:
            parts.append(
                f'<line x1="{x:.0f}" y1="{y - 5:.0f}" x2="{x + 32:.0f}" y2="{y - 5:.0f}" class="line {kind}"/>'
            )
        else:
            parts.append(f'<rect x="{x + 10:.0f}" y="{y - 13:.0f}" width="16" height="16" class="fill {kind}"/>')
        parts.append(text(x + 40, y, label))
        x += wide
    return parts, y


def curves(
    name: str,
    title: str,
    about: str,
    series: Sequence[Curve],
    *,
    across: str,
    upwards: str,
    top: float | None = None,
    logarithmic: bool = False,
) -> str:
    """Lines over a common axis, from nothing up to ``top``; ``logarithmic`` is about the axis across."""
    nonempty_series = [one for one in series if one.points]
    if not nonempty_series:
        return nothing(name, title)
    most_x = max(x for one in nonempty_series for x, _ in one.points)
    most_y = top or nice_ceiling(max(y for one in nonempty_series for _, y in one.points))
    parts, y_legend = legend([one.name for one in nonempty_series], 16, lines=True)
    upper, lower = y_legend + 38, y_legend + _HIGH - 60
    left, right = max(width(short(most_y * step / 4)) for step in range(5)) + 14, WIDE - 24
    across_of = _scale(1.0 if logarithmic else 0.0, max(most_x, 2.0), left, right, logarithmic)

    def up(y: float) -> float:
        return lower - (lower - upper) * y / most_y

    parts.append(text(0, y_legend + 24, upwards, muted=True))
    for step in range(5):
        y = most_y * step / 4
        parts += [line(left, up(y), right, up(y)), text(left - 8, up(y) + 4, short(y), anchor="end", muted=True)]
    for tick in _ticks(max(most_x, 2.0), logarithmic):
        parts.append(text(across_of(tick), lower + 20, short(tick), anchor="middle", muted=True))
    parts.append(text((left + right) / 2, lower + 44, across, anchor="middle", muted=True))
    for number, one in enumerate(nonempty_series):
        places = " ".join(f"{across_of(x):.1f},{up(y):.1f}" for x, y in one.points)
        tip = f"<title>{clean(one.name)}</title>"
        parts.append(f'<polyline class="line series{number % SERIES + 1}" points="{places}">{tip}</polyline>')
    return figure(name, title, about, WIDE, lower + 54, parts)


def _scale(low: float, high: float, left: float, right: float, logarithmic: bool) -> Callable[[float], float]:
    def linear(x: float) -> float:
        return left + (right - left) * (x - low) / (high - low)

    def log(x: float) -> float:
        return left + (right - left) * math.log(max(x, low) / low) / math.log(high / low)

    return log if logarithmic else linear


def _ticks(most: float, logarithmic: bool) -> list[float]:
    if logarithmic:
        digits = (1, 2, 5) if most <= 200 else (1, 3) if most <= 2_000 else (1,)
        scale = [digit * 10.0**power for power in range(12) for digit in digits]
        return [tick for tick in scale if tick <= most * (1 + 1e-9)]
    step = nice_ceiling(most / 5)
    return [step * number for number in range(int(most / step + 1e-9) + 1)]


def box_plots(name: str, title: str, about: str, boxes: Sequence[Box], *, axis: str) -> str:
    """Lying boxes, one below the other: quartiles, median, whiskers, values beyond them."""
    if not boxes:
        return nothing(name, title)
    values = [value for one in boxes for value in (one.low, one.high, *one.outliers)]
    low, high = _around(min(values), max(values))
    left, right = min(150.0, max(width(one.name) for one in boxes)) + 14, WIDE - 20
    across = _scale(low, high, left, right, False)
    bottom = len(boxes) * 46.0 + 10
    parts = []
    step = nice_ceiling((high - low) / 7)
    tick = math.ceil(low / step - 1e-9) * step
    while tick <= high + 1e-9:
        parts.append(line(across(tick), 4, across(tick), bottom))
        parts.append(text(across(tick), bottom + 18, short(tick), anchor="middle", muted=True))
        tick += step
    for number, one in enumerate(boxes):
        parts += _box(one, number, across, left)
    parts.append(text((left + right) / 2, bottom + 42, axis, anchor="middle", muted=True))
    return figure(name, title, about, WIDE, bottom + 52, parts)


def _around(low: float, high: float) -> tuple[float, float]:
    """A little more than the range of the values; never below zero where they are not."""
    room = (high - low) * 0.06 or abs(high) * 0.05 or 1.0
    return (max(0.0, low - room) if low >= 0 else low - room), high + room


def _box(one: Box, number: int, across: Callable[[float], float], left: float) -> list[str]:
    middle, kind = number * 46.0 + 28, f"series{number % SERIES + 1}"
    tip = f"{one.name}: {short(one.low)}, {short(one.quarter)}, {short(one.median)}, {short(one.three_quarters)}, {short(one.high)}"
    start, end = across(one.quarter), across(one.three_quarters)
    parts = [text(left - 10, middle + 5, one.name, anchor="end", room=left - 12)]
    whiskers = ((one.low, one.quarter), (one.three_quarters, one.high))
    parts += [
        f'<line x1="{across(a):.1f}" y1="{middle:.0f}" x2="{across(b):.1f}" y2="{middle:.0f}" class="line {kind}" '
        'style="stroke-dasharray: none"/>'
        for a, b in whiskers
    ]
    parts.append(
        f'<rect x="{start:.1f}" y="{middle - 13:.0f}" width="{max(end - start, 1.5):.1f}" height="26" '
        f'class="frame {kind}"><title>{clean(tip)}</title></rect>'
    )
    at = across(one.median)
    parts.append(
        f'<line x1="{at:.1f}" y1="{middle - 13:.0f}" x2="{at:.1f}" y2="{middle + 13:.0f}" class="line {kind}" '
        'style="stroke-width: 4; stroke-dasharray: none"/>'
    )
    parts += [
        f'<circle cx="{across(value):.1f}" cy="{middle:.0f}" r="4" class="point {kind}"/>' for value in one.outliers
    ]
    return parts


def grouped_bars(
    name: str,
    title: str,
    about: str,
    labels: Sequence[str],
    series: Sequence[tuple[str, Sequence[float]]],
    *,
    axis: str,
) -> str:
    """For each label one bar per series, lying; values are written behind the bars."""
    if not labels or not series:
        return nothing(name, title)
    parts, top = legend([one for one, _ in series], 16, lines=False) if len(series) > 1 else ([], 0.0)
    top += 14 if len(series) > 1 else 4
    most = nice_ceiling(max(max(values, default=0.0) for _, values in series))
    left = min(150.0, max(width(label) for label in labels)) + 14
    right = WIDE - 62
    each = max(_ROW / len(series), 13.0)
    for row, label in enumerate(labels):
        y = top + row * (each * len(series) + 8)
        parts.append(text(left - 10, y + each * len(series) / 2 + 5, label, anchor="end", room=left - 12))
        for number, (series_name, values) in enumerate(series):
            long, bar_y = (right - left) * values[row] / most, y + number * each
            tip = f"<title>{clean(f'{label}, {series_name}: {short(values[row])}')}</title>"
            parts.append(
                f'<rect x="{left:.0f}" y="{bar_y:.1f}" width="{max(long, 1 if values[row] else 0):.1f}" '
                f'height="{each - 2:.1f}" class="fill series{number % SERIES + 1}">{tip}</rect>'
            )
            parts.append(text(left + long + 6, bar_y + each / 2 + 4, _bar_value(values[row]), muted=True))
    bottom = top + len(labels) * (each * len(series) + 8)
    parts.append(line(left, top - 2, left, bottom))
    parts.append(text((left + right) / 2, bottom + 18, axis, anchor="middle", muted=True))
    return figure(name, title, about, WIDE, bottom + 28, parts)


def _bar_value(value: float) -> str:
    return f"{value:.1f}" if 0 < value < 100 and not float(value).is_integer() else short(value)
