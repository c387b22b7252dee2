"""Reads numbered lines of a file, plain or compressed, within bounds, and JSON objects on them."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, cast

import zstandard
from isal import igzip

from paberki.archive.reading.gzipped import InflateError
from paberki.errors import InputError

LINE_BYTES = 64 << 20
"""Longest line, and longest CSV field."""

OnError = Callable[[str, str], None]
"""Function called with where (file and line) something was skipped, and why."""

_BROKEN = (OSError, EOFError, InflateError, zstandard.ZstdError, lzma.LZMAError)


@contextmanager
def open_stream(path: Path) -> Iterator[IO[bytes]]:
    """The file's content, decompressed if its name ends in ``.gz``, ``.zst`` or ``.xz``."""
    with ExitStack() as stack:
        try:
            file = stack.enter_context(open(path, "rb"))
        except OSError as error:
            raise InputError(f"{path.name}: cannot be read ({error.strerror})") from error
        if path.name.lower().endswith(".gz"):
            stream = igzip.open(file, "rb")  # type: ignore[no-untyped-call]
            yield cast("IO[bytes]", stack.enter_context(stream))
        elif path.name.lower().endswith(".zst"):
            decompressor = zstandard.ZstdDecompressor(max_window_size=1 << 27)
            yield cast("IO[bytes]", stack.enter_context(decompressor.stream_reader(file, read_across_frames=True)))
        elif path.name.lower().endswith(".xz"):
            yield cast("IO[bytes]", stack.enter_context(lzma.open(file, "rb")))
        else:
            yield file


def numbered_lines(stream: IO[bytes], name: str, on_error: OnError) -> Iterator[tuple[int, bytes]]:
    """Numbered lines with their line ends; a line that is too long is reported and not kept in memory."""
    number, pieces, size = 1, [b""], 0
    while True:
        try:
            piece = stream.read(1 << 18)
        except _BROKEN:
            on_error(f"{name}:{number}", "the file is damaged here; the rest cannot be read")
            return
        *whole, rest = piece.split(b"\n")
        for part in whole:
            pieces.append(part)
            if size + len(part) <= LINE_BYTES:
                yield number, b"".join(pieces) + b"\n"
            else:
                on_error(f"{name}:{number}", f"the line is longer than {LINE_BYTES} bytes")
            number, pieces, size = number + 1, [], 0
        size += len(rest)
        pieces = [*pieces, rest] if size <= LINE_BYTES else []
        if not piece:
            if 0 < size <= LINE_BYTES:
                yield number, b"".join(pieces)
            elif size:
                on_error(f"{name}:{number}", f"the line is longer than {LINE_BYTES} bytes")
            return


def json_objects(
    lines: Iterable[tuple[int, bytes]], name: str, on_error: OnError
) -> Iterator[tuple[int, dict[str, object]]]:
    """The objects of a JSONL file with their line numbers; other lines are reported and skipped."""
    for number, line in lines:
        if not line.strip():
            continue
        where = f"{name}:{number}"
        try:
            row = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
        except (ValueError, RecursionError):
            on_error(where, "not valid JSON")
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            on_error(where, "not a JSON object")
