"""Which network addresses the crawler may connect to.

A crawler follows links that strangers wrote. A link to ``http://169.254.169.254/``, or to a public name that resolves
to ``127.0.0.1``, would let them read the crawling machine's own network. Every name is therefore resolved once, its
address is checked, and the connection is made to that address: no second look-up can answer differently.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from paberki.crawl.fetching.dns_lookups import Lookups
from paberki.crawl.fetching.fetch_errors import PageError
from paberki.web.networks import BAD_PORTS, is_public


@dataclass(frozen=True, slots=True)
class HostAddress:
    """A checked address of a host, and its port if that is not the default of the scheme."""

    name: str
    ip: str
    port: int | None
    numeric: bool = False
    """Whether the URL names the host by its address; TLS is then asked without a server name."""


class AddressGate:
    """Tells whether an address is on the public Internet or in a network that the settings allow."""

    def __init__(self, allow_networks: Iterable[str] = ()) -> None:
        self._allowed_networks = [ipaddress.ip_network(network, strict=False) for network in allow_networks]

    def allows(self, address: str) -> bool:
        """Whether the crawler may connect to the address."""
        ip = ipaddress.ip_address(address.partition("%")[0])
        return any(ip in network for network in self._allowed_networks) or is_public(ip)


class Resolver:
    """Looks up hosts and checks their addresses."""

    def __init__(self, gate: AddressGate, known_hosts: Mapping[str, tuple[str, int | None]] | None = None) -> None:
        self._gate = gate
        self._known_hosts = known_hosts or {}
        self._lookups = Lookups(_addresses)

    def pause(self, host: str) -> float:
        """Seconds to wait before a host can be looked up; 0 if it can be looked up now."""
        name, _ = split_port(host)
        return 0.0 if name in self._known_hosts or _is_numeric(name) else self._lookups.pause(name)

    async def look_up(self, host: str, timeout: float) -> HostAddress:
        """Choose and check the address of ``host[:port]``.

        Raises PageError: ``dns`` (try again), or ``private`` or ``port`` (never try again).
        """
        name, port = split_port(host)
        numeric = _is_numeric(name)
        bad_port = PageError("port", f"{host}: port {port} is not one of the web") if port in BAD_PORTS else None
        if name in self._known_hosts:
            address, own_port = self._known_hosts[name]
            candidates, port = [address], own_port or port
        elif bad_port is not None and not numeric:
            raise bad_port  # whatever the address is
        else:
            candidates = await self._addresses(name, timeout)
        public = next((address for address in candidates if self._gate.allows(address)), None)
        if public is None:
            raise PageError("private", f"{host} is at {', '.join(candidates[:3])}, which is not a public address")
        if bad_port is not None:
            raise bad_port
        return HostAddress(name, public, port, numeric)

    def close(self) -> None:
        """Abandon the look-ups under way."""
        self._lookups.close()

    async def _addresses(self, name: str, timeout: float) -> list[str]:
        if _is_numeric(name):
            return [str(ipaddress.ip_address(name))]
        try:
            return await self._lookups.addresses(name, timeout)
        except (OSError, UnicodeError, TimeoutError) as error:
            raise PageError("dns", f"{name}: {error or 'no answer in time'}", transient=True) from error


def _is_numeric(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


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
    """Addresses of a name, IPv4 first, since many crawling machines have no IPv6."""
    entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    addresses = dict.fromkeys(str(entry[4][0]) for entry in entries)
    return sorted(addresses, key=lambda address: ":" in address)
