"""What a page counts for its template, its host, its domain and the crawl."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.fetching.fetch import Reply
from paberki.crawl.fetching.http1 import ResponseHead
from paberki.crawl.fetching.notices import Notice
from paberki.crawl.frontier.database import CrawlDatabase
from paberki.crawl.frontier.frontier import PAGE, QueuedUrl, QueueSlot
from paberki.crawl.frontier.host_records import HostRecord, HostRecords
from paberki.crawl.frontier.twins import Twins
from paberki.crawl.reading.answer_readers import PageAnswer
from paberki.crawl.reading.page_reading import PageReading
from paberki.crawl.stats import CrawlStats
from paberki.crawl.steering.page_value import PageValue, PageVerdict
from paberki.crawl.steering.template_names import DRY
from paberki.crawl.steering.wildcard_domains import Domains
from paberki.crawl.storing.captures import StoredPages, short_digest
from paberki.web.robots import Robots
from paberki.web.urls import host_of, path_of, template


class _Judge:
    """A page value over a database, and the steps that a crawl takes around it."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.state = CrawlDatabase(folder)
        self.hosts = HostRecords(self.state, 1.0, 0.0)
        self.stats = CrawlStats()
        self.captures = StoredPages(self.state)
        self.config = CrawlConfig(**settings)  # type: ignore[arg-type]
        self.value = self.reopen()

    def reopen(self) -> PageValue:
        domains = Domains(self.hosts)
        return PageValue(self.config, self.hosts, domains, self.captures, Twins(self.state), self.stats)

    def reply(self, url: str, body: bytes = b"", **fields: str) -> Reply:
        lines = [(name.replace("_", "-").encode(), value.encode()) for name, value in fields.items()]
        return Reply(url, 1.0, 0.1, b"", ResponseHead((1, 1), 200, b"OK", tuple(lines)), body, "192.0.2.1")

    def judge(self, url: str, text: str, robots: str = "", **fields: str) -> PageVerdict:
        """Judge a page with good text; its fingerprint comes from ``text``."""
        body = text.encode()
        digest = hashlib.sha1(body, usedforsecurity=False).digest()
        mark = int.from_bytes(hashlib.blake2b(body, digest_size=8).digest(), "big")
        reading = PageReading(good=True, good_bytes=len(body), lang="hr", simhash=mark)
        page = PageAnswer(reading, len(body), digest, mark)
        notice = Notice(1e9, Robots(robots.encode(), "paberki"))
        return self.value.judge(self.hosts[host_of(url)], self.reply(url, body, **fields), page, notice)

    def entry(self, url: str) -> QueuedUrl:
        host = self.hosts[host_of(url)]
        number = self.hosts.templates(host).by_name(template(url)).id
        return QueuedUrl(1, host.id, number, 0, 0, 1, path_of(url))

    def conclude(self, url: str, verdict: PageVerdict, *links: str) -> HostRecord:
        host = self.hosts[host_of(url)]
        host.fetches += 1
        slots = [QueueSlot(self.hosts[host_of(link)].id, self.entry(link).template, 1, 1, PAGE) for link in links]
        self.value.conclude(host, self.entry(url), verdict, slots)
        return host


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[_Judge]:
    judge = _Judge(tmp_path)
    yield judge
    judge.state.close()


def _bare(judge: _Judge, **fields: object) -> PageVerdict:
    """The verdict on a page without good text."""
    reading = PageReading()
    values = {"good": False, "copy": "", "digest": b"", "opt_out": None, "follow": True, "signals": (), "size": 100}
    return PageVerdict(reading=reading, **{**values, **fields})  # type: ignore[arg-type]


def test_a_good_page_counts_for_host_template_and_crawl(judge):
    verdict = judge.judge("http://a.hr/vijesti/1", "Prva vijest.")
    assert (verdict.good, verdict.copy, verdict.opt_out, verdict.follow) == (True, "", None, True)
    host = judge.conclude("http://a.hr/vijesti/1", verdict)
    assert (host.docs, host.judged_pages, host.good, host.good_bytes) == (1, 1, 1, 12)
    assert (judge.stats.good, judge.stats.good_bytes, judge.stats.copies) == (1, 12, 0)
    assert judge.hosts.templates(host).by_name("/vijesti/0").tally.good == 1


def test_the_same_payload_is_an_exact_copy(judge):
    first = judge.judge("http://a.hr/1", "Isti tekst.")
    judge.captures.save(
        judge.entry("http://a.hr/1"), judge.reply("http://a.hr/1"), short_digest(first.digest), good=True, before=None
    )
    second = judge.judge("http://b.hr/1", "Isti tekst.")
    assert (second.copy, second.good) == ("exact", False)
    host = judge.conclude("http://b.hr/1", second)
    assert (host.good, judge.stats.copies) == (0, 1)


def test_nearly_the_same_text_on_one_host_is_a_near_copy_and_elsewhere_it_is_not(judge):
    assert judge.judge("http://a.hr/1", "Kalendar").copy == ""
    assert judge.judge("http://a.hr/2", "Kalendar").copy == "near"
    assert judge.judge("http://b.hr/2", "Kalendar").copy == ""


def test_the_same_page_under_another_address_of_its_site_is_a_twin(judge):
    assert not judge.judge("http://www.a.hr/1", "Dvojnik").twin
    verdict = judge.judge("http://a.hr/1", "Dvojnik")
    assert verdict.twin
    assert not verdict.good


