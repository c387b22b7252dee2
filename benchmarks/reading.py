"""What reading a page costs the crawler, beside what parsers take for its links alone.

    python benchmarks/reading.py

Pages of about 17 kB are written by the mini-web's writer: an article, a menu, a few links. Pages of about 75 kB are real
ones from ``PABERKI_DATA/extraction`` where that exists, else pages of the mini-web put together. All figures are
microseconds of CPU time per page, the least of several rounds; peers extract and return link targets, no more. "One
pattern" is a yardstick for the machine: all tags of the page found by one regular expression and nothing done with them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence

from pages import data_directory, made_pages, real_pages

from paberki.crawl.reading.judging import judge
from paberki.crawl.reading.links import chunks_of, find_links
from paberki.crawl.reading.page_reading import read
from paberki.crawl.reading.quick_decoding import characters
from paberki.demo.pool import pool
from paberki.demo.prose import Writer

ROUNDS = 25
_TAG = re.compile(rb"<[^>]*>")
URL = "http://www.example.hr/vijesti/danas.html"


def small_pages(count: int = 60) -> list[bytes]:
    """Articles of about 17 kB with nine links."""
    return [_article(number) for number in range(count)]


def _article(number: int) -> bytes:
    words = pool("hr")
    writer = Writer(words, f"benchmark {number}")
    text = ""
    while len(text) < 15_500:
        text += "".join(f"<p>{block.text}</p>\n" for block in writer.article(writer.rng.choice(words.subjects), 6))
    menu = "".join(f'<li><a href="/rubrika/{n}/">Rubrika {n}</a></li>' for n in range(5))
    links = "".join(f'<li><a href="http://host{n}.hr/clanak-{number + n}.html">Više</a></li>' for n in range(4))
    head = f"<!doctype html><html lang=hr><head><meta charset=utf-8><title>Članak {number}</title></head>"
    return f"{head}<body><ul>{menu}</ul><div class=main>{text}</div><ul>{links}</ul></body></html>".encode()


def large_pages(count: int = 40) -> list[bytes]:
    """Pages of about 75 kB."""
    folder = data_directory()
    pages = real_pages(folder) if folder else made_pages()
    return [page for page in pages if 55_000 < len(page) < 95_000][:count]


def ours(page: bytes) -> object:
    """Everything: characters, links, statements, judge, fingerprint."""
    return read(page, url=URL, content_type="text/html", languages=("hr",), agent="paberki")


def one_pattern(page: bytes) -> object:
    """The least that anything written in Python takes."""
    return _TAG.findall(page)


def our_links(page: bytes) -> object:
    """Links and statements only."""
    text, codec = characters(page)
    return find_links(chunks_of(text), url=URL, encoding=codec, agent="paberki")


def our_judge(page: bytes) -> object:
    """The judge only."""
    return judge(chunks_of(characters(page)[0]), ("hr",))


def peers() -> dict[str, Callable[[bytes], object]]:
    """Link extraction by the parsers that are installed."""
    readers: dict[str, Callable[[bytes], object]] = {}
    try:
        from resiliparse.parse.encoding import detect_encoding
        from resiliparse.parse.html import HTMLTree

        readers["resiliparse links"] = lambda page: [
            link.getattr("href")
            for link in HTMLTree.parse_from_bytes(page, detect_encoding(page)).document.get_elements_by_tag_name("a")
        ]
    except ImportError:
        pass
    try:
        from selectolax.lexbor import LexborHTMLParser

        readers["selectolax links"] = lambda page: [
            node.attributes.get("href") for node in LexborHTMLParser(page).css("a")
        ]
    except ImportError:
        pass
    return readers


def cost(work: Callable[[bytes], object], pages: Sequence[bytes]) -> float:
    """Microseconds of CPU time per page, the least of some rounds."""
    least = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for page in pages:
            work(page)
        least = min(least, time.process_time() - start)
    return least / len(pages) * 1e6


def main() -> None:
    """Measure and print."""
    for name, pages in (("17 kB", small_pages()), ("75 kB", large_pages())):
        size = sum(map(len, pages)) / len(pages) / 1000
        print(f"{name}: {len(pages)} pages of {size:.1f} kB on average, microseconds of CPU per page")
        works: dict[str, Callable[[bytes], object]] = {
            "read (all)": ours,
            "  links": our_links,
            "  judge": our_judge,
            "one pattern": one_pattern,
            **peers(),
        }
        for label, work in works.items():
            print(f"  {label:20} {cost(work, pages):8.0f}")


if __name__ == "__main__":
    main()
