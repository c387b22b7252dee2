"""Model files: a header that says what is in them and where it comes from, then arrays, mapped into memory.

A file costs its size once per machine, whatever the number of processes, and is opened at once.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from paberki.errors import ConfigError
from paberki.store.files import replacing

MAGIC: Final = b"paberki langid 1\n"
_ALIGNMENT: Final = 64
_MOST_HEADER: Final = 1 << 24
BROKEN: Final = (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError)
_KINDS: Final = ("int8", "int32", "uint8", "uint16", "float32", "float64")


@dataclass(frozen=True, eq=False)
class LanguageModelFile:
    """What a file says about itself, and its arrays."""

    about: dict[str, Any]
    arrays: dict[str, np.ndarray[Any, Any]]


def write_model(path: Path, about: Mapping[str, Any], arrays: Mapping[str, np.ndarray[Any, Any]]) -> None:
    """Write a model; the same model gives the same bytes."""
    listing, place = {}, 0
    for name, array in arrays.items():
        listing[name] = {"dtype": array.dtype.name, "shape": list(array.shape), "offset": place}
        place += _pad(array.nbytes)
    header = json.dumps({**about, "arrays": listing}, ensure_ascii=False, sort_keys=True).encode()
    first = _pad(len(MAGIC) + 8 + len(header))
    with replacing(path) as beside, beside.open("wb") as file:
        file.write((MAGIC + len(header).to_bytes(8, "little") + header).ljust(first, b"\0"))
        for array in arrays.values():
            file.write(np.ascontiguousarray(array).tobytes().ljust(_pad(array.nbytes), b"\0"))


def read_model(path: Path) -> LanguageModelFile:
    """Open a model; ConfigError for any other file."""
    try:
        data = np.memmap(path, np.uint8, "r")
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: the model cannot be read: {error}") from error
    try:
        return _parse(data)
    except BROKEN as error:
        raise damaged(path, error) from error


def damaged(path: Path, error: Exception) -> ConfigError:
    """The error for a file whose parts do not fit together."""
    return ConfigError(
        f"{path}: not a model made by 'paberki train langid', or damaged ({error}); put back a whole one"
    )


def numbers(values: Any, *shape: int) -> np.ndarray[Any, Any]:
    """Numbers of a header as an array of this shape; ValueError for another shape or values that are not numbers."""
    array = np.array(values, np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"numbers that should be {' × '.join(map(str, shape))}")
    return array


def _parse(data: np.ndarray[Any, Any]) -> LanguageModelFile:
    start = len(MAGIC) + 8
    if data[: len(MAGIC)].tobytes() != MAGIC:
        raise ValueError("wrong first bytes")
    length = int.from_bytes(data[len(MAGIC) : start].tobytes(), "little")
    if length > min(_MOST_HEADER, len(data)):
        raise ValueError("the header is too long")
    about = json.loads(data[start : start + length].tobytes())
    if not isinstance(about, dict):
        raise ValueError("the header is no table")
    first = _pad(start + length)
    return LanguageModelFile(
        about, {name: _array(data[first:], **entry) for name, entry in about.pop("arrays").items()}
    )


def _array(data: np.ndarray[Any, Any], dtype: str, shape: list[int], offset: int) -> np.ndarray[Any, Any]:
    if dtype not in _KINDS or offset < 0 or offset % _ALIGNMENT or min(shape, default=0) < 0:
        raise ValueError("an array is of no known kind")
    size = math.prod(shape) * np.dtype(dtype).itemsize
    if offset + size > len(data):
        raise ValueError("the file is too short")
    return data[offset : offset + size].view(dtype).reshape(shape)


def _pad(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
