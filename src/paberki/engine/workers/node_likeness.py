"""Whether two machines would produce the same bytes: digests of sources and versions of libraries, compared."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import Final

import paberki
from paberki.stage import ENTRY_POINTS

LIBRARIES: Final = (
    "pyarrow",
    "numpy",
    "numba",
    "llvmlite",
    "turbohtml",
    "xxhash",
    "simplemma",
    "zstandard",
    "isal",
    "brotli",
)
"""Libraries whose version may change the bytes that are written."""


def traits() -> dict[str, str]:
    """What this machine has: sources of paberki and of the stages of others by their digest, libraries by version."""
    digests = {"paberki": _digest(Path(paberki.__file__).parent)}
    for entry in entry_points(group=ENTRY_POINTS):
        place = _place(entry.value)
        digests[f"the stages of {entry.value}"] = _digest(place) if place else "not installed"
    digests["Python"] = f"{sys.version_info.major}.{sys.version_info.minor}"
    return digests | {name: _version(name) for name in LIBRARIES}


def differences(mine: Mapping[str, str], theirs: Mapping[str, str]) -> list[str]:
    """Where two machines differ, in words: ``theirs`` is the one that is judged. More stages there do no harm."""
    pairs = ((name, theirs.get(name, "not installed"), here) for name, here in sorted(mine.items()))
    return [f"{name} is {there} there and {here} here" for name, there, here in pairs if there != here]


def _place(module: str) -> Path | None:
    """The file of a module that registers stages, or the folder of the package that it is in."""
    top = module.partition(":")[0].partition(".")[0]
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent if spec.submodule_search_locations else Path(spec.origin)


def _digest(place: Path) -> str:
    """Digest of all files in a folder, or of one file; compiled files and backup copies of editors do not count."""
    total = hashlib.blake2b(digest_size=6)
    for path in _files(place):
        total.update(str(path.relative_to(place.parent)).encode() + b"\0")
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


def _files(place: Path) -> Iterable[Path]:
    if place.is_file():
        return [place]
    files = (path for path in place.rglob("*") if path.is_file())
    return sorted(path for path in files if path.suffix not in (".pyc", ".pyo") and not path.name.startswith("."))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
