from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from loopback import Answer, Web, page

from paberki.crawl import CrawlStats
from paberki.crawl.fetching.allowed_addresses import AddressGate, HostAddress, Resolver
from paberki.crawl.fetching.fetch_errors import PageError

Run = Callable[..., CrawlStats]

PUBLIC = ["93.184.216.34", "161.53.1.1", "2001:b68::1", "2a00:1450:4001:830::200e"]
REFUSED = [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.64.0.1", "169.254.169.254", "172.16.0.1",
    "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.168.1.1", "198.18.0.1", "224.0.0.1", "240.0.0.1",
    "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:93.184.216.34", "::127.0.0.1",
    "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:1::", "fc00::1", "fe80::1", "fe80::1%eth0", "fec0::1",
    "ff02::1", "2001:db8::1",
]  # fmt: skip


def test_gate() -> None:
    gate = AddressGate()
    assert [address for address in PUBLIC if not gate.allows(address)] == []
    assert [address for address in REFUSED if gate.allows(address)] == []


def test_allowed_networks() -> None:
    gate = AddressGate(["127.64.0.0/10", "::ffff:10.0.0.0/104"])
    assert gate.allows("127.64.3.4")
    assert gate.allows("::ffff:10.0.0.1")
    assert not gate.allows("127.0.0.1")
    assert not gate.allows("::ffff:127.64.3.4")


def test_places_are_checked() -> None:
    async def ask() -> None:
        resolver = Resolver(AddressGate(), {"a.hr": ("93.184.216.34", None), "b.hr": ("10.0.0.1", None)})
        assert await resolver.look_up("a.hr", 1) == HostAddress("a.hr", "93.184.216.34", None)
        assert await resolver.look_up("a.hr:81", 1) == HostAddress("a.hr", "93.184.216.34", 81)
        assert await resolver.look_up("[2a00:1450::1]:82", 1) == HostAddress(
            "2a00:1450::1", "2a00:1450::1", 82, numeric=True
        )
        for host in ("b.hr", "b.hr:80", "10.0.0.1", "[::1]", "localhost"):
            with pytest.raises(PageError, match="not a public address"):
                await resolver.look_up(host, 1)
        resolver.close()

    asyncio.run(ask())


def test_private_addresses_are_never_asked(web: Web, run: Run) -> None:
    """A canary on 127.0.0.1, outside the allowed network, reached for in every way a page can offer."""
    canary = Web()
    _, port = canary.serve("canary", ip="127.0.0.1")
    canary.fallback = lambda host, path: page("secret")
    web.resolve["inside.hr"] = ("127.0.0.1", port)
    targets = [
        f"http://127.0.0.1:{port}/",
        f"http://2130706433:{port}/",
        f"http://0x7f.1:{port}/",
        f"http://0177.0.0.1:{port}/",
        f"http://127.1:{port}/",
        f"http://[::1]:{port}/",
        f"http://[::ffff:127.0.0.1]:{port}/",
        f"http://0.0.0.0:{port}/",
        f"http://localhost:{port}/",
        f"http://localhost.:{port}/",
        f"http://017700000001:{port}/",
        f"http://0x7f000001:{port}/",
        f"http://127.0.0.1.:{port}/",
        f"http://\uff11\uff12\uff17.0.0.1:{port}/",
        f"http://127\u30020\u30020\u30021:{port}/",
        f"http://user:pass@127.0.0.1:{port}/",
        f"http://[::ffff:7f00:1]:{port}/",
        f"http://[0:0:0:0:0:0:0:1]:{port}/",
        f"http://[64:ff9b::7f00:1]:{port}/",
        "http://inside.hr/",
    ]
    web.put("a.hr/", page(*targets, *(f"/to/{i}" for i in range(len(targets)))))
    for i, target in enumerate(targets):
        web.put(f"a.hr/to/{i}", Answer("", 302, headers={"Location": target}))
    web.put("r.hr/robots.txt", Answer("", 302, headers={"Location": "http://inside.hr/robots.txt"}))
    web.put("r.hr/", page())
    try:
        stats = run("a.hr", "r.hr", *targets, hosts=("*",), retries=1)
    finally:
        canary.close()
    assert canary.hits == []
    assert stats.by_error["private"] >= 5
    assert web.paths("r.hr") == []


def test_names_with_several_addresses(web: Web, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several addresses only an allowed one is used; later answers of the name server change nothing."""
    canary = Web()
    _, port = canary.serve("canary", ip="127.0.0.1")
    canary.fallback = lambda host, path: page("secret")
    ip, _ = web.serve("mixed.hr")
    del web.resolve["mixed.hr"]
    answers = {
        "mixed.hr": [["127.0.0.1", ip, "10.0.0.1"], ["127.0.0.1"]],
        "mapped.hr": [["::ffff:127.0.0.1", "::1"]],
        "inside.hr": [["10.1.2.3", "192.168.0.1", "fe80::1"]],
    }

    def look_up(host: str, *args: object, **kwargs: object) -> list[object]:
        left = answers[host]
        found = left.pop(0) if len(left) > 1 else left[0]
        return [(0, 0, 0, "", (address, 0)) for address in found]

    monkeypatch.setattr("paberki.crawl.fetching.allowed_addresses.socket.getaddrinfo", look_up)
    served = web._servers[-1].server_address[1]
    inside = [f"http://{name}:{port}/" for name in ("mapped.hr", "inside.hr")]
    web.fallback = lambda host, path: page("/one", "/two", *inside) if path != "/robots.txt" else Answer("", 404)
    try:
        stats = run(f"http://mixed.hr:{served}/", *inside, retries=0)
    finally:
        canary.close()
    assert canary.hits == []
    assert web.paths("mixed.hr") == ["/", "/one", "/two"]
    assert stats.by_error["private"] == 2


def test_unknown_names_are_given_up(run: Run) -> None:
    stats = run("no-such-host.invalid", retries=1)
    assert stats.by_error == {"dns": 1}


@pytest.mark.parametrize(
    "address",
    [
        *("0.1.2.3", "10.1.2.3", "100.64.0.1", "100.127.255.254", "127.9.9.9", "168.63.129.16", "169.254.169.254"),
        *("172.31.0.1", "192.0.0.9", "192.0.0.192", "192.0.2.7", "192.31.196.1", "192.52.193.1", "192.88.99.1"),
        *("192.168.1.1", "192.175.48.1", "198.19.255.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1"),
        *("240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::808:808"),
        *("64:ff9b:1::1", "100::1", "100:0:0:1::1", "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1"),
        *("2002:808:808::1", "2620:4f:8000::1", "3ffe::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1"),
        *("fec0::1", "ff02::1", "fe80::1%eth0", "4000::1"),
    ],
)
def test_special_networks_are_refused(address: str) -> None:
    assert not AddressGate().allows(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "161.53.72.23", "192.0.1.1", "2a00:1450::1", "2606:4700::1111"])
def test_public_addresses_are_not(address: str) -> None:
    assert AddressGate().allows(address)


@pytest.mark.parametrize("port", [1, 22, 25, 110, 143, 587, 2049, 6000, 6667, 10080])
def test_ports_of_other_protocols_are_refused(port: int) -> None:
    async def ask() -> None:
        for host in (f"8.8.8.8:{port}", f"[2a00:1450::1]:{port}", f"a.hr:{port}"):
            with pytest.raises(PageError, match=f"port {port}") as failure:
                await Resolver(AddressGate()).look_up(host, 1)
            assert failure.value.kind == "port"
            assert not failure.value.transient

    asyncio.run(ask())
