"""Which network addresses may be connected to, and that no other ones are.

A crawler follows links that strangers wrote; one to ``http://169.254.169.254/`` or to a public name that
resolves to ``127.0.0.1`` would let them read the crawling machine's own network. Every name is therefore
resolved once, its address checked, and the connection made to that address and no other: there is no second
look-up that could answer differently.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor

from aiohttp.abc import AbstractResolver, ResolveResult

from paberki.crawl.errors import PageError

# Addresses that carry an IPv4 address inside, which the check of the outer one would not see.
_TUNNELS = tuple(
    map(
        ipaddress.IPv6Network,
        ("::ffff:0:0/96", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"),
    )
)


class AddressGate:
    """Tells whether an address is on the public Internet, or in a network allowed by name."""

    def __init__(self, allow_networks: Iterable[str] = ()) -> None:
        self._allowed = [ipaddress.ip_network(network, strict=False) for network in allow_networks]

    def allows(self, address: str) -> bool:
        """Whether a connection to the address may be made."""
        ip = ipaddress.ip_address(address.partition("%")[0])
        if any(ip in network for network in self._allowed):
            return True
        if not ip.is_global or ip.is_multicast or ip.is_reserved or ip.is_link_local or ip.is_unspecified:
            return False
        return ip.version == 4 or not (ip.is_site_local or any(ip in tunnel for tunnel in _TUNNELS))


class Resolver(AbstractResolver):
    """Resolves and checks hosts, then answers aiohttp from what was checked and nothing else."""

    def __init__(self, gate: AddressGate, known: Mapping[str, tuple[str, int | None]] | None = None) -> None:
        self._gate = gate
        self._known = known or {}
        self._pins: dict[str, tuple[str, int | None]] = {}
        # Own threads, not waited for at the end: a name server that hangs must not hold up a stop.
        self._threads = ThreadPoolExecutor(16, thread_name_prefix="paberki-dns")

    async def pin(self, host: str, timeout: float) -> str:
        """Choose and check a host's address; raises PageError ``dns`` (try again) or ``private`` (never)."""
        port = None
        if host in self._known:
            address, port = self._known[host]
            candidates = [address]
        else:
            candidates = await self._look_up(host, timeout)
        for address in candidates:
            if self._gate.allows(address):
                self._pins[host] = (address, port)
                return address
        self._pins.pop(host, None)
        raise PageError("private", f"{host} is at {candidates[0]}, which is not a public address")

    async def _look_up(self, host: str, timeout: float) -> list[str]:
        try:
            return [str(ipaddress.ip_address(host))]
        except ValueError:
            pass
        loop = asyncio.get_running_loop()
        query = loop.run_in_executor(self._threads, _addresses, host)
        try:
            return await asyncio.wait_for(query, timeout)
        except (OSError, UnicodeError, TimeoutError) as error:
            raise PageError("dns", f"{host}: {error}", transient=True) from error

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Answer aiohttp: the pinned address alone."""
        del family
        if host not in self._pins:
            raise OSError(f"{host} was not checked")
        address, own_port = self._pins[host]
        version = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port if own_port is None else own_port,
                family=version,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
        ]

    async def close(self) -> None:
        """Let go of the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _addresses(host: str) -> list[str]:
    """Addresses of a name, IPv4 first since many machines that crawl have no IPv6."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    addresses = dict.fromkeys(str(entry[4][0]) for entry in found)
    return sorted(addresses, key=lambda address: ":" in address)
