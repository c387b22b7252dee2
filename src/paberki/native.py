"""Compiled kernels without their compiler: machine code that was kept is linked by LLVM and called through ctypes.

numba could load its own cache, but to do so it imports itself and rebuilds its typing tables: two thirds of a second and
forty megabytes in every process of a build. Kernels here are plain functions of C-ordered arrays and numbers that make
nothing and raise nothing, so that their code can be called by address.

The calling convention is numba's: a pointer for the answer, one for an exception, then the arguments, of which an array
takes five and two for each dimension.
"""

from __future__ import annotations

import ctypes
import json
import re
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["NotPlain", "Plain", "link", "pack", "plain"]

_NUMBERS: Final[dict[str, Any]] = {
    "int64": ctypes.c_int64, "uint64": ctypes.c_uint64, "int32": ctypes.c_int32, "uint32": ctypes.c_uint32,
    "float64": ctypes.c_double, "float32": ctypes.c_float, "bool": ctypes.c_bool,
}  # fmt: skip
_MAGIC: Final = b"paberki kernels 1\n"
_DECLARED: Final = re.compile(r'^declare [^@]*@"?([^"(]+)"?\(', re.MULTILINE)
_KNOWN: Final = frozenset(
    [
        "memcpy",
        "memmove",
        "memset",
        "memcmp",
        "exp",
        "exp2",
        "log",
        "log2",
        "log10",
        "log1p",
        "expm1",
        "pow",
        "sqrt",
        "floor",
        "ceil",
    ]
)
_NEVER_CALLED: Final = "NRT_MemInfo_call_dtor"
"""Arrays that belong to Python have no counter, so nothing is ever released here."""


class NotPlain(Exception):
    """A kernel that makes arrays, raises errors or takes something else than arrays and numbers."""


@dataclass(frozen=True, slots=True)
class Plain:
    """One kernel: its machine code, the name of its entry, and the types it takes and returns."""

    name: str
    symbol: str
    takes: tuple[str, ...]
    """A number as ``int64``, an array as ``int64*2`` with its dimensions."""
    returns: str | None
    code: bytes


def plain(name: str, compiled: Any) -> Plain:
    """The machine code of a kernel that numba has just compiled; :class:`NotPlain` where it cannot run without numba."""
    result = next(iter(compiled.overloads.values()))
    library = result.library
    wanted = {symbol for symbol in _DECLARED.findall(library.get_llvm_str()) if not symbol.startswith("llvm.")}
    if odd := wanted - _KNOWN - {_NEVER_CALLED}:
        raise NotPlain(f"{name} calls {', '.join(sorted(odd))}")
    signature = result.signature
    takes = tuple(_written(kind) for kind in signature.args)
    returns = None if str(signature.return_type) == "none" else _written(signature.return_type)
    return Plain(name, result.fndesc.llvm_func_name, takes, returns, library._get_compiled_object())


def _written(kind: Any) -> str:
    name = str(getattr(kind, "dtype", kind))
    if name not in _NUMBERS and not hasattr(kind, "dtype"):
        raise NotPlain(f"a value of type {kind}")
    if hasattr(kind, "dtype") and kind.layout != "C":
        raise NotPlain(f"an array of type {kind}")
    return f"{name}*{kind.ndim}" if hasattr(kind, "dtype") else name


def pack(kernels: Sequence[Plain], constants: dict[str, int | float]) -> bytes:
    """Kernels and constants of a module as the content of a file, for this processor."""
    head = {
        "processor": _processor(),
        "constants": constants,
        "kernels": [[one.name, one.symbol, list(one.takes), one.returns, len(one.code)] for one in kernels],
    }
    return b"".join([_MAGIC, json.dumps(head).encode(), b"\n", *(one.code for one in kernels)])


