"""Sockets, status codes, traps, robots, and the way out."""

from __future__ import annotations

import gzip
import http.client
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from demo_client import ask, codec, links

from paberki.demo.addresses import range_usable
from paberki.demo.server import parse_head
from paberki.demo.web import MiniWeb, Truth

NEWS = "dnevnik-luka.hr.test"
COUNCIL = "opcina-brezovac.hr.test"
SHOP = "trgovina-dunja.hr.test"


def source(web: MiniWeb, url: str, page: Truth | None = None) -> str:
    return ask(web, url).body.decode(codec(page.encoding) if page and page.encoding else "latin-1")


def test_all_ordinary_pages_are_reachable_from_the_seeds(web: MiniWeb, truth: dict[str, Truth]) -> None:
    """Follow every link but those that robots.txt forbids or that lead on inside a trap."""
    queue, seen = deque(web.seeds), set(web.seeds)
    while queue:
        url = queue.popleft()
        page = truth.get(url)
        if page is None or not page.should_fetch or page.kind in {"binary", "plain"}:
            continue
        for target in links(url, source(web, url, page)):
            if target not in seen and urlsplit(target).hostname in web.addresses:
                seen.add(target)
                queue.append(target)
    assert {url for url in truth if truth[url].host != "zatvoreno.hr.test"} <= seen
    assert web.url("zatvoreno.hr.test", "/") in seen


def test_links_lead_to_the_mini_web_only(web: MiniWeb, truth: dict[str, Truth]) -> None:
    for url, page in list(truth.items())[::7]:
        for target in links(url, source(web, url, page)):
            assert urlsplit(target).hostname in web.addresses, (url, target)
            assert urlsplit(target).port, (url, target)


def test_two_webs_differ_in_the_port_only(web: MiniWeb) -> None:
    with MiniWeb() as other:
        assert list(other.truth().values()) == list(web.truth().values())
        for url, twin in list(zip(web.truth(), other.truth(), strict=True))[::9]:
            bodies = [
                re.sub(rb"\.test:\d+", b".test", ask(which, address).body)
                for which, address in ((web, url), (other, twin))
            ]
            assert bodies[0] == bodies[1], url


