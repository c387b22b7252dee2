"""The mini-web: a few hundred pages on seventeen invented hosts, served on loopback."""

from __future__ import annotations

from ipaddress import ip_address
from types import TracebackType
from typing import Self

from paberki.demo.addresses import RANGE, SINGLE, ListeningHost, open_sockets, range_usable
from paberki.demo.plans import SEED_HOSTS
from paberki.demo.responses import Answer, SiteResponses
from paberki.demo.server import DemoServer, LoggedRequest, RequestHead
from paberki.demo.traps import trap_of
from paberki.demo.truth import Truth
from paberki.demo.world import world

__all__ = ["ListeningHost", "LoggedRequest", "MiniWeb", "Truth"]


class MiniWeb:
    """``with MiniWeb() as web: ...`` serves until the block ends.

    ``loopback_range`` None finds out whether 127.64.0.0/16 can be bound; True gives every host an address
    of its own on one port; False gives every host a port of its own on 127.0.0.1. A ``port`` that is taken
    raises OSError (without the range, hosts use ``port``, ``port + 1``, ...). ``delay`` seconds pass
    before every answer. Addresses, seeds and URLs exist while the web is served.
    """

    def __init__(self, *, port: int = 0, loopback_range: bool | None = None, delay: float = 0.0) -> None:
        self._port = port
        self._range = range_usable() if loopback_range is None else loopback_range
        self._delay = delay
        self._sites = world()
        self._answers = SiteResponses(self._sites, self.url)
        self._server: DemoServer | None = None
        self.network = RANGE if self._range else f"{SINGLE}/32"
        self.addresses: dict[str, ListeningHost] = {}
        self.seeds: list[str] = []
        self.requests: list[LoggedRequest] = []
        """Appended by the server's thread only; appending to a list is atomic."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Bind and serve; returns when connections are accepted."""
        sockets = open_sockets(self._sites, self._port, self._range)
        self.addresses = {host: ListeningHost(host, *sock.getsockname()) for host, sock in sockets.items()}
        self.seeds = [self.url(host, "/") for host in SEED_HOSTS]
        self._server = DemoServer(sockets, self._handle, self.requests, self._delay)
        self._server.start()

    def stop(self) -> None:
        """Close all sockets and end the thread; does nothing the second time."""
        server, self._server = self._server, None
        if server:
            server.stop()

    def url(self, host: str, path: str) -> str:
        """Absolute URL of ``path`` on ``host``, with the port."""
        return f"http://{host}:{self.addresses[host].port}{path}"

    def truth(self) -> dict[str, Truth]:
        """The truth about every finite page, by absolute URL."""
        return {
            self.url(host, path): page.truth()
            for host, site in self._sites.items()
            for path, page in site.pages.items()
        }

    def trap(self, host: str, path: str) -> str | None:
        """The endless region an address lies in, if any: for judging a crawler's log."""
        return trap_of(host, path)

    def _handle(self, owner: str, head: RequestHead) -> Answer:
        if head.method not in {"GET", "HEAD"}:
            return Answer(405, {"Allow": "GET, HEAD"})
        host = owner if _is_address(head.host) else head.host
        if host not in self._sites:
            return Answer(404, {"Content-Type": "text/plain"}, b"unknown host\n")
        if host != owner:
            # The client resolved a name to another host's address.
            return Answer(421, {"Content-Type": "text/plain"}, b"this host lives at another address\n")
        gzipped = "gzip" in head.headers.get("accept-encoding", "")
        return self._answers.answer(host, head.path, gzipped=gzipped)


def _is_address(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
