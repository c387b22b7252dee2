"""Arrays that are made at first use and kept beside the index; named by what they are made from, so that they never expire."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.query.index.manifest import CACHE

if TYPE_CHECKING:
    from paberki.query.counting.scope import Scope

__all__ = ["cached_arrays"]

_MOST_FILES: Final = 24
_VERSION: Final = 2
"""Bump when other numbers are made from the same index."""


def cached_arrays(scope: Scope, name: str, make: Callable[[], dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Named arrays of a part of a corpus, from the file that holds them or made now."""
    facts = [f"{_VERSION} {name}", *(segment.digest for segment in scope.places.index.segments)]
    key = hashlib.blake2b("\n".join(facts).encode(), digest_size=12)
    if not scope.is_whole:
        key.update(b"part")  # a part without tokens has no runs that would tell it from the whole
        key.update(np.ascontiguousarray(scope.starts).tobytes())
        key.update(np.ascontiguousarray(scope.ends).tobytes())
    path = scope.places.index.path / CACHE / f"{name}-{key.hexdigest()}.npz"
    with contextlib.suppress(OSError, ValueError, KeyError), np.load(path) as content:
        return {one: content[one] for one in content.files}
    arrays = make()
    # An index on a disk that cannot be written to is searched all the same.
    with contextlib.suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as beside:
            np.savez(beside, allow_pickle=False, **arrays)
        os.replace(beside.name, path)
        _forget_old(path.parent)
    return arrays


def _forget_old(directory: Path) -> None:
    """Remove what was made first where there is much."""
    files = sorted(directory.glob("*.npz"), key=lambda path: path.stat().st_mtime)
    for path in files[:-_MOST_FILES]:
        path.unlink(missing_ok=True)
