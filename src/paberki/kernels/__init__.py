"""Compiled functions: where their machine code is kept, and how they are compiled before work begins.

A kernel is a Python function that numba compiles for the processor at hand. That takes seconds, so the code is kept in
``$XDG_CACHE_HOME/paberki/numba-<version>`` (``NUMBA_CACHE_DIR`` overrides it), one file per module and state of its
sources, and every later process only links it (:mod:`paberki.kernels.native`). numba is imported only to compile.
``docs/explanation/kernels.md`` tells how kernels are written, declared and tested.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import importlib
import os
import platform
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numpy as np

import paberki
from paberki.import_guard import without
from paberki.kernels import native
from paberki.kernels.kernel_uses import kernel_modules, kernels_behind, source_of
from paberki.kernels.preparation import preparing

__all__ = [
    "bound",
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

_Function = TypeVar("_Function", bound=Callable[..., Any])
_MADV_DONTNEED: Final = 4
_OTHERS_WRITE: Final = 0o022
_IMPORTED: Final = re.compile(rb"^from (paberki\.[\w.]+) import", re.MULTILINE)
_BY_NUMBA: Final = b"left to numba\n"
_plain_kernels: dict[str, list[native.Plain]] = {}
"""What was compiled in this process, by module."""
_left_to_numba: set[str] = set()
"""Modules with a kernel that cannot run without numba, such as one that sorts."""
# Kernels make no arrays, so references need no counting; it would cost more than the work of short functions.
_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "_nrt": False}

_UNCALLED: Final[dict[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""No wrappers: these functions are never called from Python through numba."""


def __getattr__(name: str) -> tuple[str, ...]:
    """``MODULES``: all modules that hold kernels, listed on first use."""
    if name == "MODULES":
        return kernel_modules()
    raise AttributeError(name)


def kernel(*arguments: Any, returns: Any, slices: bool = False) -> Callable[[_Function], _Function]:
    """Compile a function now, for exactly these numba types. From Python it is called through :func:`load`.

    ``slices``: the kernel slices arrays, for which numba needs reference counts.
    """
    numba, signature, options = _numba(), returns(*arguments), {**_OPTIONS, "_nrt": slices}

    def decorate(function: _Function) -> _Function:
        module = function.__module__
        if _by_numba() or module in _left_to_numba:
            dispatcher: _Function = numba.njit(signature, cache=True, **options)(function)
            return _taking_records(dispatcher, arguments) if any(map(_is_record, arguments)) else dispatcher
        bare: _Function = numba.njit(signature, **options, **_UNCALLED)(function)
        try:
            _plain_kernels.setdefault(module, []).append(native.plain(function.__name__, bare))
        except native.NotPlain:
            _left_to_numba.add(module)
        return bare

    return decorate


def bound(function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
    """The call of a kernel with these arguments, to be made many times; their contents may change in between."""
    bind = getattr(function, "bind", None)
    call: Callable[[], Any] = partial(function, *arguments) if bind is None else bind(*arguments)
    return call


def _is_record(kind: Any) -> bool:
    """Whether a type of numba's is that of a named tuple."""
    return hasattr(kind, "instance_class")


def _taking_records(dispatcher: _Function, kinds: Sequence[Any]) -> _Function:
    """A kernel that is called through numba, which takes a named tuple only if each array is as read-only as declared."""

    def call(*arguments: Any) -> Any:
        return dispatcher(*map(_as_declared, arguments, kinds))

    return cast("_Function", call)


def _as_declared(value: Any, kind: Any) -> Any:
    if _is_record(kind):
        return type(value)(*map(_as_declared, value, kind.types))
    if isinstance(value, np.ndarray) and not kind.mutable:
        value = value.view(np.ndarray)
        value.flags.writeable = False
    return value


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
    if _by_numba():
        with preparing(), without("scipy"):
            return _import_module(module)
    file = _cache_file(module)
    with contextlib.suppress(OSError):
        content = file.read_bytes()
        if content == _BY_NUMBA:
            _left_to_numba.add(module)
        elif (native_module := native.link(content)) is not None:
            _give_back_compiler()
            return native_module
    with preparing(), without("scipy"):
        return _compile(module, file)


def _import_module(module: str) -> Any:
    """Import a module through numba's own cache; if that fails, once more without the cached files, which may be damaged."""
    try:
        return importlib.import_module(module)
    except Exception:
        sys.modules.pop(module, None)
        files = list(cache_directory().rglob(f"{module.rpartition('.')[2]}.*.nb?"))
        if not files:
            raise
        for path in files:
            path.unlink(missing_ok=True)
        return importlib.import_module(module)


def _compile(module: str, file: Path) -> Any:
    """Have numba compile a module, and keep its machine code where the next process finds it."""
    noted_before = module in _left_to_numba
    module_object = _import_module(module)
    if module in _left_to_numba:
        if not noted_before:
            _write(file, _BY_NUMBA)
            module_object = importlib.reload(module_object)
        _give_back_compiler()
        return module_object
    constants = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in vars(module_object).items()
        if name.isupper() and not name.startswith("_") and isinstance(value, int | float | np.generic)
    }
    content = native.pack(_plain_kernels[module], constants)
    _write(file, content)
    return native.link(content)


def _write(path: Path, content: bytes) -> None:
    """Write a file of the cache, whole or not at all; a cache that cannot be written is skipped."""
    import tempfile

    with contextlib.suppress(OSError), tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as beside:
        beside.write(content)
        beside.close()
        os.replace(beside.name, path)


