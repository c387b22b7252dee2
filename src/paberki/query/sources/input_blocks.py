"""Input files, packed or not, as blocks of whole lines."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from paberki.errors import InputError

BLOCK: Final = 1 << 22
LONGEST_LINE: Final = 1 << 28
_BOM: Final = b"\xef\xbb\xbf"


class LineBlocks:
    """The content of a file, unpacked by what its name ends with, in blocks that end with a line feed.

    ``-`` is standard input. A byte order mark is left out.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO | None = None
        self._size = 0

    def check(self) -> None:
        """Say at once that a file is not there or is a directory."""
        if str(self.path) != "-" and (not self.path.exists() or self.path.is_dir()):
            why = "is a directory" if self.path.is_dir() else "no such file"
            raise InputError(f"{self.path}: {why}; give the name of a file")

    @property
    def share(self) -> float | None:
        """How much of the file is read; None where that cannot be told."""
        if self._file is None or not self._size:
            return None
        return min(1.0, self._file.tell() / self._size)

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._lines()
        finally:
            if self._file is not None:
                self._file.close()
                self._file = None

    def _lines(self) -> Iterator[bytes]:
        rest, first = b"", True
        with self._open() as file:
            while block := self._read(file):
                block = rest + (block.removeprefix(_BOM) if first else block)
                first = False
                cut = block.rfind(b"\n") + 1
                rest = block[cut:]
                if len(rest) > LONGEST_LINE:
                    raise InputError(f"{self.path}: a line of more than {LONGEST_LINE:,} bytes; is it a text file?")
                if cut:
                    yield block[:cut]
            if rest:
                yield rest + b"\n"

    def _open(self) -> Any:
        if str(self.path) == "-":
            return sys.stdin.buffer
        try:
            self._file = open(self.path, "rb")  # noqa: SIM115 - closed with what reads it, or with this object
            about = os.fstat(self._file.fileno())
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({error.strerror}); give a file that is there") from error
        if not stat.S_ISREG(about.st_mode):
            self._file, file = None, self._file
            return file
        self._size = about.st_size
        return unpack(self._file, self.path.suffix)

    def _read(self, file: Any) -> bytes:
        try:
            data: bytes = file.read(BLOCK)
        except (OSError, EOFError, lzma.LZMAError, zlib.error, ValueError) as error:
            raise self._damage_error(error) from error
        except Exception as error:  # zstandard's own, which has no other base
            if type(error).__name__ != "ZstdError":
                raise
            raise self._damage_error(error) from error
        return data

    def _damage_error(self, error: Exception) -> InputError:
        return InputError(f"{self.path}: damaged ({error}); get the file again")


def unpack(file: BinaryIO, suffix: str) -> Any:
    """A reader of what a file holds, by the ending of its name."""
    match suffix:
        case ".gz":
            return gzip.open(file, "rb")
        case ".xz":
            return lzma.open(file, "rb")
        case ".bz2":
            return bz2.open(file, "rb")
        case ".zst":
            import zstandard

            return zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True, closefd=True)
    return file
