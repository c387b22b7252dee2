# mypy: ignore-errors
"""Strings that contain or end with some bytes, compiled.

Invariants: ``edges`` grow and lie inside ``data``; the literal has at least one byte.
"""

from __future__ import annotations

import numpy as np

from paberki.kernels import kernel
from paberki.kernels.kernel_types import reads, types, writes


@kernel(reads(types.uint8), reads(types.int64), reads(types.uint8), writes(types.boolean), returns=types.void)
def ending_with(data, edges, literal, out):
    """Which strings end with a literal."""
    size = len(literal)
    last = literal[size - 1]
    for number in range(len(edges) - 1):
        end = edges[np.uint64(number + 1)]
        same = end - edges[np.uint64(number)] >= size and data[np.uint64(end - 1)] == last
        back = 2
        while same and back <= size:
            same = data[np.uint64(end - back)] == literal[size - back]
            back += 1
        out[np.uint64(number)] = same


@kernel(
    reads(types.uint8), reads(types.int64), reads(types.uint8), types.boolean, writes(types.boolean), returns=types.void
)
def starting_with(data, edges, literal, whole, out):
    """Which strings start with a literal or, if ``whole``, are the literal."""
    size = len(literal)
    first = literal[0]
    for number in range(len(edges) - 1):
        begin = edges[np.uint64(number)]
        length = edges[np.uint64(number + 1)] - begin
        same = (length == size if whole else length >= size) and data[np.uint64(begin)] == first
        offset = 1
        while same and offset < size:
            same = data[np.uint64(begin + offset)] == literal[offset]
            offset += 1
        out[np.uint64(number)] = same


@kernel(
    reads(types.uint8), reads(types.int64), reads(types.uint8), types.int64, writes(types.boolean), returns=types.void
)
def containing(data, edges, literal, rare, out):
    """Which strings contain a literal. ``rare`` is the place in it of the byte that is looked for first."""
    size = len(literal)
    number, at, stop = 0, rare, edges[len(edges) - 1] - (size - 1 - rare)
    byte = literal[rare]
    while at < stop:
        if data[np.uint64(at)] != byte:
            at += 1
            continue
        begin = at - rare
        same = True
        for offset in range(size):
            if data[np.uint64(begin + offset)] != literal[offset]:
                same = False
                break
        at += 1
        if same:
            while edges[number + 1] <= begin:
                number += 1
            out[number] = out[number] or begin + size <= edges[number + 1]
