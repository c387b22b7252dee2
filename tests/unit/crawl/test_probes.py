"""Single behaviours, each on a host of its own, all in one crawl: what is asked for, what is not, what is stored.

A probe's home page leads to ``/goal``, or must not; hosts that speak odd HTTP answer from raw sockets.
"""

from __future__ import annotations

import gzip
import random
import tempfile
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path

import brotli
import pytest
from loopback import SETTINGS, Answer, RawServer, Web, ok, page, stored

from paberki.crawl import CrawlConfig, CrawlStats, crawl

GOAL = b'<html><body><a href="/goal">dalje</a></body></html>'
REFUSED = (
    "10.255.0.1",
    "192.168.3.4",
    "169.254.169.254",
    "[::ffff:127.0.0.1]",
    "2130706433",
    "0x7f.1",
    "0.0.0.0",
    "[::1]",
)
SITE = "<html><body><a href=/goal>x</a></body></html>"


@dataclass
class Crawled:
    web: Web
    raw: dict[str, RawServer] = field(default_factory=dict)
    found: dict[str, object] = field(default_factory=dict)
    stats: CrawlStats = field(default_factory=CrawlStats)

    def asked(self, host: str) -> list[str]:
        if host in self.raw:
            return [path for path in self.raw[host].paths if path != "/robots.txt"]
        return self.web.paths(host)

    def kept(self, host: str) -> list[str]:
        return sorted(url.partition(f"//{host}")[2] for url in self.found if f"//{host}/" in url)


# Home page of a host -> whether "/goal" is to be found through it.
LINKS = {
    "unquoted": ("<a href=/goal>x</a>", True),
    "single-quoted": ("<a title='a>b' href='/goal'>x</a>", True),
    "upper-case": ('<A CLASS="x" HREF="/goal">x</A>', True),
    "spaces": ('<a\n  href  =  "  /go\nal  "  >x</a>', True),
    "entities": ("<a href='&#x2F;go&#97;l'>x</a>", True),
    "area": ("<map><area shape=rect href=/goal></map>", True),
    "frame": ("<frameset><frame src=/goal></frameset>", True),
    "iframe": ("<iframe src='/goal'></iframe>", True),
    "base": ("<base href='/a/b/'><a href='../../goal'>x</a>", True),
    "base-late": ("<a href='goal'>x</a><base href='http://base-late.hr/'>", True),
    "relative": ("<a href='./a/.././goal'>x</a>", True),
    "scheme-relative": ("<a href='//scheme-relative.hr/goal'>x</a>", True),
    "fragment": ("<a href='/goal#chapter'>x</a><a href='/goal#end'>x</a><a href='#top'>x</a>", True),
    "tracking": ("<a href='/goal?utm_source=x&fbclid=y'>x</a><a href='/goal'>x</a>", True),
    "session": (
        "<a href='/goal;jsessionid=0123456789ABCDEF'>x</a><a href='/goal?PHPSESSID=abcdef0123456789'>x</a>",
        True,
    ),
    "percent": ("<a href='/%67oal'>x</a><a href='/go%61l'>x</a>", True),
    "port": ("<a href='http://PORT.hr:80/goal'>x</a>", True),
    "dots": ("<a href='/x/%2e%2e/goal'>x</a>", True),
    "meta-refresh": ("<meta http-equiv=refresh content='0; URL=/goal'>", True),
    "canonical": ("<link rel=canonical href=/goal>", True),
    "next": ("<link rel=next href=/goal>", True),
    "broken-markup": ("<div <p class='x' <a href='/goal'>x</b></table>", True),
    "nul": ("<p>\x00</p><a href='/goal'>x</a>", True),
    "comment": ("<!-- <a href='/goal'>x</a> --><p>x", False),
    "script": ("<script>var a = \"<a href='/goal'>\";</script>", False),
    "javascript": (
        "<a href='javascript:location=\"/goal\"'>x</a><a href='mailto:goal'>y</a><a href='data:,/goal'>z</a>",
        False,
    ),
    "srcset": ("<img src='/goal' srcset='/goal 2x'><link rel=stylesheet href=/goal><script src=/goal></script>", False),
    "nofollow": ("<meta name=robots content='nofollow'><a href='/goal'>x</a>", False),
    "nofollow-others": ("<meta name=googlebot content='nofollow'><a href='/goal'>x</a>", True),
    "nofollow-ours": ("<meta name=paberki content='nofollow'><a href='/goal'>x</a>", False),
}

