"""Where any of some strings occur in a page, in one pass over its bytes: expressions then look there and nowhere else.

A regular expression that may begin anywhere takes milliseconds over a page of 75 kB, one pass of the kernel a tenth of
one. Case does not matter (ASCII letters).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final

import numpy as np

from paberki.kernels import load

_ROOM: Final = 4096
"""Places that most pages have fewer of; others are looked through once more, with room for all."""


class Anchors:
    """Strings to look for; each is known by its number."""

    def __init__(self, literals: Sequence[bytes]) -> None:
        kernel = _kernel()
        small = [literal.lower() for literal in literals]
        if any(len(literal) < kernel.WIDTH for literal in small):
            raise ValueError(f"an anchor has at least {kernel.WIDTH} bytes")
        self._letters = np.frombuffer(b"".join(small), np.uint8)
        self._edges = np.r_[0, np.cumsum([len(literal) for literal in small])].astype(np.int32)
        self._windows = np.array([int.from_bytes(literal[: kernel.WIDTH], "big") for literal in small], np.uint64)
        self._pairs = np.zeros(1 << 16, np.uint8)
        for literal in small:
            self._pairs[_spellings(literal[:2])] |= kernel.AT_PAIR
            self._pairs[_spellings(literal[1:3])] |= kernel.BEFORE_PAIR
        self._firsts = np.full(kernel.BUCKETS, -1, np.int32)
        self._following = np.full(len(small), -1, np.int32)
        for number in reversed(range(len(small))):
            bucket = kernel.bucket_of(np.frombuffer(small[number], np.uint8))
            self._following[number] = self._firsts[bucket]
            self._firsts[bucket] = number
        self._most_at_once = int(np.unique(self._windows, return_counts=True)[1].max())

    def find(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Place and number of every string in the data, in the order of places, then of numbers."""
        most = len(data) * self._most_at_once
        for room in (min(_ROOM, most), most):
            places, numbers = np.empty(room, np.int32), np.empty(room, np.int32)
            count = _kernel().find(
                np.frombuffer(data, np.uint8), self._pairs, self._firsts, self._following, self._windows,
                self._letters, self._edges, places, numbers,
            )  # fmt: skip
            if count < room:
                break
        return zip(places[:count].tolist(), numbers[:count].tolist(), strict=True)


def _spellings(pair: bytes) -> list[int]:
    """Two bytes as a number, in small letters and capitals."""
    cases = [{byte, *bytes((byte,)).upper()} for byte in pair]
    return [first << 8 | second for first, second in product(*cases)]


def _kernel() -> Any:
    return load("paberki.quality.marks.anchors_kernel")