@pytest.mark.parametrize(
    ("fields", "robots", "source"),
    [
        ({"x_robots_tag": "noindex"}, "", "header"),
        ({"tdm_reservation": "1"}, "", "header"),
        ({}, "User-agent: *\nContent-Usage: train-ai=n", "robots"),
    ],
)
def test_pages_whose_owners_opt_out_are_not_good_and_leave_no_fingerprint(judge, fields, robots, source):
    verdict = judge.judge("http://a.hr/1", "Privatno", robots, **fields)
    assert verdict.opt_out is not None
    assert (verdict.opt_out.source, verdict.good) == (source, False)
    assert judge.judge("http://a.hr/2", "Privatno").copy == ""


def test_nofollow_keeps_the_page_and_not_its_links(judge):
    verdict = judge.judge("http://a.hr/1", "Tekst", x_robots_tag="nofollow")
    assert (verdict.good, verdict.follow) == (True, False)


def test_links_of_the_header_are_links_of_the_page(judge):
    verdict = judge.judge("http://a.hr/1", "Tekst", link='</2>; rel="next"')
    assert verdict.reading.links == ["http://a.hr/2"]


def test_fields_of_the_archive(judge):
    verdict = judge.judge("http://a.hr/1", "Tekst", tdm_policy="https://a.hr/policy")
    fields = dict(verdict.fields)
    assert (fields["good"], fields["good-bytes"], fields["language"]) == ("true", "5", "hr")
    assert fields["signal"] == "header: tdm-policy=https://a.hr/policy"
    assert "copy" not in fields
    assert dict(_bare(judge, copy="near").fields)["copy"] == "near"


def test_a_page_that_opens_the_way_to_good_templates_is_a_lead(judge):
    judge.conclude("http://a.hr/clanak/1", judge.judge("http://a.hr/clanak/1", "Članak"))
    host = judge.conclude("http://a.hr/popis", _bare(judge), "http://a.hr/clanak/2")
    assert judge.hosts.templates(host).by_name("/popis").tally.leads == 1
    assert (host.docs, host.judged_pages) == (2, 1)


def test_a_page_that_leads_to_its_own_kind_is_no_lead(judge):
    host = judge.conclude("http://a.hr/kalendar/1", _bare(judge), "http://a.hr/kalendar/2")
    tally = judge.hosts.templates(host).by_name("/kalendar/0").tally
    assert (tally.leads, tally.dry, host.judged_pages) == (0, 1, 1)


def test_a_template_without_use_is_cut_and_the_requests_are_counted(judge):
    for number in range(DRY):
        assert judge.value.cut_rule(judge.hosts["a.hr"], judge.entry("http://a.hr/k/1")) == ""
        judge.hosts["a.hr"].fetches += 1
        judge.value.note_useless(judge.hosts["a.hr"], judge.entry(f"http://a.hr/k/{number}"))
    assert judge.value.cut_rule(judge.hosts["a.hr"], judge.entry("http://a.hr/k/1")) == "template"
    assert judge.stats.by_trap["template"] == DRY


def test_an_exhaustive_crawl_cuts_nothing(tmp_path):
    judge = _Judge(tmp_path, strategy="breadth", exhaustive=True)
    for number in range(2 * DRY):
        judge.value.note_useless(judge.hosts["a.hr"], judge.entry(f"http://a.hr/k/{number}"))
    assert judge.value.cut_rule(judge.hosts["a.hr"], judge.entry("http://a.hr/k/1")) == ""
    judge.state.close()


def test_a_sitemap_is_of_use_if_it_names_new_pages(judge):
    judge.value.note_list(judge.hosts["a.hr"], judge.entry("http://a.hr/sitemap"), news=True)
    judge.value.note_list(judge.hosts["a.hr"], judge.entry("http://a.hr/stari"), news=False)
    templates = judge.hosts.templates(judge.hosts["a.hr"])
    assert (templates.by_name("/sitemap").tally.leads, templates.by_name("/stari").tally.dry) == (1, 1)


def test_a_quota_of_good_pages_per_host_ends_it_and_a_larger_one_goes_on(tmp_path):
    judge = _Judge(tmp_path, max_good_per_host=2)
    for number in range(2):
        assert not judge.value.is_over(judge.hosts["a.hr"])
        url = f"http://a.hr/{number}"
        judge.conclude(url, judge.judge(url, f"Tekst {number}"))
    assert judge.value.is_over(judge.hosts["a.hr"])
    judge.config = CrawlConfig(max_good_per_host=3)
    assert not judge.reopen().is_over(judge.hosts["a.hr"])
    judge.state.close()


def test_a_quota_per_domain_counts_all_its_hosts(tmp_path):
    judge = _Judge(tmp_path, max_good_per_domain=2)
    for number, name in enumerate(("www.a.hr", "blog.a.hr")):
        url = f"http://{name}/{number}"
        judge.conclude(url, judge.judge(url, f"Tekst {number}"))
    assert judge.value.is_over(judge.hosts["novo.a.hr"])
    assert not judge.value.is_over(judge.hosts["b.hr"])
    assert judge.reopen().is_over(judge.hosts["www.a.hr"])
    judge.state.close()


def test_in_a_recrawl_only_changed_pages_are_of_use_and_hosts_are_never_over(tmp_path):
    judge = _Judge(tmp_path, recrawl=True, max_good_per_host=1)
    host = judge.hosts["a.hr"]
    again = judge.hosts.templates(host).by_name(":again /vijesti/0")
    entry = QueuedUrl(1, host.id, again.id, 0, 0, 1, "/vijesti/1")
    for changed in (False, True):
        judge.value.conclude(host, entry, _bare(judge, changed=changed), ())
    assert (again.tally.fetches, again.tally.good, host.docs) == (2, 1, 0)
    host.given_up = "quota"
    assert not judge.value.is_over(host)
    judge.state.close()
