"""Answers made to hurt a crawler: each holds up, or ends, a crawl that reads it carelessly."""

from __future__ import annotations

import gzip
import json
import zlib

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
}
ROBOTS: dict[str, bytes] = {
    "spaces": b"User-agent" + b" " * 120_000 + b"\nUser-agent: *\nDisallow: /no",
    "wild": b"User-agent: *\n" + b"".join(b"Disallow: /*a%d\n" % number for number in range(26_000)),
    "agents": b"User-agent: *\n" * 17_000 + b"Disallow: /no\n" * 15_000,
    "usage": b"User-agent: *\n" + b"".join(b"Content-Usage: n%d=n\n" % number for number in range(20_000)),
}
SITEMAPS: dict[str, bytes] = {
    "reference": b"<urlset><url><loc>http://list.hr/" + DIGITS + b"</loc></url></urlset>",
    "same": b"<urlset>" + b"<url><loc>http://list.hr/x</loc></url>" * 100_000,
    "feed": b"<rss><item>" + b"x" * 60_000,
    "many": b"<urlset>" + b"".join(b"<url><loc>http://list.hr/no%d</loc></url>" % number for number in range(20_000)),
}
TDMREP: dict[str, bytes] = {
    "nan": b'[{"location": "/", "tdm-reservation": NaN}]',
    "infinite": b'[{"location": "/", "tdm-reservation": -Infinity}, {"location": "\\ud800", "tdm-reservation": "\\ud800"}]',
    "rules": json.dumps([{"location": f"/*x{n}", "tdm-reservation": 1} for n in range(20_000)]).encode(),
    "deep": b"[" * 900_000,
}
