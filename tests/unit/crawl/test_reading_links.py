from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.crawl.reading.links import header_links
from paberki.crawl.reading.page_reading import LINKS_LIMIT, PageReading, looks_like_html, read
from paberki.web.rights import Policy

URL = "http://a.hr/dir/page"


def page(html: str | bytes, *, content_type: str = "text/html", agent: str = "paberki") -> PageReading:
    body = html.encode() if isinstance(html, str) else html
    return read(body, url=URL, content_type=content_type, languages=(), agent=agent)


def found(html: str | bytes, **options: str) -> list[str]:
    """What a crawler with the default policy would follow."""
    reading = page(html, **options)
    return reading.links if Policy().follows(reading.signals) else []


@pytest.mark.parametrize(
    ("html", "targets"),
    [
        ('<a href="x">', ["http://a.hr/dir/x"]),
        ("<a href='x'>", ["http://a.hr/dir/x"]),
        ("<a href=x>", ["http://a.hr/dir/x"]),
        ("<A\nHREF = /X >", ["http://a.hr/X"]),
        ('<a class="a>b" href="x">', ["http://a.hr/dir/x"]),
        ("<a title='href=\"no\"' href=x>", ["http://a.hr/dir/x"]),
        ('<a data-href="no" href="x">', ["http://a.hr/dir/x"]),
        ('<a href="x" href="no">', ["http://a.hr/dir/x"]),
        ('<a href="x?a=1&amp;b=2&#38;c=3">', ["http://a.hr/dir/x?a=1&b=2&c=3"]),
        ('<area href="x"><frame src="f"><iframe src="i">', ["x", "f", "i"]),
        ('<base href="/base/"><a href="x">', ["http://a.hr/base/x"]),
        ('<a href="x"><base href="http://b.hr/">', ["http://b.hr/x"]),
        ('<base href="/one/"><base href="/two/"><a href="x">', ["http://a.hr/one/x"]),
        ('<a rel="nofollow" href="x">', ["http://a.hr/dir/x"]),
        ('<meta name="robots" content="index, NOFOLLOW"><a href="x">', []),
        ('<a href="x"><meta name=ROBOTS content=none>', []),
        ('<meta name="other" content="nofollow"><a href="x">', ["http://a.hr/dir/x"]),
        ('<meta http-equiv="Refresh" content="0; URL=/new">', ["http://a.hr/new"]),
        ('<link rel="stylesheet" href="x.css"><link rel="next" href="n">', ["http://a.hr/dir/n"]),
        ('<link rel=alternate type="application/rss+xml" href=feed>', ["http://a.hr/dir/feed"]),
        ('<link rel=alternate type="application/json+oembed" href=oembed>', []),
        ('<link rel=alternate hreflang=sl href=/sl/><link rel="shortcut icon" href=i.ico>', ["http://a.hr/sl/"]),
        (
            '<meta http-equiv=refresh content="5;/plain"><meta http-equiv=refresh content=\'0;url="/q"\'>',
            ["/plain", "/q"],
        ),
        ('<![CDATA[ <a href="no"> <a href="no2"> ]]><a href="x">', ["http://a.hr/dir/x"]),
        ('<![CDATA[ <a href="no"> <a href="x">', ["http://a.hr/dir/x"]),
        ("<SCRIPT>document.write('<a href=no>')</Script ><a href=x>", ["http://a.hr/dir/x"]),
        ("<style>a{}<a href=no></style><textarea><a href=no></textarea><a href=x>", ["http://a.hr/dir/x"]),
        ("<script>var s = '</scripts>'; '<a href=no>'</script><a href=x>", ["http://a.hr/dir/x"]),
        ("<noscript><a href=x></noscript>", ["http://a.hr/dir/x"]),
        ('<a href="x?a=1&copy=2&reg=3">', ["http://a.hr/dir/x?a=1&copy=2&reg=3"]),
        ('<a href="x?a=&lt;1&gt;">', ["http://a.hr/dir/x?a=%3C1%3E"]),
        ('<a href="&#104;ttp://b.hr/&#x61;">', ["http://b.hr/a"]),
        ('<a href="\n  x\ty \n">', ["http://a.hr/dir/xy"]),
        ("<a href>text</a><a href=''>text</a>", []),
        ("<a class=one href=/two>", ["http://a.hr/two"]),
        ("<a class='b'href='c'>", ["http://a.hr/dir/c"]),
        ('<a\tid=i\nhref\n=\n"x"\n>', ["http://a.hr/dir/x"]),
        ("<title><a href=no></title><a/href=x>", ["http://a.hr/dir/x"]),
        ("<A HREF=x><iFrAmE sRc=y><MeTa HTTP-EQUIV=refresh content='1;url=z'>", ["x", "y", "z"]),
        ("<svg><a href=x></a></svg><map><area alt='' href=y></map><noframes><a href=z></noframes>", ["x", "y", "z"]),
        ('<a title="1 < 2 > 0" href="x">', ["http://a.hr/dir/x"]),
        ("<a href=x/>", ["http://a.hr/dir/x/"]),
        ('<a href="x"/>', ["http://a.hr/dir/x"]),
        ('<a onclick=\'go("<b>")\' href="x">', ["http://a.hr/dir/x"]),
        ('<a href="\\up\\x">', ["http://a.hr/up/x"]),
        ('<a href="//b.hr">', ["http://b.hr/"]),
        ('<a href="http:x">', ["http://a.hr/dir/x"]),
        ("<AREA SHAPE=rect HREF='x'>", ["http://a.hr/dir/x"]),
        ('<!-- <a href="no"> --><a href="x">', ["http://a.hr/dir/x"]),
        ('<!--><a href="x">', ["http://a.hr/dir/x"]),
        ("<script>'<a href=\"no\">'</script><a href=x>", ["http://a.hr/dir/x"]),
        ('<abbr href="no"><address href="no">', []),
        ('<a href="mailto:x@a.hr"><a href="javascript:void(0)"><a href="#top">', []),
        ('<a href="x"><a href="x#a">', ["http://a.hr/dir/x"]),
        ('<a href="čevapi">', ["http://a.hr/dir/%C4%8Devapi"]),
        ('<a href="&ccaron;">', ["http://a.hr/dir/%C4%8D"]),
        ('<a href="x" <a href="y">', ["http://a.hr/dir/x", "http://a.hr/dir/y"]),
    ],
)
def test_links(html: str, targets: list[str]) -> None:
    assert found(html) == [
        t if t.startswith("http") else f"http://a.hr{'' if t[0] == '/' else '/dir/'}{t}" for t in targets
    ]


