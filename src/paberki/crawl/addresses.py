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
from dataclasses import dataclass

from paberki.crawl.errors import PageError

# Addresses that carry an IPv4 address inside, which the check of the outer one would not see.
_TUNNELS = tuple(
    map(
        ipaddress.IPv6Network,
        ("::ffff:0:0/96", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32"),
    )
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a host is: an address that was checked, and its port if that is not the usual one of the scheme."""

    name: str
    ip: str
    port: int | None
    numeric: bool = False
    """Whether the host is given by its address, which is no name to ask TLS for."""


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


class Resolver:
    """Looks hosts up and checks what comes back."""

    def __init__(self, gate: AddressGate, known: Mapping[str, tuple[str, int | None]] | None = None) -> None:
        self._gate = gate
        self._known = known or {}
        # Own threads, not waited for at the end: a name server that hangs must not hold up a stop.
        self._threads = ThreadPoolExecutor(16, thread_name_prefix="paberki-dns")

    async def look_up(self, host: str, timeout: float) -> Place:
        """Choose and check the address of ``host[:port]``; PageError ``dns`` (try again) or ``private`` (never)."""
        name, port = split_port(host)
        numeric = False
        if name in self._known:
            address, own_port = self._known[name]
            candidates, port = [address], own_port or port
        else:
            candidates, numeric = await self._addresses(name, timeout)
        for address in candidates:
            if self._gate.allows(address):
                return Place(name, address, port, numeric)
        raise PageError("private", f"{host} is at {', '.join(candidates[:3])}, which is not a public address")

    async def _addresses(self, name: str, timeout: float) -> tuple[list[str], bool]:
        try:
            return [str(ipaddress.ip_address(name))], True
        except ValueError:
            pass
        loop = asyncio.get_running_loop()
        query = loop.run_in_executor(self._threads, _addresses, name)
        try:
            return await asyncio.wait_for(query, timeout), False
        except (OSError, UnicodeError, TimeoutError) as error:
            raise PageError("dns", f"{name}: {error}", transient=True) from error

    def close(self) -> None:
        """Let go of the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def split_port(host: str) -> tuple[str, int | None]:
    """Name or bare address, and port if there is one, of ``host[:port]`` with IPv6 in brackets or not."""
    if host.startswith("["):
        name, _, rest = host[1:].partition("]")
        return name, int(rest[1:]) if rest[1:].isdecimal() else None
    if host.count(":") > 1:
        return host, None
    name, _, port = host.partition(":")
    return name, int(port) if port.isdecimal() else None


def _addresses(host: str) -> list[str]:
    """Addresses of a name, IPv4 first since many machines that crawl have no IPv6."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    addresses = dict.fromkeys(str(entry[4][0]) for entry in found)
    return sorted(addresses, key=lambda address: ":" in address)
