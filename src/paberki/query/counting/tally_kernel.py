# mypy: ignore-errors
"""Pages, hosts, distances of chosen rows while occurrences go by, compiled: see :mod:`paberki.query.counting.tally`.

Invariants: positions never fall, and all occurrences of a page come in one call. ``lasts`` is −1 for a row without an
occurrence so far. Arrays of rows have more rows than are asked for: they take what is not counted. Windows: a page is below
``len(edges) - 1``, its tokens inside the column, an id below ``len(slots)``. Page by page: no page has 65,536 tokens in
windows, arrays of rows are equally long, and there is
a multiple of 64 rows, a bit for each in a row of ``host_rows``.

A page is closed either for the rows that it has (:func:`tally_list`, :func:`tally_windows`) or for all rows at once
(:func:`tally_pages`), without a jump: the processor takes sixteen rows at a time. The latter is better unless there are
many rows for few tokens.
"""

from __future__ import annotations

import numpy as np

from paberki.kernels import inner, kernel, part
from paberki.kernels.kernel_types import INT, nonzero_bits, reads, record, types, writes
from paberki.query.counting.tally_records import HitPlaces, PageShares, PageSums, RowTallies, TokenWindows
from paberki.query.counting.windows_kernel import USUAL, range_before, range_behind
from paberki.query.index.columns_kernel import bits_at, mask_of

_ONE = np.uint64(1)
_WORD, _LAST_BIT = np.uint64(6), np.uint64(63)
_WORD_BITS = 64
_NUMBERS, _PLACES, _SHARES = writes(types.int64), reads(types.int64), reads(types.float64)
_ROWS = record(
    RowTallies, weights=_SHARES, stretches=_SHARES, firsts=_NUMBERS, lasts=_NUMBERS, distances=writes(types.float64),
    in_page=_NUMBERS, page_rows=writes(types.uint16), pages=_NUMBERS, together=writes(types.float64),
    host_rows=writes(types.uint64, 2),
)  # fmt: skip
_PAGES = record(PageShares, hosts=reads(types.int32), shares=_SHARES, tokens=_PLACES)
_HITS = record(HitPlaces, positions=_PLACES, pages=reads(types.uint32))
_SUMS = record(
    PageSums, frequencies=reads(types.float32), in_page=writes(types.uint16), pages=writes(types.uint32),
    light_tokens=writes(types.uint32), beyond=writes(types.uint32),
)  # fmt: skip
_WINDOWS = record(
    TokenWindows, starts=_PLACES, ends=_PLACES, regions=reads(types.uint32), edges=_PLACES, low=INT, high=INT
)


@inner
def _note_distance(rows, row, position):
    """Add the distance of an occurrence from the one before it."""
    last = rows.lasts[row]
    rows.lasts[row] = position
    if last < 0:
        rows.firsts[row] = position
    else:
        rows.distances[row] += min(np.float64(position - last), rows.stretches[row])


@inner
def _note(rows, row, position, count):
    """One more occurrence of a row; how many rows of the page have one.

    The row is listed always and counted where it is new on the page: cheaper than a jump that nobody can foretell.
    """
    before = rows.in_page[row]
    rows.in_page[row] = before + 1
    rows.page_rows[count] = np.uint16(row)
    _note_distance(rows, row, position)
    return count + np.uint64(before == 0)


@inner
def _close_page(rows, count, host, share):
    """Count the page for the rows that it has, mark its host, and add the smaller of the share of the page in all tokens and
    its share in the hits of the row. Marks of one host lie side by side."""
    for at in range(count):
        row = np.uint64(rows.page_rows[np.uint64(at)])
        rows.pages[row] += 1
        rows.together[row] += min(share, rows.in_page[row] * rows.weights[row])
        rows.in_page[row] = 0
        rows.host_rows[host, row >> _WORD] |= _ONE << (row & _LAST_BIT)


@kernel(reads(types.uint32), _PLACES, reads(types.uint32), _PAGES, _ROWS, returns=INT)
def tally_list(row_numbers, positions, pages, facts, rows):
    """Occurrence k belongs to row ``row_numbers[k]``; it has a position and a page."""
    count = np.uint64(0)
    for k in range(len(row_numbers)):
        count = _note(rows, np.uint64(row_numbers[np.uint64(k)]), positions[np.uint64(k)], count)
        page = np.uint64(pages[np.uint64(k)])
        if k + 1 == len(row_numbers) or np.uint64(pages[np.uint64(k + 1)]) != page:
            _close_page(rows, count, np.uint64(facts.hosts[page]), facts.shares[page])
            count = np.uint64(0)
    return len(row_numbers)


