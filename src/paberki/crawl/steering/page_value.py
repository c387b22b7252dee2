"""Judges the value of a page for the corpus, and counts it for its template and host."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.fetching.fetch import Reply
from paberki.crawl.fetching.notices import Notice
from paberki.crawl.frontier.frontier import QueuedUrl, QueueSlot
from paberki.crawl.frontier.host_records import HostRecord, HostRecords
from paberki.crawl.frontier.twins import Twins
from paberki.crawl.reading.answer_readers import PageAnswer
from paberki.crawl.reading.links import header_links
from paberki.crawl.reading.page_reading import PageReading
from paberki.crawl.stats import CrawlStats
from paberki.crawl.steering.mirrors import Mirrors
from paberki.crawl.steering.spiderling import SpiderLing
from paberki.crawl.steering.template_yields import ALL, NEW, STEPS, Template
from paberki.crawl.steering.wildcard_domains import Domains, domain_of
from paberki.crawl.storing.captures import StoredPages, short_digest
from paberki.web.rights import header_signals
from paberki.web.rights_signals import Signal
from paberki.web.urls import template

_QUOTA = "quota"
_CREDIT = 1
"""How often a template counts as a lead before the templates that it leads to were fetched."""


@dataclass(slots=True)
class PageVerdict:
    """The judgement on a page."""

    reading: PageReading
    good: bool
    """Whether it adds good text: neither a copy nor opted out."""
    copy: str
    """``exact`` or ``near`` if the crawl already has the page; else empty."""
    digest: bytes
    opt_out: Signal | None
    follow: bool
    signals: tuple[Signal, ...]
    size: int
    twin: bool = False
    """Whether the same page is stored under another address of its site."""
    changed: bool = True
    """Whether it differs from the last stored version of the page."""

    @property
    def fields(self) -> list[tuple[str, str]]:
        """Fields of the metadata record in the archive."""
        reading = self.reading
        fields = [("good", str(self.good).lower()), ("good-bytes", str(reading.good_bytes))]
        if reading.lang:
            fields.append(("language", reading.lang))
        if reading.simhash:
            fields.append(("simhash", f"{reading.simhash:016x}"))
        if self.copy or self.twin:
            fields.append(("copy", self.copy or "exact"))
        if reading.canonical:
            fields.append(("canonical", reading.canonical))
        fields += [("signal", f"{one.source}: {one.name}={one.value}") for one in self.signals[:20]]
        return fields


class PageValue:
    """Judges pages and keeps tallies for templates, hosts and domains."""

    def __init__(
        self,
        config: CrawlConfig,
        hosts: HostRecords,
        domains: Domains,
        captures: StoredPages,
        twins: Twins,
        stats: CrawlStats,
    ) -> None:
        self._twins = twins
        self._mirrors = Mirrors()
        self._spiderling = SpiderLing(config, hosts)
        self._config = config
        self._hosts = hosts
        self._domains = domains
        self._captures = captures
        self._stats = stats
        self._per_host = config.sample_per_host if config.strategy == "sample" else config.max_good_per_host
        for host in hosts:
            # Quotas and yield rates may differ from the last run.
            if self._per_host is None or host.good < self._per_host:
                host.given_up = ""
        self._quotas: Counter[str] = Counter()
        if config.max_good_per_domain is not None:
            for host in hosts:
                self._quotas[domain_of(host.name)] += host.good

    def judge(self, host: HostRecord, reply: Reply, page: PageAnswer, notice: Notice) -> PageVerdict:
        """Judge a page after reading; :meth:`conclude` counts it once its links are admitted."""
        reading = page.reading
        if link_header := reply.header("link"):
            reading.add(header_links(link_header, reply.url))
        signals = (*notice.signals(reply.url), *_header_signals(reply, self._config.robots_name), *reading.signals)
        opt_out = self._config.rights.refuses(signals) if signals else None
        follow = not signals or self._config.rights.follows(signals)
        copy = self._copy(host, reading, page.digest) if opt_out is None else ""
        good = reading.good and not copy and opt_out is None
        twin = opt_out is None and self._twins.of(reply.url, page.content, reading, near=copy == "near")
        good = good and not twin
        return PageVerdict(reading, good, copy, page.digest, opt_out, follow, signals, page.size, twin)

    def _copy(self, host: HostRecord, reading: PageReading, digest: bytes) -> str:
        if self._captures.holder(short_digest(digest)) is not None:
            return "exact"
        if reading.simhash and self._hosts.alike(host).meet(reading.simhash):
            return "near"
        if self._domains.meets(host, reading.simhash):
            return "near"
        return ""

    def conclude(self, host: HostRecord, entry: QueuedUrl, verdict: PageVerdict, slots: Iterable[QueueSlot]) -> None:
        """Count a page for its template, its host and the whole crawl."""
        own = self._template(host, entry)
        if own.again:
            self._note(host, own, good=verdict.changed, leads=False)
            self._stats.good += verdict.changed and verdict.good
            return
        host.docs += 1
        host.bytes += verdict.size
        clean = verdict.reading.good_bytes if verdict.good else 0
        if self._spiderling.note(host, verdict.size, clean):
            self._stats.by_trap["poor domain"] += 1
        if verdict.good:
            host.good += 1
            host.good_bytes += clean
            self._stats.good += 1
            self._stats.good_bytes += clean
        self._stats.copies += bool(verdict.copy or verdict.twin)
        opened_count = (
            0 if verdict.good else self._opened_urls(host, own, slots, copy=bool(verdict.copy or verdict.twin))
        )
        leads = opened_count > 0
        if not verdict.good:
            own.note_opened(opened_count)
        host.judged_pages += not leads
        if not verdict.good and not leads:
            foreign = verdict.reading.simhash and not verdict.reading.good_bytes
            host.surprises += bool(foreign or self._hosts.names.is_good(own.name))
        if verdict.good and self._mirrors.repeats(host, entry.path, verdict.reading.simhash):
            host.mirror = True
        self._domains.note(host, good=verdict.good, leads=leads, copy=bool(verdict.copy or verdict.twin))
        self._note(host, own, good=verdict.good, leads=leads, copy=bool(verdict.copy or verdict.twin))
        self._give_up(host, verdict)

    def note_useless(self, host: HostRecord, entry: QueuedUrl) -> None:
        """Count a fetch that brought no page, or an unchanged one."""
        self._domains.note(host, good=False, leads=False)
        self._note(host, self._template(host, entry), good=False, leads=False)

    def note_list(self, host: HostRecord, entry: QueuedUrl, *, news: bool) -> None:
        """Count a sitemap or feed, which is useful if it lists new pages."""
        self._note(host, self._template(host, entry), good=False, leads=news)

    def is_over(self, host: HostRecord) -> bool:
        """Whether a host gets no further page requests: it is given up, or its domain is closed or at its quota.

        In a recrawl, hosts that are given up are still asked for their stored pages.
        """
        if self._domains.leaves_alone(host):
            return True
        limit = self._config.max_good_per_domain
        if not host.given_up and limit is not None and self._quotas[domain_of(host.name)] >= limit:
            host.given_up = _QUOTA
        if not host.given_up and self._spiderling.poor(host):
            host.given_up = "yield"
        return bool(host.given_up) and not self._config.recrawl

    def cut_rule(self, host: HostRecord, entry: QueuedUrl) -> str:
        """The rule that forbids a URL, for strategies that do not choose by template; empty if it may be fetched."""
        if self._config.exhaustive:
            return ""
        return self._template(host, entry).cut_rule

    def _template(self, host: HostRecord, entry: QueuedUrl) -> Template:
        templates = self._hosts.templates(host)
        url_template = templates[entry.template]
        return (
            url_template if url_template.name not in (ALL, STEPS) else templates.by_name(template(entry.url(host.name)))
        )

    def _note(self, host: HostRecord, own: Template, *, good: bool, leads: bool, copy: bool = False) -> None:
        rule, lost_count = self._hosts.templates(host).note(own, host.fetches, good=good, leads=leads, copy=copy)
        if host.good:
            for name in (own.name, *(kin.name for kin in own.kin if not kin.of_new)):
                self._hosts.names.note(name, host.id, good=good, leads=leads)
            if not own.name.startswith(":"):
                self._hosts.names.note_page(good=good, leads=leads)
            if own.family is not None and own.tally.fetches <= NEW:
                self._hosts.names.note(own.family.new_name, host.id, good=good, leads=leads)
        if rule:
            self._stats.by_trap[rule] += lost_count
        self._hosts.touch(host)

    def _opened_urls(self, host: HostRecord, own: Template, slots: Iterable[QueueSlot], *, copy: bool) -> int:
        """Number of URLs that a page adds to good templates, or at least to new ones; those of a copy must be of another
        kind."""
        templates = self._hosts.templates(host)
        # Where every page has its own name, each is a template, and they have credit together.
        count = 0
        credit = max(own.tally.leads, own.family.leads if own.family else 0) < _CREDIT
        for slot in slots:
            if slot.host != host.id:
                continue
            other = templates[slot.template]
            if other is own:
                continue
            useful = other.tally.good and not other.cut_rule and not (copy and _kin(own, other))
            count += bool(useful or (not other.tally.fetches and credit and not _kin(own, other)))
        return count

    def _give_up(self, host: HostRecord, verdict: PageVerdict) -> None:
        if not verdict.good:
            return
        if self._per_host is not None and host.good >= self._per_host:
            host.given_up = _QUOTA
        if self._config.max_good_per_domain is not None:
            self._quotas[domain_of(host.name)] += 1


def _kin(one: Template, other: Template) -> bool:
    """Whether two templates are counted together, so that a link from one to the other is not new."""
    return any(kin is theirs for kin in one.kin for theirs in other.kin)


_ABOUT_RIGHTS = ("x-robots-tag", "tdm-reservation", "tdm-policy", "content-usage", "content-signal")


def _header_signals(reply: Reply, agent: str) -> tuple[Signal, ...]:
    if not any(reply.header(name) for name in _ABOUT_RIGHTS):
        return ()
    fields = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in reply.head.fields]
    return header_signals(fields, agent)
