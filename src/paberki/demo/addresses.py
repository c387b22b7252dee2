"""Finds loopback addresses and opens the listening sockets.

One address per host is the honest picture: a crawler that limits its speed per IP address sees as many
addresses as hosts. macOS answers on 127.0.0.1 only, so there every host gets a port of its own.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass

RANGE = "127.64.0.0/16"
SINGLE = "127.0.0.1"
_ATTEMPTS = 20
_BACKLOG = 256


@dataclass(frozen=True)
class ListeningHost:
    """Where a host listens."""

    host: str
    ip: str
    port: int


def range_usable() -> bool:
    """Whether addresses of 127.64.0.0/16 can be bound without configuring an interface."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        try:
            probe.bind(("127.64.1.1", 0))
        except OSError:
            return False
    return True


def open_sockets(hosts: Iterable[str], port: int, loopback_range: bool) -> dict[str, socket.socket]:
    """Listening sockets by host; an OSError if a wanted port is taken."""
    names = list(hosts)
    if not loopback_range:
        return _open([(name, SINGLE, port + i if port else 0) for i, name in enumerate(names)])
    ips = [f"127.64.{i // 200 + 1}.{i % 200 + 1}" for i in range(len(names))]
    if port:
        return _open([(name, ip, port) for name, ip in zip(names, ips, strict=True)])
    for _ in range(_ATTEMPTS):
        # The first socket finds a free port; another process may hold it on one of the other addresses.
        with contextlib.suppress(OSError):
            free = _free_port(ips[0])
            return _open([(name, ip, free) for name, ip in zip(names, ips, strict=True)])
    raise OSError(errno.EADDRINUSE, "no port is free on all addresses of " + RANGE)


def _free_port(ip: str) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind((ip, 0))
        port: int = probe.getsockname()[1]
        return port


def _open(places: list[tuple[str, str, int]]) -> dict[str, socket.socket]:
    sockets: dict[str, socket.socket] = {}
    try:
        for host, ip, port in places:
            sockets[host] = _listen(ip, port)
    except OSError:
        for sock in sockets.values():
            sock.close()
        raise
    return sockets


def _listen(ip: str, port: int) -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            # Lets a port be used again at once; listening twice is still refused.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((ip, port))
        sock.listen(_BACKLOG)
        sock.setblocking(False)
    except OSError:
        sock.close()
        raise
    return sock
