"""Numbers as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paberki.engine.progress import Progress

__all__ = ["count", "duration", "progress_line", "size"]


def count(number: float) -> str:
    """1234567 as 1,234,567."""
    return f"{number:,.0f}"


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


def progress_line(progress: Progress) -> str:
    """One line that says where a build is."""
    amount, rate = (size, "/s") if progress.unit == "bytes" else (count, f" {progress.unit}/s")
    failed = f", {count(progress.errors)} failed" if progress.errors else ""
    amounts = f"{amount(progress.done)} of {amount(progress.total)} {'' if progress.unit == 'bytes' else progress.unit}"
    return f"{progress.stage}: {amounts.strip()}, {amount(progress.rate)}{rate}, {duration(progress.eta)} left{failed}"
