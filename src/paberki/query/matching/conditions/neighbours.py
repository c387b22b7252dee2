"""Which values stand side by side in each stretch of a segment, and at the edges of regions.

Frequent tokens that never meet (`[tag="S.*"] [tag="S.*"]`) could only be looked for token by token. A table of pairs says at once in which
stretches they may meet. Values are classes here: each frequent one is its own, and all rare ones are one. Tables are made when
a search first goes through much of a segment in vain, in some tenths of a second per hundred million tokens, and kept.
"""

from __future__ import annotations

from typing import Any, Final
from weakref import WeakKeyDictionary, ref

import numpy as np
import numpy.typing as npt

from paberki.kernels import load
from paberki.query.index.attribute import TokenAttribute
from paberki.query.index.structure import Structure
from paberki.query.matching.budget import check_time
from paberki.query.matching.conditions.id_set import Bools, IdSet

__all__ = ["SHIFT", "Neighbours"]

SHIFT: Final = 20
"""A stretch has two to the power of so many tokens."""
_MOST_CLASSES: Final = 1024
_KERNEL: Final = "paberki.query.matching.conditions.neighbours_kernel"
_tables: WeakKeyDictionary[TokenAttribute, Neighbours] = WeakKeyDictionary()


class Neighbours:
    """The neighbours of one attribute's values in a segment."""

    def __init__(self, attribute: TokenAttribute) -> None:
        self._attribute = ref(attribute)
        """Weak, or the table of neighbours would keep its own key, and with it a segment that is no longer in force."""
        self.stretches = max(1, (attribute.tokens + (1 << SHIFT) - 1) >> SHIFT)
        self._classes = max(1, min(attribute.size, _MOST_CLASSES))
        self._pairs: npt.NDArray[np.uint8] | None = None
        self._edges: WeakKeyDictionary[Structure, dict[str, Bools]] = WeakKeyDictionary()

    @classmethod
    def of(cls, attribute: TokenAttribute) -> Neighbours:
        """Those of an attribute, or of the one that it is derived from; made once."""
        base = attribute if attribute.derived_from is None else attribute.derived_from
        if base not in _tables:
            _tables[base] = cls(base)
        return _tables[base]

    def is_made(self, *, pairs: bool) -> bool:
        """Whether what is known of pairs, or of edges of regions, is there already."""
        return self._pairs is not None if pairs else len(self._edges) > 0

    def classes_of(self, attribute: TokenAttribute, ids: IdSet) -> Bools:
        """The classes that some values of an attribute are in."""
        table = ids.table if attribute.derived_from is None else ids.table[attribute.derived_ids]
        classes = np.zeros(self._classes, np.bool_)
        classes[: self._classes - 1] = table[: self._classes - 1]
        classes[-1] = bool(table[self._classes - 1 :].any())
        return classes

    def meet(self, before: Bools, behind: Bools) -> Bools:
        """The stretches in which a token of one class may stand before one of another; the second may be in the next stretch."""
        if self._pairs is None:
            self._pairs = self._mark()
        united = np.bitwise_or.reduce(self._pairs[:, np.flatnonzero(before)], axis=1)
        return np.asarray((united & np.packbits(behind)).any(axis=1))

    def at_edges(self, structure: Structure, kind: str, classes: Bools) -> Bools:
        """The stretches in which a token of some classes is the first (``open``) or the last of a region."""
        edges = self._edges.setdefault(structure, {})
        if kind not in edges:
            places = structure.starts.astype(np.int64) if kind == "open" else structure.ends.astype(np.int64) - 1
            places = places[(structure.ends > structure.starts) & (places >= 0)]
            marks = np.zeros((self.stretches, self._classes), np.uint8)
            load(_KERNEL).mark_places(*self._column, np.ascontiguousarray(places), SHIFT, marks)
            edges[kind] = marks.view(np.bool_)
        return np.asarray(edges[kind][:, classes].any(axis=1))

    @property
    def _base(self) -> TokenAttribute:
        attribute = self._attribute()
        assert attribute is not None  # whoever asks has the segment open
        return attribute

    @property
    def _column(self) -> tuple[npt.NDArray[np.uint64], int]:
        return self._base._words, self._base._width

    def _mark(self) -> npt.NDArray[np.uint8]:
        kernel, last = load(_KERNEL), self._base.tokens - 1
        marks = np.zeros((self._classes, self._classes), np.uint8)
        rows: list[Any] = []
        for stretch in range(self.stretches):
            check_time()
            marks[:] = 0
            low = stretch << SHIFT
            if low < last:
                kernel.mark_pairs(*self._column, low, min(low + (1 << SHIFT), last), marks)
            rows.append(np.packbits(marks, axis=1))
        return np.stack(rows)
