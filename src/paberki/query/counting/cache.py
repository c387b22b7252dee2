"""Arrays that are made at first use and kept beside the index; named by what they are made from, so that they never expire."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.query.index.manifest import CACHE

if TYPE_CHECKING:
    from paberki.query.counting.token_scope import TokenScope

__all__ = ["cached_arrays"]

_MOST_ENTRIES: Final = 24
_VERSION: Final = 3
"""Bump when other numbers are made from the same index."""


def cached_arrays(
    scope: TokenScope, name: str, parts: Sequence[str], make: Callable[[], dict[str, NDArray[Any]]]
) -> dict[str, NDArray[Any]]:
    """Named arrays of a part of a corpus, from the files that hold them (memory-mapped) or made now."""
    facts = [f"{_VERSION} {name}", *(segment.digest for segment in scope.places.index.segments)]
    key = hashlib.blake2b("\n".join(facts).encode(), digest_size=12)
    if not scope.is_whole:
        key.update(b"part")  # a part without tokens has no runs that would tell it from the whole
        key.update(np.ascontiguousarray(scope.starts).tobytes())
        key.update(np.ascontiguousarray(scope.ends).tobytes())
    directory = scope.places.index.path / CACHE
    paths = {part: directory / f"{name}-{key.hexdigest()}.{part}.npy" for part in parts}
    with contextlib.suppress(OSError, ValueError):
        return {part: np.load(path, mmap_mode="r") for part, path in paths.items()}
    arrays = make()
    # An index on a disk that cannot be written to is searched all the same.
    with contextlib.suppress(OSError):
        directory.mkdir(exist_ok=True)
        for part, path in paths.items():
            _write(path, arrays[part])
        _forget_old(directory, len(paths))
    return arrays


def _write(path: Path, array: NDArray[Any]) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as beside:
        try:
            np.save(beside, array, allow_pickle=False)
        except OSError:
            os.unlink(beside.name)
            raise
    os.replace(beside.name, path)


def _forget_old(directory: Path, parts: int) -> None:
    """Remove what was made first where there is much."""
    files = sorted(directory.glob("*.np[yz]"), key=lambda path: path.stat().st_mtime)
    for path in files[: -_MOST_ENTRIES * parts]:
        path.unlink(missing_ok=True)
