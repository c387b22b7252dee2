# mypy: ignore-errors
"""Pages, hosts, distances of chosen rows while occurrences go by, compiled: see :mod:`paberki.query.counting.tally`.

Invariants: occurrence k belongs to row ``rows[k]`` and to the hit ``owners[k]``; hits are in corpus order, so that positions
never fall. ``last_pages`` and ``lasts`` are −1 for a row without an occurrence so far.
"""

from __future__ import annotations

import numpy as np

from paberki.kernel_types import INT, filled, given, types
from paberki.kernels import kernel


@kernel(
    given(types.uint16), given(types.uint32), given(types.uint32), given(types.int32), given(types.float64),
    given(types.float64), filled(types.int64), filled(types.int64), filled(types.int64), filled(types.float64),
    filled(types.uint8, 2),
    returns=INT,
)  # fmt: skip
def tally_pages(rows, owners, pages, hosts, shares, weights, last_pages, in_page, page_counts, together, seen):
    """Count pages of each row, mark its hosts, and add up the smaller of the share of a page in all tokens and its share
    in the hits of the row.

    ``weights`` are 1 ÷ hits. The share of the last page of each row is left to the caller. Marks of one host lie side by side,
    as the rows of a page come together.
    """
    for k in range(len(rows)):
        row = np.uint64(rows[np.uint64(k)])
        page = np.int64(pages[np.uint64(owners[np.uint64(k)])])
        before = last_pages[row]
        if page != before:
            if before >= 0:
                together[row] += min(shares[before], in_page[row] * weights[row])
            last_pages[row] = page
            in_page[row] = 0
            page_counts[row] += 1
            if hosts[page] >= 0:
                seen[np.uint64(hosts[page]), row] = 1
        in_page[row] += 1
    return len(rows)


@kernel(
    given(types.uint16), given(types.uint32), given(types.int64), given(types.int64), filled(types.int64),
    filled(types.int64), filled(types.int64), filled(types.int64),
    returns=INT,
)  # fmt: skip
def tally_distances(rows, owners, positions, stretches, firsts, lasts, near, far):
    """Add up distances below the stretch of each row, and count the others."""
    for k in range(len(rows)):
        row = np.uint64(rows[np.uint64(k)])
        position = positions[np.uint64(owners[np.uint64(k)])]
        if lasts[row] < 0:
            firsts[row] = position
        else:
            distance = position - lasts[row]
            is_near = np.int64(distance < stretches[row])
            near[row] += distance * is_near
            far[row] += 1 - is_near
        lasts[row] = position
    return len(rows)
