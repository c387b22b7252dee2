# mypy: ignore-errors
"""Tokens that depend on other tokens, compiled: see :mod:`paberki.query.statistics.relations`.

Invariants: ranges lie inside ``heads``; the outputs have room for all tokens of all ranges. Three widths of one column.
"""

from __future__ import annotations

from paberki.kernels import inner, kernel
from paberki.kernels.kernel_types import INT, filled, given, types


@inner
def _dependents(heads, tokens, lows, highs, owners, others):
    count = 0
    for k in range(len(tokens)):
        token = tokens[k]
        for at in range(lows[k], highs[k]):
            if heads[at] != 0 and at + heads[at] == token:
                owners[count] = token
                others[count] = at
                count += 1
    return count


@kernel(
    given(types.int8), given(types.int64), given(types.int64), given(types.int64), filled(types.int64),
    filled(types.int64),
    returns=INT,
)  # fmt: skip
def dependents_8(heads, tokens, lows, highs, owners, others):
    """Write every token between ``low`` and ``high`` whose head is ``token``, and that token; how many there are."""
    return _dependents(heads, tokens, lows, highs, owners, others)


@kernel(
    given(types.int16), given(types.int64), given(types.int64), given(types.int64), filled(types.int64),
    filled(types.int64),
    returns=INT,
)  # fmt: skip
def dependents_16(heads, tokens, lows, highs, owners, others):
    """The same for distances of 16 bits."""
    return _dependents(heads, tokens, lows, highs, owners, others)


@kernel(
    given(types.int32), given(types.int64), given(types.int64), given(types.int64), filled(types.int64),
    filled(types.int64),
    returns=INT,
)  # fmt: skip
def dependents_32(heads, tokens, lows, highs, owners, others):
    """The same for distances of 32 bits."""
    return _dependents(heads, tokens, lows, highs, owners, others)
