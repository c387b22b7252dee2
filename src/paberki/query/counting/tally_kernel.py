# mypy: ignore-errors
"""Pages, hosts, distances of chosen rows while occurrences go by, compiled: see :mod:`paberki.query.counting.tally`.

Invariants: occurrence k belongs to row ``rows[k]`` and to the hit ``owners[k]``; hits are in corpus order, so that positions
never fall, and all occurrences of a page come in one call. ``lasts`` is −1 for a row without an occurrence so far.
"""

from __future__ import annotations

import numpy as np

from paberki.kernels import kernel
from paberki.kernels.kernel_types import INT, filled, given, types


@kernel(
    given(types.uint16), given(types.uint32), given(types.uint32), given(types.int32), given(types.float64),
    given(types.float64), filled(types.int64), filled(types.uint16), filled(types.int64), filled(types.float64),
    filled(types.uint8, 2),
    returns=INT,
)  # fmt: skip
def tally_pages(rows, owners, pages, hosts, shares, weights, in_page, touched, page_counts, together, seen):
    """Count pages of each row, mark its hosts, and add up the smaller of the share of a page in all tokens and its share
    in the hits of the row.

    ``weights`` are 1 ÷ hits. ``in_page`` are zeros; ``touched`` has room for all rows and one more: it lists rows of the page
    at hand, so that whether a row is new there need not be foretold. Marks of one host lie side by side.
    """
    count = np.uint64(0)
    for k in range(len(rows)):
        row = rows[np.uint64(k)]
        touched[count] = row
        count += np.uint64(in_page[np.uint64(row)] == 0)
        in_page[np.uint64(row)] += 1
        page = pages[np.uint64(owners[np.uint64(k)])]
        if k + 1 == len(rows) or pages[np.uint64(owners[np.uint64(k + 1)])] != page:
            host, share = hosts[page], shares[page]
            for at in range(count):
                one = np.uint64(touched[at])
                page_counts[one] += 1
                together[one] += min(share, in_page[one] * weights[one])
                in_page[one] = 0
                if host >= 0:
                    seen[np.uint64(host), one] = 1
            count = np.uint64(0)
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
