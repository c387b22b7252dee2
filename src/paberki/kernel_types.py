# mypy: ignore-errors
"""What kernels are declared with: arrays that are given to be read, arrays that are filled, numbers; prefetching, and words that begin anywhere.

Imported by modules with kernels alone, as it imports numba.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["FLAG", "INT", "filled", "given", "prefetch", "trailing_zeros", "types", "word_at"]

INT = types.int64
FLAG = types.boolean


def given(kind: Any, dimensions: int = 1) -> Any:
    """An array in C order that a kernel reads."""
    return types.Array(kind, dimensions, "C", readonly=True)


def filled(kind: Any, dimensions: int = 1) -> Any:
    """An array in C order that a kernel writes to."""
    return types.Array(kind, dimensions, "C")


@intrinsic
def prefetch(_: Any, array: Any, row: Any, column: Any) -> Any:
    """Ask for the place of an item of a table; nobody waits until it is there."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = signature.args[0]
        table = context.make_array(kind)(context, builder, values[0])
        place = cgutils.get_item_pointer(context, builder, kind, table, values[1:], wraparound=False)  # type: ignore[no-untyped-call]
        byte = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        takes = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        ask = builder.module.declare_intrinsic("llvm.prefetch", [byte], takes)
        builder.call(ask, [builder.bitcast(place, byte), number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), emit


@intrinsic
def word_at(_: Any, array: Any, byte: Any) -> Any:
    """The 64 bits that begin at a byte of an array of such words, on a machine that puts the low byte first."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = signature.args[0]
        words = context.make_array(kind)(context, builder, values[0])
        start = builder.bitcast(words.data, ir.IntType(8).as_pointer())
        place = builder.bitcast(builder.gep(start, [values[1]]), ir.IntType(64).as_pointer())
        loaded = builder.load(place)
        loaded.align = 1
        return loaded

    return types.uint64(array, types.uint64), emit


@intrinsic
def trailing_zeros(_: Any, number: Any) -> Any:
    """How many bits below the lowest one of a number of 64 bits, which is not 0, are zero."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.IntType(1)(1))

    return types.uint64(types.uint64), emit