def link(content: bytes) -> SimpleNamespace | None:
    """The module again: constants and functions; ``None`` where the content is for another processor or damaged."""
    try:
        magic, line, code = content.split(b"\n", 2)
        head = json.loads(line)
    except ValueError:
        return None
    lengths = [length for *_, length in head["kernels"]]
    if magic + b"\n" != _MAGIC or head["processor"] != _processor() or len(code) != sum(lengths):
        return None
    addresses = _addresses(code, lengths, [symbol for _, symbol, *_ in head["kernels"]])
    functions = {
        name: _Function(name, address, takes, returns)
        for (name, _, takes, returns, _), address in zip(head["kernels"], addresses, strict=True)
    }
    return SimpleNamespace(**head["constants"], **functions)


def _processor() -> str:
    import llvmlite
    from llvmlite import binding

    return f"{llvmlite.__version__} {binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


_engines: list[Any] = []  # the code lives as long as they do


def _addresses(code: bytes, lengths: Sequence[int], symbols: Sequence[str]) -> list[int]:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    binding.add_symbol(_NEVER_CALLED, ctypes.cast(ctypes.pythonapi.Py_IncRef, ctypes.c_void_p).value)
    machine = binding.Target.from_default_triple().create_target_machine(jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    at = 0
    for length in lengths:
        engine.add_object_file(binding.ObjectFileRef.from_data(code[at : at + length]))
        at += length
    engine.finalize_object()
    _engines.append(engine)
    return [engine.get_function_address(symbol) for symbol in symbols]


class _Function:
    """A kernel that can be called; the interpreter's lock is released meanwhile."""

    def __init__(self, name: str, address: int, takes: Sequence[str], returns: str | None) -> None:
        self.__name__ = name
        self._checks = [_array_of(kind) if "*" in kind else None for kind in takes]
        self._answer = _NUMBERS[returns] if returns else ctypes.c_void_p
        self._is_void = returns is None
        types: list[Any] = [ctypes.c_void_p, ctypes.c_void_p]
        for kind in takes:
            dtype, _, dimensions = kind.partition("*")
            types += [ctypes.c_ssize_t] * (5 + 2 * int(dimensions)) if dimensions else [_NUMBERS[dtype]]
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32, *types)(address)

    def __call__(self, *arguments: Any) -> Any:
        if len(arguments) != len(self._checks):
            raise TypeError(f"{self.__name__} takes {len(self._checks)} arguments, not {len(arguments)}")
        flat: list[Any] = []
        for argument, flatten in zip(arguments, self._checks, strict=True):
            if flatten is None:
                flat.append(argument)
            else:
                flat += flatten(argument)
        answer, failure = self._answer(), ctypes.c_void_p()
        if self._call(ctypes.addressof(answer), ctypes.addressof(failure), *flat):
            raise RuntimeError(f"{self.__name__} failed")
        return None if self._is_void else answer.value


_flat: dict[int, tuple[weakref.ref[NDArray[Any]], tuple[int, ...], str]] = {}
"""Arrays as arguments: the same buffers are passed again and again."""


def _array_of(kind: str) -> Callable[[NDArray[Any]], tuple[int, ...]]:
    dtype_name, _, dimensions = kind.partition("*")
    dtype, wanted = np.dtype(dtype_name), int(dimensions)

    def flatten(array: NDArray[Any]) -> tuple[int, ...]:
        known = _flat.get(id(array))
        if known is not None and known[0]() is array and known[2] == kind:
            return known[1]
        if array.dtype != dtype or array.ndim != wanted or not array.flags.c_contiguous:
            raise TypeError(
                f"an array of {wanted} dimensions of {dtype} is wanted, this has {array.ndim} of {array.dtype}"
            )
        address = array.__array_interface__["data"][0]
        flat = (0, 0, array.size, array.itemsize, address, *array.shape, *array.strides)
        number = id(array)
        _flat[number] = (weakref.ref(array, lambda _: _flat.pop(number, None)), flat, kind)
        return flat

    return flatten
