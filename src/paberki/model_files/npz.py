"""Untrusted ``.npz`` files of numpy: arrays of plain numbers and words, each as long as its head says.

``np.load`` trusts heads: it allocates any shape that is written there, and inflates all that was packed. Here sizes are
checked first, and nothing beyond them is unpacked.
"""

from __future__ import annotations

import io
import math
import zipfile
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

MOST_BYTES: Final = 1 << 30
_KINDS: Final = "iufU"
_SUFFIX: Final = ".npy"


def read_npz(path: Path, most: int = MOST_BYTES) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file by name. ValueError says why it cannot be read; OSError where it is not there."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > most:
                raise ValueError(f"its arrays are larger than {most >> 20} MB")
            return {member.filename.removesuffix(_SUFFIX): _array(archive, member) for member in members}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, KeyError) as error:
        raise ValueError(f"damaged, or not made by numpy: {error}") from error


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> npt.NDArray[Any]:
    with archive.open(member) as file:
        data = io.BytesIO(file.read(member.file_size + 1))
    try:
        version = np.lib.format.read_magic(data)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, by_columns, kind = read_header(data)
    except (ValueError, TypeError, OverflowError, MemoryError, RecursionError, SyntaxError) as error:
        raise ValueError(f"{member.filename}: not an array ({type(error).__name__})") from error
    rest = data.getbuffer()[data.tell() :]
    if kind.kind not in _KINDS or kind.hasobject or math.prod(shape) * kind.itemsize != len(rest):
        raise ValueError(f"{member.filename}: not the array that its head tells of")
    return np.frombuffer(rest, kind).reshape(shape, order="F" if by_columns else "C")
