"""Boosted trees as arrays: what a learned model is at run time, without the library that grew it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.kernels import load

Floats = npt.NDArray[np.float32]

_ARRAYS: Final = ("roots", "nodes", "limits", "leaves")


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees whose leaves are added up; the sum is a logit. See ``features_kernel.evaluate_trees`` for the arrays."""

    roots: npt.NDArray[np.int32]
    nodes: npt.NDArray[np.int16]
    limits: Floats
    leaves: Floats

    def __len__(self) -> int:
        return len(self.roots) - 1

    def chances(self, table: Floats) -> Floats:
        """Probability of each row of a table of features."""
        scores = np.empty(len(table), np.float32)
        _kernel().evaluate_trees(table, len(table), self.roots, self.nodes, self.limits, self.leaves, scores)
        chances: Floats = (1.0 / (1.0 + np.exp(-scores))).astype(np.float32)
        return chances

    def arrays(self, prefix: str) -> dict[str, npt.NDArray[Any]]:
        """The arrays under names of their own, to be saved."""
        return {f"{prefix}_{name}": getattr(self, name) for name in _ARRAYS}

    @classmethod
    def from_arrays(cls, prefix: str, arrays: Mapping[str, npt.NDArray[Any]]) -> Forest:
        """What :meth:`arrays` gave."""
        return cls(*(np.ascontiguousarray(arrays[f"{prefix}_{name}"]) for name in _ARRAYS))

    @classmethod
    def from_lightgbm(cls, booster: Any) -> Forest:
        """The trees of a LightGBM model with one output."""
        roots = [0]
        nodes: list[tuple[int, int, int]] = []
        limits: list[float] = []
        leaves: list[float] = []
        for tree in booster.dump_model()["tree_info"]:
            _unfold(tree["tree_structure"], nodes, limits, leaves)
            roots.append(len(nodes))
        return cls(
            np.array(roots, np.int32), np.array(nodes, np.int16).reshape(-1, 3), _at_most(limits),
            np.array(leaves, np.float32),
        )  # fmt: skip


def _at_most(limits: list[float]) -> Floats:
    """The largest 32-bit numbers not above the limits, so that features of 32 bits fall on the same side."""
    exact = np.array(limits, np.float64)
    narrow: Floats = exact.astype(np.float32)
    above = narrow.astype(np.float64) > exact
    narrow[above] = np.nextafter(narrow[above], np.float32(-np.inf))
    return narrow


def _unfold(
    tree: Mapping[str, Any], nodes: list[tuple[int, int, int]], limits: list[float], leaves: list[float]
) -> None:
    """Append the nodes of one tree, numbered from its root; a leaf is -1 minus its number."""
    root, first_leaf = len(nodes), len(leaves)
    if "leaf_value" in tree:  # nothing was worth a question
        nodes.append((0, -1, -2))
        limits.append(0.0)
        leaves += [tree["leaf_value"]] * 2
        return
    waiting: list[tuple[Mapping[str, Any], int, int]] = [(tree, -1, 0)]
    while waiting:
        node, parent, side = waiting.pop()
        if "leaf_value" in node:
            place = -1 - (len(leaves) - first_leaf)
            leaves.append(node["leaf_value"])
        else:
            place = len(nodes) - root
            nodes.append((node["split_feature"], 0, 0))
            limits.append(node["threshold"])
            waiting += [(node["right_child"], place, 2), (node["left_child"], place, 1)]
        if parent >= 0:
            changed = list(nodes[root + parent])
            changed[side] = place
            nodes[root + parent] = (changed[0], changed[1], changed[2])


@lru_cache(maxsize=1)
def _kernel() -> Any:
    """The compiled part, loaded when the first page comes: numba is slow to import."""
    return load("paberki.extraction.features_kernel")
