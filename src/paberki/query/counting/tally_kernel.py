# mypy: ignore-errors
"""Pages, hosts, distances of chosen rows while occurrences go by, compiled: see :mod:`paberki.query.counting.tally`.

Invariants: occurrence k belongs to row ``rows[k]`` and to the hit ``owners[k]``; hits are in corpus order, so that positions
never fall. ``last_pages`` is −1 for a row without an occurrence so far.
"""

from __future__ import annotations

import numpy as np

from paberki.kernel_types import INT, filled, given, types
from paberki.kernels import kernel


@kernel(
    given(types.uint16), given(types.uint32), given(types.uint32), given(types.int32), filled(types.int64),
    filled(types.int64), filled(types.int64), filled(types.uint8, 2),
    returns=INT,
)  # fmt: skip
def tally_pages(rows, owners, pages, hosts, last_pages, page_counts, host_counts, seen):
    """Count pages and hosts of each row."""
    for k in range(len(rows)):
        row = np.uint64(rows[np.uint64(k)])
        page = np.int64(pages[np.uint64(owners[np.uint64(k)])])
        if page != last_pages[row]:
            last_pages[row] = page
            page_counts[row] += 1
            host = hosts[page]
            if host >= 0 and seen[row, host] == 0:
                seen[row, host] = 1
                host_counts[row] += 1
    return len(rows)


@kernel(
    given(types.uint16), given(types.uint32), given(types.uint32), given(types.float64), given(types.float64),
    filled(types.int64), filled(types.int64), filled(types.float64),
    returns=INT,
)  # fmt: skip
def tally_shares(rows, owners, pages, shares, weights, last_pages, in_page, together):
    """Add up the smaller of the share of a page in all tokens and its share in the hits of a row.

    ``weights`` are 1 ÷ hits. The last page of each row is left to the caller.
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
        in_page[row] += 1
    return len(rows)


@kernel(
    given(types.uint16), given(types.uint32), given(types.int64), given(types.int64), filled(types.int64),
    filled(types.int64), filled(types.int64),
    returns=INT,
)  # fmt: skip
def tally_distances(rows, owners, positions, stretches, last_positions, near, far):
    """Add up distances below the stretch of each row, and count the others."""
    for k in range(len(rows)):
        row = np.uint64(rows[np.uint64(k)])
        position = positions[np.uint64(owners[np.uint64(k)])]
        distance = position - last_positions[row]
        last_positions[row] = position
        is_near = np.int64(distance < stretches[row])
        near[row] += distance * is_near
        far[row] += 1 - is_near
    return len(rows)