# robots.txt of a host -> whether "/goal" may be asked for.
ROBOTS: dict[str, tuple[Answer, bool]] = {
    "longest": (Answer("User-agent: *\nDisallow: /g\nAllow: /goal\n"), True),
    "shorter-allow": (Answer("User-agent: *\nAllow: /g\nDisallow: /goal\n"), False),
    "equal": (Answer("User-agent: *\nDisallow: /goal\nAllow: /goal\n"), True),
    "wildcard": (Answer("User-agent: *\nDisallow: /*al$\n"), False),
    "end": (Answer("User-agent: *\nDisallow: /goa$\n"), True),
    "merged": (Answer("User-agent: paberki\nDisallow: /x\n\nUser-agent: a\nAllow: /\n\nUser-agent: Paberki\nDisallow: /goal\n"), False),
    "own-group": (Answer("User-agent: *\nDisallow: /\n\nUser-agent: PABERKI/9\nAllow: /\n"), True),
    "listed": (Answer("User-agent: one\nUser-agent: paberki\nUser-agent: two\nDisallow: /goal\n"), False),
    "bom": (Answer("\ufeffUser-agent: *\nDisallow: /goal\n"), False),
    "cr": (Answer("User-agent: *\rDisallow: /goal\r"), False),
    "coded": (Answer("User-agent: *\nDisallow: /%67o%61l\n"), False),
    "comment-in-rule": (Answer("user-agent : * # all\ndisallow : /goal # this\n"), False),
    "empty-disallow": (Answer("User-agent: *\nDisallow:\n"), True),
    "html-instead": (Answer("<html><body>User-agent: nobody here</body></html>"), True),
    "gone": (Answer("no", 410), True),
    "forbidden": (Answer("no", 403), True),
    "unavailable": (Answer("no", 503), False),
    "server-error": (Answer("no", 500), False),
    "too-many": (Answer("no", 429), False),
    "redirected": (Answer("", 301, headers={"Location": "http://listed.hr/robots.txt"}), False),
    "gzipped": (Answer(gzip.compress(b"User-agent: *\nDisallow: /goal\n"), headers={"Content-Encoding": "gzip"}), False),
    "latin": (Answer("User-agent: *\nDisallow: /š\nDisallow: /goal\n".encode("cp1250")), False),
    "long": (Answer("# x\n" * 100_000 + "User-agent: *\nDisallow: /goal\n"), False),
}  # fmt: skip

