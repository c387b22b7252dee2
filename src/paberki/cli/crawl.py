"""paberki crawl."""

from __future__ import annotations

import dataclasses
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet
from paberki.errors import ConfigError

if TYPE_CHECKING:
    from paberki.crawl import CrawlConfig, CrawlStats
    from paberki.store.directory import Directory


def run(
    directory: Dir,
    seeds: Annotated[Path | None, typer.Option(metavar="FILE", help="Seed URLs, one per line.")] = None,
    delay: Annotated[float | None, typer.Option(metavar="S", help="Seconds between requests to a host.")] = None,
    ip_delay: Annotated[float | None, typer.Option(metavar="S", help="Seconds between requests to an address.")] = None,
    max_pages: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many page requests.")] = None,
    max_seconds: Annotated[float | None, typer.Option(metavar="S", help="Stop after so many seconds.")] = None,
    max_bytes: Annotated[int | None, typer.Option(metavar="N", help="Stop after so many bytes.")] = None,
    concurrency: Annotated[int | None, typer.Option(metavar="N", help="Requests in flight at once.")] = None,
    user_agent: Annotated[str | None, typer.Option(metavar="TEXT", help="Name that servers see.")] = None,
    contact: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Your web page or mail address, for servers.")
    ] = None,
    allow_network: Annotated[
        list[str], typer.Option(metavar="CIDR", help="Private network that may be crawled; repeat for several.")
    ] = [],  # noqa: B006 - typer wants a literal
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Crawl politely into warc/ until the frontier is empty, a limit is reached, or ctrl-C.

    The same command goes on where the last one ended, however that was. Settings come from [crawl] in the recipe.

    \b
    Examples:
      paberki crawl hr --max-pages 10000
      paberki crawl hr --delay 10 --contact https://example.hr/crawler
    """
    from paberki.corpus import Corpus

    corpus = Corpus(directory)
    given = {
        "delay": delay,
        "ip_delay": ip_delay,
        "max_pages": max_pages,
        "max_seconds": max_seconds,
        "max_bytes": max_bytes,
        "concurrency": concurrency,
        "user_agent": user_agent,
        "contact": contact,
        "allow_networks": tuple(allow_network) or None,
        "seeds": (str(seeds),) if seeds else None,
    }
    settings = {key: value for key, value in given.items() if value is not None}
    config = dataclasses.replace(corpus.recipe.crawl, **settings)  # type: ignore[arg-type]
    config = dataclasses.replace(config, seeds=read_seeds(config.seeds, directory, from_option=seeds is not None))
    if not config.contact and not quiet and not json:
        show.err.print("no contact given; servers like to know whom to write to: --contact URL-or-address")
    stats = crawl_corpus(corpus.directory, config, quiet=quiet or json)
    if json:
        show.as_json(dataclasses.asdict(stats))
    else:
        show.say(crawl_line(stats), quiet=quiet)
        show.say(f"next: paberki build {directory}", quiet=quiet)


def read_seeds(seeds: tuple[str, ...], root: Path, *, from_option: bool = False) -> tuple[str, ...]:
    """Seeds that are URLs stay; the others are files in the corpus directory with one URL per line."""
    found: list[str] = []
    for seed in seeds:
        if "://" in seed:
            found.append(seed)
            continue
        path = Path(seed) if from_option or Path(seed).is_absolute() else root / seed
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: seeds cannot be read ({error})") from error
        found += [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not found:
        raise ConfigError(f'no seeds: give --seeds FILE, or seeds = ["seeds.txt"] under [crawl] in {root}/corpus.toml')
    return tuple(found)


def crawl_corpus(
    directory: Directory,
    config: CrawlConfig,
    *,
    quiet: bool,
    resolve: Mapping[str, tuple[str, int | None]] | None = None,
) -> CrawlStats:
    """Crawl into a corpus under its lock; ctrl-C and SIGTERM end it in good order."""
    from paberki.crawl import crawl
    from paberki.store.lock import held

    with held(directory.lock("crawl"), doing="crawling"), _stopping() as stop, _telling(quiet) as tell:
        return crawl(config, warc=directory.warc, state=directory.crawl, resolve=resolve, on_progress=tell, stop=stop)


def crawl_line(stats: CrawlStats) -> str:
    """One line that says what a crawl has done."""
    rate = stats.pages / stats.seconds if stats.seconds else 0.0
    return (
        f"{show.count(stats.pages)} pages, {show.size(stats.bytes)}, {show.count(stats.hosts)} hosts, "
        f"{show.count(stats.queued)} queued, {rate:.1f} pages/s, {show.duration(stats.seconds)}"
    )


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Signals become a polite request to stop; a second ctrl-C is the impatient one."""
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


@contextmanager
def _telling(quiet: bool) -> Iterator[Any]:
    if quiet:
        yield None
        return
    last = [time.monotonic()]
    status = show.err.status("crawling") if show.err.is_terminal else None

    def tell(stats: CrawlStats) -> None:
        if status:
            status.update(crawl_line(stats))
        elif time.monotonic() - last[0] >= show.LINE_EVERY:
            last[0] = time.monotonic()
            show.err.print(crawl_line(stats), markup=False)

    if status:
        with status:
            yield tell
    else:
        yield tell
