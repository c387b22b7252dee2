"""The page that a verb without a corpus is given."""

from __future__ import annotations

import sys
from pathlib import Path

from paberki.errors import InputError


def read_file(file: Path) -> bytes:
    """Bytes of a file, or of standard input for ``-``."""
    if str(file) == "-":
        return sys.stdin.buffer.read()
    if file.is_dir():
        raise InputError(f"{file} is a directory, not a page")
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{file}: no such file") from None
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
