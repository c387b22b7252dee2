"""Lengths of the kept texts, in characters: a histogram on a 1-2-5 scale, mean and median (P5 §4.1)."""

from __future__ import annotations

from dataclasses import dataclass

from paberki.amounts import number, short_number
from paberki.engine.plan import Plan
from paberki.markup.charts import histogram
from paberki.report.page_counts import Counter, counting, share
from paberki.report.section import Figure, Section
from paberki.store.directory import Directory

EDGES = tuple(digit * 10**power for power in range(1, 7) for digit in (1, 2, 5))
"""Lower ends of the bins after the first, which begins at nothing."""
_COUNTED = """CREATE OR REPLACE TEMP TABLE length_counts AS
    SELECT coalesce(selected_char_count, 0) AS chars, count(*) AS pages FROM pages WHERE keep GROUP BY 1"""


@dataclass(frozen=True, slots=True)
class Bin:
    """Texts with at least ``start`` and less than ``end`` characters; the last bin has no end."""

    start: int
    end: int | None
    pages: int


@dataclass(frozen=True, slots=True)
class Lengths:
    """The kept texts."""

    pages: int
    mean: float
    median: int
    shortest: int
    longest: int
    bins: tuple[Bin, ...]
    """Without empty ones at both ends."""


def lengths(directory: Directory, plan: Plan) -> Lengths:
    """How long the kept texts are."""
    with counting(directory, plan) as counter:
        return lengths_in(counter)


def lengths_in(counter: Counter) -> Lengths:
    """The same in an open corpus. Pages are first counted by length, which makes an exact median cheap."""
    counter.rows(_COUNTED)
    [(pages, chars, shortest, longest)] = counter.rows(
        "SELECT coalesce(sum(pages), 0), coalesce(sum(chars * pages), 0), coalesce(min(chars), 0), "
        "coalesce(max(chars), 0) FROM length_counts"
    )
    median = counter.rows(
        """SELECT min(chars) FROM (SELECT chars, sum(pages) OVER (ORDER BY chars) AS running FROM length_counts)
           WHERE running * 2 >= ?""",
        [pages],
    )
    middle = int(median[0][0] or 0)
    return Lengths(int(pages), share(int(chars), int(pages)), middle, int(shortest), int(longest), _bins(counter))


def _bins(counter: Counter) -> tuple[Bin, ...]:
    steps = " + ".join(f"(chars >= {edge})::INTEGER" for edge in EDGES)
    rows = counter.rows(f"SELECT {steps} AS bin, sum(pages) FROM length_counts GROUP BY bin")
    pages_by_bin = {int(at): int(pages) for at, pages in rows}
    if not pages_by_bin:
        return ()
    starts, ends = (0, *EDGES), (*EDGES, None)
    return tuple(
        Bin(starts[at], ends[at], pages_by_bin.get(at, 0)) for at in range(min(pages_by_bin), max(pages_by_bin) + 1)
    )


def lengths_section(lengths: Lengths) -> Section:
    """Kept texts by their length."""
    caption = (
        f"A kept page has {number(round(lengths.mean))} characters on average; half of the pages have at most "
        f"{number(lengths.median)}, the shortest {number(lengths.shortest)}, the longest {number(lengths.longest)}."
    )
    bins = [(short_number(one.start).replace(" ", ""), one.pages) for one in lengths.bins]
    svg = histogram("lengths", "Lengths of kept texts", caption, bins, axis="characters (lower end of each bin)")
    values = {name: getattr(lengths, name) for name in ("pages", "mean", "median", "shortest", "longest")}
    rows = [{"from": one.start, "to": one.end, "pages": one.pages} for one in lengths.bins]
    return Section("lengths", "Length of texts", caption, values, rows, [Figure("lengths", svg)])
