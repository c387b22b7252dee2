# mypy: ignore-errors
"""Types for the declaration of kernels: arrays to read, arrays to fill, numbers, records; prefetching, unaligned words, bits.

Only modules with kernels import this one, as it imports numba.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["FLAG", "INT", "nonzero_bits", "prefetch", "reads", "record", "trailing_zeros", "types", "word_at", "writes"]

INT = types.int64
FLAG = types.boolean


def reads(kind: Any, dimensions: int = 1) -> Any:
    """An array in C order that a kernel reads."""
    return types.Array(kind, dimensions, "C", readonly=True)


def writes(kind: Any, dimensions: int = 1) -> Any:
    """An array in C order that a kernel writes to."""
    return types.Array(kind, dimensions, "C")


def record(kind: Any, **fields: Any) -> Any:
    """A named tuple of arrays, numbers and other records, each declared by its name."""
    if set(fields) != set(kind._fields):
        raise TypeError(f"{kind.__name__} has the fields {', '.join(kind._fields)}")
    return types.BaseTuple.from_types(tuple(fields[name] for name in kind._fields), kind)


@intrinsic
def prefetch(_: Any, array: Any, row: Any, column: Any) -> Any:
    """Prefetch an item of a table: the processor loads it while the kernel goes on."""

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
        word = builder.load(place)
        word.align = 1
        return word

    return types.uint64(array, types.uint64), emit


@intrinsic
def trailing_zeros(_: Any, number: Any) -> Any:
    """How many bits below the lowest one of a number of 64 bits, which is not 0, are zero."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.IntType(1)(1))

    return types.uint64(types.uint64), emit


@intrinsic
def nonzero_bits(_: Any, array: Any, first: Any) -> Any:
    """A bit for each of 64 numbers from the first one on: 1 where it is not 0. One instruction on many machines."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        numbers = context.make_array(signature.args[0])(context, builder, values[0])
        row = ir.VectorType(numbers.data.type.pointee, 64)
        loaded = builder.load(builder.bitcast(builder.gep(numbers.data, [values[1]]), row.as_pointer()))
        loaded.align = 1
        flags = builder.icmp_unsigned("!=", loaded, ir.Constant(row, [0] * 64))
        return builder.bitcast(flags, ir.IntType(64))

    return types.uint64(array, types.int64), emit
