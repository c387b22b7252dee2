# mypy: ignore-errors
"""Pages, hosts, distances of chosen rows while occurrences go by, compiled: see :mod:`paberki.query.counting.tally`.

Invariants: positions never fall, and all occurrences of a page come in one call. ``lasts`` is −1 for a row without an
occurrence so far. Arrays of rows have one row more than is asked for: it takes what is not counted. Windows: a page is below
``len(edges) - 1``, its tokens inside the column, an id below ``len(slots)``.
"""

from __future__ import annotations

import numpy as np

from paberki.kernels import inner, kernel
from paberki.kernels.kernel_types import INT, filled, given, record, types
from paberki.query.counting.tally_records import PageShares, RowTallies, TokenWindows
from paberki.query.counting.windows_kernel import range_before, range_behind
from paberki.query.index.columns_kernel import bits_at, mask_of

_ONE = np.uint64(1)
_NUMBERS, _PLACES, _SHARES = filled(types.int64), given(types.int64), given(types.float64)
_ROWS = record(
    RowTallies, weights=_SHARES, stretches=_SHARES, firsts=_NUMBERS, lasts=_NUMBERS, reduced=filled(types.float64),
    in_page=_NUMBERS, touched=filled(types.uint16), pages=_NUMBERS, together=filled(types.float64),
    seen=filled(types.uint8, 2),
)  # fmt: skip
_PAGES = record(PageShares, hosts=given(types.int32), shares=_SHARES)
_WINDOWS = record(
    TokenWindows, starts=_PLACES, ends=_PLACES, regions=given(types.uint32), edges=_PLACES, low=INT, high=INT
)


@inner
def _note(rows, row, position, count):
    """One more occurrence of a row; how many rows of the page have one.

    The row is listed always and counted where it is new on the page: cheaper than a jump that nobody can foretell.
    """
    before = rows.in_page[row]
    rows.in_page[row] = before + 1
    rows.touched[count] = np.uint16(row)
    last = rows.lasts[row]
    rows.lasts[row] = position
    if last < 0:
        rows.firsts[row] = position
    else:
        rows.reduced[row] += min(np.float64(position - last), rows.stretches[row])
    return count + np.uint64(before == 0)


@inner
def _close_page(rows, count, host, share):
    """Count the page for the rows that it has, mark its host, and add the smaller of the share of the page in all tokens and
    its share in the hits of the row. Marks of one host lie side by side."""
    for at in range(count):
        row = np.uint64(rows.touched[np.uint64(at)])
        rows.pages[row] += 1
        rows.together[row] += min(share, rows.in_page[row] * rows.weights[row])
        rows.in_page[row] = 0
        if host >= 0:
            rows.seen[np.uint64(host), row] = 1


@kernel(given(types.uint32), _PLACES, given(types.uint32), _PAGES, _ROWS, returns=INT)
def tally_list(listed, positions, pages, facts, rows):
    """Occurrence k belongs to row ``listed[k]``; it has a position and a page."""
    count = np.uint64(0)
    for k in range(len(listed)):
        count = _note(rows, np.uint64(listed[np.uint64(k)]), positions[np.uint64(k)], count)
        page = np.uint64(pages[np.uint64(k)])
        if k + 1 == len(listed) or np.uint64(pages[np.uint64(k + 1)]) != page:
            _close_page(rows, count, facts.hosts[page], facts.shares[page])
            count = np.uint64(0)
    return len(listed)


@kernel(
    given(types.uint64), INT, _WINDOWS, given(types.uint16), _PLACES, given(types.uint32), _PAGES, _ROWS, returns=INT
)
def tally_windows(words, width, windows, slots, positions, pages, facts, rows):
    """All tokens in all windows of hits; ``slots`` has the row of each id, a token counts where its hit is."""
    wide, mask = np.uint64(width), mask_of(width)
    count = np.uint64(0)
    for k in range(len(positions)):
        region, position = np.uint64(windows.regions[k]), positions[k]
        begin, stop = range_before(windows.starts[k], windows.edges[region], windows.low, windows.high)
        for _ in range(2):
            bit = np.uint64(begin) * wide
            for _ in range(begin, stop):
                count = _note(rows, np.uint64(slots[bits_at(words, bit) & mask]), position, count)
                bit += wide
            begin, stop = range_behind(windows.ends[k], windows.edges[region + _ONE], windows.low, windows.high)
        page = np.uint64(pages[k])
        if k + 1 == len(positions) or np.uint64(pages[k + 1]) != page:
            _close_page(rows, count, facts.hosts[page], facts.shares[page])
            count = np.uint64(0)
    return len(positions)
