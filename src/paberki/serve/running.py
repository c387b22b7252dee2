"""Running the service with uvicorn: the address, the token, signals, the end."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Final

from paberki.errors import ConfigError
from paberki.serve.server_settings import LOCAL_HOSTS, ServerSettings

__all__ = ["SAFE_TOKEN", "bind", "read_token", "serve"]


SAFE_TOKEN: Final = 16
"""Shorter tokens can be guessed."""


def read_token(file: Path) -> str:
    """The token in a file: one line without spaces."""
    try:
        token = file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--read-token {file}: cannot be read ({error})") from error
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigError(
            f"--read-token {file}: write one line with a token into it, best of {SAFE_TOKEN} characters or more"
        )
    return token


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; an address that is in use is an error that says what to type."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise ConfigError(f"port {port} is in use; type another one: --port {port + 1}") from error
        raise ConfigError(f"cannot listen at {host} port {port} ({error}); choose another --host or --port") from error
    listener.listen(2048)
    return listener


def serve(
    corpora: Sequence[Path], listener: socket.socket, settings: ServerSettings, ready: Callable[[], None]
) -> None:
    """Serve until a signal comes; running answers are finished, then the process ends."""
    import uvicorn

    from paberki.serve.asgi_app import create_app

    try:
        app = create_app(corpora, settings)
    except BaseException:
        listener.close()
        raise
    service = app.state.service

    class AnnouncingServer(uvicorn.Server):
        """Tells the service at once that the end is near; a signal is a normal end, not an error."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            self._loop = asyncio.get_running_loop()
            ready()

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            self._loop.call_soon_threadsafe(service.stop)
            self.should_exit = True

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="on",
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=int(settings.stop_seconds),
        backlog=2048,
        h11_max_incomplete_event_size=2 * settings.address_bytes,
        proxy_headers=False,
    )
    AnnouncingServer(config).run([listener])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # a search that nobody waits for any more must not hold the process


def allowed_hosts(host: str, more: Sequence[str]) -> frozenset[str]:
    """Names under which the server may be asked."""
    names = {name.lower().strip("[]").rstrip(".") for name in (host, *more)}
    return LOCAL_HOSTS | {name for name in names if name.strip("0.:")}
