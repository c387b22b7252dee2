"""Half a robots.txt is none: the other half may forbid what this one does not."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from attacks import Raw, chunks, file, html
from loopback import RawServer, Web

from paberki.crawl import CrawlStats

Run = Callable[..., CrawlStats]
RULES = b"User-agent: *\nAllow: /yes\n" + b"# comment\n" * 50 + b"Disallow: /no\n"
HALF = RULES[:100]
OK = b"HTTP/1.1 200 OK\r\n"
CUT: dict[str, Raw] = {
    "length": [OK + b"Content-Length: %d\r\n\r\n" % len(RULES) + HALF],
    "chunks": [OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunks(HALF, 20)[:-5]],
    "damaged chunks": [OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunks(HALF, 20)[:-5] + b"huh?\r\n0\r\n\r\n"],
    "time": [OK + b"Content-Length: %d\r\n\r\n" % len(RULES) + HALF, 3.0],
    "short gzip": file(gzip.compress(RULES)[:-20], b"Content-Encoding: gzip"),
    "broken gzip": file(gzip.compress(RULES)[:60] + b"\xff" * 20, b"Content-Encoding: gzip"),
    "short deflate": file(zlib.compress(RULES)[:-10], b"Content-Encoding: deflate"),
}
WHOLE: dict[str, Raw] = {
    "plain": file(RULES),
    "chunks": [OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunks(RULES, 20)],
    "closed": [OK + b"\r\n" + RULES],
    "gzip": file(gzip.compress(RULES), b"Content-Encoding: gzip"),
    "padded gzip": file(gzip.compress(RULES) + b"\0" * 8, b"Content-Encoding: gzip"),
    "members": file(gzip.compress(RULES[:50]) + gzip.compress(RULES[50:]), b"Content-Encoding: gzip"),
    "deflate": file(zlib.compress(RULES), b"Content-Encoding: deflate"),
    "not gzip": file(b"# <b>\n" + RULES, b"Content-Encoding: gzip"),
    "long": file(RULES + b"# comment\n" * 100_000),
}


def _crawl(answer: Raw, web: Web, run: Run) -> tuple[list[str], CrawlStats]:
    server = RawServer({"/robots.txt": answer, "/no": html(b"<p>"), "/yes": html(b"<p>")})
    web.resolve["a.hr"] = (server.ip, server.port)
    try:
        stats = run("http://a.hr/no", "http://a.hr/yes", timeout=1.0, retries=1)
    finally:
        server.close()
    return [path for path in server.paths if path != "/robots.txt"], stats


@pytest.mark.parametrize("name", CUT)
def test_nothing_is_fetched_after_half_a_file(name: str, web: Web, run: Run, tmp_path: Path) -> None:
    paths, stats = _crawl(CUT[name], web, run)
    assert paths == []
    assert stats.by_error == {"robots_unreachable": 2}


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_file_is_obeyed(name: str, web: Web, run: Run, tmp_path: Path) -> None:
    paths, stats = _crawl(WHOLE[name], web, run)
    assert paths == ["/yes"]
    assert stats.robots_denied == 1
