"""Arrays that follow from shipped files: made once per machine, kept beside compiled code, shared by all processes.

Unfolding a model takes part of a second and tens of megabytes in every process that wants it. Plain ``.npy``
files are mapped at once, and only the pages that are read take memory. A list names the files of a set; damaged
files are made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.kernels import cache_directory
from paberki.kernels.preparation import preparing

__all__ = ["derived"]

Arrays = dict[str, NDArray[Any]]
_LIST: Final = "files.json"


def derived(name: str, sources: Iterable[Path], make: Callable[[], Arrays]) -> Arrays:
    """What ``make`` returns, from the cache unless one of the sources has changed since; read-only."""
    place = cache_directory() / f"{name}-{zlib.crc32(bytes(10).join(file.read_bytes() for file in sources)):08x}"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        return _map_arrays(place)
    with preparing():
        arrays = make()
    with contextlib.suppress(OSError):  # a cache that cannot be written is skipped
        _keep(place, arrays)
    return arrays


def _map_arrays(place: Path) -> Arrays:
    """The arrays that the list names; ``ValueError`` where one is not what was written."""
    names = json.loads((place / _LIST).read_text("utf-8"))
    return {name: _map_checked(place / f"{name}.npy", about) for name, about in names.items()}


def _map_checked(path: Path, about: dict[str, Any]) -> NDArray[Any]:
    """Map an array; its digest is checked only if size or time of the file changed, since that reads all of it."""
    status = path.stat()
    untouched = (status.st_size, status.st_mtime_ns) == (about["bytes"], about["time"])
    if not untouched and _digest(path) != about["digest"]:
        raise ValueError(f"{path} is damaged")
    array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    return array


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _keep(place: Path, arrays: Arrays) -> None:
    """All files or none: the directory gets its name when everything is in it."""
    beside = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    try:
        names = {}
        for name, array in arrays.items():
            path = beside / f"{name}.npy"
            np.save(path, array, allow_pickle=False)
            names[name] = {"bytes": path.stat().st_size, "time": path.stat().st_mtime_ns, "digest": _digest(path)}
        (beside / _LIST).write_text(json.dumps(names), "utf-8")
        _put_in_place(beside, place)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _put_in_place(beside: Path, place: Path) -> None:
    """Rename a directory into place; if the place is taken, by another process or by damaged files, replace only the latter."""
    try:
        os.rename(beside, place)
    except OSError:
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            _map_arrays(place)
            return
        away = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
        os.rename(place, away / "damaged")
        shutil.rmtree(away, ignore_errors=True)
        os.rename(beside, place)
