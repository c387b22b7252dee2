"""paberki crawl."""

from __future__ import annotations

import dataclasses
import ipaddress
import json as jsonlib
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paberki.cli import dashboard, show
from paberki.cli.options import Dir, Domains, Everywhere, Json, Quiet, Tld, split_commas
from paberki.errors import ConfigError

if TYPE_CHECKING:
    from paberki.crawl import CrawlConfig, CrawlStats
    from paberki.store.directory import Directory

_SETTINGS = (
    *("strategy", "delay", "ip_delay", "max_crawl_delay", "max_pages", "max_seconds", "max_bytes", "max_body_bytes"),
    *("concurrency", "user_agent", "contact", "shards"),
)
"""Options that are settings of the same name."""

Seeds = Annotated[Path | None, typer.Option(metavar="FILE", help="Seed URLs, one per line.")]
Strategy = Annotated[str | None, typer.Option(metavar="NAME", help="yield, breadth, sample or walk.")]
Delay = Annotated[float | None, typer.Option(metavar="S", help="Seconds between requests to a host.")]
IpDelay = Annotated[float | None, typer.Option(metavar="S", help="Seconds between requests to an address.")]
MaxCrawlDelay = Annotated[
    float | None, typer.Option(metavar="S", help="Longest Crawl-delay of a robots.txt that is honoured.")
]
MaxPages = Annotated[int | None, typer.Option(metavar="N", help="Stop after so many page requests.")]
MaxSeconds = Annotated[float | None, typer.Option(metavar="S", help="Stop after so many seconds.")]
MaxBytes = Annotated[int | None, typer.Option(metavar="N", help="Stop after so many bytes.")]
Concurrency = Annotated[int | None, typer.Option(metavar="N", help="Requests in flight at once.")]
UserAgent = Annotated[str | None, typer.Option(metavar="TEXT", help="Name that servers see.")]
Contact = Annotated[str | None, typer.Option(metavar="TEXT", help="Your web page or mail address, for servers.")]
AllowNetwork = Annotated[
    list[str], typer.Option(metavar="CIDR", help="Private network that may be crawled; repeat for several.")
]
HostsFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Addresses of hosts that no name server knows, as in /etc/hosts: ADDRESS HOST."),
]
Shards = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Processes that crawl side by side, one per core.")
]
Recrawl = Annotated[bool, typer.Option("--recrawl", help="Look again at pages that may have changed.")]


