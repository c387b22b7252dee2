"""Long answers go through a pager, as with git: one screen is printed as it is, of more the reader turns the pages."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Final, TextIO

__all__ = ["through_pager"]

_LESS: Final = "FRX"
"""End if all fits on one screen; colours as colours; leave the text on the screen."""


class _Screen(io.RawIOBase):
    """Holds what is written while it fits on the terminal; then starts the pager and passes everything on to it."""

    def __init__(self, terminal: TextIO, command: list[str]) -> None:
        self._terminal = terminal
        self._command = command
        self._rows = shutil.get_terminal_size().lines - 1
        self._buffer = bytearray()
        self._pager: subprocess.Popen[bytes] | None = None

    def writable(self) -> bool:
        """Yes."""
        return True

    def isatty(self) -> bool:
        """Yes: colours and widths are those of the terminal that the pager writes to."""
        return True

    def fileno(self) -> int:
        """That of the terminal."""
        return int(self._terminal.fileno())

    def write(self, data: Any) -> int:
        """Hold it, or pass it on."""
        size = len(data)
        if self._pager is None:
            self._buffer += data
            if self._buffer.count(b"\n") <= self._rows:
                return size
            self._pager = subprocess.Popen(  # noqa: S603 - the pager that the user has chosen
                self._command, stdin=subprocess.PIPE, env={"LESS": _LESS, "LESSCHARSET": "utf-8", **os.environ}
            )
            data, self._buffer = self._buffer, bytearray()
        assert self._pager.stdin is not None
        self._pager.stdin.write(data)
        return size

    def finish(self) -> None:
        """Print what was held, or wait until the reader has left the pager; ctrl-C is a key of the pager."""
        if self._pager is None:
            self._terminal.buffer.write(self._buffer)
            self._terminal.buffer.flush()
            return
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        with contextlib.suppress(BrokenPipeError):
            assert self._pager.stdin is not None
            self._pager.stdin.close()
        self._pager.wait()
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def through_pager() -> Iterator[None]:
    """Standard output through the pager of the user (``PAGER``, else less) if somebody sits at the terminal."""
    command = _command()
    if not command or not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "dumb") == "dumb":
        yield
        return
    terminal = sys.stdout
    screen = _Screen(terminal, command)
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(screen), encoding="utf-8", errors="replace", line_buffering=True)
    try:
        yield
    finally:
        with contextlib.suppress(BrokenPipeError):  # the reader has seen enough
            sys.stdout.flush()
        sys.stdout = terminal
        screen.finish()


def _command() -> list[str]:
    """The pager with its options; nothing where there is none, or where ``PAGER`` is empty or cat."""
    try:
        command = shlex.split(os.environ.get("PAGER", "less"))
    except ValueError:
        return []
    return command if command and command != ["cat"] and shutil.which(command[0]) else []
