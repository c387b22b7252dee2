"""The answer of ``paberki plan``, noted until something changes that it rests on.

A forecast needs every stage of the recipe, and importing them takes longer than everything else. So the answer is kept
with a fingerprint: path, size and time of the files of the corpus, of this package, and of the places where other
packages are installed. Recipes that name files, programs or stages of other packages are forecast anew each time.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from paberki.corpus_file import files_of
from paberki.errors import StoreError
from paberki.store.directory import Directory
from paberki.store.files import read_json, write_json

if TYPE_CHECKING:
    from paberki.recipe.corpus_recipe import Recipe

__all__ = ["note_forecast", "noted_forecast"]

_FILE: Final = "plan.json"
_PACKAGE: Final = Path(__file__).parents[1]
_APART: Final = frozenset((".paberki", "index", "search", "report", "runs", "releases", "__pycache__"))
"""Directories on which no forecast depends."""


def noted_forecast(directory: Directory) -> dict[str, Any] | None:
    """The answer of the last forecast; None where anything has changed since. A damaged note is no note."""
    try:
        note = read_json(directory.private / _FILE)
        if isinstance(note, dict) and note["fingerprint"] == _fingerprint(directory):
            return dict(note["answer"])
    except (OSError, ValueError, KeyError, TypeError, StoreError):
        pass
    return None


def note_forecast(directory: Directory, recipe: Recipe, answer: dict[str, Any]) -> None:
    """Keep an answer, if it rests on nothing that the fingerprint leaves out. A corpus on a read-only disk keeps none."""
    if all(_is_own(stage, config) for stage, config in recipe.stages):
        with suppress(OSError, StoreError):
            write_json(directory.private / _FILE, {"fingerprint": _fingerprint(directory), "answer": answer})


def _is_own(stage: Any, config: Any) -> bool:
    """Whether a stage is of this package and its settings name neither files nor programs."""
    outside = stage.outside_for(config)
    names_files = any(file.digest() for _, file in files_of(config))
    return type(config).__module__.startswith("paberki.") and not (outside.programs or outside.problem or names_files)


def _fingerprint(directory: Directory) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for root in (directory.root, _PACKAGE):
        for name, about in sorted(_files(os.fspath(root))):
            digest.update(f"{name}\0{about.st_size}\0{about.st_mtime_ns}\n".encode(errors="surrogateescape"))
    for place in sys.path:
        with suppress(OSError):
            digest.update(f"{place}\0{os.stat(place or '.').st_mtime_ns}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()


def _files(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _APART:
                    yield from _files(entry.path)
            else:
                with suppress(FileNotFoundError):
                    yield entry.path, entry.stat()
