"""In which order pages are asked for, and when a host has given enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from loopback import Answer, Web, page

from corpora import article
from paberki.crawl import CrawlStats
from paberki.crawl.hosts import Host

Run = Callable[..., CrawlStats]


def _body(text: str, *links: str) -> Answer:
    return Answer(text.replace("<body>", "<body>" + " ".join(f"<a href={link}>x</a>" for link in links)))


def _two_hosts(web: Web, pages: int) -> None:
    """One host with articles, one with nothing to say."""
    for host in ("rich.hr", "poor.hr"):
        web.put(f"{host}/", page(*(f"/p/{i}" for i in range(pages))))
    for i in range(pages):
        web.put(f"rich.hr/p/{i}", _body(article(i)))
        web.put(f"poor.hr/p/{i}", page(text=f"Cijena {i} kn"))


def test_under_a_budget_requests_go_where_the_text_is(web: Web, run: Run) -> None:
    _two_hosts(web, 60)
    run("rich.hr", "poor.hr", languages=("hr",), max_pages=70, delay=0.005, ip_delay=0)
    asked = Counter(hit.host for hit in web.asked)
    assert asked["poor.hr"] >= 3
    assert asked["rich.hr"] > 2 * asked["poor.hr"]


def test_without_a_budget_nothing_of_worth_is_given_up(web: Web, run: Run) -> None:
    _two_hosts(web, 60)
    run("rich.hr", "poor.hr", languages=("hr",))
    asked = Counter(hit.host for hit in web.asked)
    assert asked["rich.hr"] == 61 + 1  # the articles link to a list that is not there
    assert asked["poor.hr"] < 30


def test_samples_are_uniform_over_hosts(web: Web, run: Run) -> None:
    sizes = {"big.hr": 60, "small.hr": 15, "tiny.hr": 8}
    for host, size in sizes.items():
        web.put(f"{host}/", page(*(f"/p/{i}" for i in range(size))))
        for i in range(size):
            web.put(f"{host}/p/{i}", _body(article(len(host) * 1000 + i)))
    run(*sizes, strategy="sample", languages=("hr",), sample_per_host=5, concurrency=1)
    good = Counter(hit.host for hit in web.asked if hit.path.startswith("/p/"))
    assert good == {"big.hr": 5, "small.hr": 5, "tiny.hr": 5}
    assert {hit.path for hit in web.asked if hit.host == "big.hr"} != {"/", *(f"/p/{i}" for i in range(5))}


def test_walks_reach_everything_in_the_end(web: Web, run: Run) -> None:
    web.put("a.hr/", page(*(f"/p/{i}" for i in range(15)), "http://b.hr/"))
    web.put("b.hr/", page("/x"))
    web.put("b.hr/x", page())
    for i in range(15):
        web.put(f"a.hr/p/{i}", page(f"/p/{(i * 7) % 15}"))
    run("a.hr", strategy="walk")
    assert len(web.asked) == len({(hit.host, hit.path) for hit in web.asked}) == 18


def test_quotas_count_good_pages(web: Web, run: Run) -> None:
    seeds = ("a.example.hr", "b.example.hr", "one.blogspot.com", "two.blogspot.com")
    for number, host in enumerate(seeds):
        web.put(f"{host}/", page(*(f"/p/{i}" for i in range(12))))
        for i in range(12):
            web.put(f"{host}/p/{i}", _body(article(100 * number + i)))
    stats = run(*seeds, languages=("hr",), max_good_per_domain=6, concurrency=1)
    good = {name: count for name, _, count in stats.top_hosts}
    assert good["a.example.hr"] + good["b.example.hr"] == 6
    assert good["one.blogspot.com"] == good["two.blogspot.com"] == 6


def test_spiderlings_rule() -> None:
    host = Host(1, "a.hr", 5.0, docs=49, bytes=10**7, good_bytes=0)
    assert not host.poor(0.002)
    host.docs = 100
    assert host.poor(0.002)
    host.good_bytes = 20_001
    assert not host.poor(0.002)
    host.docs = 1000
    assert host.poor(0.002)
    host.bytes = 500_000
    assert not host.poor(0.002)
