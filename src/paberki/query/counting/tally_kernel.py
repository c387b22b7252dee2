# mypy: ignore-errors
"""Pages, hosts, distances of chosen rows while occurrences go by, compiled: see :mod:`paberki.query.counting.tally`.

Invariants: positions never fall, and all occurrences of a page come in one call. ``lasts`` is :data:`NEVER` for a row without
an occurrence so far. Arrays of rows have more rows than are asked for: they take what is not counted. Windows: a page is below
``len(edges) - 1``, its tokens inside the column, an id below ``len(slots)``. Page by page: no page has 65,536 tokens in
windows, arrays of rows are equally long, and there is
a multiple of 64 rows, a bit for each in a row of ``host_rows``.

A page is closed either for the rows that it has (:func:`tally_list`, :func:`tally_windows`) or for all rows at once
(:func:`tally_pages`), without a jump: the processor takes sixteen rows at a time. The latter is better unless there are
many rows for few tokens.

Distances are summed without a jump and without rounding: positions are shifted by :data:`SHIFT` bits, and the longest
distance that counts, the whole part of the stretch, has a one in the bits below. So the smaller of the two is added at once, and
the lower bits of the sum tell how many distances were longer than the stretch.
"""

from __future__ import annotations

import numpy as np

from paberki.kernels import inner, kernel, part
from paberki.kernels.kernel_types import INT, nonzero_bits, prefetch, reads, record, types, writes
from paberki.query.counting.tally_records import HitPlaces, PageShares, PageSums, RowTallies, TokenWindows
from paberki.query.counting.windows_kernel import USUAL, five_ids, is_usual, range_before, range_behind
from paberki.query.index.columns_kernel import bits_at, mask_of

