from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from email.utils import formatdate
from pathlib import Path

import pytest
from loopback import Answer, Hit, Web, page, stored

from paberki.crawl import CrawlStats
from paberki.crawl.steering.outcomes import retry_after

Run = Callable[..., CrawlStats]
ALLOW = Answer("", 404)
# The server notes its times in a thread of its own; this much may pass between them and the client's.
SLACK = 0.015


def gaps(hits: list[Hit]) -> list[float]:
    """Times between the end of a request and the beginning of the next, robots.txt included."""
    ordered = sorted(hits, key=lambda hit: hit.start)
    return [later.start - earlier.end for earlier, later in itertools.pairwise(ordered)]


def test_hosts_are_asked_one_at_a_time_and_not_inside_their_delay(web: Web, run: Run) -> None:
    hosts = [f"h{i}.hr" for i in range(5)]
    for host in hosts:
        web.put(f"{host}/", page(*(f"http://{other}/{i}" for other in hosts for i in range(4))))
        for i in range(4):
            web.put(f"{host}/{i}", Answer("<p>x", wait=0.01))
    run("h0.hr", tld=("hr",), delay=0.08, ip_delay=0.0)
    for host in hosts:
        own = [hit for hit in web.hits if hit.host == host]
        assert len(own) == 6 if host == "h0.hr" else 5
        assert min(gaps(own)) > 0.08 - SLACK
    assert max(hit.end for hit in web.hits) - min(hit.start for hit in web.hits) < 3


def test_addresses_have_a_delay_too(web: Web, run: Run) -> None:
    hosts = [f"h{i}.hr" for i in range(6)]
    web.serve(*hosts)
    for host in hosts:
        web.put(f"{host}/", page("/1"))
        web.put(f"{host}/1", Answer("<p>x", wait=0.01))
    run(*hosts, delay=0.0, ip_delay=0.05)
    assert len(web.asked) == 12
    assert min(gaps(web.hits)) > 0.05 - SLACK


def test_robots_forbid(web: Web, run: Run, tmp_path: Path) -> None:
    rules = "\ufeffUser-agent: *\nDisallow: /\n\nUser-agent: Paberki\nDisallow: /no\nAllow: /no/yes\n"
    web.put("a.hr/robots.txt", Answer(rules, type="text/plain"))
    web.put("a.hr/", page("/no", "/no/x", "/no/yes", "/ok", "/robots.txt"))
    web.put("a.hr/ok", Answer("", 302, headers={"Location": "/no/redirected"}))
    web.put("a.hr/no/yes", page())
    stats = run("a.hr", user_agent="paberki/9")
    assert web.paths("a.hr") == ["/", "/no/yes", "/ok"]
    assert stats.robots_denied == 3
    assert len([hit for hit in web.hits if hit.path == "/robots.txt"]) == 1
    assert "http://a.hr/robots.txt" in {r.url for r in stored(tmp_path / "warc", robots=True)}


def test_crawl_delay_up_to_the_cap(web: Web, run: Run) -> None:
    web.put("a.hr/robots.txt", Answer("User-agent: *\nCrawl-delay: 1000", type="text/plain"))
    web.put("a.hr/", page("/1", "/2"))
    web.put("a.hr/1", page())
    web.put("a.hr/2", page())
    run("a.hr", max_crawl_delay=0.1)
    assert min(gaps(web.hits)) > 0.1 - SLACK


@pytest.mark.parametrize("status", [500, 503, 429])
def test_robots_in_trouble_means_hands_off(web: Web, run: Run, status: int) -> None:
    web.put("a.hr/robots.txt", Answer("", status))
    web.put("a.hr/", page())
    stats = run("a.hr", retries=2)
    assert [hit.path for hit in web.hits] == ["/robots.txt"] * 3
    assert stats.by_error == {"robots_unreachable": 1}


def test_robots_that_recover(web: Web, run: Run) -> None:
    answers = iter([Answer("", 500), Answer("User-agent: *\nDisallow: /x", type="text/plain")])
    web.put("a.hr/robots.txt", lambda: next(answers))
    web.put("a.hr/", page("x", "y"))
    web.put("a.hr/y", page())
    run("a.hr")
    assert web.paths("a.hr") == ["/", "/y"]


def test_robots_behind_a_redirect(web: Web, run: Run, tmp_path: Path) -> None:
    web.put("a.hr/robots.txt", Answer("", 301, headers={"Location": "http://www.a.hr/robots.txt"}))
    web.put("www.a.hr/robots.txt", Answer("User-agent: *\nDisallow: /x", type="text/plain"))
    web.put("a.hr/", page("x", "y", "http://www.a.hr/"))
    web.put("a.hr/y", page())
    web.put("www.a.hr/", page("x"))
    run("a.hr", tld=("hr",), delay=0.05)
    assert web.paths("a.hr") == ["/", "/y"]
    assert web.paths("www.a.hr") == ["/"]
    for host in ("a.hr", "www.a.hr"):
        assert min(gaps([hit for hit in web.hits if hit.host == host])) > 0.05 - SLACK
    urls = [r.url for r in stored(tmp_path / "warc", robots=True)]
    assert len(urls) == len(set(urls))


def test_robots_redirect_loop_permits(web: Web, run: Run) -> None:
    web.put("a.hr/robots.txt", Answer("", 302, headers={"Location": "http://b.hr/robots.txt"}))
    web.put("b.hr/robots.txt", Answer("", 302, headers={"Location": "http://a.hr/robots.txt"}))
    web.put("a.hr/", page())
    web.put("b.hr/", page())
    run("a.hr", "b.hr")
    assert {hit.host for hit in web.asked} == {"a.hr", "b.hr"}


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_pauses_the_host(web: Web, run: Run, status: int) -> None:
    answers = iter([Answer("busy", status, headers={"Retry-After": "1"}), page("/b")])
    web.put("a.hr/", lambda: next(answers))
    web.put("a.hr/b", page())
    stats = run("a.hr", "http://a.hr/b")
    first, second = sorted(web.asked, key=lambda hit: hit.start)[:2]
    assert second.start - first.end > 1 - SLACK
    assert (stats.pages, stats.retries) == (2, 1)


def test_failures_in_passing_are_tried_again_later(web: Web, run: Run, tmp_path: Path) -> None:
    answers = iter([Answer("", 500), Answer("x" * 100, cut=10), page("/always")])
    web.put("a.hr/", lambda: next(answers))
    web.put("a.hr/always", Answer("down", 500))
    stats = run("a.hr", retries=3)
    assert web.paths("a.hr") == ["/"] * 3 + ["/always"] * 4
    assert [r.status for r in stored(tmp_path / "warc")] == [200, 500]
    assert stats.retries == 5


def test_nobody_there(web: Web, run: Run) -> None:
    web.resolve["gone.hr"] = ("127.64.255.254", 9)
    stats = run("gone.hr", "http://gone.hr/x", retries=1)
    assert stats.by_error == {"robots_unreachable": 2}


def test_timeout(web: Web, run: Run) -> None:
    web.put("a.hr/", Answer("x", wait=1))
    stats = run("a.hr", timeout=0.1, retries=1)
    assert stats.by_error == {"timeout": 1}
    assert stats.requests == 2


def test_retry_after_values() -> None:
    now = time.time()
    assert retry_after("120", now) == 120
    assert retry_after(formatdate(now + 60, usegmt=True), now) == pytest.approx(60, abs=2)
    assert retry_after(formatdate(now - 60, usegmt=True), now) == 0
    for nothing in ("", "soon", "-1", "²"):
        assert retry_after(nothing, now) is None