def _by_numba() -> bool:
    """Whether numba itself runs the kernels: its debugging switches are set, or the installed versions have calling
    conventions that we do not know."""
    return (
        bool(os.environ.get("NUMBA_DISABLE_JIT") or os.environ.get("NUMBA_BOUNDSCHECK")) or not native.known_versions()
    )


def _give_back_compiler() -> None:
    """Release the memory pages of LLVM's code once kernels are loaded, some fifty megabytes.

    Only code is released; the system reads it again if it is needed.
    """
    unmapped("libllvmlite", "r-x")


def unmapped(name: str, rights: str) -> None:
    """Release the memory pages of mapped files of this name; the system reads them again when needed."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    with contextlib.suppress(OSError, ValueError), Path("/proc/self/maps").open() as maps:
        for line in maps:
            if name in line and f" {rights}" in line:
                begin, end = (int(address, 16) for address in line.split()[0].split("-"))
                libc.madvise(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), _MADV_DONTNEED)


def used_by(stages: Iterable[str]) -> list[str]:
    """Modules with kernels that stages of these names may use."""
    from paberki.stage import find

    declared_stages = (find(name) for name in stages if name != "archive.v1")
    return kernels_behind({stage.source for stage in declared_stages})


def compile_all(modules: Iterable[str] | None = None) -> list[str]:
    """Compile what is not in the cache, in parallel processes; the names of all these modules.

    A second process that calls this meanwhile waits for the first. Without names: all kernels.
    """
    names = list(kernel_modules() if modules is None else modules)
    if cached(names):
        return names
    from concurrent.futures import ThreadPoolExecutor

    with _alone(), ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(_compile_apart, [module for module in names if not cached([module])]))
    return names


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Lock the cache against other processes of this user; where it cannot be locked, several may fill it."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            file = stack.enter_context(open(cache_directory() / "compiling.lock", "ab"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _compile_apart(module: str) -> None:
    command = [sys.executable, "-c", f"from paberki.kernels import load; load({module!r})"]
    import subprocess

    subprocess.run(command, check=False, stdin=subprocess.DEVNULL)  # noqa: S603 - a failure shows where it is used


def cached(modules: Iterable[str] | None = None) -> bool:
    """Whether these modules, or all, are compiled already; looks at files, imports nothing."""
    return all(_cache_file(module).is_file() for module in (kernel_modules() if modules is None else modules))


@lru_cache(maxsize=1)
def cache_directory() -> Path:
    """Directory of compiled code; a new private one, which child processes share, if the usual one cannot be used.

    Its content is executed, so a directory that others own or may write to is not used.
    """
    override = os.environ.get("NUMBA_CACHE_DIR")
    place = Path(override) if override else _usual_place()
    if not (_private(place) if override else _shut(place)):
        import tempfile

        place = Path(tempfile.mkdtemp(prefix="paberki-numba-"))
    os.environ["NUMBA_CACHE_DIR"] = str(place)
    return place


def _caches() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))


def _usual_place() -> Path:
    place = _caches() / "paberki" / f"numba-{paberki.__version__}"
    if os.environ.get("NUMBA_BOUNDSCHECK") == "1":  # numba would mix up the two, and does not see constants change
        place /= f"checked-{_all_sources():08x}"
    return place


def _cache_file(module: str) -> Path:
    """File of the machine code of a module; its name holds a digest of all that the code depends on."""
    return cache_directory() / f"{module}-{digest(module)}.kernels"


def _numba() -> Any:
    directory = cache_directory()
    numba = importlib.import_module("numba")
    if not numba.config.CACHE_DIR:  # somebody imported numba before us
        numba.config.CACHE_DIR = str(directory)
    return numba


def _shut(place: Path) -> bool:
    """Make our own directory private: nobody else may read it either.

    Its name can be guessed, so it is not used below a directory that others may write to.
    """
    caches = _caches()
    try:
        caches.mkdir(mode=0o700, parents=True, exist_ok=True)
        if caches.stat().st_mode & _OTHERS_WRITE:
            return False
        for one in reversed([place, *(above for above in place.parents if caches in above.parents)]):
            one.mkdir(mode=0o700, exist_ok=True)
            if one.stat().st_uid != os.getuid():
                return False
            one.chmod(0o700)
    except OSError:
        return False
    return _private(place)


def _private(place: Path) -> bool:
    """Whether a directory exists, or can be made, that only this user may write to."""
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = place.stat()
        if about.st_uid != os.getuid() or about.st_mode & _OTHERS_WRITE:
            return False
        return os.access(place, os.W_OK | os.X_OK)
    except OSError:
        return False


@lru_cache
def digest(module: str) -> str:
    """Digest of what compiled code depends on: interpreter, processor, and the sources of a module and of all that it imports.

    numba watches the file of a kernel only; constants and pieces come from others. Nothing is imported to find out.
    """
    sources: dict[str, bytes] = {}
    waiting = [module, "paberki.kernels.native"]
    while waiting:
        name = waiting.pop()
        if name not in sources and name != __name__:
            sources[name] = source_of(name).read_bytes()
            waiting += [imported_name.decode() for imported_name in _IMPORTED.findall(sources[name])]
    facts = [sys.version.encode(), _processor(), *(sources[name] for name in sorted(sources))]
    return f"{zlib.crc32(bytes(10).join(facts)):08x}"


def _all_sources() -> int:
    return zlib.crc32("-".join(digest(module) for module in kernel_modules()).encode())


@lru_cache(maxsize=1)
def _processor() -> bytes:
    """What the processor can do, where the system tells: the cache may lie in a home that several machines share."""
    with contextlib.suppress(OSError), Path("/proc/cpuinfo").open("rb") as file:
        return b"".join(line for line in file.read(8192).splitlines() if line.startswith((b"model name", b"flags")))
    return platform.machine().encode()
