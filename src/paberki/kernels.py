"""Compiled functions: where their machine code is kept, and how they are compiled before work begins.

A kernel is a Python function that numba compiles for the processor at hand. That takes seconds, so the code is kept in
``$XDG_CACHE_HOME/paberki/numba-<version>`` (``NUMBA_CACHE_DIR`` overrides it), one file per module and state of its
sources, and every later process only links it (:mod:`paberki.native`). numba is imported to compile, and never else.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import os
import platform
import re
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

import paberki
from paberki import native
from paberki.without import without

__all__ = [
    "MODULES",
    "available",
    "cache_directory",
    "cached",
    "compile_all",
    "digest",
    "inner",
    "kernel",
    "load",
    "part",
    "unmapped",
    "used_by",
]

MODULES: Final = {
    "paberki.extraction.kernel": ("extract.",),
    "paberki.extraction.features_kernel": ("extract.learned.",),
    "paberki.dedup.kernel": ("dedup.near.", "dedup.s", "dedup.documents.", "dedup.pa", "dedup.contamination."),
    "paberki.lexicon_kernel": ("identify.", "quality."),
    "paberki.decoding.kernel": ("decode.",),
    "paberki.extraction.views_kernel": ("extract.",),
    "paberki.quality.rules_kernel": ("quality.rules.",),
    "paberki.quality.ngrams_kernel": ("quality.ngrams.", "quality.graphs."),
    "paberki.identification.kernel": ("identify.", "siblings."),
    "paberki.identification.training_kernel": (),
    "paberki.quality.diacritics_kernel": ("quality.diacritics.", "quality.restore."),
    "paberki.fasttext_kernel": ("quality.linear.",),
    "paberki.annotation.sequence_kernel": ("annotate.",),
    "paberki.annotation.tree_kernel": ("annotate.",),
    "paberki.annotation.splitting_kernel": ("annotate.",),
    "paberki.annotation.words_kernel": ("annotate.",),
    "paberki.annotation.sequence_learning_kernel": (),
    "paberki.annotation.tree_learning_kernel": (),
    "paberki.dedup.tuples_kernel": ("dedup.documents.", "dedup.pa", "dedup.contamination.", "dedup.shared."),
}
"""Modules that hold kernels, the slowest to compile first, and how the names of stages begin that use them."""

_Function = TypeVar("_Function", bound=Callable[..., Any])
_MADV_DONTNEED: Final = 4
_IMPORTED: Final = re.compile(rb"^from (paberki\.[\w.]+) import", re.MULTILINE)
_BY_NUMBA: Final = b"left to numba\n"
_compiled: dict[str, list[native.Plain]] = {}
"""What was compiled in this process, by module."""
_left_to_numba: set[str] = set()
"""Modules with a kernel that cannot do without it, as one that sorts."""
# Kernels make no arrays, so references need no counting; it would cost more than the work of short functions.
_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "_nrt": False}

_UNCALLED: Final[dict[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Nobody calls it from Python through numba."""


def kernel(*arguments: Any, returns: Any, slices: bool = False) -> Callable[[_Function], _Function]:
    """Compile a function now, for exactly these numba types. From Python it is called through :func:`load`.

    ``slices`` for one that takes arrays apart, which needs references counted after all.
    """
    numba, signature, options = _numba(), returns(*arguments), {**_OPTIONS, "_nrt": slices}

    def decorate(function: _Function) -> _Function:
        module = function.__module__
        if _watched() or module in _left_to_numba:
            compiled: _Function = numba.njit(signature, cache=True, **options)(function)
            return compiled
        bare: _Function = numba.njit(signature, **options, **_UNCALLED)(function)
        try:
            _compiled.setdefault(module, []).append(native.plain(function.__name__, bare))
        except native.NotPlain:
            _left_to_numba.add(module)
        return bare

    return decorate


def part(function: _Function) -> _Function:
    """A piece of a kernel: compiled along with each kernel that calls it."""
    piece: _Function = _numba().njit(**_OPTIONS, **_UNCALLED)(function)
    return piece


def inner(function: _Function) -> _Function:
    """A piece of a kernel that is called so often that handing over its arguments would take time."""
    piece: _Function = _numba().njit(forceinline=True, **_OPTIONS, **_UNCALLED)(function)
    return piece


@lru_cache
def load(module: str) -> Any:
    """A module with kernels, for those who call them: its functions and its constants."""
    if _watched():
        return importlib.import_module(module)
    kept = _kept(module)
    with contextlib.suppress(OSError):
        content = kept.read_bytes()
        if content == _BY_NUMBA:
            _left_to_numba.add(module)
        elif (linked := native.link(content)) is not None:
            _give_back_compiler()
            return linked
    with without("scipy"):
        return _compile(module, kept)


