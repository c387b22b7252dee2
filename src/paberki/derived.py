"""Arrays that follow from shipped files: made once per machine, kept beside compiled code, shared by all processes.

Unfolding a model takes part of a second and tens of megabytes in every process that wants it. Kept as plain ``.npy``
files it is mapped in no time, and only what is looked at takes memory.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paberki.kernels import cache_directory

__all__ = ["derived"]

Arrays = dict[str, NDArray[Any]]


def derived(name: str, sources: Iterable[Path], make: Callable[[], Arrays]) -> Arrays:
    """What ``make`` returns, from the cache unless one of the sources has changed since; read-only."""
    place = cache_directory() / f"{name}-{zlib.crc32(bytes(10).join(file.read_bytes() for file in sources)):08x}"
    with contextlib.suppress(OSError, ValueError):
        return {path.stem: np.load(path, mmap_mode="r") for path in sorted(_complete(place).glob("*.npy"))}
    arrays = make()
    with contextlib.suppress(OSError):  # a cache that cannot be written is none
        _keep(place, arrays)
    return arrays


def _complete(place: Path) -> Path:
    if not place.is_dir():
        raise FileNotFoundError(place)
    return place


def _keep(place: Path, arrays: Arrays) -> None:
    """All files or none: the directory gets its name when everything is in it."""
    beside = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))
    try:
        for name, array in arrays.items():
            np.save(beside / f"{name}.npy", array, allow_pickle=False)
        os.rename(beside, place)  # fails where another process was first
    except OSError:
        for file in beside.glob("*"):
            file.unlink(missing_ok=True)
        beside.rmdir()
