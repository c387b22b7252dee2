"""Answers made to hurt a crawler: each holds up, or ends, a crawl that reads it carelessly."""

from __future__ import annotations

import gzip
import json
import zlib

import brotli
import zstandard
from loopback import ok

Raw = list[bytes | float]
DIGITS = b"&#" + b"9" * 5000 + b";"
TEXT = b"<html><body><p>Dobar dan.</p></body></html>"


def file(body: bytes, *headers: bytes) -> Raw:
    return [b"\r\n".join([b"HTTP/1.1 200 OK", b"Content-Length: %d" % len(body), *headers, b"", b""]), body]


def html(body: bytes, *headers: bytes) -> Raw:
    return file(body, b"Content-Type: text/html", *headers)


def chunks(body: bytes, size: int) -> bytes:
    parts = (body[at : at + size] for at in range(0, len(body), size))
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def _links(count: int, form: bytes) -> bytes:
    return b"".join(b'<a href="' + form % number + b'">x</a>' for number in range(count))


EMPTY_MEMBER = gzip.compress(b"", mtime=0)
WORDS = bytes(97 + (7 * number * number + number // 3) % 26 for number in range(2000))
"""Letters in which no five repeat soon."""
HOSTS = 5000
"""Hosts that one sitemap names."""
SEGMENTS = b"/".join(b"s%d" % number for number in range(400))

PAGES: dict[str, Raw] = {
    "reference": html(
        b"<p>Ovo je recenica koja ima vise od osam rijeci " + DIGITS + b" i tocku na kraju ovdje.</p>" * 3
    ),
    "refreshes": html((b'<meta http-equiv=refresh content="' + b" " * 8000 + b'x">') * 300),
    "members": html(EMPTY_MEMBER * 60_000, b"Content-Encoding: gzip"),
    "base": html(b'<base href="http://base.hr/' + SEGMENTS + b'/">' + _links(3000, b"x%d")),
    "chunks": [ok(b"Transfer-Encoding: chunked"), chunks(b"<p>" + b"x" * 1_000_000, 2)],
    "trailers": [ok(b"Transfer-Encoding: chunked"), b"1\r\nx\r\n0\r\n" + b"a: b\r\n" * 200_000],
    "tags": html(b"<frame src=" * 100_000),
    "bomb": html(zlib.compress(b"<p>" + b" " * 50_000_000, 9), b"Content-Encoding: deflate"),
    "status": [b"HTTP/1.1 200" + b" " * 60_000 + b"\rx\r\n\r\n"],
    "version": [b"HTTP/1." + b"1" * 30_000 + b" 200 OK\r\n\r\n"],
    "charset": html(b"<p>\xe8\xe6</p>", b"Content-Type: text/html; charset=" + b" " * 50_000 + b"!"),
    "wishes": html(TEXT, *[b"X-Robots-Tag: " + b"a:," * 1300] * 15),
    "later": [
        b"HTTP/1.1 503 No\r\nRetry-After: Mon, 01 Jan 99999999999999999999 00:00:00 GMT\r\nContent-Length: 0\r\n\r\n"
    ],
    "moment": html(TEXT, b"X-Robots-Tag: unavailable_after: Mon, 01 Jan 99999999999999999999 00:00:00 GMT"),
    "away": [b"HTTP/1.1 302 Go\r\nLocation: http://[::1\r\nContent-Length: 0\r\n\r\n"],
    "links": html(
        _links(3000, b"http://n%d.hr/") + b'<a href="http://[::1">' + b'<a href="http://a.hr/' + b"x" * 100_000
    ),
    "metas": html((b"<meta name=robots content='" + b"a," * 2000 + b"'>") * 100),
    "brotli": html(brotli.compress(b"<p>" + b" " * 50_000_000, quality=1), b"Content-Encoding: br"),
    "zstd": html(zstandard.compress(b"<p>" + b" " * 50_000_000), b"Content-Encoding: zstd"),
    "nested codings": html(gzip.compress(gzip.compress(bytes(10_000_000))), b"Content-Encoding: " + b"gzip," * 9000),
    "punycode": html(b"<p>" + b"a-" * 50_000, b"Content-Type: text/html; charset=punycode"),
    "codec": html(b"<p>\\N{" * 20_000, b"Content-Type: text/html; charset=unicode_escape"),
    "wide": html(b"\xff\xfe" + b"<\x00p\x00>\x00\x00\xd8" * 20_000, b"Content-Type: text/html; charset=utf-16"),
    "cookies": html(TEXT, *[b"Set-Cookie: " + b"a=b; " * 40] * 290),
    "folds": [b"HTTP/1.1 200 OK\r\nX: a" + b"\r\n b" * 290 + b"\r\nContent-Length: 2\r\n\r\nhi"],
    "flood": [b"HTTP/1.1 200 OK\r\n" + b"a:b\r\n" * 20_000],
    "interim": [b"HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n" * 50_000],
    "extensions": [ok(b"Transfer-Encoding: chunked"), (b"1;" + b"a=b;" * 1000 + b"\r\nx\r\n") * 3000 + b"0\r\n\r\n"],
    "chunk size": [ok(b"Transfer-Encoding: chunked"), b"ffffffffffff\r\n" + b"x" * 100_000],
    "lengths": [ok(b"Content-Length: -1", b"Content-Length: 99999999999999999999"), TEXT],
    "trickle": [ok(b"Content-Length: 5000"), *[b"<p", 0.01] * 300],
    "link": html(TEXT, *[b"Link: " + b"</x>; rel=next," * 4000]),
    "refresh": html(TEXT, b"Refresh: " + b"9" * 20_000 + b"; url=" + b"'" * 20_000),
    "longer": [b"HTTP/1.1 301 Go\r\nLocation: /" + b"x/" * 30_000 + b"\r\nContent-Length: 0\r\n\r\n"],
    "idn": html(b"".join(b'<a href="http://%s.hr/%d">x</a>' % ("ž".encode() * 3000, number) for number in range(40))),
    "puny names": html(_links(300, b"http://xn--%d" + b"a" * 55 + b".hr/")),
    "percent": html(_links(300, b"/%d" + b"%%" * 3000) + _links(300, b"/%d" + b"%%25" * 1000)),
    "surrogates": html(b'<a href="/&#xD800;&#xDFFF;%ED%A0%80\xed\xa0\x80">x</a><base href="javascript:x">' * 300),
    "ports": html(_links(1000, b"http://a.hr:%d99999/") + _links(100, b"http://0x7f.%d/") + b"<a href='//:@/'>"),
    "srcset": html(b'<img srcset="' + b"a 1x," * 20_000 + b'"><picture><source srcset="' + b"b," * 20_000),
    "hreflang": html(b"<head>" + b'<link rel="alternate canonical" hreflang="x" href="/y">' * 1500),
    "feeds": html(b"".join(b'<link rel=alternate type="application/rss+xml" href="/%d">' % n for n in range(1500))),
    "json": html(b'<script type="application/ld+json">' + b'{"@graph":[' * 10_000 + b"</script>" + TEXT),
    "kinds": html(b"".join(b'<a href="/%s/%s?%s">x</a>' % ((WORDS[n : n + 5],) * 3) for n in range(1900))),
    "tabs": html(b'<a href="' + b"\t\n" * 30_000 + b"h\nt\ntp://a\t.hr/" + b'">x</a>'),
    "etag": html(TEXT, b'ETag: "' + b"\xff\x00" * 10_000 + b'"', b"Last-Modified: " + b"x" * 10_000),
    "canonical": html(b'<link rel=canonical href="' + b"../" * 20_000 + b'">' + TEXT),
}
ROBOTS: dict[str, bytes] = {
    "spaces": b"User-agent" + b" " * 120_000 + b"\nUser-agent: *\nDisallow: /no",
    "wild": b"User-agent: *\n" + b"".join(b"Disallow: /*a%d\n" % number for number in range(26_000)),
    "agents": b"User-agent: *\n" * 17_000 + b"Disallow: /no\n" * 15_000,
    "delay": b"User-agent: *\nCrawl-delay: 1e309\nCrawl-delay: nan\nCrawl-delay: -1\nCrawl-delay: 1_0",
    "maps": b"".join(b"Sitemap: http://list.hr/map%d\n" % number for number in range(10_000)),
    "wide": "User-agent: *\nDisallow: /no\n".encode("utf-16") * 5000,
    "percent": b"User-agent: *\n" + b"".join(b"Disallow: /%%%d%%ff%%%%*$*$\n" % number for number in range(9000)),
    "usage": b"User-agent: *\n" + b"".join(b"Content-Usage: n%d=n\n" % number for number in range(20_000)),
}
SITEMAPS: dict[str, bytes] = {
    "reference": b"<urlset><url><loc>http://list.hr/" + DIGITS + b"</loc></url></urlset>",
    "same": b"<urlset>" + b"<url><loc>http://list.hr/x</loc></url>" * 100_000,
    "feed": b"<rss><item>" + b"x" * 60_000,
    "hosts": b"<urlset>" + b"".join(b"<url><loc>http://h%d.hr/</loc></url>" % number for number in range(HOSTS)),
    "self": b"<sitemapindex>" + b"<sitemap><loc>http://map-self.hr/map</loc></sitemap>" * 9000,
    "index": b"<sitemapindex>"
    + b"".join(b"<sitemap><loc>http://map-index.hr/%d</loc></sitemap>" % number for number in range(20_000)),
    "dates": b"<urlset>"
    + b"".join(
        b"<url><loc>http://list.hr/d%d</loc><lastmod>%s</lastmod></url>" % (number, date)
        for number, date in enumerate(
            (
                b"9999-12-31T23:59:59-23:59",
                b"0001-01-01T00:00:00+23:59",
                b"Mon, 01 Jan 0000 00:00:00 +9999",
                b"9" * 5000,
            )
        )
    ),
    "entities": b'<!DOCTYPE x [<!ENTITY a "'
    + b"x" * 1000
    + b'">'
    + b'<!ENTITY b "&a;&a;&a;">' * 3000
    + b"]><urlset>&b;",
    "items": b"<rss>" + b"<item><link>http://list.hr/i</link><pubDate>" * 20_000,
    "many": b"<urlset>" + b"".join(b"<url><loc>http://list.hr/no%d</loc></url>" % number for number in range(20_000)),
}
TDMREP: dict[str, bytes] = {
    "nan": b'[{"location": "/", "tdm-reservation": NaN}]',
    "infinite": b'[{"location": "/", "tdm-reservation": -Infinity}, {"location": "\\ud800", "tdm-reservation": "\\ud800"}]',
    "rules": json.dumps([{"location": f"/*x{n}", "tdm-reservation": 1} for n in range(20_000)]).encode(),
    "deep": b"[" * 900_000,
}
