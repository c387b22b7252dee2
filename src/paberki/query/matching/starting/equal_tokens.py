"""Where two labels can stand for tokens with the same value: ``A:[] B:[] :: A.word = B.word``.

Where both stand at a fixed distance, the column is compared with itself, moved by that distance.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.kernels import load
from paberki.query.index.attribute import TokenAttribute
from paberki.query.index.segment import Segment
from paberki.query.matching.program import Program
from paberki.query.syntax.terms import And, Attribute, Comparison, Condition

__all__ = ["EqualTokens", "equal_tokens"]

Places = npt.NDArray[np.int64]

_KERNEL: Final = "paberki.query.matching.starting.equal_tokens_kernel"


class EqualTokens:
    """A column, and the places of two tokens behind the start of a match that must have the same value there."""

    def __init__(self, attribute: TokenAttribute, first: int, second: int) -> None:
        self._attribute, self._first, self._second = attribute, min(first, second), max(first, second)

    @property
    def most(self) -> None:
        """Nobody knows how often values are equal."""
        return None

    def starts(self, low: int, high: int) -> Places:
        """Positions from ``low`` to ``high`` where a match can begin."""
        high = min(high, self._attribute.tokens - self._second)
        out = np.empty(max(high - low, 0), np.int64)
        if not len(out):
            return out
        column = self._attribute._words, self._attribute._width
        distance, first = self._second - self._first, self._first
        count = load(_KERNEL).equal_places(*column, distance, low + first, high + first, out)
        return out[:count] - first


def equal_tokens(program: Program, segment: Segment, offsets: Places | None) -> EqualTokens | None:
    """The equality that narrows matches down most, by the number of values of its attribute; None without one.

    ``offsets`` says how far behind the start each label stands.
    """
    if offsets is None or program.automaton is None:
        return None
    best: EqualTokens | None = None
    largest = 0
    for condition in program.outline.constraints:
        for comparison in _comparisons(condition):
            left, right = comparison.left, comparison.right
            if not isinstance(left, Attribute) or not isinstance(right, Attribute):
                continue
            places = [_offset(program, one.label, offsets) for one in (left, right)]
            names = {program.names.token_attribute(one.name) for one in (left, right)}
            name = names.pop()
            if names or name is None or None in places or places[0] == places[1]:
                continue
            attribute = segment.attribute(name)
            is_packed = isinstance(attribute, TokenAttribute) and attribute.derived_from is None
            if is_packed and hasattr(attribute, "_words") and attribute.size > largest:
                best, largest = EqualTokens(attribute, *(one for one in places if one is not None)), attribute.size
    return best


def _comparisons(condition: Condition) -> list[Comparison]:
    """Equalities that must all hold."""
    if isinstance(condition, And):
        return [comparison for part in condition.parts for comparison in _comparisons(part)]
    if isinstance(condition, Comparison) and condition.operator in ("=", "==") and not condition.negated:
        return [condition]
    return []


def _offset(program: Program, label: str | None, offsets: Places) -> int | None:
    assert program.automaton is not None
    labels = program.automaton.labels
    if label is None or label not in labels or f"{label}<" in labels:
        return None
    offset = int(offsets[labels.index(label)])
    return offset if offset >= 0 else None
