"""How large is the share of each value, and how sure is that? (P5 Table 6)

The interval is the half-width at 90 % confidence, 1.645 · √(p(1−p)/n): 36 % of 200 pages is 36 ± 5.6 %. Table 6 prints
± 3.0 for 1 % of 200 pages (*spoken*); the formula gives ± 1.2, which is used here.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, Final

from paberki.coding.coding_file import CodingFile

Z90: Final = 1.645
"""Quantile of the normal distribution for 90 %, as in P5."""


def half_width(share: float, items: int, z: float = Z90) -> float:
    """Half of the interval around a share, in 0..1."""
    return z * math.sqrt(share * (1 - share) / items) if items else 0.0


def shares(file: CodingFile) -> dict[str, list[dict[str, Any]]]:
    """For each variable the share of each value with its interval, in the order of the scheme."""
    return {name: _shares(file, name) for name in file.scheme.names}


def _shares(file: CodingFile, name: str) -> list[dict[str, Any]]:
    counts = Counter(file.labels(name).values())
    items = counts.total()
    values = file.scheme.variable(name).values or tuple(sorted(counts))
    rows = []
    for value in values:
        share = counts[value] / items if items else 0.0
        rows.append(
            {"value": value, "share": share, "interval": half_width(share, items), "count": counts[value], "n": items}
        )
    return rows
