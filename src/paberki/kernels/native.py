"""Compiled kernels without their compiler: machine code that was kept is linked by LLVM and called through ctypes.

numba could load its own cache, but to do so it imports itself and rebuilds its typing tables: two thirds of a second and
forty megabytes in every process of a build. Kernels here are plain functions of C-ordered arrays and numbers that make
nothing and raise nothing, so their code can be called by address.

A call from Python hands over one packed table, of the addresses of array objects and of numbers. A few instructions of
our own (:mod:`paberki.kernels.native_entry`) take it apart, check every array and call the kernel. Forty arguments take
eight microseconds this way, and two hundred if ctypes passes them field by field.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import numpy as np

from paberki.installed import installed_version
from paberki.kernels.native_entry import NUMBERS, REFUSED, entry

__all__ = ["KNOWN_VERSIONS", "NotPlain", "Plain", "known_versions", "link", "pack", "plain"]

_MAGIC: Final = b"paberki kernels 4\n"
_DIGEST: Final = 64
"""Bytes of the digest of all that follows it."""
KNOWN_VERSIONS: Final[dict[str, tuple[tuple[int, int], tuple[int, int]]]] = {
    "numba": ((0, 61), (0, 69)),
    "llvmlite": ((0, 44), (0, 51)),
    "numpy": ((2, 0), (2, 5)),
}
"""First and first excluded version with the calling convention, object format and array layout that this module knows."""
_ARRAYS: Final = frozenset({np.ndarray, np.memmap})
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


_NOT_READ: Final = ctypes.create_string_buffer(8)
"""Place for the answer of kernels that return nothing."""


Shape: TypeAlias = "list[tuple[str, Shape]] | None"


class NotPlain(Exception):
    """A kernel that makes arrays, raises errors or takes something else than arrays, numbers and records of them."""


@dataclass(frozen=True, slots=True)
class Plain:
    """One kernel: its machine code, the name of its entry, and the types it takes and returns."""

    name: str
    symbol: str
    takes: tuple[str, ...]
    """A number as ``int64``, an array as ``int64*2`` with its dimensions, one that is only read as ``int64*2r``; those of
    a record one after the other."""
    shape: tuple[Shape, ...]
    """Of each argument ``None`` for an array or a number, and the names and shapes of its fields for a record."""
    returns: str | None
    code: bytes


def plain(name: str, dispatcher: Any) -> Plain:
    """The machine code of a kernel that numba has just compiled; :class:`NotPlain` where it cannot run without numba."""
    result = next(iter(dispatcher.overloads.values()))
    library = result.library
    symbols = {symbol for symbol in _DECLARED.findall(library.get_llvm_str()) if not symbol.startswith("llvm.")}
    if odd := symbols - _KNOWN - {_NEVER_CALLED}:
        raise NotPlain(f"{name} calls {', '.join(sorted(odd))}")
    signature = result.signature
    takes = tuple(_type_name(leaf) for kind in signature.args for leaf in _leaves(kind))
    shape = tuple(map(_shape, signature.args))
    returns = None if str(signature.return_type) == "none" else _type_name(signature.return_type)
    return Plain(name, result.fndesc.llvm_func_name, takes, shape, returns, library._get_compiled_object())


def _shape(kind: Any) -> Shape:
    """Fields of a record (numba's type of a named tuple), ``None`` for arrays and numbers."""
    if not hasattr(kind, "instance_class"):
        return None
    return [(name, _shape(field)) for name, field in zip(kind.fields, kind.types, strict=True)]


def _leaves(kind: Any) -> Iterator[Any]:
    """Types of the arrays and numbers that numba passes for an argument: the fields of a record one by one."""
    if not hasattr(kind, "instance_class"):
        yield kind
        return
    for field in kind.types:
        yield from _leaves(field)


def _type_name(kind: Any) -> str:
    name = str(getattr(kind, "dtype", kind))
    if not hasattr(kind, "dtype"):
        if name not in NUMBERS:
            raise NotPlain(f"a value of type {kind}")
        return name
    if kind.layout != "C":
        raise NotPlain(f"an array of type {kind}")
    return f"{name}*{kind.ndim}{'' if kind.mutable else 'r'}"


def pack(kernels: Sequence[Plain], constants: dict[str, int | float]) -> bytes:
    """Kernels and constants of a module as the content of a file, for this processor."""
    entries = _assemble("\n".join(entry(one.name, one.symbol, one.takes) for one in kernels))
    head = {
        "versions": _versions(),
        "processor": _processor(),
        "constants": constants,
        "kernels": [[one.name, one.takes, one.shape, one.returns] for one in kernels],
        "lengths": [*(len(one.code) for one in kernels), len(entries)],
    }
    body = b"".join([json.dumps(head).encode(), b"\n", *(one.code for one in kernels), entries])
    return _MAGIC + _digest_of(body) + body


def link(content: bytes) -> SimpleNamespace | None:
    """The module again: constants and functions; ``None`` where the content is damaged, or for another processor or other
    versions of what it relies on."""
    body = content[len(_MAGIC) + _DIGEST :]
    if content[: len(_MAGIC) + _DIGEST] != _MAGIC + _digest_of(body) or not known_versions():
        return None
    line, _, code = body.partition(b"\n")
    head = json.loads(line)
    lengths = head["lengths"]
    if head["versions"] != _versions() or head["processor"] != _processor():
        return None
    addresses = _addresses(code, lengths, [f"paberki_entry_{name}" for name, *_ in head["kernels"]])
    functions = {
        name: _Function(name, address, takes, shape, returns)
        for (name, takes, shape, returns), address in zip(head["kernels"], addresses, strict=True)
    }
    return SimpleNamespace(**head["constants"], **functions)


def _digest_of(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


@lru_cache(maxsize=1)
def _versions() -> dict[str, str]:
    return {name: installed_version(name) for name in KNOWN_VERSIONS}


def known_versions() -> bool:
    """Whether machine code may be called past numba with what is installed."""
    try:
        versions = {name: tuple(map(int, text.split(".")[:2])) for name, text in _versions().items()}
    except ValueError:
        return False
    return all(first <= versions[name] < last for name, (first, last) in KNOWN_VERSIONS.items())


def _processor() -> str:
    import llvmlite
    from llvmlite import binding

    return f"{llvmlite.__version__} {binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


_engines: list[Any] = []  # the code lives as long as they do


def _addresses(code: bytes, lengths: Sequence[int], symbols: Sequence[str]) -> list[int]:
    from llvmlite import binding

    machine = _machine()
    binding.add_symbol(_NEVER_CALLED, ctypes.cast(ctypes.pythonapi.Py_IncRef, ctypes.c_void_p).value)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    at = 0
    for length in lengths:
        engine.add_object_file(binding.ObjectFileRef.from_data(code[at : at + length]))
        at += length
    engine.finalize_object()
    _engines.append(engine)
    return [engine.get_function_address(symbol) for symbol in symbols]


def _machine() -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.Target.from_default_triple().create_target_machine(opt=2, jit=True)


def _assemble(source: str) -> bytes:
    from llvmlite import binding

    code: bytes = _machine().emit_object(binding.parse_assembly(source))
    return code


class _Function:
    """A kernel that can be called; the interpreter's lock is released meanwhile."""

    def __init__(
        self, name: str, address: int, takes: Sequence[str], shape: Sequence[Shape], returns: str | None
    ) -> None:
        self.__name__ = name
        self._takes = takes
        self._shape = shape
        self._records = any(shape)
        self._numbers = [number for number, kind in enumerate(takes) if "*" not in kind]
        self._pack = struct.Struct("=" + "".join("q" if "*" in kind else NUMBERS[kind][0] for kind in takes)).pack
        self._read = struct.Struct("=" + NUMBERS[returns][0]).unpack if returns else None
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_char_p, ctypes.c_void_p)(address)

    def __call__(self, *arguments: Any) -> Any:
        values = self._values(arguments)
        return self._run(self._table(values), values)

    def bind(self, *arguments: Any) -> Callable[[], Any]:
        """The call with these arguments, to be made many times: they are packed once, and arrays are kept alive.

        Type, shape and place of each array are still read at every call.
        """
        values = self._values(arguments)
        return partial(self._run, self._table(values), values)

    def _values(self, arguments: Sequence[Any]) -> Sequence[Any]:
        """Arrays and numbers as the kernel takes them: fields of records one by one."""
        if len(arguments) != len(self._shape):
            raise TypeError(f"{self.__name__} takes {len(self._shape)} arguments, not {len(arguments)}")
        if not self._records:
            return arguments
        return [value for pair in zip(arguments, self._shape, strict=True) for value in self._fields(*pair)]

    def _fields(self, argument: Any, shape: Shape) -> Iterator[Any]:
        if shape is None:
            yield argument
            return
        names = [name for name, _ in shape]
        if list(getattr(argument, "_fields", ())) != names:
            raise TypeError(f"{self.__name__} takes a record of {', '.join(names)}, not {type(argument).__name__}")
        for value, (_, inner) in zip(argument, shape, strict=True):
            yield from self._fields(value, inner)

    def _table(self, values: Sequence[Any]) -> bytes:
        """Numbers, and addresses of array objects; whoever calls with it keeps these objects alive."""
        table: list[Any] = list(map(id, values))
        kinds = list(map(type, values))
        for number in self._numbers:
            table[number] = values[number]
            kinds[number] = np.ndarray
        if not _ARRAYS.issuperset(kinds):
            raise TypeError(f"{self.__name__} takes arrays, not {', '.join({kind.__name__ for kind in kinds})}")
        return self._pack(*table)

    def _run(self, table: bytes, values: Sequence[Any]) -> Any:
        answer = ctypes.create_string_buffer(8) if self._read else _NOT_READ
        status = self._call(table, ctypes.addressof(answer))
        if status:
            raise self._failure(status, values)
        return self._read(answer.raw)[0] if self._read else None

    def _failure(self, status: int, values: Sequence[Any]) -> Exception:
        if status < REFUSED:
            return RuntimeError(f"{self.__name__} failed")
        number = status - REFUSED
        array = values[number]
        kind = f"{array.dtype}*{array.ndim}, {'in order' if array.flags.c_contiguous else 'not in order'}"
        kind += "" if array.flags.writeable else ", not to be written to"
        return TypeError(f"argument {number + 1} of {self.__name__}: {self._takes[number]} is wanted, not {kind}")