def test_letters_in_other_encodings() -> None:
    html = '<a href="/šuma">'.encode("cp1250")
    assert found(html, content_type="text/html; charset=windows-1250") == ["http://a.hr/%C5%A1uma"]
    assert found(b'<meta charset="windows-1250">' + html) == ["http://a.hr/%C5%A1uma"]
    assert found(html, content_type="text/html; charset=no-such-charset") == ["http://a.hr/%C5%A1uma"]


def test_a_query_is_sent_in_the_encoding_of_its_page() -> None:
    html = '<meta charset="windows-1250"><a href="/šuma?q=šuma&amp;a=1#š">'.encode("cp1250")
    assert found(html) == ["http://a.hr/%C5%A1uma?q=%9Auma&a=1"]


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig", "shift_jis", "euc-jp"])
def test_pages_in_wide_encodings(codec: str) -> None:
    html = "<html><body><p>" + "日本語の文章です。" * 20 + '</p><a href="x">日本</a></body></html>'
    assert found(html.encode(codec)) == ["http://a.hr/dir/x"]


def test_meta_for_our_own_name() -> None:
    html = '<meta name="Paberki" content="nofollow"><a href="x">'
    assert found(html, agent="paberki") == []
    assert found(html, agent="other") == ["http://a.hr/dir/x"]


def test_canonical_and_feeds() -> None:
    reading = page(
        '<link rel="canonical" href="/real?utm_source=x"><link rel="alternate" type="application/atom+xml" href="/atom">'
        '<base href="http://a.hr/b/"><a href="x">'
    )
    assert reading.canonical == "http://a.hr/real"
    assert reading.feeds == ["http://a.hr/atom"]
    assert reading.links == ["http://a.hr/real", "http://a.hr/atom", "http://a.hr/b/x"]