@kernel(reads(types.uint64), INT, _WINDOWS, reads(types.uint16), _HITS, _PAGES, _ROWS, returns=INT)
def tally_windows(words, width, windows, slots, hits, facts, rows):
    """All tokens in all windows of hits; ``slots`` has the row of each id, a token counts where its hit is."""
    wide, mask = np.uint64(width), mask_of(width)
    count = np.uint64(0)
    for k in range(len(hits.positions)):
        region, position = np.uint64(windows.regions[k]), hits.positions[k]
        begin, stop = range_before(windows.starts[k], windows.edges[region], windows.low, windows.high)
        for _ in range(2):
            bit = np.uint64(begin) * wide
            for _ in range(begin, stop):
                count = _note(rows, np.uint64(slots[bits_at(words, bit) & mask]), position, count)
                bit += wide
            begin, stop = range_behind(windows.ends[k], windows.edges[region + _ONE], windows.low, windows.high)
        page = np.uint64(hits.pages[k])
        if k + 1 == len(hits.positions) or np.uint64(hits.pages[k + 1]) != page:
            _close_page(rows, count, np.uint64(facts.hosts[page]), facts.shares[page])
            count = np.uint64(0)
    return len(hits.positions)


@part
def _close_rows(sums, host_rows, host, tokens, share):
    """Count a page for all rows. Its share in all tokens and in the hits of a row are compared as numbers of 32 bits: where
    these are too short to tell, the two are equal."""
    for word in range(host_rows.shape[1]):
        host_rows[host, word] |= nonzero_bits(sums.in_page, word * _WORD_BITS)
    for row in range(len(sums.in_page)):
        hits = sums.in_page[row]
        present = hits > 0
        sums.pages[row] += np.uint32(present)
        is_less = np.float32(hits) < share * sums.frequencies[row]
        sums.light_tokens[row] += np.uint32(tokens) if present and not is_less else np.uint32(0)
        sums.beyond[row] += np.uint32(hits) if is_less else np.uint32(0)
        sums.in_page[row] = 0


@inner
def _note_token(words, bit, mask, slots, position, rows, in_page):
    row = np.uint64(slots[bits_at(words, bit) & mask])
    in_page[row] += np.uint16(1)
    _note_distance(rows, row, position)


@inner
def _note_range(words, wide, mask, begin, stop, slots, position, rows, in_page):
    """The tokens of a range."""
    bit = np.uint64(begin) * wide
    if stop - begin == USUAL:
        for _ in range(USUAL):
            _note_token(words, bit, mask, slots, position, rows, in_page)
            bit += wide
    else:
        for _ in range(begin, stop):
            _note_token(words, bit, mask, slots, position, rows, in_page)
            bit += wide


@kernel(reads(types.uint64), INT, _WINDOWS, reads(types.uint16), _HITS, _PAGES, _ROWS, _SUMS, returns=INT)
def tally_pages(words, width, windows, slots, hits, facts, rows, sums):
    """The same as :func:`tally_windows`; what is counted page by page is in ``sums``."""
    wide, mask = np.uint64(width), mask_of(width)
    for k in range(len(hits.positions)):
        region, position = np.uint64(windows.regions[k]), hits.positions[k]
        begin, stop = range_before(windows.starts[k], windows.edges[region], windows.low, windows.high)
        _note_range(words, wide, mask, begin, stop, slots, position, rows, sums.in_page)
        begin, stop = range_behind(windows.ends[k], windows.edges[region + _ONE], windows.low, windows.high)
        _note_range(words, wide, mask, begin, stop, slots, position, rows, sums.in_page)
        page = np.uint64(hits.pages[k])
        if k + 1 == len(hits.positions) or np.uint64(hits.pages[k + 1]) != page:
            _close_rows(sums, rows.host_rows, facts.hosts[page], facts.tokens[page], np.float32(facts.shares[page]))
    return len(hits.positions)
