"""Numbers as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paberki.engine.progress import Progress

__all__ = ["count", "duration", "number", "percent", "progress_line", "several", "short_number", "size"]


def count(number: float) -> str:
    """1234567 as 1,234,567."""
    return f"{number:,.0f}"


def several(things: int, noun: str) -> str:
    """``1 page``, ``1,204 pages``, ``3 copies``."""
    if things != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{things:,} {noun}"


def size(number: float) -> str:
    """Bytes in a unit that people read."""
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


def duration(seconds: float | None) -> str:
    """Seconds as 1:02:03 or 0:07."""
    if seconds is None:
        return "?"
    minutes, second = divmod(int(seconds + 0.5), 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour}:{minute:02d}:{second:02d}" if hour else f"{minute}:{second:02d}"


def number(value: float) -> str:
    """``15,747,585``; one decimal unless the number is whole."""
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.1f}"


def percent(value: float) -> str:
    """``71.67 %`` with two decimals, as in P5 Table 2; ``< 0.01 %`` for smaller shares."""
    if 0 < value < 0.00005:
        return "< 0.01 %"
    return f"{100 * value:.2f} %"


def short_number(value: int) -> str:
    """``1.19 G``, ``380 M``, ``12.5 k``: a size at a glance."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if value >= size:
            return f"{value / size:.3g} {letter}" if value < 999.5 * size else f"{value / size:.0f} {letter}"
    return str(value)


def progress_line(progress: Progress) -> str:
    """One line that says where a build is."""
    amount, rate = (size, "/s") if progress.unit == "bytes" else (count, f" {progress.unit}/s")
    failure_note = f", {count(progress.errors)} failed" if progress.errors else ""
    amounts = f"{amount(progress.done)} of {amount(progress.total)} {'' if progress.unit == 'bytes' else progress.unit}"
    return f"{progress.stage}: {amounts.strip()}, {amount(progress.rate)}{rate}, {duration(progress.eta)} left{failure_note}"
