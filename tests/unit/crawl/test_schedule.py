"""The schedule: gaps of hosts and addresses hold, and every waiting URL is handed out once, over kills too."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.frontier.frontier import Frontier
from paberki.crawl.frontier.host_records import Errand, HostRecord, HostRecords, IpAddress
from paberki.crawl.sharding.shared_limits import SharedLimits
from paberki.crawl.steering.schedule import Schedule
from paberki.crawl.steering.strategy import BreadthStrategy, SampleStrategy, YieldStrategy
from paberki.web.urls import host_of

ADDRESS_DELAY = 2.0


def _rank(host: HostRecord, now: float) -> float | None:
    return float(host.id) if host.waiting_urls else None


def _schedule(address_delay: float = 0.0, **more: object) -> Schedule:
    return Schedule(_rank, lambda host: None, address_delay, **more)  # type: ignore[arg-type]


def _host(number: int = 1, waiting: int = 1, delay: float = 5.0) -> HostRecord:
    return HostRecord(number, f"h{number}.hr", delay, waiting_urls=waiting)


class _World:
    """Hosts that share addresses, a clock, and requests under way; checks every gap when a host is handed out."""

    def __init__(self, hosts: list[tuple[int, float, int]]) -> None:
        self.hosts = [_host(number, waiting, delay) for number, (_, delay, waiting) in enumerate(hosts, 1)]
        self.addresses = {at: IpAddress(f"192.0.2.{at}") for at, _, _ in hosts}
        self.home = {host.id: self.addresses[at] for host, (at, _, _) in zip(self.hosts, hosts, strict=True)}
        self.schedule = _schedule(ADDRESS_DELAY)
        self.now = 0.0
        self.busy: list[tuple[float, HostRecord]] = []
        self.host_free: dict[int, float] = defaultdict(float)
        self.address_free: dict[str, float] = {}
        self.fetches: Counter[int] = Counter()
        for host in self.hosts:
            self.schedule.offer(host)

    def take(self, seconds: float) -> bool:
        host = self.schedule.take(self.now)
        if host is None:
            return False
        assert host not in [other for _, other in self.busy]
        assert self.now >= self.host_free[host.id]
        address = host.address
        if address is not None:
            assert address.ip not in [other.address.ip for _, other in self.busy if other.address is not None]
            assert self.now >= self.address_free.get(address.ip, 0.0)
        self.busy.append((self.now + seconds, host))
        return True

    def release(self, end: float, host: HostRecord) -> None:
        self.busy.remove((end, host))
        self.now = max(self.now, end)
        if host.address is None:  # the first turn of a host looks up its address, which is no request
            host.address = self.home[host.id]
            self.schedule.release(host, self.now, request_sent=False)
            return
        if host.waiting_urls:
            host.waiting_urls -= 1
            self.fetches[host.id] += 1
        self.host_free[host.id] = max(host.next, self.now + host.delay)
        self.address_free[host.address.ip] = self.now + ADDRESS_DELAY
        self.schedule.release(host, self.now, request_sent=True)

    def run_to_the_end(self) -> None:
        for _ in range(10_000):
            while self.take(1.0):
                pass
            if self.busy:
                self.release(*min(self.busy, key=lambda one: one[0]))
            elif self.schedule.idle:
                return
            else:
                following = self.schedule.next_time()
                assert following is not None
                self.now = max(self.now, following)
        raise AssertionError("the schedule never becomes idle")


_HOSTS = st.lists(st.tuples(st.integers(1, 3), st.sampled_from([0.0, 1.0, 3.0]), st.integers(0, 4)), max_size=6)
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("take"), st.sampled_from([0.1, 1.0, 7.0])),
        st.tuples(st.just("release"), st.integers(0, 5)),
        st.tuples(st.just("wait"), st.sampled_from([0.5, 2.0, 9.0])),
        st.tuples(st.just("admit"), st.integers(0, 5)),
        st.tuples(st.just("put off"), st.integers(0, 5)),
    ),
    max_size=60,
)


@given(_HOSTS, _STEPS)
def test_no_host_or_address_is_asked_within_its_gap_and_every_url_once(hosts, steps):
    world = _World(hosts)
    expected = Counter({host.id: host.waiting_urls for host in world.hosts})
    for action, value in steps:
        if action == "take":
            world.take(value)
        elif action == "release" and world.busy:
            world.release(*world.busy[value % len(world.busy)])
        elif action == "wait":
            world.now += value
        elif action == "admit" and world.hosts:
            host = world.hosts[value % len(world.hosts)]
            host.waiting_urls += 1
            expected[host.id] += 1
            world.schedule.offer(host, float(host.id))
        elif action == "put off" and world.hosts:  # a failure elsewhere makes the host wait, wherever it stands
            host = world.hosts[value % len(world.hosts)]
            host.next = world.now + 4.0
            world.host_free[host.id] = max(world.host_free[host.id], host.next)
    world.run_to_the_end()
    assert world.fetches == +expected
    assert not any(host.waiting_urls for host in world.hosts)


class _Budget:
    """No limit on requests."""

    def pressure(self) -> float:
        return 0.0

    def used_share(self) -> float | None:
        return None

    def is_reserved(self) -> bool:
        return False


class _Crawl:
    """Frontier, hosts, strategy and schedule on disk, as a crawl puts them together, without the network."""

    def __init__(self, folder: Path, name: str, now: float) -> None:
        self.state = CrawlDatabase(folder)
        self.frontier = Frontier(self.state)
        self.hosts = HostRecords(self.state, 1.0, now)
        makers = {
            "yield": lambda: YieldStrategy(self.frontier, self.hosts, _Budget()),
            "breadth": lambda: BreadthStrategy(self.frontier, self.hosts),
            "sample": lambda: SampleStrategy(self.frontier, self.hosts, 1),
        }
        self.strategy = makers[name]()
        self.schedule = Schedule(lambda host, now: self.strategy.rank(host), lambda host: None, 0.0)
        for host in self.hosts:
            self.schedule.offer(host)

    def admit(self, urls: list[str]) -> None:
        def assign(url: str):
            host = self.hosts[host_of(url)]
            host.waiting_urls += 1
            self.hosts.touch(host)
            return self.strategy.slot(url, host, 1)

        for slot in self.frontier.add_batch(urls, assign):
            self.schedule.offer(self.hosts.by_id(slot.host), self.strategy.hint(slot))

    def fetch(self, now: float) -> str | None:
        host = self.schedule.take(now)
        if host is None:
            return None
        entry = self.strategy.choose(host)
        assert entry is not None
        self.frontier.done_batch([entry])
        templates = self.hosts.templates(host)
        templates.wait(templates[entry.template], -1)
        host.waiting_urls -= 1
        host.fetches += 1
        self.hosts.touch(host)
        self.schedule.release(host, now, request_sent=True)
        return entry.url(host.name)

    def commit(self) -> None:
        self.hosts.save()
        self.frontier.commit()

    def kill(self) -> None:
        self.frontier.close()
        self.state.close()


_URLS = st.lists(
    st.builds("http{}://h{}.hr/{}/{}".format, st.sampled_from(["", "s"]), st.integers(1, 3), st.sampled_from(["a", "b"]),
              st.integers(1, 30)), max_size=40,
)  # fmt: skip
_ACTIONS = st.lists(
    st.one_of(_URLS, st.sampled_from(["fetch", "fetch", "fetch", "commit", "kill"])), min_size=5, max_size=40
)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["yield", "breadth", "sample"]), st.sampled_from([1, 20, 1 << 17]), _ACTIONS)
def test_no_url_is_lost_or_handed_out_twice_over_save_and_load(name, pour, actions):
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr("paberki.crawl.frontier.frontier.POUR", pour)
        now, admitted, fetched, saved = 0.0, set(), [], (set(), [])
        crawl = _Crawl(Path(folder), name, now)
        for action in actions:
            now += 2.0
            if action == "commit":
                crawl.commit()
                saved = set(admitted), list(fetched)
            elif action == "kill":
                crawl.kill()
                admitted, fetched = set(saved[0]), list(saved[1])
                crawl = _Crawl(Path(folder), name, now)
            elif action == "fetch":
                url = crawl.fetch(now)
                fetched += [url] if url else []
            else:
                crawl.admit(action)
                admitted |= set(action)
        for _ in range(2 * len(admitted) + 2):
            now += 2.0
            while (url := crawl.fetch(now)) is not None:
                fetched.append(url)
        assert sorted(fetched) == sorted(admitted)
        assert crawl.schedule.idle
        assert [url for host in crawl.hosts for url in crawl.frontier.waiting_urls(host.id)] == []
        crawl.kill()


def test_the_lowest_rank_comes_first_and_a_better_hint_moves_a_host_forward():
    schedule, ranks = _schedule(), {1: 3.0, 2: 2.0, 3: 1.0}
    schedule = Schedule(lambda host, now: ranks[host.id], lambda host: None, 0.0)
    hosts = [_host(number) for number in (1, 2, 3)]
    for host in hosts:
        schedule.offer(host)
    assert schedule.take(0.0) is hosts[2]
    schedule.offer(hosts[0], 0.5)
    assert schedule.take(0.0) is hosts[0]
    assert schedule.take(0.0) is hosts[1]


def test_errands_come_before_pages_and_pages_wait_for_the_files_they_need():
    schedule, page, errand, waiting = _schedule(), _host(1), _host(2, 0), _host(3)
    errand.errands.append(Errand("robots", "http://h2.hr", "http://h2.hr/robots.txt"))
    waiting.awaiting = "http://h3.hr"
    for host in (page, errand, waiting):
        schedule.offer(host)
    assert [schedule.take(0.0) for _ in range(3)] == [errand, page, None]
    waiting.awaiting = None
    schedule.offer(waiting)
    assert schedule.take(0.0) is waiting


def test_a_host_without_urls_comes_back_when_a_retry_is_due():
    schedule = Schedule(lambda host, now: -1.0 if now >= 60 else None, lambda host: 60.0, 0.0)
    schedule.offer(_host(1, 0))
    assert schedule.take(0.0) is None
    assert schedule.next_time() == 60.0
    assert not schedule.idle
    assert schedule.take(60.0) is not None


def test_under_a_budget_a_host_is_held_until_others_have_made_their_requests():
    requests = [0]
    schedule = _schedule(requests=lambda: requests[0])
    held, free = _host(1), _host(2)
    held.hold = 10
    for host in (held, free):
        schedule.offer(host)
    assert [schedule.take(0.0), schedule.take(0.0)] == [free, None]
    assert schedule.held_count == 1
    requests[0] = 10
    assert schedule.take(0.0) is held


def test_the_host_that_was_held_least_goes_on_when_nobody_else_can():
    schedule = _schedule(requests=lambda: 0)
    hosts = [_host(number) for number in (1, 2)]
    hosts[0].hold, hosts[1].hold = 10, 5
    for host in hosts:
        schedule.offer(host)
    assert schedule.take(0.0) is None
    assert schedule.let_next_in()
    assert schedule.take(0.0) is hosts[1]
    assert schedule.take(0.0) is None
    assert schedule.let_next_in()
    assert not schedule.let_next_in()


def test_a_reserve_of_requests_is_for_newcomers():
    schedule = Schedule(
        lambda host, now: -9.0 if host.id == 1 else -0.5, lambda host: None, 0.0, None, 60.0, lambda: 7, lambda: True
    )
    newcomer, other = _host(1), _host(2)
    for host in (newcomer, other):
        schedule.offer(host)
    assert [schedule.take(0.0), schedule.take(0.0)] == [newcomer, None]


def test_shards_share_the_gap_of_an_address(tmp_path):
    shared = SharedLimits(tmp_path / "shared", 2, 0)
    address, hosts = "192.0.2.1", (_host(1), _host(2))
    shards = [_schedule(ADDRESS_DELAY, shared=shared) for _ in range(2)]
    for schedule, host in zip(shards, hosts, strict=True):
        host.address = IpAddress(address)
        schedule.offer(host)
    assert shards[0].take(0.0) is hosts[0]
    assert shards[1].take(0.0) is None
    shards[0].release(hosts[0], 1.0, request_sent=True)
    assert shards[1].take(1.0 + ADDRESS_DELAY / 2) is None
    retry = shards[1].next_time()
    assert retry is not None
    assert shards[1].take(max(retry, 1.0 + ADDRESS_DELAY)) is hosts[1]
    shared.close()
