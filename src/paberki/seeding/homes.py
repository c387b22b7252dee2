"""Reduces URLs to the home pages of their hosts (P1 §2.1; P3 §3: of all hosts of an older corpus)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from paberki.errors import InputError
from paberki.seeding.common_crawl_index import captures, is_index_line, three_letters
from paberki.seeding.seed_lines import read_lines
from paberki.web.sitemaps import read_sitemap
from paberki.web.urls import home_page, host_of, hostname_of, normalise, seed_url

_MOST_SITEMAP_BYTES = 100 << 20


def home_pages(urls: Iterable[str], *, tld: Sequence[str] = ()) -> list[str]:
    """The home page of every host on the given top-level domains (or on any), in order of appearance.

    One per host; with ``https`` if any URL of the host has it.
    """
    homes: dict[str, str] = {}
    for url in urls:
        if not on_domain(url, tld):
            continue
        home = home_page(url)
        if host_of(url) not in homes or home.startswith("https:"):
            homes[host_of(url)] = home
    return list(homes.values())


def on_domain(url: str, tld: Sequence[str]) -> bool:
    """Whether a normalised URL is on one of the top-level domains; true if there are none."""
    return not tld or hostname_of(url).endswith(tuple(f".{name}" for name in tld))


def domain_names(names: Sequence[str]) -> tuple[str, ...]:
    """Top-level domains in the spelling of URLs: ``.HR`` becomes ``hr``, ``рф`` becomes ``xn--p1ai``."""
    return tuple(name_of(name.strip(". ").lower()) for name in names)


def name_of(name: str) -> str:
    """A domain name in the spelling of URLs."""
    url = normalise(f"http://{name}/")
    return hostname_of(url) if url else name


def urls_of(source: Path, *, tld: Sequence[str] = (), languages: Sequence[str] = ()) -> Iterator[str]:
    """Normalised URLs of a corpus directory, an index, a sitemap or feed, or a list with one URL or host per line.

    ``languages`` are used only for an index that states languages.
    """
    if source.is_dir():
        yield from _of_corpus(source)
        return
    first = next((line for line in read_lines(source) if line.strip()), "") if str(source) != "-" else ""
    if is_index_line(first):
        codes = three_letters(languages)
        pages = (one.url for one in captures(source, tld=tld) if one.is_page and one.is_in(codes))
        yield from filter(None, map(normalise, pages))
    elif first.lstrip().startswith("<"):
        yield from sitemap_urls(source)
    else:
        yield from _of_list(source)


def sitemap_urls(path: Path) -> list[str]:
    """Pages listed in a sitemap or feed on disk; for a sitemap index, the sitemaps."""
    try:
        with path.open("rb") as file:
            sitemap = read_sitemap(file.read(_MOST_SITEMAP_BYTES), url="http://sitemap.invalid/")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error
    return [url for url, _ in sitemap.pages if hostname_of(url) != "sitemap.invalid"] + sitemap.sitemaps


def _of_list(path: Path) -> Iterator[str]:
    for line in read_lines(path):
        url = _of_line(line)
        if url is not None:
            yield url


def _of_line(line: str) -> str | None:
    """The URL of a line or table row: the first field with a scheme, else the first field if it is a host."""
    fields = line.split()
    if not fields or fields[0].startswith("#"):
        return None
    seed = next((field for field in fields if "://" in field), fields[0])
    is_address = "://" in seed or ("." in seed and "@" not in seed)
    return seed_url(seed) if is_address else None


def _of_corpus(directory: Path) -> Iterator[str]:
    from paberki.corpus import Corpus

    for page in Corpus(directory).pages("url"):
        url = normalise(page["url"] or "")
        if url is not None:
            yield url
