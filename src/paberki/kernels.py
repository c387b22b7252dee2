"""Compiled functions: where their machine code is kept, and how they are compiled before work begins.

A kernel is a Python function that numba compiles for the processor at hand. That takes seconds, so the code is kept in
``$XDG_CACHE_HOME/paberki/numba-<version>`` (``NUMBA_CACHE_DIR`` overrides it; below it, one directory per state of the
sources) and every later process only loads it.
numba itself costs half a second and some fifty megabytes, so nothing here imports it before a kernel is asked for.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import os
import platform
import sys
import tempfile
import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar

import paberki

__all__ = ["MODULES", "available", "cache_directory", "cached", "compile_all", "direct", "kernel", "load", "part"]

MODULES: Final = (
    "paberki.extraction.kernel",
    "paberki.extraction.features_kernel",
    "paberki.lexicon_kernel",
    "paberki.identification.kernel",
    "paberki.dedup.kernel",
)
"""Modules that hold kernels; importing one compiles its kernels or loads them from the cache."""

_CONSTANTS: Final = (
    *(
        f"paberki.extraction.{name}"
        for name in ("characters", "collect", "elements", "layout", "paths", "stack", "tables")
    ),
    "paberki.identification.scripts",
)
"""Modules whose constants are compiled into kernels. numba watches the file of a kernel only."""

_Function = TypeVar("_Function", bound=Callable[..., Any])
_MADV_DONTNEED: Final = 4
_compiled: list[str] = []
# Kernels make no arrays, so references need no counting; it would cost more than the work of short functions.
_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "_nrt": False}


def kernel(*arguments: Any, returns: Any, slices: bool = False) -> Callable[[_Function], _Function]:
    """Compile a function now, for exactly these numba types, or load it from the cache.

    ``slices`` for one that takes arrays apart, which needs references counted after all.
    """
    numba = _numba()
    options = {**_OPTIONS, "_nrt": slices}

    def decorate(function: _Function) -> _Function:
        compiled: _Function = numba.njit(returns(*arguments), cache=True, **options)(function)
        _compiled.append(f"{function.__module__}.{function.__name__}")
        return compiled

    return decorate


def part(function: _Function) -> _Function:
    """A piece of a kernel: compiled along with each kernel that calls it."""
    piece: _Function = _numba().njit(**_OPTIONS)(function)
    return piece


def direct(function: _Function) -> _Function:
    """The compiled code of a kernel, for calls that come by the hundred thousand.

    numba looks at the type of every argument of every call, which takes longer than identifying a sentence. Arguments
    must be exactly of the types that the kernel declares.
    """
    overloads = getattr(function, "overloads", None)
    entry: _Function = next(iter(overloads.values())).entry_point if overloads else function
    return entry


def load(module: str) -> ModuleType:
    """A module with kernels, for those who call them; numba is imported here and not before."""
    loaded = importlib.import_module(module)
    _give_back_compiler()
    return loaded


def _give_back_compiler() -> None:
    """Once kernels are there, LLVM's own code is not needed: let the system have its pages back, some fifty megabytes.

    They are read again from the file if they are needed after all. Only code is given back, which nobody writes to.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    with contextlib.suppress(OSError, ValueError), Path("/proc/self/maps").open() as maps:
        for line in maps:
            if "libllvmlite" in line and " r-xp " in line:
                begin, end = (int(address, 16) for address in line.split()[0].split("-"))
                libc.madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), _MADV_DONTNEED)


def compile_all() -> list[str]:
    """Compile every kernel, or load it; the names of all of them. Afterwards :func:`cached` is true."""
    for name in MODULES:
        importlib.import_module(name)
    if "NUMBA_DISABLE_JIT" not in os.environ:
        _stamp().touch()
    return list(_compiled)


def cached() -> bool:
    """Whether all kernels of this version are compiled for this machine; looks at one file, numba is not imported."""
    return _stamp().is_file()


@lru_cache(maxsize=1)
def available() -> bool:
    """Whether numba is installed; looks for it without importing it."""
    return importlib.util.find_spec("numba") is not None


@lru_cache(maxsize=1)
def cache_directory() -> Path:
    """Where compiled code goes; a temporary directory, which child processes share, if that cannot be written."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    checked = "-checked" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else ""  # numba would mix up the two
    place = Path(home) / "paberki" / f"numba-{paberki.__version__}{checked}" / _digest(_sources())
    if not _writable(place):
        place = Path(tempfile.mkdtemp(prefix="paberki-numba-"))
    os.environ["NUMBA_CACHE_DIR"] = str(place)
    return place


def _numba() -> Any:
    directory = cache_directory()
    numba = importlib.import_module("numba")
    if not numba.config.CACHE_DIR:  # somebody imported numba before us
        numba.config.CACHE_DIR = str(directory)
    return numba


def _writable(place: Path) -> bool:
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            return True
    except OSError:
        return False


def _stamp() -> Path:
    """A file whose name tells what was compiled: the sources, the interpreter and the machine."""
    return cache_directory() / f"ready-{_digest([platform.node(), platform.machine(), sys.version, *_sources()])}"


def _sources() -> list[str]:
    """Age and size of every file that compiled code depends on; found without importing the packages above it."""
    files = [Path(__file__).parent.joinpath(*name.split(".")[1:]).with_suffix(".py") for name in MODULES + _CONSTANTS]
    return [f"{file}:{file.stat().st_mtime_ns}:{file.stat().st_size}" for file in files]


def _digest(facts: Sequence[str]) -> str:
    return f"{zlib.crc32(chr(10).join(facts).encode()):08x}"
