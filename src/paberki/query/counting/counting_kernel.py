# mypy: ignore-errors
"""Counting by row, page and host, compiled: see :mod:`paberki.query.counting.spread`.

Invariants: a row is below the number of rows, a page below the number of pages. ``bounds`` has one entry more than there
are rows; ``order[bounds[row]:bounds[row + 1]]`` are the occurrences of a row in corpus order.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel
from paberki.kernels.kernel_types import INT, reads, types, writes

NO_HOST: Final = -1
_HALF: Final = np.uint64(32)
_UPPER: Final = np.uint64(20)
"""The upper bits of a product are mixed best."""
_ONE: Final = np.uint64(1)
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)


@kernel(reads(types.int64), reads(types.int64), writes(types.uint32), returns=INT)
def locate(positions, edges, numbers):
    """The number of the last edge that is not behind each position; fastest for positions in ascending order."""
    at = 0
    last = len(edges) - 1
    begin, end = np.int64(0), np.int64(0)
    for k in range(len(positions)):
        position = positions[np.uint64(k)]
        if begin <= position < end:
            numbers[np.uint64(k)] = at
            continue
        if position < edges[at]:
            at = 0
        step = 1
        while at + step <= last and edges[at + step] <= position:
            at += step
            step += step
        while step > 1:
            step >>= 1
            if at + step <= last and edges[at + step] <= position:
                at += step
        while at < last and edges[at + 1] <= position:
            at += 1
        numbers[np.uint64(k)] = at
        begin = edges[at]
        end = edges[at + 1] if at < last else begin
    return at


@kernel(reads(types.uint32), writes(types.int64), returns=INT)
def count_rows(rows, counts):
    """Add the occurrences of every row."""
    for k in range(len(rows)):
        counts[np.uint64(rows[np.uint64(k)])] += 1
    return len(rows)


@kernel(reads(types.uint32), writes(types.int64), writes(types.uint32), returns=INT)
def group_rows(rows, places, order):
    """Write the numbers of all occurrences row by row; ``places`` says where each row begins, and is used up."""
    for k in range(len(rows)):
        row = np.uint64(rows[np.uint64(k)])
        place = places[row]
        order[np.uint64(place)] = k
        places[row] = place + 1
    return len(rows)


@kernel(
    reads(types.int64), reads(types.uint32), reads(types.uint32), reads(types.int32), writes(types.int64),
    writes(types.int64), writes(types.int64),
    returns=INT,
)  # fmt: skip
def count_places(bounds, order, pages, hosts, stamps, page_counts, host_counts):
    """On how many pages and hosts each row occurs. ``stamps`` has −1 for every host."""
    for row in range(len(bounds) - 1):
        last = -1
        page_count = 0
        host_count = 0
        for k in range(bounds[row], bounds[row + 1]):
            page = np.int64(pages[order[np.uint64(k)]])
            if page != last:
                last = page
                page_count += 1
                host = hosts[page]
                if host != NO_HOST and stamps[host] != row:
                    stamps[host] = row
                    host_count += 1
        page_counts[row] = page_count
        host_counts[row] = host_count
    return len(bounds) - 1


@kernel(
    reads(types.int64), reads(types.uint32), reads(types.int64), reads(types.uint32), reads(types.float64), INT,
    writes(types.float64), writes(types.float64),
    returns=INT,
)  # fmt: skip
def measure_spread(bounds, order, positions, pages, shares, tokens, arf, dp):
    """Average reduced frequency and deviation of proportions of each row; ``shares`` are those of pages in all tokens."""
    for row in range(len(bounds) - 1):
        begin, end = bounds[row], bounds[row + 1]
        if begin == end:
            continue
        hits = np.float64(end - begin)
        stretch = tokens / hits
        before = positions[order[end - 1]] - tokens
        distance_sum = 0.0
        together = 0.0
        page = np.int64(pages[order[begin]])
        in_page = 0
        for k in range(begin, end):
            number = order[np.uint64(k)]
            position = positions[number]
            distance_sum += min(np.float64(position - before), stretch)
            before = position
            if np.int64(pages[number]) != page:
                together += min(shares[page], in_page / hits)
                page = np.int64(pages[number])
                in_page = 0
            in_page += 1
        together += min(shares[page], in_page / hits)
        arf[row] = distance_sum / stretch
        dp[row] = max(0.0, 1.0 - together)
    return len(bounds) - 1


@kernel(
    reads(types.uint64), writes(types.uint64), writes(types.uint32), writes(types.uint32), writes(types.uint32),
    returns=INT,
)  # fmt: skip
def number_keys(keys, table, numbers, rows, firsts):
    """Give equal keys equal rows, in the order of first occurrence; how many rows there are, −1 if the table is too small.

    ``table`` holds keys by hash and ``numbers`` their rows plus one, 0 for a free place; at most half of it is used.
    ``firsts`` gets the first occurrence of each row.
    """
    mask = np.uint64(len(table) - 1)
    count = 0
    for k in range(len(keys)):
        key = keys[np.uint64(k)]
        place = (((key ^ (key >> _HALF)) * _MIX) >> _UPPER) & mask
        while numbers[place] != 0 and table[place] != key:
            place = (place + _ONE) & mask
        if numbers[place] == 0:
            if 2 * (count + 1) > len(table):
                return -1
            firsts[count] = k
            count += 1
            table[place] = key
            numbers[place] = count
        rows[np.uint64(k)] = numbers[place] - 1
    return count


@kernel(
    reads(types.uint32), INT, reads(types.int64), reads(types.int64), writes(types.int64), writes(types.int64),
    returns=INT,
)  # fmt: skip
def list_positions(ids, first, begins, stops, places, positions):
    """Write the position of every token in the runs whose id has a place, and move that place on; −1 is no place."""
    for k in range(len(begins)):
        for at in range(begins[k] - first, stops[k] - first):
            identity = np.uint64(ids[np.uint64(at)])
            place = places[identity]
            if place >= 0:
                positions[np.uint64(place)] = first + at
                places[identity] = place + 1
    return len(begins)


@kernel(reads(types.uint32), writes(types.uint32), writes(types.uint32), writes(types.uint32), returns=INT)
def renumber(numbers, table, rows, firsts):
    """Give equal numbers equal rows, in the order of first occurrence; how many rows there are.

    ``table`` has a 0 for every number; ``firsts`` gets the first occurrence of each row.
    """
    count = 0
    for k in range(len(numbers)):
        number = np.uint64(numbers[np.uint64(k)])
        if table[number] == 0:
            firsts[count] = k
            count += 1
            table[number] = count
        rows[np.uint64(k)] = table[number] - 1
    return count
