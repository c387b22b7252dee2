"""Reads lines of a text file, plain, gzipped or from standard input, within bounds."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from isal import igzip

from paberki.errors import InputError

LONGEST = 1 << 20
"""Longest line in bytes; longer lines are split."""


def read_lines(path: Path) -> Iterator[str]:
    """Lines without their line ends; ``-`` is standard input. Invalid UTF-8 is replaced."""
    with _open(path) as file:
        number = 0
        try:
            while line := file.readline(LONGEST):
                number += 1
                yield line.decode("utf-8-sig" if number == 1 else "utf-8", "replace").rstrip("\r\n")
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{path}: cannot be read after line {number}: {error}") from error


@contextmanager
def _open(path: Path) -> Iterator[IO[bytes]]:
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        file = path.open("rb")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    with file:
        gzipped = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        yield cast("IO[bytes]", igzip.open(file)) if gzipped else file  # type: ignore[no-untyped-call]
