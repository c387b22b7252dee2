"""Networks and ports to which links of strangers must not lead a crawler.

The networks are those of IANA's special-purpose registries (RFC 6890 and its updates), including those marked there as
globally reachable: none of them has web sites. Of IPv6, only global unicast is allowed, which excludes all forms that
embed an IPv4 address except those listed.
"""

from __future__ import annotations

import ipaddress
from typing import Final

SPECIAL_IPV4: Final = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private use
            "100.64.0.0/10",  # shared address space of carriers
            "127.0.0.0/8",  # loopback
            "168.63.129.16/32",  # services of the machine's own cloud (Azure)
            "169.254.0.0/16",  # link local, where clouds keep their metadata
            "172.16.0.0/12",  # private use
            "192.0.0.0/24",  # IETF protocol assignments
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # AMT
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",  # private use
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarking
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, limited broadcast
        ),
    )
)
GLOBAL_IPV6: Final = ipaddress.IPv6Network("2000::/3")
SPECIAL_IPV6: Final = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # IETF protocol assignments: Teredo, ORCHID, benchmarking …
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4
            "2620:4f:8000::/48",  # AS112
            "3ffe::/16",  # 6bone, returned
            "3fff::/20",  # documentation
        ),
    )
)

BAD_PORTS: Final = frozenset(
    (
        *(0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104),
        *(109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515),
        *(526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049),
        *(3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080),
    )
)
"""Ports of other protocols, which a crafted request could address (Fetch standard, "port blocking")."""


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address can belong to a public web site."""
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not any(address in network for network in SPECIAL_IPV4)
    return address.is_global and address in GLOBAL_IPV6 and not any(address in network for network in SPECIAL_IPV6)
