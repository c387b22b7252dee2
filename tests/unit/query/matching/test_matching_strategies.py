"""Strategies in one go and in pieces choose the same hits, and those that their definitions name."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from reference import chosen

from paberki.query.matching.hit_table import HitTable, concatenate
from paberki.query.matching.strategies import Chooser, best_per_start
from paberki.query.syntax import STRATEGIES

_SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 8)), max_size=40).map(
    lambda pairs: sorted({(start, start + length) for start, length in pairs})
)


@given(_SPANS, st.lists(st.integers(0, 38), max_size=4).map(sorted), st.sampled_from(STRATEGIES))
def test_in_pieces(spans: list[tuple[int, int]], edges: list[int], strategy: str) -> None:
    chooser = Chooser(strategy)
    parts = []
    for low, high in zip([0, *edges], [*edges, 100], strict=True):
        piece = [span for span in spans if low <= span[0] < high]
        starts, ends = (np.array([span[side] for span in piece], np.int64) for side in (0, 1))
        table = HitTable(starts, ends)
        parts.append(chooser.choose(table.take(best_per_start(starts, ends, strategy)), high))
    rest = chooser.finish()
    table = concatenate([*parts, *([rest] if rest is not None else [])])
    hits = list(zip(table.starts.tolist(), table.ends.tolist(), strict=True))
    assert hits == chosen([(start, end, {}) for start, end in spans], strategy)
