"""Types of the arguments of kernels: arrays that are given to be read, arrays that are filled, numbers.

Imported by modules with kernels alone, as it imports numba.
"""

from __future__ import annotations

from typing import Any

from numba import types

__all__ = ["FLAG", "INT", "filled", "given", "types"]

INT = types.int64
FLAG = types.boolean


def given(kind: Any, dimensions: int = 1) -> Any:
    """An array in C order that a kernel reads."""
    return types.Array(kind, dimensions, "C", readonly=True)


def filled(kind: Any, dimensions: int = 1) -> Any:
    """An array in C order that a kernel writes to."""
    return types.Array(kind, dimensions, "C")