def run(
    directory: Dir,
    seeds: Seeds = None,
    tld: Tld = [],  # noqa: B006 - typer wants a literal
    domains: Domains = [],  # noqa: B006
    everywhere: Everywhere = False,
    strategy: Strategy = None,
    delay: Delay = None,
    ip_delay: IpDelay = None,
    max_crawl_delay: MaxCrawlDelay = None,
    max_pages: MaxPages = None,
    max_seconds: MaxSeconds = None,
    max_bytes: MaxBytes = None,
    max_body_bytes: Annotated[int | None, typer.Option(metavar="N", help="Longest page.")] = None,
    concurrency: Concurrency = None,
    user_agent: UserAgent = None,
    contact: Contact = None,
    allow_network: AllowNetwork = [],  # noqa: B006
    hosts_file: HostsFile = None,
    shards: Shards = None,
    recrawl: Recrawl = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Crawl politely into warc/ until the frontier is empty, a limit is reached, or ctrl-C.

    The same command goes on where the last one ended, however that was. Settings come from [crawl] in the recipe. A
    crawl must have a scope, from there or from --tld and --domains, which take its place; --everywhere means the web.

    \b
    Examples:
      paberki crawl hr --max-pages 10000
      paberki crawl hr --seeds seeds.txt --tld hr --domains example.com
      paberki crawl hr --delay 10 --contact https://example.hr/crawler
      paberki crawl hr --strategy sample
      paberki crawl hr --recrawl
    """
    options = locals().copy()
    from paberki.crawl.stats import complain
    from paberki.store.directory import Directory

    corpus = Directory.open(directory)
    config = _config(corpus, directory, options)
    if not config.contact and user_agent is None and not quiet and not json:
        config = dataclasses.replace(config, contact=_ask_contact())
    resolve = None if hosts_file is None else read_hosts(hosts_file)
    stats = crawl_corpus(corpus, config, quiet=quiet or json, resolve=resolve)
    if json:
        show.as_json(jsonlib.loads(stats.to_json()))
    else:
        show.say(crawl_line(stats), quiet=quiet)
    complain(stats)
    if not json:
        show.say(f"next: paberki build {directory}", quiet=quiet)


def _config(corpus: Directory, root: Path, options: Mapping[str, Any]) -> CrawlConfig:
    """Settings of the recipe, replaced by the options that were given."""
    languages, config = _settings(corpus)
    settings = {name: options[name] for name in _SETTINGS if options[name] is not None}
    if options["allow_network"]:
        settings["allow_networks"] = tuple(options["allow_network"])
    if options["recrawl"]:
        settings["recrawl"] = True
    if options["seeds"]:
        settings["seeds"] = (str(options["seeds"]),)
    tld, domains = split_commas(options["tld"]), split_commas(options["domains"])
    config = dataclasses.replace(config, **settings)
    config = with_scope(config, root, tld=tld, domains=domains, everywhere=options["everywhere"])
    return dataclasses.replace(
        config,
        seeds=read_seeds(config.seeds, root, from_option=options["seeds"] is not None),
        languages=config.languages or languages,
    )


def with_scope(
    config: CrawlConfig, root: Path, *, tld: tuple[str, ...], domains: tuple[str, ...], everywhere: bool
) -> CrawlConfig:
    """Replace the recipe's scope by that of the options; a crawl without a scope is refused."""
    if everywhere:
        config = dataclasses.replace(config, everywhere=True)
    elif tld or domains:
        config = dataclasses.replace(config, tld=tld, domains=domains, hosts=(), everywhere=False)
    if not config.scope and not config.everywhere:
        raise ConfigError(
            "this crawl has no scope and would follow links over the whole web; say where it may go with --tld hr or "
            f"--domains example.hr (tld, domains or hosts under [crawl] in {root}/corpus.toml), or that it may go "
            "anywhere with --everywhere (everywhere = true)"
        )
    return config


def _settings(directory: Directory) -> tuple[tuple[str, ...], CrawlConfig]:
    """Languages and crawl settings of the recipe; the rest of the recipe is parsed only if necessary."""
    from paberki.recipe.tables import crawl_settings

    settings = crawl_settings(directory.recipe)
    if settings is None:
        from paberki.recipe.corpus_recipe import load

        recipe = load(directory.recipe)
        settings = recipe.lang, recipe.crawl
    return settings


def _ask_contact() -> str:
    """Ask for a contact for server owners; without a terminal, print a hint instead."""
    if sys.stdin.isatty() and show.err.is_terminal:
        question = "Web page or mail address of whoever runs this crawl, shown to servers"
        return str(typer.prompt(question, default="", show_default=False)).strip()
    show.err.print("no contact given; servers like to know whom to write to: --contact URL-or-address")
    return ""


def read_seeds(seeds: tuple[str, ...], root: Path, *, from_option: bool = False) -> tuple[str, ...]:
    """Read the seeds: URLs stay, other values are files in the corpus directory with one URL per line."""
    urls: list[str] = []
    for seed in seeds:
        if "://" in seed:
            urls.append(seed)
            continue
        path = Path(seed) if from_option or Path(seed).is_absolute() else root / seed
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: seeds cannot be read ({error})") from error
        urls += [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not urls:
        raise ConfigError(f'no seeds: give --seeds FILE, or seeds = ["seeds.txt"] under [crawl] in {root}/corpus.toml')
    return tuple(urls)


def read_hosts(path: Path) -> dict[str, tuple[str, int | None]]:
    """Addresses by host, from lines such as ``127.0.0.1 example.test``; what follows a # is a comment."""
    hosts: dict[str, tuple[str, int | None]] = {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from error
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            address = str(ipaddress.ip_address(words[0]))
        except ValueError as error:
            raise ConfigError(
                f"{path}, line {number}: {words[0]!r} is not an address; write: 127.0.0.1 HOST"
            ) from error
        hosts |= {host.lower(): (address, None) for host in words[1:]}
    return hosts


def crawl_corpus(
    directory: Directory,
    config: CrawlConfig,
    *,
    quiet: bool,
    resolve: Mapping[str, tuple[str, int | None]] | None = None,
) -> CrawlStats:
    """Crawl into a corpus under its lock; ctrl-C and SIGTERM end the crawl in good order."""
    from paberki.crawl import crawl
    from paberki.store.lock import hold

    with (
        hold(directory.lock("crawl"), doing="crawling"),
        _stopping() as stop,
        dashboard.telling(crawl_line, quiet=quiet) as tell,
    ):
        return crawl(config, warc=directory.warc, state=directory.crawl, resolve=resolve, on_progress=tell, stop=stop)


def crawl_line(stats: CrawlStats) -> str:
    """One line that summarises a crawl."""
    return (
        f"{show.several(stats.pages, 'page')}, {show.count(stats.good)} good ({stats.harvest:.0%} of requests), "
        f"{show.size(stats.bytes)}, {show.several(stats.hosts, 'host')}, {show.count(stats.queued)} queued, "
        f"{stats.pages_per_second:.1f} pages/s, {show.duration(stats.seconds)}"
    )


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Turn signals into a stop event; a second ctrl-C interrupts at once."""
    stop = threading.Event()

    def handle(number: int, frame: Any) -> None:
        if stop.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
