"""Name servers that take their time, and clocks that ran ahead."""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter
from collections.abc import Callable

import pytest
from loopback import Answer, Web, page

from paberki.crawl import CrawlConfig, CrawlStats
from paberki.crawl.fetching.dns_lookups import MOST_PER_DOMAIN
from paberki.errors import ConfigError

Run = Callable[..., CrawlStats]


def test_a_tarpit_in_the_dns_holds_up_itself_alone(web: Web, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    places = {}
    for number in range(12):
        name = f"innocent-{number}.hr"
        web.put(f"{name}/", page())
        places[name] = web.resolve.pop(name)
    under_way: Counter[str] = Counter()
    most = 0
    lock, released = threading.Lock(), threading.Event()

    def look_up(name: str, *args: object, **options: object) -> list[tuple[object, ...]]:
        nonlocal most
        if name not in places:
            domain = name.partition(".")[2]
            with lock:
                under_way[domain] += 1
                most = max(most, under_way[domain]) if domain != "hr" else most
            released.wait(20)
            with lock:
                under_way[domain] -= 1
            raise socket.gaierror("no answer")
        return [(0, 0, 0, "", (places[name][0], 0))]

    monkeypatch.setattr("paberki.crawl.fetching.allowed_addresses.socket.getaddrinfo", look_up)
    # The names of the tarpit come first, and are more than there are requests at once.
    seeds = [f"http://n{number}.tarpit.hr/" for number in range(40)]
    seeds += [f"http://tarpit-{number}.hr/" for number in range(40)]
    ports = {name: port for name, (_, port) in places.items()}
    seeds += [f"http://{name}:{port}/" for name, port in ports.items()]
    try:
        stats = run(*seeds, timeout=0.5, retries=0, concurrency=16, max_seconds=6)
    finally:
        released.set()
    assert {hit.host for hit in web.asked} == set(places)
    assert most <= MOST_PER_DOMAIN
    assert stats.pages == 12


def test_a_clock_that_ran_ahead(web: Web, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    web.put("a.hr/", page(*(f"/{number}" for number in range(5))))
    for number in range(5):
        web.put(f"a.hr/{number}", Answer("no", 503) if number == 3 else page(text=str(number)))
    true_time = time.time
    with monkeypatch.context() as ahead:
        ahead.setattr(time, "time", lambda: true_time() + 5 * 365 * 86400)
        run("http://a.hr/", max_pages=5, retry_delay=0.2)
    web.put("a.hr/3", page(text="3"))
    began = time.monotonic()
    stats = run("http://a.hr/", retry_delay=0.2, max_seconds=30)
    assert time.monotonic() - began < 10
    assert stats.pages == 6
    assert stats.queued == 0


@pytest.mark.parametrize("name", ["delay", "ip_delay", "max_crawl_delay", "timeout", "retry_delay", "max_seconds"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), -1.0])
def test_settings_that_are_no_numbers(name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=rf"crawl\.{name} must "):
        CrawlConfig(**{name: value})  # type: ignore[arg-type]


def test_what_failed_is_tried_again_after_all_else(web: Web, run: Run) -> None:
    web.put("a.hr/", page("/hangs", *(f"/{number}" for number in range(6))))
    web.put("a.hr/hangs", Answer("", wait=1.5))
    for number in range(6):
        web.put(f"a.hr/{number}", page(text=str(number)))
    run("http://a.hr/", timeout=0.4, retry_delay=0.01, retries=3)
    time.sleep(1.6)  # until the server has noted the last request
    paths = web.paths("a.hr")
    again = [at for at, path in enumerate(paths) if path == "/hangs"][1:]
    assert len(again) == 3
    assert again == [len(paths) - 3, len(paths) - 2, len(paths) - 1]


@pytest.mark.parametrize(
    ("sent", "path"),
    [
        ("/žut".encode(), "/%C5%BEut"),
        ("/ž?q=č".encode(), "/%C5%BE?q=%C4%8D"),
        (b"/\xe9t\xe9", "/%C3%A9t%C3%A9"),
        (b"/plain%20text", "/plain%20text"),
    ],
)
def test_addresses_in_headers_are_utf8_if_they_can_be(sent: bytes, path: str, web: Web, run: Run) -> None:
    web.put("a.hr/", Answer("", 302, headers={"Location": sent.decode("latin-1")}))
    web.put("a.hr" + path, page(text="here"))
    run("http://a.hr/")
    assert web.paths("a.hr") == ["/", path]
