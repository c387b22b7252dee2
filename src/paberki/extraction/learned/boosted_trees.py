"""Boosted trees as arrays, evaluated without the library that grew them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from paberki.errors import ConfigError
from paberki.kernels import load

Floats = npt.NDArray[np.float32]

_ARRAYS: Final = ("roots", "nodes", "limits", "leaves")


_MOST_LEAVES: Final = 32
"""A set of leaves is a number of so many bits."""


class TreeLayout(NamedTuple):
    """The arrays that ``features_kernel.evaluate_trees`` works with."""

    roots: npt.NDArray[np.int32]
    features: npt.NDArray[np.int32]
    limits: Floats
    masks: npt.NDArray[np.uint32]
    """Leaves of the tree, from left to right, that stay possible where the feature is above the limit."""
    leaves: Floats
    """A row per tree."""


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees whose leaves are added up; the sum is a logit."""

    roots: npt.NDArray[np.int32]
    nodes: npt.NDArray[np.int16]
    """Rows of feature, node to go to where it is at most the limit, node to go to where it is above. Numbers count from
    the root of the tree; those below 0 are leaves, -1 the first one of the tree."""
    limits: Floats
    leaves: Floats
    _laid_out: list[TreeLayout] = field(default_factory=list, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.roots) - 1

    def chances(self, table: Floats) -> Floats:
        """Probability of each row of a table of features."""
        return likelihood(self.logits(table))

    def logits(self, table: Floats) -> Floats:
        """The same as a logit."""
        scores = np.empty(len(table), np.float32)
        if not self._laid_out:
            self._laid_out.append(lay_out(self))
        columns = np.empty((table.shape[1], _kernel().SIDE_BY_SIDE), np.float32)
        open_leaves = np.empty(_kernel().SIDE_BY_SIDE, np.uint32)
        _kernel().evaluate_trees(table, len(table), *self._laid_out[0], columns, open_leaves, scores)
        return scores

    def arrays(self, prefix: str) -> dict[str, npt.NDArray[Any]]:
        """The arrays under names of their own, to be saved."""
        return {f"{prefix}_{name}": getattr(self, name) for name in _ARRAYS}

    @classmethod
    def from_arrays(cls, prefix: str, arrays: Mapping[str, npt.NDArray[Any]], width: int) -> Forest:
        """What :meth:`arrays` gave, for tables of so many features; ValueError where it is no forest."""
        roots, nodes, limits, leaves = (np.ascontiguousarray(arrays[f"{prefix}_{name}"]) for name in _ARRAYS)
        check_forest(roots, nodes, limits, leaves, width)
        return cls(roots, nodes, limits, leaves)

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


def check_forest(
    roots: npt.NDArray[Any], nodes: npt.NDArray[Any], limits: npt.NDArray[Any], leaves: npt.NDArray[Any], width: int
) -> None:
    """ValueError where arrays are not those of a forest: the kernel trusts every number in them."""
    kinds = [array.dtype for array in (roots, nodes, limits, leaves)]
    if kinds != [np.int32, np.int16, np.float32, np.float32] or roots.ndim != 1 or len(roots) < 2:
        raise ValueError("its arrays are of other types")
    sizes = np.diff(roots)
    if roots[0] != 0 or roots[-1] != len(nodes) or (sizes < 1).any() or (sizes >= _MOST_LEAVES).any():
        raise ValueError(f"trees that do not follow each other, or one with more than {_MOST_LEAVES} leaves")
    shapes = (nodes.shape, limits.shape, leaves.shape)
    if shapes != ((len(nodes), 3), (len(nodes),), (len(nodes) + len(sizes),)):
        raise ValueError("its arrays do not fit together")
    if not np.isfinite(leaves).all() or np.isnan(limits).any():
        raise ValueError("a leaf or limit that is no number")
    if (nodes[:, 0] < 0).any() or (nodes[:, 0] >= width).any():
        raise ValueError("a question about no feature")
    for root, end in pairwise(roots.tolist()):
        _check_tree(nodes[root:end, 1:])


def _check_tree(children: npt.NDArray[Any]) -> None:
    """Every node but the root is the child of one before it, every leaf of one node: so no walk goes in circles."""
    size = len(children)
    own = children.reshape(-1)
    if sorted(own.tolist()) != [*range(-1 - size, 0), *range(1, size)]:
        raise ValueError("a tree whose nodes are not in it")
    if ((children > 0) & (children <= np.arange(size)[:, None])).any():
        raise ValueError("a tree that goes in circles")


def likelihood(logits: Floats) -> Floats:
    """Logits as probabilities."""
    chances: Floats = (1.0 / (1.0 + np.exp(-logits))).astype(np.float32)
    return chances


def lay_out(forest: Forest) -> TreeLayout:
    """The trees as sets of leaves."""
    masks = np.zeros(len(forest.nodes), np.uint32)
    leaves = np.zeros((len(forest), _MOST_LEAVES), np.float32)
    for tree in range(len(forest)):
        root, end = int(forest.roots[tree]), int(forest.roots[tree + 1])
        if end - root >= _MOST_LEAVES:
            raise ConfigError(f"a tree with more than {_MOST_LEAVES} leaves; grow smaller ones")
        order = _number_leaves(forest.nodes[root:end].tolist(), masks[root:end])
        leaves[tree, : len(order)] = forest.leaves[root + tree + np.array(order)]
    features = np.ascontiguousarray(forest.nodes[:, 0].astype(np.int32))
    return TreeLayout(forest.roots, features, forest.limits, masks, leaves)


def _number_leaves(nodes: list[list[int]], masks: npt.NDArray[np.uint32]) -> list[int]:
    """The leaves of a tree from left to right; fills the masks of its nodes."""
    order: list[int] = []
    waiting: list[tuple[int, int]] = [(0, -1)]
    while waiting:
        node, left_done = waiting.pop()
        if node < 0:
            order.append(-1 - node)
        elif left_done < 0:  # first all on its left, then the node again, then all on its right
            waiting += [(nodes[node][2], -1), (node, len(order)), (nodes[node][1], -1)]
        else:
            masks[node] = 0xFFFFFFFF ^ ((1 << len(order)) - (1 << left_done))
    return order


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
            new_node = list(nodes[root + parent])
            new_node[side] = place
            nodes[root + parent] = (new_node[0], new_node[1], new_node[2])


@lru_cache(maxsize=1)
def _kernel() -> Any:
    """The compiled part, loaded when the first page comes: numba is slow to import."""
    return load("paberki.extraction.learned.features_kernel")
