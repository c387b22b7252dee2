"""No parser takes more than time proportional to its input, whatever is repeated in it.

Each is given a token over and over, after a beginning that leads it somewhere, at two sizes. CPU time is measured, so
that other processes do not count, and the shortest of several runs, so that pauses do not either.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable

import pytest

from paberki.crawl.fetching.body import inflate
from paberki.crawl.fetching.fetch_errors import PageError
from paberki.crawl.fetching.http1 import Message
from paberki.crawl.reading.links import header_links, refresh_target
from paberki.crawl.reading.page_reading import read
from paberki.crawl.reading.quick_decoding import characters
from paberki.crawl.steering.outcomes import retry_after
from paberki.web.rights import Policy, ai_txt, header_signals, moment_of, well_known_tdmrep
from paberki.web.robots import Robots
from paberki.web.sitemaps import read_feed, read_sitemap
from paberki.web.urls import looks_binary, normalise, repeats_segments, template

URL = "http://a.hr/b/c.html"
SMALL, LARGE = 4_000, 32_000
MOST = 0.2
"""Seconds for the large input on a slow machine; the quadratic code that was here took from one to a hundred."""
RATIO = 3.0
"""How much more than its share the large input may take: quadratic time takes eight times as much."""
FLOOR = 0.015
"""Seconds below which a time says nothing."""


def _html(data: bytes) -> None:
    read(data, url=URL, content_type="text/html", languages=("hr",), agent="paberki")


def _robots(data: bytes) -> None:
    robots = Robots(data, "paberki")
    robots.allows("http://a.hr/" + "a" * 500)
    robots.signals_for(URL)


def _url(data: bytes) -> None:
    for base in (URL, "http://a.hr/" + "s/" * 900):
        if url := normalise(data.decode("latin-1"), base):
            template(url), repeats_segments(url), looks_binary(url)


def _message(data: bytes) -> None:
    try:
        Message(10 << 20).feed(data)
    except PageError:
        pass


def _fields(data: bytes) -> None:
    value = data[:LARGE].decode("latin-1")
    header_links(value, URL)
    refresh_target(value)
    retry_after(value, 1e9)
    moment_of(value[:4096])
    characters(b"\x9a\xe8abc", value)
    inflate(b"abc", value, 1000)
    signals = header_signals([("X-Robots-Tag", value), ("Content-Usage", value), ("tdm-reservation", value)], "paberki")
    Policy().refuses(signals)


PARSERS: dict[str, tuple[Callable[[bytes], object], tuple[bytes, ...]]] = {
    "html": (_html, (b"", b'<a href="', b"<meta ", b'<base href="http://a.hr/', b"<p>&#")),
    "robots": (_robots, (b"", b"User-agent", b"User-agent: *\n", b"Content-Usage: ")),
    "ai": (lambda data: ai_txt(data).signals(URL), (b"User-agent: *\n",)),
    "tdmrep": (lambda data: well_known_tdmrep(data).signals(URL), (b"", b'[{"location":"/')),
    "sitemap": (lambda data: read_sitemap(data, url=URL), (b"", b"<urlset><url>", b"<urlset><url><loc>&#", b"<!--")),
    "feed": (lambda data: read_feed(data, url=URL), (b"<rss><item>", b"<rss><item", b"<feed><entry><link ")),
    "url": (_url, (b"", b"http://a.hr/", b"?", b"http://[::1")),
    "head": (lambda data: _message(data + b"\r\n\r\n"), (b"HTTP/1.1 200", b"HTTP/1.", b"HTTP/1.1 200 OK\r\na:")),
    "chunks": (
        lambda data: _message(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + data),
        (b"", b"1;", b"0\r\n"),
    ),
    "fields": (_fields, (b"", b"text/html; charset=", b"<x>; ", b"0;", b"unavailable_after:", b"Mon, 01 Jan ")),
    "gzip": (lambda data: inflate(data, "gzip", 10 << 20), (b"", gzip.compress(b"x"))),
}
TOKENS = (
    b" ", b"\t", b"\r\n", b"x", b"9", b"<", b">", b"&", b"&#", b"&#9", b'"', b"'", b"=", b"/", b"a/", b"../", b"%", b"%41", b"*",
    b"*a", b",", b"a,", b"a:", b"a=b ", b";", b"(", b"[", b"{", b"\0", b"\xff", b"\xc3\xa9", b"-", b"--", b"<!--", b"]]>",
    b"<![CDATA[", b"<a ", b"<a href=", b"<a href='", b"<p>x ", b"<script>", b"<meta http-equiv=refresh content=", b"<link ",
    b"<url><loc>http://a.hr/</loc></url>", b"<item>", b"<guid>", b" rdf:about='http://", b"User-agent: *\n", b"charset= ",
    b"Disallow: /*a\n", b"Disallow: x\n", b"Content-Usage: a=n\n", b"1\r\nx\r\n", b"0\r\n", b"a: b\r\n", b"\r\n ", b"Jan ",
    b"unavailable_after: 1,", b"<x>; rel=next,", b";jsessionid=", b"/(S(", gzip.compress(b""),
)  # fmt: skip


def _seconds(parser: Callable[[bytes], object], data: bytes) -> float:
    shortest = 1e9
    for _ in range(3):
        began = time.process_time()
        parser(data)
        shortest = min(shortest, time.process_time() - began)
        if shortest < FLOOR:
            break
    return shortest


@pytest.mark.parametrize("name", PARSERS)
def test_repetition_takes_linear_time(name: str) -> None:
    parser, beginnings = PARSERS[name]
    for beginning in beginnings:
        for token in TOKENS:
            for end in (b"",) if name in ("html", "robots", "ai") else (b"", b"\rx"):
                small, large = (beginning + token * (size // len(token)) + end for size in (SMALL, LARGE))
                seconds = _seconds(parser, large)
                if seconds > FLOOR:
                    share = _seconds(parser, small) * LARGE / SMALL
                    assert seconds < MOST, (beginning, token, end)
                    assert seconds < RATIO * share + FLOOR, (beginning, token, end)