def test_pages_do_not_depend_on_the_hash_seed() -> None:
    program = (
        "import zlib; from paberki.demo.world import world;"
        "print(zlib.crc32(repr([list(s.pages.values()) for s in world().values()]).encode()))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_robots(web: MiniWeb, truth: dict[str, Truth]) -> None:
    council = ask(web, web.url(COUNCIL, "/robots.txt"))
    assert council.headers["content-type"] == "text/plain"
    assert b"Disallow: /interno/" in council.body
    assert b"Crawl-delay: 1" in council.body
    assert ask(web, web.url("zatvoreno.hr.test", "/robots.txt")).body == b"User-agent: *\nDisallow: /\n"
    assert ask(web, web.url("wiesental-bote.de.test", "/robots.txt")).status == 404
    closed = {(p.host, p.url_path.split("/")[1]) for p in truth.values() if not p.should_fetch and p.host == COUNCIL}
    assert closed == {(COUNCIL, "interno")}
    assert not any(page.should_fetch for page in truth.values() if page.host == "zatvoreno.hr.test")


@pytest.mark.parametrize(
    ("path", "statuses"), [("/stara-adresa", [301]), ("/danas", [302]), ("/put-1", [301, 302, 301])]
)
def test_redirects_end_at_a_page(web: MiniWeb, truth: dict[str, Truth], path: str, statuses: list[int]) -> None:
    url, found = web.url(NEWS, path), []
    while (reply := ask(web, url)).status != 200:
        found.append(reply.status)
        url = reply.headers["location"]
    assert found == statuses
    assert url in truth


def test_redirect_loop_and_other_host(web: MiniWeb) -> None:
    first = ask(web, web.url(NEWS, "/krug-a")).headers["location"]
    assert ask(web, first).headers["location"] == web.url(NEWS, "/krug-a")
    assert "zapisi-s-otoka" in ask(web, web.url(NEWS, "/preseljeno")).headers["location"]


def test_calendar_is_endless(web: MiniWeb) -> None:
    for month in (1, -5, 7_000, 123_456):
        url = web.url(COUNCIL, f"/kalendar?mjesec={month}")
        targets = set(links(url, source(web, url)))
        assert web.url(COUNCIL, f"/kalendar?mjesec={month + 1}") in targets
        assert web.url(COUNCIL, f"/kalendar?mjesec={month - 1}") in targets
    assert web.trap(COUNCIL, "/kalendar?mjesec=9") == "calendar"
    assert ask(web, web.url(COUNCIL, "/kalendar?mjesec=abc")).status == 200


def test_facets_multiply(web: MiniWeb) -> None:
    frontier = [web.url(SHOP, "/katalog")]
    seen = set(frontier)
    for _ in range(2):
        frontier = [t for url in frontier for t in links(url, source(web, url)) if "katalog?" in t and t not in seen]
        seen.update(frontier)
    assert len(seen) > 100
    assert web.trap(SHOP, "/katalog?boja=plava&velicina=m") == "facet"
    assert web.trap(SHOP, "/proizvod/1") is None


def test_trap_entrances_are_in_the_truth(truth: dict[str, Truth]) -> None:
    assert {page.trap for page in truth.values()} == {None, "calendar", "facet"}


def test_gzip_only_for_clients_that_ask(web: MiniWeb) -> None:
    url = web.url(NEWS, "/")
    plain, packed = ask(web, url), ask(web, url, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert "content-encoding" not in ask(web, web.url(COUNCIL, "/"), headers={"Accept-Encoding": "gzip"}).headers


@pytest.mark.parametrize(
    ("path", "status", "content_type"),
    [
        ("/nema.html", 404, "text/html; charset=utf-8"),
        ("/greska.html", 500, "text/html; charset=utf-8"),
        ("/slike/luka.png", 200, "image/png"),
        ("/dokumenti/izvjestaj.pdf", 200, "application/pdf"),
        ("/prilog/katalog.html", 200, "text/html"),
        ("/bez-tipa.html", 200, None),
    ],
)
def test_odd_answers(web: MiniWeb, path: str, status: int, content_type: str | None) -> None:
    reply = ask(web, web.url(NEWS, path))
    assert reply.status == status
    assert reply.headers.get("content-type") == content_type


def test_binary_posing_as_html_and_plain_text(web: MiniWeb, truth: dict[str, Truth]) -> None:
    url = web.url(NEWS, "/prilog/katalog.html")
    assert truth[url].kind == "binary"
    assert b"\0" in ask(web, url).body
    note = ask(web, web.url(COUNCIL, "/obavijest.txt"))
    assert note.headers["content-type"] == "text/plain; charset=utf-8"
    assert b"<" not in note.body


def test_odd_addresses_are_linked(web: MiniWeb) -> None:
    home = set(links(web.url(NEWS, "/"), source(web, web.url(NEWS, "/"))))
    for path in (
        "/nema.html",
        "/greska.html",
        "/slike/luka.png",
        "/dokumenti/izvjestaj.pdf",
        "/put-1",
        "/krug-a",
    ):
        assert web.url(NEWS, path) in home


def test_head_keep_alive_and_other_methods(web: MiniWeb) -> None:
    address = web.addresses[NEWS]
    with closing(http.client.HTTPConnection(address.ip, address.port, timeout=10)) as connection:
        connection.request("HEAD", "/", headers={"Host": f"{NEWS}:{address.port}"})
        head = connection.getresponse()
        assert head.read() == b""
        connection.request("GET", "/", headers={"Host": f"{NEWS}:{address.port}"})
        body = connection.getresponse().read()
        assert int(head.headers["Content-Length"]) == len(body) > 1000
    assert ask(web, web.url(NEWS, "/"), method="POST").status == 405


def test_host_is_chosen_by_name_and_address(web: MiniWeb) -> None:
    address = web.addresses[NEWS]
    by_ip = ask(web, web.url(NEWS, "/"), headers={"Host": f"{address.ip}:{address.port}"})
    assert by_ip.body == ask(web, web.url(NEWS, "/")).body
    assert ask(web, web.url(NEWS, "/"), headers={"Host": "unknown.test"}).status == 404
    assert ask(web, web.url(NEWS, "/"), via=SHOP).status == 421


def test_requests_are_logged(web: MiniWeb) -> None:
    before = time.monotonic()
    ask(web, web.url(NEWS, "/nema.html"), headers={"User-Agent": "tester/1"})
    line = web.requests[-1]
    assert (line.host, line.path, line.status, line.user_agent) == (NEWS, "/nema.html", 404, "tester/1")
    assert line.time >= before


@pytest.mark.parametrize(
    "loopback_range",
    [pytest.param(True, marks=pytest.mark.skipif(not range_usable(), reason="no range")), False],
)
def test_both_kinds_of_addresses(loopback_range: bool) -> None:
    with MiniWeb(loopback_range=loopback_range) as web:
        ips = {address.ip for address in web.addresses.values()}
        ports = {address.port for address in web.addresses.values()}
        assert (len(ips), len(ports)) == ((len(web.addresses), 1) if loopback_range else (1, len(web.addresses)))
        assert web.network == ("127.64.0.0/16" if loopback_range else "127.0.0.1/32")
        assert all(ask(web, seed).status == 200 for seed in web.seeds)


def test_taken_port_is_refused(web: MiniWeb) -> None:
    with pytest.raises(OSError, match="in use"), MiniWeb(port=next(iter(web.addresses.values())).port):
        pass


def test_stop_leaves_nothing_behind() -> None:
    before = threading.active_count()
    with MiniWeb() as web:
        address = web.addresses[NEWS]
        idle = http.client.HTTPConnection(address.ip, address.port, timeout=5)
        idle.request("GET", "/", headers={"Host": NEWS})
        idle.getresponse().read()
    assert threading.active_count() == before
    idle.close()
    with pytest.raises(ConnectionRefusedError):
        ask(web, web.url(NEWS, "/"))
    web.stop()


def test_delay_is_kept() -> None:
    with MiniWeb(delay=0.1) as web:
        start = time.monotonic()
        ask(web, web.seeds[0])
        assert time.monotonic() - start >= 0.1


def test_nonsense_is_answered_or_dropped(web: MiniWeb) -> None:
    assert parse_head(b"HELLO\r\n\r\n") is None
    head = parse_head(b"GET http://a.test:80/x?y=1 HTTP/1.1\r\nHost: A.test:80\r\n\r\n")
    assert head is not None
    assert (head.path, head.host) == ("/x?y=1", "a.test")


def test_command_prints_addresses_and_ends_on_interrupt() -> None:
    command = [sys.executable, "-m", "paberki.demo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = []
        while "Ctrl-C" not in (line := process.stdout.readline()):
            lines.append(line)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
    assert sum("http://127." in line for line in lines) == 17
