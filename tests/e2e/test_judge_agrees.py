"""The cheap judge inside the crawl against what a build keeps, over all pages of the mini-web."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

import paberki
from paberki.archive.warc_writer import WarcWriter
from paberki.crawl.reading.page_reading import read
from paberki.demo.responses import SiteResponses
from paberki.demo.world import world

LEAST_AGREEMENT = 0.88
"""Sections and home pages are the difference: their teasers are text to the build, and no reason to crawl to the judge."""


@pytest.fixture(scope="module")
def answers() -> dict[str, tuple[str, bytes]]:
    """URL -> Content-Type and body of every HTML page."""
    sites = world()
    web = SiteResponses(sites, lambda host, path: f"http://{host}{path}")
    found = {}
    for host, site in sites.items():
        for path in site.pages:
            answer = web.answer(host, path)
            kind = answer.headers.get("Content-Type", "text/html")
            if answer.status == 200 and kind.startswith("text/html"):
                found[f"http://{host}{path}"] = (kind, answer.body)
    return found


@pytest.mark.slow
def test_the_judge_agrees_with_the_build(answers: dict[str, tuple[str, bytes]], tmp_path: Path) -> None:
    archive = tmp_path / "pages.warc.gz"
    with WarcWriter(archive) as writer:
        for url, (kind, body) in answers.items():
            head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            writer.write(
                "response",
                url=url,
                date="2026-11-01T00:00:00Z",
                content_type="application/http; msgtype=response",
                block=head + body,
            )
    languages = ("hr", "sr", "ja")
    corpus = paberki.new(tmp_path / "corpus", lang=languages)
    corpus.add([archive])
    corpus.build(jobs=2)
    verdicts = _verdicts(corpus.root)
    differing = {}
    for url, (kind, body) in answers.items():
        good = read(body, url=url, content_type=kind, languages=languages, agent="paberki").good
        # A second copy is left out of the corpus, but not for what is in it.
        keep, reason = verdicts[url]
        if good != (keep or reason == "duplicate"):
            differing[url] = (good, reason)
    assert len(answers) > 500
    assert len(differing) <= (1 - LEAST_AGREEMENT) * len(answers), differing


def _verdicts(root: Path) -> dict[str, tuple[bool, str | None]]:
    urls = [
        url for path in sorted(root.glob("layers/archive/*.parquet")) for url in pq.read_table(path)["url"].to_pylist()
    ]
    rows = [pq.read_table(path, columns=["keep", "reason"]) for path in sorted(root.glob("layers/select/*.parquet"))]
    pairs = [
        pair for table in rows for pair in zip(table["keep"].to_pylist(), table["reason"].to_pylist(), strict=True)
    ]
    return dict(zip(urls, pairs, strict=True))
