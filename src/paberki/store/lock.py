"""Locks that name their process and cannot go stale.

The kernel holds the lock (``flock``), so it ends with its process however that dies; the file's text only says who
holds it. Locks are separate for crawling, layers and index: building during a long crawl is normal. They live in
``.paberki/`` of the corpus, which is always on a local disk.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from paberki.errors import StoreError

_PAUSES: Final = (0.001, 0.003, 0.01, 0.03, 0.05, 0.05, 0.05)
"""Seconds between tries to have a lock."""


def _holder(path: Path) -> str:
    try:
        who = json.loads(path.read_text("utf-8"))
        return f"process {who['pid']} on {who['host']} ({who['command']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"


def _say_who(file: int) -> None:
    command = " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])[:200]
    who = {"pid": os.getpid(), "host": socket.gethostname(), "command": command}
    os.ftruncate(file, 0)
    os.pwrite(file, json.dumps(who).encode(), 0)


def _lock(file: int, kind: int, *, wait: bool) -> bool:
    """Whether the lock could be had. Somebody who asks :func:`holder` has it for an instant, which is waited for."""
    if wait:
        fcntl.flock(file, kind)
        return True
    for pause in _PAUSES:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            time.sleep(pause)
    return False


@contextmanager
def hold(path: Path, *, doing: str, wait: bool = False, shared: bool = False) -> Iterator[None]:
    """Hold the lock while the block runs; if somebody else does, say who (or wait for them)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        if not _lock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX, wait=wait):
            raise StoreError(
                f"{_holder(path)} is {doing} already; wait for it or stop it, then run the same command again"
            )
        _say_who(file)
        yield
    finally:
        os.close(file)


def holder(path: Path) -> str | None:
    """Who holds the lock now, or None."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)  # also where the corpus is read-only
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _holder(path)
    finally:
        os.close(file)
    return None