def test_signals_of_meta_elements() -> None:
    reading = page(
        '<meta name="robots" content="noai, noimageai"><meta content=1 name=tdm-reservation>'
        "<meta name='tdm-policy' content='https://a.hr/p'><meta name=description content='noindex'>"
    )
    assert list(map(str, reading.signals)) == [
        "meta:noai",
        "meta:noimageai",
        "meta:tdm-reservation=1",
        "meta:tdm-policy=https://a.hr/p",
    ]


def test_at_most_so_many() -> None:
    assert len(found("".join(f'<a href="{i}">' for i in range(5000)))) == LINKS_LIMIT


def test_html_by_its_first_bytes() -> None:
    for head in (b"<!DOCTYPE html>", b"\xef\xbb\xbf\n <HTML>", b"<!-- x --><html>", b"<?xml version='1.0'?><html>"):
        assert looks_like_html(head)
    for head in (b"", b"%PDF-1.4", b"GIF89a", b"plain text < 3", b"{}", b"<?xml version='1.0'?><rss>", b"\x1f\x8b"):
        assert not looks_like_html(head)


HOSTILE = {
    "open tags": b"<a " * 1_000_000,
    "open quotes": b'<a "' * 700_000,
    "mixed quotes": b"<a \"<a '" * 400_000,
    "one long tag": b"<a " + b"x" * 3_000_000,
    "long spaces": b"<a href" + b" " * 3_000_000,
    "many attributes": b"<a " + b"x=y " * 700_000,
    "names and equals": b"<a " + b"=x " * 900_000,
    "comments": b"<!--" * 700_000,
    "closed comments": b"<!-- -->" * 400_000,
    "scripts": b"<script>" * 400_000,
    "nested": b"<div>" * 600_000,
    "cdata": b"<![CDATA[" * 300_000,
    "empty scripts": b"<script></script>" * 150_000,
    "long runs": (b"<b>" + b"x" * 30) * 90_000,
    "inline nesting": b"<p>" + b"<b>word and more words to come " * 90_000,
    "nested anchors": b"<a href=x><p>Linked text that goes on for ever. " * 60_000,
    "entities": b"<p>" + b"&amp" * 700_000 + b".</p>",
    "ampersands": b'<a href="' + b"&" * 3_000_000 + b'">',
    "meta names": b"<meta name=robots content='" + b"noindex," * 300_000 + b"'>",
    "many metas": b"<meta name=robots content=noindex>" * 90_000,
    "closing text": b"<p>" + b"A" * 50 + b"</b>" * 600_000,
    "less than": b"<" * 3_000_000,
    "refresh": b'<meta http-equiv=refresh content="' + b" " * 4000 + b'">' + b"<meta content=';;;;" * 100_000,
    "quote far away": (b'<a "' + b"x" * 4000) * 700,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pages_take_linear_time(kind: str) -> None:
    start = time.process_time()
    found(HOSTILE[kind])
    assert time.process_time() - start < 2.0


@given(st.binary(max_size=300), st.sampled_from(["", "utf-8", "utf-16", "idna", "base64"]))
def test_never_fails(body: bytes, charset: str) -> None:
    for beginning in (
        b"<a href=",
        b"<meta name=robots content=",
        b"<p>Text that",
        b"<link rel=next href='",
        b"\xff\xfe",
    ):
        reading = page(beginning + body, content_type=f"text/html; charset={charset}")
        assert all(url.startswith("http") for url in reading.links)


def test_links_of_a_header() -> None:
    field = '</a>; rel="canonical", <b.css>; rel=preload, <//c.hr/d>;title="x, y";REL=next, <e>; rel=alternate; type=application/rss+xml'
    found = header_links(field, "http://a.hr/x/y")
    assert found.links == ["http://a.hr/a", "http://c.hr/d", "http://a.hr/x/e"]
    assert (found.canonical, found.feeds) == ("http://a.hr/a", ["http://a.hr/x/e"])
    assert header_links("<" * 10**6 + '"' * 10**6, "http://a.hr/").links == []
