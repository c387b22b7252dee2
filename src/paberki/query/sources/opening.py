"""Input files, packed or not, as blocks of whole lines."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

from paberki.errors import InputError

BLOCK: Final = 1 << 22
LONGEST_LINE: Final = 1 << 28
_BOM: Final = b"\xef\xbb\xbf"


def open_input(path: Path) -> BinaryIO:
    """A file for reading, unpacked by what its name ends with; ``-`` is standard input."""
    if str(path) == "-":
        return sys.stdin.buffer
    try:
        return _opened(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); give a file that is there") from error


def _opened(path: Path) -> Any:
    match path.suffix:
        case ".gz":
            return gzip.open(path, "rb")
        case ".xz":
            return lzma.open(path, "rb")
        case ".bz2":
            return bz2.open(path, "rb")
        case ".zst":
            import zstandard

            return zstandard.ZstdDecompressor().stream_reader(open(path, "rb"), read_across_frames=True, closefd=True)
    return open(path, "rb")


def blocks(path: Path) -> Iterator[bytes]:
    """The content in blocks that end with a line feed; a byte order mark is left out."""
    with open_input(path) as file:
        rest, first = b"", True
        while True:
            try:
                block = file.read(BLOCK)
            except (OSError, EOFError, lzma.LZMAError, ValueError) as error:
                raise InputError(f"{path}: damaged ({error}); what was indexed before is still there") from error
            except Exception as error:
                if type(error).__name__ != "ZstdError":
                    raise
                raise InputError(f"{path}: damaged ({error}); what was indexed before is still there") from error
            if first:
                block, first = block.removeprefix(_BOM), False
            if not block:
                break
            block = rest + block
            cut = block.rfind(b"\n") + 1
            rest = block[cut:]
            if len(rest) > LONGEST_LINE:
                raise InputError(f"{path}: a line of more than {LONGEST_LINE} bytes; is it a text file?")
            if cut:
                yield block[:cut]
        if rest:
            yield rest + b"\n"
