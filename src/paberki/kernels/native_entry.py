"""The instructions between Python and a kernel, as LLVM's assembly: they check every array and call the kernel.

An entry gets a packed table of numbers and of the addresses of array objects. It reads type, dimensions, order and data of
each array from numpy's object, whose layout is part of numpy's binary interface, and calls the kernel by numba's
convention: a pointer for the answer, one for an exception, then the arguments; an array takes five and two for each
dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

__all__ = ["NUMBERS", "REFUSED", "entry"]

NUMBERS: Final = {"int64": ("q", "i64"), "uint64": ("Q", "i64"), "float64": ("d", "double"), "bool": ("q", "i1")}
"""Numbers that kernels take and return: how they are packed, and their type in LLVM."""
_HEAD: Final = object.__basicsize__
_DATA, _DIMENSIONS, _SHAPE, _STRIDES, _DESCRIPTION, _FLAGS = (_HEAD + at for at in (0, 8, 16, 24, 40, 48))
"""Offsets of the fields of numpy's array object (PyArrayObject_fields in its ndarraytypes.h)."""
_BYTE_ORDER, _TYPE_NUMBER = _HEAD + 10, _HEAD + 12
"""The same for the description of its type (PyArray_Descr)."""
_IN_ORDER, _WRITEABLE = 0x1, 0x400
REFUSED: Final = 1 << 20
"""The answer of an entry that refuses an argument, and the number of that argument."""


def entry(name: str, symbol: str, takes: Sequence[str]) -> str:
    """A function of a packed table and a place for the answer that calls the kernel; 0 if all went well."""
    types, values, lines = ["i8*", "i8*"], ["%answer", "%failure"], []
    for number, kind in enumerate(takes):
        at = f"%at{number} = getelementptr i64, i64* %table, i64 {number}"
        if "*" in kind:
            lines += [at, f"%o{number} = load i64, i64* %at{number}", *_array_checks(number, kind)]
            parts = _array_values(number, kind)
            lines += parts[0]
            types += parts[1]
            values += parts[2]
        else:
            llvm_type = NUMBERS[kind][1]
            stored_type = "i8" if llvm_type == "i1" else llvm_type
            lines += [at, f"%p{number} = bitcast i64* %at{number} to {stored_type}*"]
            lines.append(
                f"%{'w' if llvm_type == 'i1' else 'v'}{number} = load {stored_type}, {stored_type}* %p{number}"
            )
            if llvm_type == "i1":
                lines.append(f"%v{number} = trunc i8 %w{number} to i1")
            types.append(llvm_type)
            values.append(f"%v{number}")
    argument_list = ", ".join(f"{kind} {value}" for kind, value in zip(types, values, strict=True))
    return f"""
declare i32 @"{symbol}"({", ".join(types)})
define i32 @paberki_entry_{name}(i64* %table, i8* %answer) {{
%room = alloca i64
store i64 0, i64* %room
%failure = bitcast i64* %room to i8*
{chr(10).join(lines)}
%status = call i32 @"{symbol}"({argument_list})
ret i32 %status
}}
"""


def _field(name: str, base: str, offset: int, kind: str) -> list[str]:
    """Instructions that load a field of an object into ``name``."""
    return [
        f"{name}a = add i64 {base}, {offset}",
        f"{name}p = inttoptr i64 {name}a to {kind}*",
        f"{name} = load {kind}, {kind}* {name}p",
    ]


def _array_checks(number: int, kind: str) -> list[str]:
    dtype, _, rest = kind.partition("*")
    flags = _IN_ORDER if rest.endswith("r") else _IN_ORDER | _WRITEABLE
    me, base = f"%c{number}", f"%o{number}"
    return [
        *_field(f"{me}n", base, _DIMENSIONS, "i32"),
        *_field(f"{me}d", base, _DESCRIPTION, "i64"),
        *_field(f"{me}t", f"{me}d", _TYPE_NUMBER, "i32"),
        *_field(f"{me}b", f"{me}d", _BYTE_ORDER, "i8"),
        *_field(f"{me}f", base, _FLAGS, "i32"),
        f"{me}1 = icmp eq i32 {me}n, {int(rest.removesuffix('r'))}",
        f"{me}2 = icmp eq i32 {me}t, {np.dtype(dtype).num}",
        f"{me}3 = icmp ne i8 {me}b, {ord('>')}",
        f"{me}4 = and i32 {me}f, {flags}",
        f"{me}5 = icmp eq i32 {me}4, {flags}",
        f"{me}6 = and i1 {me}1, {me}2",
        f"{me}7 = and i1 {me}3, {me}5",
        f"{me}8 = and i1 {me}6, {me}7",
        f"br i1 {me}8, label %fine{number}, label %refused{number}",
        f"refused{number}:",
        f"ret i32 {REFUSED + number}",
        f"fine{number}:",
    ]


def _array_values(number: int, kind: str) -> tuple[list[str], list[str], list[str]]:
    """Instructions, types and values of an array as numba passes it."""
    dtype, _, rest = kind.partition("*")
    dimensions, me, base = int(rest.removesuffix("r")), f"%a{number}", f"%o{number}"
    lines = [
        *_field(f"{me}d", base, _DATA, "i8*"),
        *_field(f"{me}s", base, _SHAPE, "i64"),
        *_field(f"{me}t", base, _STRIDES, "i64"),
    ]
    items = "1"
    for one in range(dimensions):
        lines += [*_field(f"{me}s{one}", f"{me}s", 8 * one, "i64"), *_field(f"{me}t{one}", f"{me}t", 8 * one, "i64")]
        lines.append(f"{me}i{one} = mul i64 {items}, {me}s{one}")
        items = f"{me}i{one}"
    types = ["i8*", "i8*", "i64", "i64", "i8*", *["i64"] * (2 * dimensions)]
    values = ["null", "null", items, str(np.dtype(dtype).itemsize), f"{me}d"]
    values += [f"{me}{field}{one}" for field in "st" for one in range(dimensions)]
    return lines, types, values
