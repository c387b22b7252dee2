"""Robots files, site maps and feeds are no pages, whatever type they are served as."""

from __future__ import annotations

import numpy as np
import pytest

from paberki.extraction import extract_stage
from paberki.extraction.about.not_pages import is_page
from paberki.extraction.learned.block_classifier import LearnedConfig
from paberki.extraction.methods.tagpath import TagPathConfig
from paberki.store.batch import Batch

FEED = "<?xml version='1.0'?>\n<!-- made by hand --><rss version='2.0'><channel><title>Vijesti</title></channel></rss>"
MAP = "\ufeff<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url/></urlset>"
PAGE = "<!doctype html><html><p>Danas je u gradu bilo lijepo vrijeme.</p></html>"


@pytest.mark.parametrize(
    ("url", "mime", "text", "page"),
    [
        ("http://a.hr/robots.txt", "text/plain", "User-agent: *\nDisallow: /x", False),
        ("http://a.hr/robots.txt?x=1", "text/html", "User-agent: *", False),
        ("http://a.hr/ai.txt", "text/plain", "x", False),
        ("http://a.hr/.well-known/tdmrep.json", "text/html", "[]", False),
        ("http://a.hr/blog/robots.txt", "text/plain", "O datoteci robots.txt", True),
        ("http://a.hr/feed", "text/html", FEED, False),
        ("http://a.hr/feed", "application/xml", FEED, False),
        ("http://a.hr/feed", None, "<feed xmlns='http://www.w3.org/2005/Atom'></feed>", False),
        ("http://a.hr/sitemap", "text/xml", MAP, False),
        ("http://a.hr/data", "text/xml", "<items><item>x</item></items>", False),
        ("http://a.hr/p", "text/xml", "<?xml version='1.0'?>" + PAGE, True),
        ("http://a.hr/p", "application/xhtml+xml", PAGE, True),
        ("http://a.hr/p", "text/html", PAGE, True),
        ("http://a.hr/p", "text/html", "<p>Tekst bez korijena", True),
        ("http://[::1/robots.txt", "text/plain", "x", True),
        (None, None, "", True),
    ],
)
def test_pages_are_for_people(url, mime, text, page):
    assert is_page(url, mime, text) is page


@pytest.mark.parametrize("run", [lambda b: extract_stage.extract_tagpath(b, TagPathConfig()), lambda b: extract_stage.extract_learned(b, LearnedConfig())])  # fmt: skip
def test_they_have_no_blocks(run):
    values = {
        "payload": [FEED.encode(), PAGE.encode()],
        "decoded": [FEED, PAGE],
        "decode.encoding": ["utf-8"] * 2,
        "archive.mime": ["text/html"] * 2,
        "archive.url": ["http://a.hr/feed", "http://a.hr/p"],
    }
    found = dict(run(Batch(np.arange(2), {}, values=values)))
    blocks = found["blocks"].to_pylist()
    assert blocks[0] is None
    assert len(blocks[1]) == 1
    counts = found["char_count"]
    assert (counts if isinstance(counts, list) else counts.to_pylist())[0] is None


def test_a_long_prologue_takes_no_time():
    assert is_page("http://a.hr/", "text/html", "<!--" * 100_000)
