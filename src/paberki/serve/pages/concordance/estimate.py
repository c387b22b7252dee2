"""What a query would cost: how often each of its tokens occurs, and how long the whole would take, from a short try."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from paberki.errors import PaberkiError
from paberki.serve.pages.concordance.nothing import tokens_of

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["estimate"]

_TRY, _SMALL_TRY = 0.03, 0.3
"""Seconds that are spent on a try; in a small corpus that is nearly always enough for the whole query."""
_SMALL: Final = 2_000_000
_LEAST_SHARE: Final = 0.001
"""A try that has seen less of the corpus says nothing about the rest."""
_MOST_TOKENS: Final = 4
_SLOW: Final = 5.0


def estimate(visit: Visit) -> dict[str, Any]:
    """``/estimate?q=``: a line for people, and the numbers in it; what is wrong with the query is an error with its place."""
    query = visit.ask.query(visit.edition)
    text = str(query.text)
    whole, seconds = _trial_count(visit, text)
    tokens = [part for part in tokens_of(text) if part != "[]"]
    counts = [(part, _trial_count(visit, part)[0]) for part in tokens[:_MOST_TOKENS]] if len(tokens) > 1 else []
    parts = [visit.say("{n} tokens", n=len(tokens_of(text, distinct=False)))] if tokens else []
    if counts:
        parts.append(" × ".join(f"{part} {number}" for part, number in counts))
    else:
        parts.append(visit.say("{n} hits", n=whole))
    if seconds is not None:
        parts.append(visit.say("about {time}", time=_duration(visit, seconds)))
    return {
        "text": "✓ " + " · ".join(parts),
        "canonical": str(query),
        "seconds": seconds and round(seconds, 3),
        "slow": (seconds or 0) > _SLOW,
    }


def _trial_count(visit: Visit, text: str) -> tuple[str, float | None]:
    """How many hits there are (at least), and how many seconds all of them would take; None if that cannot be told."""
    from paberki.query import Budget

    settings, ask = visit.service.settings, visit.ask
    limit = _TRY if visit.edition.index.tokens > _SMALL else _SMALL_TRY
    budget = Budget(limit, settings.table_hits, settings.search_memory_bytes)
    start = time.perf_counter()
    try:
        hits = visit.edition.concordancer.query(text, strategy=ask.strategy, dialect=ask.dialect, budget=budget)
        progress = hits.search.count()
    except PaberkiError:
        return "?", None
    took = time.perf_counter() - start
    if progress.state != "stopped":
        return visit.count(progress.value), took
    whole = took / progress.searched if progress.searched > _LEAST_SHARE else None
    return f"≥ {visit.count(progress.value)}", whole


def _duration(visit: Visit, seconds: float) -> str:
    if seconds < 1:
        return f"{max(1, round(seconds * 1000, -1 if seconds > 0.02 else 0)):.0f} ms"
    return f"{visit.decimal(seconds, 0 if seconds > 10 else 1)} s"
