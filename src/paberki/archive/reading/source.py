"""Reads a file of any size through bounded windows.

Plain reads are used instead of a memory map: a file that shrinks while it is read gives short data, where a map would
kill the process, and memory use stays bounded.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from types import TracebackType

from paberki.errors import InputError

WINDOW = 1 << 20
OVERLAP = 1 << 10
"""Longest text that a search pattern may match; the windows of a search overlap by it."""


class WindowedFile:
    """An open file that is read at any position; its size is fixed when it is opened, so a growing file is safe."""

    def __init__(self, path: Path | str) -> None:
        self.name = os.path.basename(os.fspath(path))
        self._fd = -1
        try:
            self._fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({error.strerror})") from error
        info = os.fstat(self._fd)
        if not stat.S_ISREG(info.st_mode):
            self.close()
            raise InputError(f"{self.name}: is not a regular file")
        self.size = info.st_size
        self._base = 0
        self._window = b""

    def view(self, offset: int, count: int) -> memoryview:
        """Up to ``count`` bytes at ``offset``; fewer only at the end of the file."""
        count = max(0, min(count, self.size - offset))
        begin = offset - self._base
        if begin < 0 or begin + count > len(self._window):
            self._fill(offset, max(count, min(WINDOW, self.size - offset)))
            begin = 0
        return memoryview(self._window)[begin : begin + count]

    def bytes_at(self, offset: int, count: int) -> bytes:
        """A copy of ``count`` bytes; many bytes are read directly, so that the window stays small."""
        count = max(0, min(count, self.size - offset))
        if count <= WINDOW:
            return bytes(self.view(offset, count))
        return self._read(offset, count)

    def search(self, pattern: re.Pattern[bytes], start: int, end: int | None = None) -> int:
        """First position from ``start`` on where the pattern matches, searched up to ``end``; -1 if there is none."""
        position = start
        while position < (self.size if end is None else min(end, self.size)):
            window = self._rest(position)
            if not window:
                break
            match = pattern.search(window)
            last = position + len(window) >= self.size
            limit = len(window) if last else max(1, len(window) - OVERLAP)
            if match and match.start() < limit:
                return position + match.start()
            position += limit
        return -1

    def close(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def __del__(self) -> None:
        self.close()

    def __enter__(self) -> WindowedFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _rest(self, position: int) -> memoryview:
        """The rest of the window from a position: a search that stops often must not read the file again."""
        remaining = self._base + len(self._window) - position
        if position >= self._base and (remaining >= 4 * OVERLAP or position + remaining >= self.size):
            return self.view(position, remaining)
        return self.view(position, WINDOW)

    def _fill(self, offset: int, count: int) -> None:
        self._base, self._window = offset, self._read(offset, count)

    def _read(self, offset: int, count: int) -> bytes:
        """Read with several ``pread`` calls if necessary, since one may return less (2 GB limit, signals)."""
        pieces: list[bytes] = []
        while count > 0:
            try:
                piece = os.pread(self._fd, count, offset)
            except OSError as error:
                raise InputError(f"{self.name}: cannot be read ({error.strerror})") from error
            if not piece:
                break
            pieces.append(piece)
            offset, count = offset + len(piece), count - len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)
