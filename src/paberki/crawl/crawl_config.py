"""All settings of a crawl, checked once."""

from __future__ import annotations

import importlib.metadata
import ipaddress
import math
from dataclasses import dataclass, field, fields

from paberki.errors import ConfigError
from paberki.languages import languages
from paberki.web.rights import Policy
from paberki.web.scope import patterns

USER_AGENT = f"paberki/{importlib.metadata.version('paberki')}"
_MOST_RETRIES = 30
STRATEGIES = ("yield", "breadth", "sample", "walk")


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlConfig:
    """Settings of one polite crawl (P1 §2.1, P3 §3, P5 §2)."""

    seeds: tuple[str, ...] = ()
    """URLs or host names to start from; a bare host name means its home page."""
    tld: tuple[str, ...] = ()
    """Top-level domains in scope, e.g. ``hr``; pages from elsewhere that are imported are labelled out-of-scope."""
    domains: tuple[str, ...] = ()
    """Domains in scope, each with all its subdomains, e.g. ``unizg.hr``."""
    hosts: tuple[str, ...] = ()
    """Host names in scope, as glob patterns, e.g. ``*.blog.hr``."""
    everywhere: bool = False
    """Whether every host that links reach is in scope, whatever tld, domains and hosts say."""
    languages: tuple[str, ...] = ()
    """Languages that make a page good, ISO 639-1; those of the corpus when not given."""
    strategy: str = "yield"
    """Order of requests: ``yield`` (where the text is), ``breadth``, ``sample`` (uniform over hosts) or ``walk``."""
    seed: int = 1
    """Seed of everything random in ``sample`` and ``walk``."""
    delay: float = 5.0
    """Seconds between the end of one request to a host and the start of the next."""
    ip_delay: float | None = None
    """The same per IP address, over all its hosts; the same as ``delay`` when not given, 0 means no limit."""
    max_crawl_delay: float = 60.0
    """Longest Crawl-delay of a robots.txt that is honoured, in seconds."""
    max_pages: int | None = None
    """Stop after so many page requests, redirects and retries included, robots.txt and sitemaps not; over all runs."""
    max_seconds: float | None = None
    """Stop after so many seconds of crawling, over all runs."""
    max_bytes: int | None = None
    """Stop after so many bytes of bodies received, over all runs."""
    max_depth: int = 500
    """Longest distance from a seed in links; a redirect counts as ten."""
    max_per_template: int | None = None
    """Most URLs of a host that differ only in the values of their parameters; useless ones are cut in any case."""
    revisit_copies: bool = False
    """Whether a payload that was stored under another URL is stored as a revisit record instead of once more."""
    max_good_per_host: int | None = None
    """Good pages after which a host gets no further requests; a cap on all pages would favour the talkative (P5 §2)."""
    max_good_per_domain: int | None = None
    """The same for a registered domain with all its hosts; shared hosts such as blog services count one by one."""
    sample_per_host: int = 20
    """Good pages taken from each host by the strategy ``sample``."""
    spiderling_k: float = 0.002
    """A registered domain is given up when good bytes ÷ bytes falls under k·(log10 documents − 1): strict crawls take
    0.01, large ones 0.005; 0 never gives up (SpiderLing; P3 §3)."""
    spiderling_documents: int = 50
    """Documents of a domain before it is given up."""
    spiderling_bytes: int = 512 << 10
    """Bytes of documents of a domain before it is given up."""
    exhaustive: bool = False
    """Whether ``breadth`` fetches every page in scope: no kind of page is left out for bringing nothing (P1 §2.1)."""
    walk_jump: float = 0.15
    """Probability that a step of a ``walk`` is a jump to a random known page instead of a link of the page (ClaraX; cf. P5 §2)."""
    walk_backtrack: bool = True
    """Whether a ``walk`` goes back along its path where no link leads on; else it jumps."""
    shards: int = 1
    """Processes that crawl side by side, each its own registered domains."""
    concurrency: int = 64
    """Most requests in flight at once, over all hosts."""
    max_body_bytes: int = 10 << 20
    """Longest body: a longer declared one is refused, an undeclared one is cut there and marked truncated."""
    min_body_bytes: int = 0
    """Shortest page that is stored, after decompression; links of shorter pages are still followed."""
    user_agent: str = USER_AGENT
    """Name sent to servers; the part before ``/`` is looked up in robots.txt."""
    contact: str = ""
    """Web page or mail address of whoever runs the crawl, sent along with the name."""
    allow_networks: tuple[str, ...] = ()
    """Networks that may be crawled although they are private or reserved, e.g. ``127.0.0.0/8`` for tests."""
    verify_certificates: bool = False
    """Whether a page with an expired or self-made certificate is an error."""
    rights: Policy = field(default_factory=Policy)
    """Which statements of site owners are respected, and how."""
    rights_files: bool = True
    """Whether ``/.well-known/tdmrep.json`` and ``/ai.txt`` are asked for, once a day per site."""
    sitemaps: bool = True
    """Whether sitemaps and feeds are read for addresses of pages."""
    recrawl: bool = False
    """Whether pages that were stored before are looked at again."""
    timeout: float = 30.0
    """Longest time for one page, in seconds, from connecting to the last byte."""
    retries: int = 3
    """How often a page, a robots.txt or a name that failed in passing is tried again."""
    retry_delay: float | None = None
    """Seconds before the first retry, doubled for each further one; twelve times ``delay``, and at least one, when not given."""
    max_retry_after: float = 3600.0
    """Longest Retry-After of a server that is honoured, in seconds."""
    max_warc_bytes: int = 1 << 30
    """Size at which a WARC file is closed and the next one begun."""

    def __post_init__(self) -> None:
        """Refuse invalid values before the first request."""
        for item in fields(self):
            number = getattr(self, item.name)
            if isinstance(number, float) and not math.isfinite(number):
                raise ConfigError(f"crawl.{item.name} must be a number, but is {number}")
            if isinstance(number, int | float) and number < 0 and item.name != "seed":
                raise ConfigError(f"crawl.{item.name} must not be negative, but is {number}")
        if self.retries > _MOST_RETRIES:
            raise ConfigError(f"crawl.retries must not be more than {_MOST_RETRIES}, but is {self.retries}")
        if not 0 <= self.walk_jump <= 1:
            raise ConfigError(f"crawl.walk_jump is a probability, from 0 to 1, but is {self.walk_jump}")
        if self.exhaustive and self.strategy != "breadth":
            raise ConfigError('crawl.exhaustive is for strategy = "breadth", which asks for every page')
        for name in ("shards", "concurrency", "max_body_bytes", "timeout", "max_warc_bytes", "spiderling_documents"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"crawl.{name} must be positive, but is {getattr(self, name)}")
        patterns(self.tld, self.domains, self.hosts)
        try:
            object.__setattr__(self, "languages", languages(self.languages))
        except ConfigError as error:
            raise ConfigError(f"crawl.languages: {error}") from None
        for network in self.allow_networks:
            try:
                ipaddress.ip_network(network, strict=False)
            except ValueError as error:
                raise ConfigError(f"crawl.allow_networks: {error}; write e.g. 127.0.0.0/8") from None
        if not self.robots_name or not (self.user_agent + self.contact).isprintable():
            raise ConfigError("crawl.user_agent and crawl.contact must be printable, as in my-crawler/1.0")
        if self.strategy not in STRATEGIES:
            raise ConfigError(f"crawl.strategy: no strategy {self.strategy!r}; known: {', '.join(STRATEGIES)}")

    @property
    def scope(self) -> tuple[str, ...]:
        """Patterns of the hosts in scope, see :mod:`paberki.web.scope`; none for every host."""
        return () if self.everywhere else patterns(self.tld, self.domains, self.hosts)

    @property
    def robots_name(self) -> str:
        """Product token that robots.txt groups are matched with (RFC 9309 §2.2.1)."""
        return self.user_agent.partition("/")[0].strip()

    @property
    def agent_header(self) -> str:
        """Value of the User-Agent header."""
        return f"{self.user_agent} (+{self.contact})" if self.contact else self.user_agent

    @property
    def address_delay(self) -> float:
        """Gap per IP address in seconds."""
        return self.delay if self.ip_delay is None else self.ip_delay

    @property
    def first_retry(self) -> float:
        """Seconds before the first retry."""
        return max(1.0, 12 * self.delay) if self.retry_delay is None else self.retry_delay

    @property
    def longest_retry(self) -> float:
        """Seconds before the last retry."""
        return self.first_retry * 2.0 ** min(self.retries, _MOST_RETRIES)

    @property
    def longest_pause(self) -> float:
        """Longest time in seconds for which a host is left alone before it is asked again."""
        after_failures = 64 * max(self.delay, self.max_crawl_delay)
        return max(self.max_retry_after, self.longest_retry, after_failures)
