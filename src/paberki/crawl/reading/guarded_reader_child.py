"""The child of :mod:`paberki.crawl.reading.guarded_reader`: runs functions sent over a socket, within limits, and dies
with its parent.

``python -m paberki.crawl.reading.guarded_reader_child FD PARENT CPU_SECONDS MEMORY_BYTES``
"""

from __future__ import annotations

import contextlib
import pickle
import resource
import signal
import socket
import sys
import traceback
from typing import Any

from paberki.child_processes import end_with

_LENGTH = 8


def _receive(connection: socket.socket, size: int) -> bytes:
    data = bytearray(size)
    view, at = memoryview(data), 0
    while at < size:
        count = connection.recv_into(view[at:])
        if not count:
            raise EOFError
        at += count
    return bytes(data)


def _answer(request: bytes) -> tuple[bool, Any]:
    try:
        function, args, kwargs = pickle.loads(request)  # noqa: S301 - from our own parent
        return True, function(*args, **kwargs)
    except Exception:  # noqa: BLE001 - whatever it is, it costs the page
        return False, traceback.format_exc()


def serve(connection: socket.socket, cpu_seconds: float) -> None:
    """Answer requests until the parent is gone; SIGPROF kills the process when one takes too long."""
    while True:
        request = _receive(connection, int.from_bytes(_receive(connection, _LENGTH), "little"))
        signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
        answer = pickle.dumps(_answer(request), pickle.HIGHEST_PROTOCOL)
        signal.setitimer(signal.ITIMER_PROF, 0)
        connection.sendall(len(answer).to_bytes(_LENGTH, "little") + answer)


def main() -> None:
    """Serve the parent that the arguments name."""
    descriptor, parent, cpu_seconds, memory = (int(one) for one in sys.argv[1:5])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C reaches the whole group; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    end_with(parent)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    with contextlib.suppress(EOFError, ConnectionError), socket.socket(fileno=descriptor) as connection:
        serve(connection, cpu_seconds)


if __name__ == "__main__":
    main()