# Answer to "/" of a raw host -> whether its link to "/goal" is found.
FRAMES: dict[str, tuple[list[bytes | float], bool]] = {
    "no-length": ([ok(), GOAL], True),
    "http10": ([b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n", GOAL], True),
    "bare-lf": ([b"HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 51\n\n", GOAL], True),
    "no-reason": ([b"HTTP/1.1 200\r\nContent-Type: text/html\r\n\r\n", GOAL], True),
    "trailers": ([ok(b"Transfer-Encoding: chunked"), b"%x;a=b\r\n%s\r\n0\r\nX: y\r\n\r\n" % (len(GOAL), GOAL)], True),
    "chunked-and-length": ([ok(b"Transfer-Encoding: chunked", b"Content-Length: 5"), b"%X\r\n%s\r\n0\r\n\r\n" % (len(GOAL), GOAL)], True),
    "length-too-long": ([ok(b"Content-Length: 5000"), GOAL], True),
    "two-lengths": ([ok(b"Content-Length: 5", b"Content-Length: 51"), GOAL], True),
    "continue": ([b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", ok(), GOAL], True),
    "folded": ([b"HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nContent-Type:\r\n text/html\r\n\r\n", GOAL], True),
    "two-types": ([ok(b"Content-Type: text/html; charset=utf-8"), GOAL], True),
    "no-colon": ([ok(b"this is no header"), GOAL], True),
    "gzip-not": ([ok(b"Content-Encoding: gzip"), GOAL], True),
    "gzip-unsaid": ([ok(), gzip.compress(GOAL)], True),
    "gzip-twice": ([ok(b"Content-Encoding: gzip, gzip"), gzip.compress(gzip.compress(GOAL))], True),
    "gzip-members": ([ok(b"Content-Encoding: x-gzip"), gzip.compress(GOAL[:20]) + gzip.compress(GOAL[20:])], True),
    "gzip-cut": ([ok(b"Content-Encoding: gzip"), gzip.compress(GOAL + random.Random(1).randbytes(4000))[:-400]], True),
    "deflate": ([ok(b"Content-Encoding: deflate"), zlib.compress(GOAL)], True),
    "brotli": ([ok(b"Content-Encoding: br"), brotli.compress(GOAL)], True),
    "bomb": ([ok(b"Content-Encoding: gzip"), gzip.compress(GOAL + b" " * 30_000_000)], True),
    "slow-body": ([ok(), GOAL[:10], 0.1, GOAL[10:]], True),
    "utf-16": ([ok(), "\ufeff".encode("utf-16-le") + GOAL.decode().encode("utf-16-le")], True),
    "no-type": ([b"HTTP/1.1 200 OK\r\n\r\n", b"<!-- x --><!DOCTYPE html>" + GOAL], True),
    "xhtml": ([b"HTTP/1.1 200 OK\r\nContent-Type: application/xhtml+xml\r\n\r\n", GOAL], True),
    "type-in-capitals": ([b"HTTP/1.1 200 OK\r\ncontent-type: TEXT/HTML;charset=x\r\n\r\n", GOAL], True),
    "no-type-no-html": ([b"HTTP/1.1 200 OK\r\n\r\n", b"%PDF-1.4 " + GOAL], False),
    "pdf": ([b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n", GOAL], False),
    "plain": ([b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", GOAL], False),
    "huge-header": ([ok(b"X: " + b"y" * 200_000), GOAL], False),
    "declared-huge": ([ok(b"Content-Length: 99999999999"), GOAL], False),
    "chunk-sizes": ([ok(b"Transfer-Encoding: chunked"), b"0000%x \r\n%s\r\n0\r\n\r\n" % (len(GOAL), GOAL)], True),
    "chunks-without-end": ([ok(b"Transfer-Encoding: chunked"), b"%x\r\n%s\r\n" % (len(GOAL), GOAL)], True),
    "chunk-too-large": ([ok(b"Transfer-Encoding: chunked"), b"ffffffffffffffffff\r\n" + GOAL], False),
    "chunk-negative": ([ok(b"Transfer-Encoding: chunked"), b"-1\r\n" + GOAL], False),
    "chunked-not": ([ok(b"Transfer-Encoding: chunked"), GOAL], False),
    "chunked-gzip": ([ok(b"Transfer-Encoding: chunked", b"Content-Encoding: gzip"), b"%x\r\n%s\r\n0\r\n\r\n" % (len(gzip.compress(GOAL, mtime=0)), gzip.compress(GOAL, mtime=0))], True),
    "deflate-raw": ([ok(b"Content-Encoding: deflate"), zlib.compress(GOAL)[2:-4]], True),
    "brotli-bomb": ([ok(b"Content-Encoding: br"), brotli.compress(GOAL + b" " * 30_000_000, quality=1)], True),
    "bomb-in-bomb": ([ok(b"Content-Encoding: gzip, gzip"), gzip.compress(gzip.compress(GOAL + b" " * 30_000_000))], True),
    "unknown-coding": ([ok(b"Content-Encoding: nothing-known"), GOAL], True),
    "status-999": ([b"HTTP/1.1 999 No\r\nContent-Type: text/html\r\n\r\n", GOAL], False),
    "no-http": ([b"SSH-2.0-OpenSSH_9.9\r\n", GOAL], False),
    "nested": ([ok(), b"<div>" * 60_000 + GOAL], True),
    "hanging": ([ok(b"Content-Length: 51"), 9.0, GOAL], False),
}  # fmt: skip

# Answer to "/" that sends elsewhere -> whether "/goal" is reached.
REDIRECTS: dict[str, tuple[Answer, bool]] = {
    "moved": (Answer("", 301, headers={"Location": "/goal"}), True),
    "see-other": (Answer("", 303, headers={"Location": "goal"}), True),
    "permanent": (Answer("", 308, headers={"Location": "//permanent.hr/goal#part"}), True),
    "moved-spaces": (Answer("", 302, headers={"Location": "  /%67oal "}), True),
    "no-location": (Answer("", 302), False),
    "to-itself": (Answer("", 302, headers={"Location": "/"}), False),
    "to-script": (Answer("", 302, headers={"Location": "javascript:alert(1)"}), False),
    "to-file": (Answer("", 302, headers={"Location": "file:///goal"}), False),
    "link-header": (Answer("<p>x", headers={"Link": '</goal>; rel="canonical", </x.css>; rel=preload'}), True),
    "link-header-next": (Answer("<p>x", headers={"link": '<goal>;title="a, b";rel=next'}), True),
    "refresh-header": (Answer("<p>x", headers={"Refresh": "0; url=/goal"}), True),
}

# Answer to "/" that is seen and not kept.
OPT_OUTS = {
    "meta-noindex": Answer("<meta name='ROBOTS' content='NoIndex, follow'>" + SITE),
    "meta-none": Answer("<meta content=none name=robots>" + SITE),
    "meta-noai": Answer("<meta name=robots content='index, noai'>" + SITE),
    "meta-ours": Answer("<meta name=Paberki content=noindex>" + SITE),
    "tag-noindex": Answer(SITE, headers={"X-Robots-Tag": "noindex"}),
    "tag-ours": Answer(SITE, headers={"X-Robots-Tag": "otherbot: noarchive, paberki: noindex"}),
    "tag-noai": Answer(SITE, headers={"x-robots-tag": "max-snippet: 20, noai"}),
    "tdm-header": Answer(SITE, headers={"TDM-Reservation": "1"}),
    "tdm-meta": Answer("<meta name=tdm-reservation content=1>" + SITE),
    "usage-header": Answer(SITE, headers={"Content-Usage": "train-ai=n"}),
}
KEPT = {
    "tag-others": Answer(SITE, headers={"X-Robots-Tag": "googlebot: noindex"}),
    "tdm-allowed": Answer("<meta name=tdm-reservation content=0>" + SITE),
    "noindex-in-comment": Answer("<!-- <meta name=robots content=noindex> -->" + SITE),
}
PERMANENT = (204, 400, 401, 403, 404, 410, 451)


def later(answers: list[Answer]) -> object:
    left = iter(answers)
    return lambda: next(left, answers[-1])


def put_failing(web: Web) -> None:
    """Hosts that fail in passing, or for good."""
    well = Answer(SITE)
    for status in (429, 500, 502, 503, 504):
        web.put(f"passing-{status}.hr/", later([Answer("", status), well]))  # type: ignore[arg-type]
    soon = formatdate(time.time() + 1, usegmt=True)
    web.put("retry-date.hr/", later([Answer("", 503, headers={"Retry-After": soon}), well]))  # type: ignore[arg-type]
    web.put("retry-number.hr/", later([Answer("", 429, headers={"Retry-After": "1"}), well]))  # type: ignore[arg-type]
    for status in PERMANENT:
        web.put(f"permanent-{status}.hr/", Answer("", status))


@pytest.fixture(scope="module")
def crawled() -> Iterator[Crawled]:
    """One crawl of all hosts."""
    web, raw = Web(), {}
    for name, (body, _) in LINKS.items():
        web.put(f"{name}.hr/", Answer(f"<html><body>{body}</body></html>"))
    for name, (robots, _) in ROBOTS.items():
        web.put(f"{name}.hr/robots.txt", robots)
        web.put(f"{name}.hr/", Answer(SITE))
    for name, (answer, _) in REDIRECTS.items():
        web.put(f"{name}.hr/", answer)
    for name, answer in {**OPT_OUTS, **KEPT}.items():
        web.put(f"{name}.hr/", answer)
    for name, (pieces, _) in FRAMES.items():
        raw[f"{name}.hr"] = RawServer({"/": pieces})
        web.resolve[f"{name}.hr"] = (raw[f"{name}.hr"].ip, raw[f"{name}.hr"].port)
    put_failing(web)
    web.put("xn--ivotinja-l4b.hr/", Answer(SITE))
    web.put("inside.hr/", page("http://ŽIVOTINJA.hr/", *(f"http://{address}/secret" for address in REFUSED)))
    web.put("to-inside.hr/", Answer("", 302, headers={"Location": "http://127.0.0.1:9/secret"}))
    names = [host for host in web.resolve if not host.startswith("xn--")]
    settings = {**SETTINGS, "timeout": 2.0, "retries": 1, "max_body_bytes": 4 << 20, "concurrency": 200}
    config = CrawlConfig(**settings, seeds=tuple(names), user_agent="paberki/1.0")  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        stats = crawl(config, warc=folder / "warc", state=folder / "state", resolve=web.resolve)
        found = {record.url: record for record in stored(folder / "warc")}
    yield Crawled(web, raw, dict(found), stats)
    web.close()
    for server in raw.values():
        server.close()


@pytest.mark.parametrize("name", [*LINKS, *ROBOTS, *REDIRECTS, *FRAMES])
def test_the_way_to_the_goal(crawled: Crawled, name: str) -> None:
    *_, wanted = {**LINKS, **ROBOTS, **REDIRECTS, **FRAMES}[name]
    asked = crawled.asked(f"{name}.hr")
    assert asked.count("/goal") == wanted, asked
    assert len(asked) <= 4, asked


@pytest.mark.parametrize("name", [*OPT_OUTS, *KEPT])
def test_opt_outs(crawled: Crawled, name: str) -> None:
    assert "/" in crawled.asked(f"{name}.hr")
    assert ("/" in crawled.kept(f"{name}.hr")) == (name in KEPT)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_failures_that_pass(crawled: Crawled, status: int) -> None:
    assert crawled.asked(f"passing-{status}.hr") == ["/", "/", "/goal"]


@pytest.mark.parametrize("status", PERMANENT)
def test_failures_that_stay(crawled: Crawled, status: int) -> None:
    assert crawled.asked(f"permanent-{status}.hr") == ["/"]


@pytest.mark.parametrize("name", ["retry-date.hr", "retry-number.hr"])
def test_servers_say_when(crawled: Crawled, name: str) -> None:
    first, second, _ = [hit for hit in crawled.web.asked if hit.host == name]
    assert second.start - first.end > (0.8 if "number" in name else 0.0)


def test_hosts_inside_are_never_asked(crawled: Crawled) -> None:
    assert not [path for host in crawled.web.resolve for path in crawled.asked(host) if "secret" in path]
    assert crawled.stats.by_error["private"] >= len(REFUSED)


def test_international_names(crawled: Crawled) -> None:
    assert crawled.asked("xn--ivotinja-l4b.hr") == ["/", "/goal"]
