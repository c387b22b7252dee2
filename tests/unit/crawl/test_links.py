from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.crawl.links import links

URL = "http://a.hr/dir/page"


def found(html: str | bytes, **options: object) -> list[str]:
    page = html.encode() if isinstance(html, str) else html
    return links(page, URL, **options)  # type: ignore[arg-type]


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
        ('<link rel=alternate type="application/rss+xml" href=feed>', []),
        ('<!-- <a href="no"> --><a href="x">', ["http://a.hr/dir/x"]),
        ('<!--><a href="x">', ["http://a.hr/dir/x"]),
        ("<script>'<a href=\"no\">'</script><a href=x>", ["http://a.hr/dir/x"]),
        ('<abbr href="no"><address href="no">', []),
        ('<a href="mailto:x@a.hr"><a href="javascript:void(0)"><a href="#top">', [URL]),
        ('<a href="x"><a href="x#a">', ["http://a.hr/dir/x"]),
        ('<a href="čevapi">', ["http://a.hr/dir/%C4%8Devapi"]),
        ('<a href="&ccaron;">', ["http://a.hr/dir/%C4%8D"]),
        ('<a href="x" <a href="y">', ["http://a.hr/dir/x", "http://a.hr/dir/y"]),
    ],
)
def test_links(html: str, targets: list[str]) -> None:
    assert found(html) == [t if t.startswith("http") else f"http://a.hr/dir/{t}" for t in targets]


def test_letters_in_other_encodings() -> None:
    html = '<a href="/šuma">'.encode("cp1250")
    assert found(html, charset="windows-1250") == ["http://a.hr/%C5%A1uma"]
    assert found(b'<meta charset="windows-1250">' + html) == ["http://a.hr/%C5%A1uma"]
    assert found(html, charset="no-such-charset") == ["http://a.hr/%C5%A1uma"]


def test_meta_for_our_own_name() -> None:
    html = '<meta name="Paberki" content="nofollow"><a href="x">'
    assert found(html, robot="paberki") == []
    assert found(html, robot="other") == ["http://a.hr/dir/x"]


def test_at_most_so_many() -> None:
    assert len(found("".join(f'<a href="{i}">' for i in range(5000)), limit=3000)) == 3000


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
    "less than": b"<" * 3_000_000,
    "refresh": b'<meta http-equiv=refresh content="' + b" " * 4000 + b'">' + b"<meta content=';;;;" * 100_000,
    "quote far away": (b'<a "' + b"x" * 4000) * 700,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pages_take_linear_time(kind: str) -> None:
    start = time.process_time()
    found(HOSTILE[kind])
    assert time.process_time() - start < 2.0


@given(st.binary(max_size=300), st.sampled_from([None, "utf-8", "utf-16", "idna", "base64"]))
def test_never_fails(page: bytes, charset: str | None) -> None:
    assert all(url.startswith("http") for url in found(b"<a href=" + page, charset=charset))