def _compile(module: str, kept: Path) -> Any:
    """Have numba compile a module, and keep its machine code where the next process finds it."""
    known = module in _left_to_numba
    compiled = importlib.import_module(module)
    if module in _left_to_numba:
        if not known:
            _write(kept, _BY_NUMBA)
            compiled = importlib.reload(compiled)
        _give_back_compiler()
        return compiled
    constants = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in vars(compiled).items()
        if name.isupper() and not name.startswith("_") and isinstance(value, int | float | np.generic)
    }
    content = native.pack(_compiled[module], constants)
    _write(kept, content)
    return native.link(content)


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all; a cache that cannot be written is none."""
    with contextlib.suppress(OSError), tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as beside:
        beside.write(content)
        beside.close()
        os.replace(beside.name, path)


def _watched() -> bool:
    """Whether somebody looks for errors in kernels, by numba's own switches."""
    return bool(os.environ.get("NUMBA_DISABLE_JIT") or os.environ.get("NUMBA_BOUNDSCHECK"))


def _give_back_compiler() -> None:
    """Once kernels are there, LLVM's own code is not needed: let the system have its pages back, some fifty megabytes.

    Only code is given back, which nobody writes to.
    """
    unmapped("libllvmlite", "r-x")


def unmapped(name: str, rights: str) -> None:
    """Let the system have the pages of mapped files of this name that nobody writes to; they are read again when needed."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    with contextlib.suppress(OSError, ValueError), Path("/proc/self/maps").open() as maps:
        for line in maps:
            if name in line and f" {rights}" in line:
                begin, end = (int(address, 16) for address in line.split()[0].split("-"))
                libc.madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), _MADV_DONTNEED)


def used_by(stages: Iterable[str]) -> list[str]:
    """Modules with kernels that stages of these names use."""
    names = list(stages)
    return [module for module, begins in MODULES.items() if any(name.startswith(begins) for name in names)]


def compile_all(modules: Iterable[str] = MODULES) -> list[str]:
    """Compile what is not kept yet, side by side in processes of their own; the names of all these modules."""
    wanted = list(modules)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(_compile_apart, [module for module in wanted if not cached([module])]))
    return wanted


def _compile_apart(module: str) -> None:
    command = [sys.executable, "-c", f"from paberki.kernels import load; load({module!r})"]
    subprocess.run(command, check=False, stdin=subprocess.DEVNULL)  # noqa: S603 - a failure shows where it is used


def cached(modules: Iterable[str] = MODULES) -> bool:
    """Whether these modules are compiled already; looks at files, imports nothing."""
    return all(_kept(module).is_file() for module in modules)


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
    place = Path(home) / "paberki" / f"numba-{paberki.__version__}"
    if os.environ.get("NUMBA_BOUNDSCHECK") == "1":  # numba would mix up the two, and does not see constants change
        place /= "checked-" + "-".join(digest(module) for module in MODULES)
    if not _writable(place):
        place = Path(tempfile.mkdtemp(prefix="paberki-numba-"))
    os.environ["NUMBA_CACHE_DIR"] = str(place)
    return place


def _kept(module: str) -> Path:
    """Where the machine code of a module is; the name tells what it depends on, as any place may be given."""
    return cache_directory() / f"{module}-{digest(module)}.kernels"


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


@lru_cache
def digest(module: str) -> str:
    """What compiled code depends on: interpreter, processor, and the sources of a module and of all that it imports.

    numba watches the file of a kernel only; constants and pieces come from others. Nothing is imported to find out.
    """
    read: dict[str, bytes] = {}
    left = [module, "paberki.native"]
    while left:
        name = left.pop()
        if name not in read and name != __name__:
            read[name] = _source(name).read_bytes()
            left += [found.decode() for found in _IMPORTED.findall(read[name])]
    facts = [sys.version.encode(), _processor(), *(read[name] for name in sorted(read))]
    return f"{zlib.crc32(bytes(10).join(facts)):08x}"


def _source(module: str) -> Path:
    place = Path(__file__).parent.joinpath(*module.split(".")[1:])
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


@lru_cache(maxsize=1)
def _processor() -> bytes:
    """What the processor can do, where the system tells: the cache may lie in a home that several machines share."""
    with contextlib.suppress(OSError), Path("/proc/cpuinfo").open("rb") as file:
        return b"".join(line for line in file.read(8192).splitlines() if line.startswith((b"model name", b"flags")))
    return platform.machine().encode()
