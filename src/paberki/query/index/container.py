"""A file of named arrays: each begins at a multiple of 64 bytes, a JSON footer says where, its length comes last.

Arrays are mapped and not read, so that opening costs the same whatever their size. A digest of all bytes is made while
they are written: it names the content, and caches may be kept under it.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import struct
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.errors import StoreError

MAGIC: Final = b"paberki index 1\n"
_ALIGNMENT: Final = 64
_TAIL: Final = struct.Struct("<Q16s")
"""Length of the footer, and the magic once more: a file that was cut off does not end with it."""


class ContainerWriter:
    """Writes arrays one after the other; :meth:`close` adds the footer and gives the digest."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = open(path, "wb")  # noqa: SIM115 - closed by close and abandon
        self._hash = hashlib.blake2b(digest_size=16)
        self._arrays: dict[str, list[Any]] = {}
        self._at = 0
        self._write(MAGIC)

    def _write(self, data: Any) -> None:
        view = memoryview(data).cast("B")
        self._file.write(view)
        self._hash.update(view)
        self._at += len(view)

    def add(self, name: str, values: npt.NDArray[Any]) -> None:
        """An array in one piece."""
        self.stream(name, values.dtype, [values])

    def stream(self, name: str, kind: npt.DTypeLike, pieces: Iterable[npt.NDArray[Any]]) -> int:
        """An array in pieces of the same type; the number of its items."""
        dtype = np.dtype(kind)
        self._write(bytes(-self._at % _ALIGNMENT))
        start, count = self._at, 0
        for piece in pieces:
            if len(piece):
                self._write(np.ascontiguousarray(piece, dtype))
            count += len(piece)
        self._arrays[name] = [dtype.str, start, count]
        return count

    def close(self, about: Mapping[str, Any]) -> str:
        """Write the footer durably; the digest of the content."""
        footer = json.dumps({"about": about, "arrays": self._arrays}, ensure_ascii=False).encode()
        self._write(bytes(-self._at % _ALIGNMENT))
        self._write(footer)
        self._write(_TAIL.pack(len(footer), MAGIC))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        return self._hash.hexdigest()

    def abandon(self) -> None:
        """Close and remove the file."""
        self._file.close()
        self.path.unlink(missing_ok=True)


class Container:
    """An open file of arrays."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with open(path, "rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise _damage_error(path) from error
        footer = self._footer()
        self.about: dict[str, Any] = footer["about"]
        self._arrays: dict[str, list[Any]] = footer["arrays"]

    def _footer(self) -> dict[str, Any]:
        size = len(self._map)
        if size < len(MAGIC) + _TAIL.size or self._map[: len(MAGIC)] != MAGIC:
            raise _damage_error(self.path)
        length, magic = _TAIL.unpack(self._map[size - _TAIL.size :])
        if magic != MAGIC or length > size - _TAIL.size - len(MAGIC):
            raise _damage_error(self.path)
        try:
            footer: dict[str, Any] = json.loads(self._map[size - _TAIL.size - length : size - _TAIL.size])
            ends = [at + np.dtype(kind).itemsize * count for kind, at, count in footer["arrays"].values()]
        except (ValueError, KeyError, TypeError) as error:
            raise _damage_error(self.path) from error
        if max(ends, default=0) > size - _TAIL.size - length:
            raise _damage_error(self.path)
        return footer

    def __contains__(self, name: str) -> bool:
        return name in self._arrays

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def array(self, name: str) -> npt.NDArray[Any]:
        """An array, mapped: it cannot be written to."""
        kind, at, count = self._arrays[name]
        return np.frombuffer(self._map, np.dtype(kind), count, at)

    def buffer(self, name: str) -> memoryview:
        """The bytes of an array."""
        kind, at, count = self._arrays[name]
        return memoryview(self._map)[at : at + np.dtype(kind).itemsize * count]

    def rest(self) -> None:
        """Give the memory of what was read back to the system; what is asked for again is read again."""
        self._map.madvise(mmap.MADV_DONTNEED)

    def size_of(self, name: str) -> int:
        """Bytes of an array."""
        kind, _, count = self._arrays[name]
        return int(np.dtype(kind).itemsize * count)


def _damage_error(path: Path) -> StoreError:
    return StoreError(f"{path}: damaged or incomplete index file; make the index again with the command that made it")
