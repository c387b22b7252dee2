"""Which host and which URL a strategy chooses, without a network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.frontier.frontier import FEED, PAGE, SITEMAP, Frontier
from paberki.crawl.frontier.host_records import HostRecord, HostRecords
from paberki.crawl.steering.strategy import (
    FIRST,
    BreadthStrategy,
    CrawlStrategy,
    SampleStrategy,
    YieldStrategy,
    make_strategy,
)
from paberki.web.urls import host_of


class _Budget:
    """A budget of which a share is used; ``None`` for no budget."""

    def __init__(self, used: float | None = None, pressure: float = 0.0) -> None:
        self.share, self.scarcity = used, pressure

    def pressure(self) -> float:
        return self.scarcity

    def used_share(self) -> float | None:
        return self.share

    def is_reserved(self) -> bool:
        return False


class _Queue:
    """A frontier and its hosts in a folder."""

    def __init__(self, folder: Path) -> None:
        self.state = CrawlDatabase(folder)
        self.frontier = Frontier(self.state)
        self.hosts = HostRecords(self.state, 1.0, 0.0)

    def admit(self, strategy: CrawlStrategy, *urls: str, depth: int = 1, kind: int = PAGE) -> None:
        def assign(url: str):
            host = self.hosts[host_of(url)]
            host.waiting_urls += 1
            return strategy.slot(url, host, depth, kind)

        self.frontier.add_batch(urls, assign)

    def paths(self, strategy: CrawlStrategy, host: HostRecord) -> list[str]:
        paths = []
        while (entry := strategy.choose(host)) is not None:
            paths.append(entry.path)
            self.frontier.done_batch([entry])
            templates = self.hosts.templates(host)
            templates.wait(templates[entry.template], -1)
            host.waiting_urls -= 1
            host.fetches += 1
        return paths


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[_Queue]:
    queue = _Queue(tmp_path)
    yield queue
    queue.frontier.close()
    queue.state.close()


@pytest.mark.parametrize(
    ("name", "kind"), [("yield", YieldStrategy), ("breadth", BreadthStrategy), ("sample", SampleStrategy)]
)
def test_settings_name_the_strategy(queue, name, kind):
    config = CrawlConfig(strategy=name)
    assert type(make_strategy(config, queue.frontier, queue.hosts, _Budget())) is kind


def test_breadth_takes_the_url_nearest_to_the_seeds(queue):
    strategy = BreadthStrategy(queue.frontier, queue.hosts)
    queue.admit(strategy, "http://a.hr/far", depth=5)
    queue.admit(strategy, "http://a.hr/near", depth=2)
    queue.admit(strategy, "http://b.hr/middle", depth=3)
    ranks = [strategy.rank(queue.hosts[name]) for name in ("a.hr", "b.hr")]
    assert ranks == [2.0, 3.0]
    assert queue.paths(strategy, queue.hosts["a.hr"]) == ["/near", "/far"]
    assert strategy.rank(queue.hosts["a.hr"]) is None


def test_sample_asks_the_host_with_the_fewest_requests(queue):
    strategy = SampleStrategy(queue.frontier, queue.hosts, seed=3)
    queue.admit(strategy, "http://a.hr/1", "http://b.hr/1")
    queue.hosts["a.hr"].fetches = 2
    assert strategy.rank(queue.hosts["b.hr"]) < 1.0 <= 2.0 <= strategy.rank(queue.hosts["a.hr"])


def test_sample_begins_with_the_home_page_and_repeats_with_its_seed(tmp_path):
    orders = []
    for number in range(2):
        queue = _Queue(tmp_path / str(number))
        strategy = SampleStrategy(queue.frontier, queue.hosts, seed=11)
        queue.admit(strategy, *(f"http://a.hr/{place}" for place in range(40)))
        queue.admit(strategy, "http://a.hr/", depth=0)
        orders.append(queue.paths(strategy, queue.hosts["a.hr"]))
        queue.frontier.close()
        queue.state.close()
    assert orders[0] == orders[1]
    assert orders[0][0] == "/"
    assert sorted(orders[0][1:]) != orders[0][1:]
    assert sorted(orders[0]) == sorted(["/", *(f"/{place}" for place in range(40))])


def test_yield_puts_hosts_without_first_pages_before_all_others(queue):
    strategy = YieldStrategy(queue.frontier, queue.hosts, _Budget())
    queue.admit(strategy, "http://new.hr/a", "http://rich.hr/a")
    new, rich = queue.hosts["new.hr"], queue.hosts["rich.hr"]
    rich.docs = rich.judged_pages = rich.good = 50
    assert strategy.rank(new) < strategy.rank(rich)
    new.docs = FIRST
    new.judged_pages = 50
    queue.hosts.templates(new).by_name("/a").tally.fetches = 1
    queue.hosts.templates(rich).by_name("/a").tally.good = 5
    assert strategy.rank(rich) < strategy.rank(new)


def test_a_host_without_text_gets_a_page_of_each_kind(queue):
    strategy = YieldStrategy(queue.frontier, queue.hosts, _Budget())
    products = [f"http://a.hr/proizvod/{name}" for name in ("stol", "ormar", "krevet", "polica", "lampa")]
    queue.admit(
        strategy, *products, *(f"http://a.hr/trgovina?boja={n}&red={n}" for n in range(4)), "http://a.hr/savjeti/bor"
    )
    host, templates = queue.hosts["a.hr"], queue.hosts.templates(queue.hosts["a.hr"])
    host.docs = host.fetches = 1
    kinds = []
    while strategy.first_pages(host) and (entry := strategy.choose(host)) is not None:
        kinds.append(entry.path.split("/")[1].partition("?")[0])
        templates.wait(templates[entry.template], -1)
        host.docs, host.fetches, host.judged_pages = host.docs + 1, host.fetches + 1, host.judged_pages + 1
        templates.note(templates[entry.template], host.fetches, good=False, leads=False)
    assert kinds == ["proizvod", "trgovina", "savjeti"]


def test_a_foreign_host_gets_further_first_pages_only_where_an_address_names_the_language(queue):
    queue.hosts = HostRecords(queue.state, 1.0, 0.0, languages=("hr",))
    strategy = YieldStrategy(queue.frontier, queue.hosts, _Budget())
    queue.admit(
        strategy, "http://a.hr/en/about/us", "http://a.hr/hr/nama/onama", "http://b.hr/about/us", "http://b.hr/c/d"
    )
    for name, pages in (("a.hr", 1), ("b.hr", 0)):
        host = queue.hosts[name]
        host.docs, host.surprises = FIRST, 1
        assert strategy.first_pages(host) == pages
    assert strategy.choose(queue.hosts["a.hr"]).path == "/hr/nama/onama"


def test_yield_takes_the_template_that_brought_good_text(queue):
    strategy = YieldStrategy(queue.frontier, queue.hosts, _Budget())
    queue.admit(strategy, *(f"http://a.hr/tag/{word}" for word in ("more", "nebo", "selo")), "http://a.hr/vijesti/7")
    host = queue.hosts["a.hr"]
    host.fetches = 20
    templates = queue.hosts.templates(host)
    for _ in range(3):
        templates.note(templates.by_name("/vijesti/0"), 20, good=True, leads=False)
        templates.note(templates.by_name("/tag/more"), 20, good=False, leads=False)
    assert queue.paths(strategy, host)[0] == "/vijesti/7"


def test_yield_reads_sitemaps_after_the_first_page(queue):
    strategy = YieldStrategy(queue.frontier, queue.hosts, _Budget())
    queue.admit(strategy, "http://a.hr/sitemap.xml", kind=SITEMAP)
    queue.admit(strategy, "http://a.hr/", depth=0)
    queue.admit(strategy, "http://a.hr/feed", kind=FEED)
    assert queue.paths(strategy, queue.hosts["a.hr"])[:2] == ["/", "/sitemap.xml"]


def test_without_a_budget_no_host_waits_longer_than_politeness_asks(queue):
    strategy = YieldStrategy(queue.frontier, queue.hosts, _Budget())
    host = queue.hosts["a.hr"]
    host.docs = host.judged_pages = host.fetches = 100
    assert strategy.patience(host) == 1.0
    assert strategy.fair_share(host, 10) == 0.0


def test_under_a_budget_poor_hosts_wait_longer_than_rich_ones(queue):
    strategy = YieldStrategy(queue.frontier, queue.hosts, _Budget(used=0.0, pressure=1.0))
    strategy.reference = 0.6
    queue.admit(strategy, "http://poor.hr/a", "http://rich.hr/a")
    poor, rich = queue.hosts["poor.hr"], queue.hosts["rich.hr"]
    for host in (poor, rich):
        host.docs = host.judged_pages = host.fetches = 100
    rich.good = 95
    assert strategy.patience(rich) == 1.0
    assert strategy.patience(poor) > 10.0


def test_a_host_ahead_of_the_others_waits_for_them_at_the_beginning_of_a_budget(queue):
    budget = _Budget(used=0.0)
    strategy = YieldStrategy(queue.frontier, queue.hosts, budget)
    host = queue.hosts["a.hr"]
    host.fetches = 3
    assert strategy.fair_share(host, 10) == 0.0
    host.fetches = 20
    assert strategy.fair_share(host, 10) == 100.0
    budget.share = 0.5
    assert strategy.fair_share(host, 10) == 25.0
    budget.share = 1.0
    assert strategy.fair_share(host, 10) == 0.0


def test_hosts_that_lead_to_new_hosts_come_earlier_while_there_is_a_budget(queue):
    budget = _Budget(used=0.0)
    strategy = YieldStrategy(queue.frontier, queue.hosts, budget)
    queue.admit(strategy, "http://a.hr/a", "http://b.hr/a")
    one, other = queue.hosts["a.hr"], queue.hosts["b.hr"]
    for host in (one, other):
        host.docs = host.fetches = host.judged_pages = 9
    one.finds = 30
    assert strategy.rank(one) < strategy.rank(other)
    budget.share = 1.0
    assert strategy.rank(one) == strategy.rank(other)
