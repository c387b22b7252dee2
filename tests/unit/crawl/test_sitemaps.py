from __future__ import annotations

import gzip
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.web.sitemaps import MAX_BYTES, MAX_URLS, read_feed, read_sitemap

URL = "http://a.hr/maps/sitemap.xml"


def pages(body: str | bytes) -> list[tuple[str, str | None]]:
    return read_sitemap(body.encode() if isinstance(body, str) else body, url=URL).pages


def test_sitemap() -> None:
    body = """<?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
      <url><loc> http://a.hr/1?x=1&amp;y=2#z </loc><lastmod>2024-05-01</lastmod><priority>0.8</priority>
        <image:image><image:loc>http://a.hr/picture.jpg</image:loc></image:image></url>
      <url><loc><![CDATA[http://a.hr/2?a&b]]></loc></url>
      <url><lastmod>2020</lastmod></url>
      <!-- <url><loc>http://a.hr/hidden</loc></url> -->
      <url><loc>/relative</loc></url><url><loc>ftp://a.hr/x</loc></url><url><loc>http://a.hr/1?x=1&amp;y=2</loc></url>
    </urlset>"""
    assert pages(body) == [
        ("http://a.hr/1?x=1&y=2", "2024-05-01"),
        ("http://a.hr/2?a&b", None),
        ("http://a.hr/relative", None),
    ]


def test_index_of_sitemaps() -> None:
    body = (
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>http://a.hr/1.xml.gz</loc>'
        "<lastmod>2024</lastmod></sitemap><sitemap><loc>http://a.hr/2.xml</loc></sitemap></sitemapindex>"
    )
    found = read_sitemap(body.encode(), url=URL)
    assert found.sitemaps == ["http://a.hr/1.xml.gz", "http://a.hr/2.xml"]
    assert found.pages == []


def test_namespace_prefixes() -> None:
    body = '<sm:urlset xmlns:sm="x"><sm:url><sm:loc>http://a.hr/1</sm:loc></sm:url></sm:urlset>'
    assert pages(body) == [("http://a.hr/1", None)]
    found = read_sitemap(body.replace("urlset", "sitemapindex").replace("sm:url>", "sm:sitemap>").encode(), url=URL)
    assert found.sitemaps == ["http://a.hr/1"]


@pytest.mark.parametrize(
    "body",
    [
        "<urlset><url><loc>http://a.hr/1</loc><url><loc>http://a.hr/2</loc>",
        "\n\n<URLSET><URL><LOC>http://a.hr/1</LOC></URL><url><loc>http://a.hr/2</urlset>",
        '<urlset><url><loc>http://a.hr/1</loc></url>\x00<url bad="><loc>http://a.hr/2</loc></url>',
    ],
)
def test_broken_xml_gives_what_it_can(body: str) -> None:
    assert [url for url, _ in pages(body)] == ["http://a.hr/1", "http://a.hr/2"]


def test_text_sitemaps_and_other_encodings() -> None:
    text = "http://a.hr/1\r\nhttp://a.hr/č\r\n\r\nnot a url\r\nhttps://b.hr/\n"
    found = [("http://a.hr/1", None), ("http://a.hr/%C4%8D", None), ("https://b.hr/", None)]
    assert pages(text) == pages("\ufeff" + text) == pages(text.encode("utf-16")) == found
    assert pages(gzip.compress(text.encode())) == found
    assert pages('<?xml version="1.0"?><urlset><url><loc>http://a.hr/1</loc></url></urlset>'.encode("utf-16"))


def test_feeds() -> None:
    rss = """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>x</title><link>http://a.hr/</link>
    <atom:link href="http://a.hr/feed" rel="self"/>
    <item><title>1</title><link>http://a.hr/1</link><pubDate>Mon, 06 May 2024 10:00:00 GMT</pubDate>
      <description>&lt;a href="http://a.hr/no"&gt;</description></item>
    <item><link><![CDATA[ http://a.hr/2?a=1&b=2 ]]></link></item>
    <item><guid isPermaLink="true">http://a.hr/3</guid></item><item><title>none</title></item></channel></rss>"""
    found = [
        ("http://a.hr/1", "Mon, 06 May 2024 10:00:00 GMT"),
        ("http://a.hr/2?a=1&b=2", None),
        ("http://a.hr/3", None),
    ]
    assert read_feed(rss.encode(), url=URL) == found
    assert read_sitemap(rss.encode(), url=URL).pages == found


