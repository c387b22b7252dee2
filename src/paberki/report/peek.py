"""Peek: a seeded random sample of pages, to see what a corpus, or a reason, looks like."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from paberki.errors import QueryError, StoreError
from paberki.nearest import nearest
from paberki.report.one_page.facts import plain
from paberki.report.one_page.row import Row, read_row
from paberki.store.built_layers import Layout
from paberki.store.directory import Directory
from paberki.store.reading import open_table, read_chunks
from paberki.store.sql.quoting import quote

LENGTH = 500
"""Characters of text shown."""
_SHOWN: Final = ("id", "url", "date", "title", "lang", "reason")
_NEEDED: Final = frozenset((*_SHOWN, "key", "blocks", "block_keep"))


def peek(
    directory: Directory,
    layout: Layout,
    *,
    n: int = 5,
    where: str | None = None,
    kept: bool = True,
    reason: str | None = None,
    seed: int = 1,
) -> list[dict[str, Any]]:
    """``n`` pages in random order; a seed gives the same ones again, however the corpus was built.

    ``reason`` asks for pages that were left out for it, ``kept=False`` for any page.
    """
    table = open_table(directory, layout)
    if reason is not None:
        kept, where = False, f"reason = {quote(reason)}" + (f" and ({where})" if where else "")
    if "keep" not in table.columns and (kept or reason is not None):
        raise StoreError(f"nothing is selected yet; run: paberki build {directory.root}")
    if reason is not None:
        _check_reason(directory, layout, reason)
    best: list[tuple[int, str]] = []
    tombstones = directory.tombstones()
    for chunk in read_chunks(table, ["id", "key"], where=where, kept=kept):
        rows: list[dict[str, str]] = chunk.to_pylist()
        draws = _draws([row["key"] for row in rows], seed)
        lots = [(draw, row["id"]) for draw, row in zip(draws, rows, strict=True) if row["key"] not in tombstones]
        best = sorted([*best, *lots])[: max(n, 0)]
    return [_sample_facts(read_row(directory, layout, int(page), only=_NEEDED)) for _, page in best]


def _check_reason(directory: Directory, layout: Layout, reason: str) -> None:
    """An error that names the reasons of this corpus, for a reason that no page was left out for."""
    from paberki.report.page_counts import counting

    with counting(directory, layout) as counter:
        rows = counter.rows(
            "SELECT reason, count(*) FROM pages WHERE reason IS NOT NULL GROUP BY ALL ORDER BY 2 DESC, 1"
        )
    reasons = [str(name) for name, _ in rows]
    if reason not in reasons:
        list_of_reasons = ", ".join(f"{name} ({count:,})" for name, count in rows) or "none"
        raise QueryError(
            f"no page was left out as {reason!r}{nearest(reason, reasons)}; reasons here: {list_of_reasons}"
        )


def _draws(keys: list[str], seed: int) -> list[int]:
    """A random number for each key: keys are hashes already, the seed shuffles them (SplitMix64's last step)."""
    numbers = np.array([int(key[:16], 16) for key in keys], np.uint64)
    draws = numbers ^ np.uint64((seed * 0x9E3779B97F4A7C15) % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        draws = (draws ^ (draws >> np.uint64(shift))) * np.uint64(factor)
    return [int(one) for one in draws ^ (draws >> np.uint64(31))]


def _sample_facts(row: Row) -> dict[str, Any]:
    text = "\n".join(row.selected_texts())
    facts = {name: plain(row[name]) for name in _SHOWN}
    return {**facts, "text": text[:LENGTH]}
