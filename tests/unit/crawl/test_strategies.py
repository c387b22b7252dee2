"""In which order pages are asked for, and when a host has given enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from loopback import Answer, Web, page

from corpora import article
from paberki.crawl import CrawlConfig, CrawlStats
from paberki.crawl.frontier.host_records import HostRecord
from paberki.crawl.steering.spiderling import SpiderLing
from paberki.errors import ConfigError

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


def test_a_budget_is_not_used_up_before_slow_hosts_have_shown_a_page(web: Web, run: Run) -> None:
    slow = [f"slow{number}.hr" for number in range(4)]
    for host in ("quick.hr", "other.hr", *slow):
        web.put(f"{host}/", page(*(f"/p/{i}" for i in range(60))))
        for i in range(60):
            web.put(f"{host}/p/{i}", _body(article(1000 * len(web.pages) + i)))
    for host in slow:
        web.put(f"{host}/robots.txt", Answer("User-agent: *\nCrawl-delay: 0.4\n", type="text/plain"))
    run("quick.hr", "other.hr", *slow, languages=("hr",), max_pages=60, delay=0.005, ip_delay=0)
    asked = Counter(hit.host for hit in web.asked)
    assert sum(asked.values()) == 60
    assert all(asked[host] >= 2 for host in slow)


def test_the_second_page_is_of_the_kind_that_a_host_has_most_of(web: Web, run: Run) -> None:
    names = [f"{word}-{other}" for word in ("plavo", "crveno", "staro") for other in ("more", "nebo", "selo")]
    web.put("a.hr/", page("/filtar/boja-1/", *(f"/roba/{name}" for name in names)))
    run("a.hr", languages=("hr",), max_pages=2)
    assert web.asked[1].path.startswith("/roba/")


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


def test_spiderlings_rule(web: Web, run: Run) -> None:
    hosts = ("a.poor.hr", "b.poor.hr", "rich.hr")
    for host in hosts:
        web.put(f"{host}/", page(*(f"/{kind}/{i}" for kind in "xyz" for i in range(10))))
        for at, kind in enumerate("xyz"):
            for i in range(10):
                text = article(1000 * len(host) + 100 * at + i) if host == "rich.hr" or i == 3 else ""
                web.put(f"{host}/{kind}/{i}", _body(f"<body>{text}" + "<!-- " + "x" * 2000 + f" {i} -->"))
    settings = {"languages": ("hr",), "spiderling_documents": 20, "spiderling_bytes": 20_000, "concurrency": 1}
    stats = run(*hosts, **settings, spiderling_k=0.9)
    asked = Counter(hit.host for hit in web.asked)
    assert 20 <= asked["a.poor.hr"] + asked["b.poor.hr"] < 30, "counted over the hosts of a domain"
    assert stats.by_trap["poor domain"] >= 1
    run(*hosts, **settings, spiderling_k=0.0)
    asked = Counter(hit.host for hit in web.asked)
    assert min(asked["a.poor.hr"], asked["b.poor.hr"]) >= 31


def test_spiderlings_threshold_rises_with_the_documents() -> None:
    class Nobody(list[HostRecord]):
        pass

    rule = SpiderLing(CrawlConfig(spiderling_k=0.002, spiderling_documents=50), Nobody())  # type: ignore[arg-type]
    host = HostRecord(1, "www.a.hr", 5.0)
    assert not any(rule.note(host, 100_000, 0) for _ in range(49))
    assert rule.note(host, 100_000, 0)
    other = HostRecord(2, "b.hr", 5.0)
    assert not any(rule.note(other, 100_000, 210) for _ in range(100))
    assert any(rule.note(other, 100_000, 210) for _ in range(100))
    assert rule.poor(HostRecord(3, "forum.a.hr", 5.0))
    assert not rule.poor(HostRecord(4, "c.hr", 5.0))


def test_an_exhaustive_crawl_leaves_no_kind_of_page_out(web: Web, run: Run) -> None:
    web.put("a.hr/", page(*(f"/dan?d={i}" for i in range(80))))
    web.fallback = lambda host, path: Answer("x") if path.startswith("/dan") else Answer("", 404)
    run("a.hr", strategy="breadth", exhaustive=True)
    assert len(web.asked) == 81
    with pytest.raises(ConfigError, match="breadth"):
        CrawlConfig(exhaustive=True)


def test_breadth_leaves_useless_kinds_otherwise(web: Web, run: Run) -> None:
    web.put("a.hr/", page(*(f"/dan?d={i}" for i in range(80))))
    web.fallback = lambda host, path: Answer("x") if path.startswith("/dan") else Answer("", 404)
    run("a.hr", strategy="breadth")
    assert len(web.asked) < 40