def test_atom_and_rdf() -> None:
    atom = """<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://a.hr/"/><updated>2024-01-01</updated>
    <entry><link rel="edit" href="/edit/1"/><link rel='alternate' type='text/html' href='/1?a=1&amp;b=2'/>
      <published>2023-01-01</published><updated>2024-05-05T00:00:00Z</updated></entry>
    <entry><link href="2"/><id>urn:x</id></entry></feed>"""
    assert read_feed(atom.encode(), url=URL) == [
        ("http://a.hr/1?a=1&b=2", "2024-05-05T00:00:00Z"),
        ("http://a.hr/maps/2", None),
    ]
    rdf = """<rdf:RDF xmlns:rdf="x" xmlns="http://purl.org/rss/1.0/" xmlns:dc="y"><channel rdf:about="http://a.hr/rss">
    <items><rdf:Seq><rdf:li resource="http://a.hr/1"/></rdf:Seq></items></channel>
    <item rdf:about="http://a.hr/1"><title>x</title><link>http://a.hr/1</link><dc:date>2003-01-01</dc:date></item></rdf:RDF>"""
    assert read_feed(rdf.encode(), url=URL) == [("http://a.hr/1", "2003-01-01")]
    assert read_sitemap(rdf.encode(), url=URL).pages == [("http://a.hr/1", "2003-01-01")]


def test_what_is_no_list_gives_nothing() -> None:
    for body in (b"", b"<!doctype html><html><a href=http://a.hr/1>", b"\x89PNG", b"{}", b"\x1f\x8b broken"):
        found = read_sitemap(body, url=URL)
        assert (found.pages, found.sitemaps) == ([], [])
        assert read_feed(body, url=URL) == []


def test_entities_are_harmless() -> None:
    bomb = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    body = f"""<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY l0 "lol"><!ENTITY file SYSTEM "file:///etc/passwd">{bomb}]>
    <urlset><url><loc>http://a.hr/&l9;</loc></url><url><loc>http://a.hr/&file;</loc></url><url><loc>http://a.hr/3</loc></url></urlset>"""
    start = time.process_time()
    assert [url for url, _ in pages(body)] == ["http://a.hr/&l9;", "http://a.hr/&file;", "http://a.hr/3"]
    assert time.process_time() - start < 0.5


def test_limits() -> None:
    many = "<urlset>" + "".join(f"<url><loc>http://a.hr/{n}</loc></url>" for n in range(MAX_URLS + 500)) + "</urlset>"
    assert len(pages(many)) == MAX_URLS
    assert len(pages("\n".join(f"http://a.hr/{n}" for n in range(MAX_URLS + 500)))) == MAX_URLS
    zeros = gzip.compress(b"<urlset><url><loc>http://a.hr/1</loc></url>" + b" " * (MAX_BYTES + (1 << 20)), 9)
    assert pages(zeros) == [("http://a.hr/1", None)]


@pytest.mark.parametrize(
    "body",
    [
        b"<urlset>" + b"<url>" * 400_000,
        b"<urlset>" + b"<url><loc>" * 200_000,
        b"<urlset>" + b"<loc " * 400_000,
        b"<urlset><!--" * 200_000,
        b"<!DOCTYPE [" * 200_000,
        b"<rss>" + b"<item><link " * 200_000,
        b"<feed>" + b"<entry" * 300_000,
        b"<urlset><url><loc>" + b" " * 2_000_000,
        b"<a:" * 600_000,
    ],
)
def test_hostile_lists_take_linear_time(body: bytes) -> None:
    start = time.process_time()
    read_sitemap(body, url=URL)
    read_feed(body, url=URL)
    assert time.process_time() - start < 3.0


@given(st.binary(max_size=200))
def test_never_fails(body: bytes) -> None:
    for beginning in (b"", b"<urlset><url><loc>", b"<rss><item><link>", b"\x1f\x8b\x08\x00", b"http://"):
        read_sitemap(beginning + body, url=URL)
        read_feed(beginning + body, url=URL)
