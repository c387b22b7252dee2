"""What the presets of the papers leave out, on pages made for it."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import paberki
from corpora import article
from paberki.corpus import Corpus

JAPANESE = "<p>今日は良い天気です。公園で犬が走るのを見ました。</p>" * 20
CHINESE = "<p>今天天气很好，我们在公园里看到很多孩子和狗，大家都很高兴。</p>" * 20
ENGLISH = "<p>The weather in the town was fine today, and guests came from all over the country.</p>" * 20
FILLING = "<!--" + "x" * 60_000 + "-->"


def _record(name: str, body: bytes, *, mime: str = "text/html", warc: str = "", http: str = "") -> bytes:
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: {mime}; charset=utf-8\r\n{http}\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://www.primjer.hr/{name}\r\n{warc}"
        f"WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Record-ID: <urn:uuid:{name}>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + answer + b"\r\n\r\n")


def _reasons(corpus: Corpus) -> dict[str, str | None]:
    corpus.build()
    _, rows = corpus.sql("select url, reason from pages")
    return {url.rpartition("/")[2]: reason for url, reason in rows}


def test_cut_and_damaged_pages_and_files_for_programs(tmp_path: Path, corpus: Callable[..., Corpus]) -> None:
    page = (article(1, 12) + FILLING).encode()
    other = (article(2, 12) + FILLING).encode()
    feed = b"<?xml version='1.0'?><rss><channel><title>Vijesti</title></channel></rss>" + FILLING.encode()
    archive = tmp_path / "pages.warc.gz"
    archive.write_bytes(
        _record("fine", page)
        + _record("cut", other, warc="WARC-Truncated: length\r\n")
        + _record("short", other, http="Content-Length: 500000\r\n")
        + _record("fffd", article(3, 12).replace("grad", "gra\ufffd").encode() + FILLING.encode())
        + _record("control", article(4, 12).replace("grad", "gra\x81").encode() + FILLING.encode())
        + _record("robots.txt", b"User-agent: *\nDisallow: /x\n" + b"# x\n" * 20_000, mime="text/plain")
        + _record("feed", feed)
    )
    made = corpus(archive, preset="hrwac2011")
    reasons = _reasons(made)
    assert {name: reasons[name] for name in ("cut", "short", "fffd", "control", "robots.txt", "feed")} == {
        "cut": "truncated",
        "short": "truncated",
        "fffd": "bad-encoding",
        "control": "bad-encoding",
        "robots.txt": "not-a-page",
        "feed": "not-a-page",
    }
    assert reasons["fine"] is None
    _, languages = made.sql("select url from pages where lang is not null")
    assert not [url for (url,) in languages if url.endswith(("robots.txt", "feed"))]


def test_japanese_pages_are_selected(tmp_path: Path) -> None:
    archive = tmp_path / "pages.warc.gz"
    pages = {"ja": JAPANESE.encode(), "zh": CHINESE.encode(), "en": ENGLISH.encode()}
    archive.write_bytes(b"".join(_record(name, body) for name, body in pages.items()))
    made = paberki.new(tmp_path / "corpus", preset="tsubaki2008")
    assert made.recipe.lang == ("ja",)
    made.add([archive])
    assert _reasons(made) == {"ja": None, "zh": "not-japanese", "en": "not-japanese"}
