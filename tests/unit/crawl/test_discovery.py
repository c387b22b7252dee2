"""Sitemaps and feeds lead to pages that nothing links to."""

from __future__ import annotations

import gzip
from collections.abc import Callable

from loopback import Answer, Web, page

from corpora import article
from paberki.crawl import CrawlStats

Run = Callable[..., CrawlStats]


def test_sitemaps_of_robots(web: Web, run: Run) -> None:
    index = "<sitemapindex><sitemap><loc>http://a.hr/two.xml.gz</loc></sitemap></sitemapindex>"
    two = "<urlset><url><loc>http://a.hr/hidden?a=1&amp;b=2</loc></url><url><loc>http://b.de/out</loc></url></urlset>"
    web.put("a.hr/robots.txt", Answer("Sitemap: http://a.hr/map.xml\nUser-agent: *\nDisallow: /no", type="text/plain"))
    web.put("a.hr/map.xml", Answer(index, type="application/xml"))
    web.put("a.hr/two.xml.gz", Answer(gzip.compress(two.encode()), type="application/gzip"))
    web.put("a.hr/", page())
    web.put("a.hr/hidden?a=1&b=2", page())
    stats = run("a.hr", tld=("hr",))
    assert set(web.paths("a.hr")) == {"/", "/map.xml", "/two.xml.gz", "/hidden?a=1&b=2"}
    assert stats.requests == 2


def test_feeds_of_pages(web: Web, run: Run) -> None:
    feed = "<rss><channel><item><link>http://a.hr/news</link></item></channel></rss>"
    web.put("a.hr/", Answer("<link rel=alternate type=application/rss+xml href=/feed><p>x"))
    web.put("a.hr/feed", Answer(feed, type="application/rss+xml"))
    web.put("a.hr/news", page())
    run("a.hr")
    assert set(web.paths("a.hr")) == {"/", "/feed", "/news"}
    assert len(web.asked) == 3


def test_a_feed_for_each_page_is_not_read_for_each(web: Web, run: Run) -> None:
    web.put("a.hr/", page(*(f"/p/{i}" for i in range(40))))
    for i in range(40):
        link = f"<link rel=alternate type=application/rss+xml href=/p/{i}/feed>"
        web.put(f"a.hr/p/{i}", Answer(article(i).replace("<head>", f"<head>{link}")))
        web.put(f"a.hr/p/{i}/feed", Answer("<rss><channel></channel></rss>", type="application/rss+xml"))
    run("a.hr", languages=("hr",))
    assert len([path for path in web.paths("a.hr") if path.endswith("/feed")]) <= 8
    assert len([path for path in web.paths("a.hr") if path.startswith("/p/") and "feed" not in path]) == 40