SHIFT = 28
"""Room for so many bits of distances longer than a stretch: one row has fewer hits."""
NEVER = (1 << 64) - 1
_SHIFT, _NEVER = np.uint64(SHIFT), np.uint64(NEVER)
_ONE = np.uint64(1)
_WORD, _LAST_BIT = np.uint64(6), np.uint64(63)
_WORD_BITS = 64
_NUMBERS, _PLACES, _SHARES = writes(types.int64), reads(types.int64), reads(types.float64)
_ROWS = record(
    RowTallies, weights=_SHARES, limits=reads(types.uint64), firsts=_NUMBERS, lasts=writes(types.uint64),
    distances=writes(types.uint64),
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
def _note_distance(rows, row, place):
    """Add the distance of an occurrence from the one before it; ``place`` is its position, shifted."""
    last = rows.lasts[row]
    rows.lasts[row] = place
    if last == _NEVER:
        rows.firsts[row] = np.int64(place >> _SHIFT)
    else:
        rows.distances[row] += min(place - last, rows.limits[row])


@inner
def _note(rows, row, place, count):
    """One more occurrence of a row; how many rows of the page have one.

    The row is listed always and counted where it is new on the page: cheaper than a jump that nobody can foretell.
    """
    before = rows.in_page[row]
    rows.in_page[row] = before + 1
    rows.page_rows[count] = np.uint16(row)
    _note_distance(rows, row, place)
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
        count = _note(rows, np.uint64(row_numbers[np.uint64(k)]), np.uint64(positions[np.uint64(k)]) << _SHIFT, count)
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
        region, place = np.uint64(windows.regions[k]), np.uint64(hits.positions[k]) << _SHIFT
        begin, stop = range_before(windows.starts[k], windows.edges[region], windows.low, windows.high)
        for _ in range(2):
            bit = np.uint64(begin) * wide
            for _ in range(begin, stop):
                count = _note(rows, np.uint64(slots[bits_at(words, bit) & mask]), place, count)
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
    these are too short to tell, the two are equal. One hit is as much as the share of the page in hits of rare rows, so that
    these need not be compared."""
    for word in range(host_rows.shape[1]):
        host_rows[host, word] |= nonzero_bits(sums.in_page, word * _WORD_BITS)
    rare = 0
    while rare < len(sums.in_page) and share * sums.frequencies[rare] > np.float32(1):
        rare += _WORD_BITS
    for row in range(rare):
        hits = sums.in_page[row]
        present = hits > 0
        sums.pages[row] += np.uint32(present)
        is_less = np.float32(hits) < share * sums.frequencies[row]
        sums.light_tokens[row] += np.uint32(tokens) if present and not is_less else np.uint32(0)
        sums.beyond[row] += np.uint32(hits) if is_less else np.uint32(0)
        sums.in_page[row] = 0
    for at in range(rare, len(sums.in_page)):
        row = np.uint64(at)
        present = sums.in_page[row] > 0
        sums.pages[row] += np.uint32(present)
        sums.light_tokens[row] += np.uint32(tokens) if present else np.uint32(0)
        sums.in_page[row] = 0


@inner
def _note_known(identity, slots, place, rows, in_page):
    """One more occurrence of a row that has some."""
    row = np.uint64(slots[identity])
    in_page[row] += np.uint16(1)
    last = rows.lasts[row]
    rows.lasts[row] = place
    rows.distances[row] += min(place - last, rows.limits[row])


@inner
def _note_five(words, token, wide, mask, slots, place, rows, in_page):
    """Five tokens of rows that have occurrences."""
    one, two, three, four, five = five_ids(words, token, wide, mask)
    _note_known(one, slots, place, rows, in_page)
    _note_known(two, slots, place, rows, in_page)
    _note_known(three, slots, place, rows, in_page)
    _note_known(four, slots, place, rows, in_page)
    _note_known(five, slots, place, rows, in_page)


@inner
def _note_range(words, wide, mask, begin, stop, slots, place, rows, in_page):
    """The tokens of a range."""
    bit = np.uint64(begin) * wide
    for _ in range(begin, stop):
        row = np.uint64(slots[bits_at(words, bit) & mask])
        in_page[row] += np.uint16(1)
        _note_distance(rows, row, place)
        bit += wide


@part
def _all_occur(lasts):
    """Whether all rows have occurrences."""
    missing = 0
    for row in range(len(lasts)):
        missing += lasts[row] == _NEVER
    return missing == 0


@kernel(reads(types.uint64), INT, _WINDOWS, reads(types.uint16), _HITS, _PAGES, _ROWS, _SUMS, returns=INT)
def tally_pages(words, width, windows, slots, hits, facts, rows, sums):
    """The same as :func:`tally_windows` for rows with falling frequencies; what is counted page by page is in ``sums``."""
    wide, mask = np.uint64(width), mask_of(width)
    low, high, in_page = windows.low, windows.high, sums.in_page
    has_occurrences = False
    for k in range(len(hits.positions)):
        region, place = np.uint64(windows.regions[k]), np.uint64(hits.positions[k]) << _SHIFT
        start, end, first, last = (
            windows.starts[k],
            windows.ends[k],
            windows.edges[region],
            windows.edges[region + _ONE],
        )
        if has_occurrences and is_usual(start, end, first, last, low, high):
            _note_five(words, np.uint64(start - USUAL), wide, mask, slots, place, rows, in_page)
            _note_five(words, np.uint64(end), wide, mask, slots, place, rows, in_page)
        else:
            begin, stop = range_before(start, first, low, high)
            _note_range(words, wide, mask, begin, stop, slots, place, rows, in_page)
            begin, stop = range_behind(end, last, low, high)
            _note_range(words, wide, mask, begin, stop, slots, place, rows, in_page)
        page = np.uint64(hits.pages[k])
        next_page = np.uint64(hits.pages[min(k + 1, len(hits.pages) - 1)])
        if next_page != page or k + 1 == len(hits.positions):
            prefetch(rows.host_rows, np.int64(facts.hosts[next_page]), 0)
            prefetch(rows.host_rows, np.int64(facts.hosts[next_page]), 8)
            _close_rows(sums, rows.host_rows, facts.hosts[page], facts.tokens[page], np.float32(facts.shares[page]))
            has_occurrences = has_occurrences or _all_occur(rows.lasts)
    return len(hits.positions)
