from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.crawl.crawl_config import CrawlConfig
from paberki.errors import ConfigError
from paberki.web.scope import HostScope
from paberki.web.urls import (
    _by_the_standard,
    home_page,
    host_of,
    hostname_of,
    looks_binary,
    normalise,
    origin_of,
    path_of,
    repeats_segments,
    seed_url,
    template,
    url_key,
)


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("HTTP://WWW.Example.HR:80/a/../b/./c#top", "http://www.example.hr/b/c"),
        ("https://example.hr:443", "https://example.hr/"),
        ("https://example.hr:8443/x", "https://example.hr:8443/x"),
        ("http://user:secret@example.hr/", "http://example.hr/"),
        ("http://example.hr./", "http://example.hr/"),
        ("http://example.hr/%7euser/%c4%8d", "http://example.hr/~user/%C4%8D"),
        ("http://example.hr/?", "http://example.hr/"),
        ("http://šibenik.hr/č", "http://xn--ibenik-9jb.hr/%C4%8D"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
        ("http://example.hr/a%2fb%2Ec%zz%", "http://example.hr/a%2Fb.c%zz%"),
        ("http://example.hr/%2e%2E/a/%2e/b/..", "http://example.hr/a/"),
        ("http://example.hr/a b\"<>`{}|[]^'", "http://example.hr/a%20b%22%3C%3E%60%7B%7D%7C%5B%5D%5E'"),
        ("http://example.hr/a?b=|[]{}\\^` \"'", "http://example.hr/a?b=%7C%5B%5D%7B%7D%5C%5E%60%20%22%27"),
        ("http://example.hr/?b=2&a=1&a=&c", "http://example.hr/?b=2&a=1&a=&c"),
        ("http://example.hr/a//b/", "http://example.hr/a//b/"),
        ("http://www.example.hr/A", "http://www.example.hr/A"),
        ("https://example.hr:80/", "https://example.hr:80/"),
        ("http://example.hr:/x", "http://example.hr/x"),
        ("http://example.hr:080/x", "http://example.hr/x"),
        ("  http://example.hr/x\n", "http://example.hr/x"),
        ("ht\ntp://exam\tple.hr/\r\nx", "http://example.hr/x"),
        ("\x00 http://example.hr/x \x1f", "http://example.hr/x"),
        ("http:\\\\example.hr\\x", "http://example.hr/x"),
        ("http:/example.hr/x", "http://example.hr/x"),
        ("http:example.hr/x", "http://example.hr/x"),
        ("http:////example.hr/x", "http://example.hr/x"),
        ("http://EXAMPLE%2Ehr/", "http://example.hr/"),
        ("http://xn--ibenik-9jb.hr/", "http://xn--ibenik-9jb.hr/"),
        ("http://ŠIBENIK.hr/", "http://xn--ibenik-9jb.hr/"),
        ("http://日本語.jp/", "http://xn--wgv71a119e.jp/"),
        ("http://faß.de/", "http://xn--fa-hia.de/"),
        ("http://example。hr/", "http://example.hr/"),
        ("http://0177.0.0.1/", "http://127.0.0.1/"),
        ("http://127.1/", "http://127.0.0.1/"),
        ("http://１２７.０.０.１/", "http://127.0.0.1/"),
        ("http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/"),
        ("http://[0:0::1]:80/", "http://[::1]/"),
        ("http://a@b@example.hr/", "http://example.hr/"),
        ("http://example.hr\\@evil.hr/", "http://example.hr/@evil.hr/"),
        ("http://example.hr#@evil.hr/", "http://example.hr/"),
        ("http://example.hr?@evil.hr/", "http://example.hr/?@evil.hr/"),
        ("http://example.hr/?x=1#?y=2", "http://example.hr/?x=1"),
        ("http://256.1.1.1/", None),
        ("http://1.2.3.4.5/", None),
        ("http://exa%00mple.hr/", None),
        ("http://a..hr/", None),
        ("http://" + "a" * 64 + ".hr/", None),
        ("http://[::1/", None),
        ("http://example.hr:99999/", None),
        ("http://./", None),
        ("https://", None),
        ("http:", None),
        ("", None),
        ("//example.hr/", None),
        ("/x", None),
        ("HTTPS:x", "https://x/"),
        ("data:text/html,<a>", None),
        ("JaVaScRiPt:void(0)", None),
        ("blob:http://example.hr/x", None),
        ("view-source:http://example.hr/", None),
        ("ftp://example.hr/", None),
        ("mailto:a@example.hr", None),
        ("javascript:alert(1)", None),
        ("http://", None),
        ("http://exa mple.hr/", None),
        ("http://example.hr/" + "a" * 2000, None),
    ],
)
def test_normalise(link: str, url: str | None) -> None:
    assert normalise(link) == url


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("/a;jsessionid=0A1B2C3D", "/a"),
        ("/a;JSESSIONID=0A1B.node1?x=1", "/a?x=1"),
        ("/a;v=1?x=1", "/a;v=1?x=1"),
        ("/a?PHPSESSID=0123456789abcdef0123456789abcdef", "/a"),
        ("/a?x=1&phpsessid=abc&y=2", "/a?x=1&y=2"),
        ("/a?sid=0123456789abcdef0123456789abcdef&x=1", "/a?x=1"),
        ("/a?sid=12", "/a?sid=12"),
        ("/a?sid=20240517", "/a?sid=20240517"),
        ("/a?sid=a1b2c3d4", "/a"),
        ("/a?sid=5f4dcc3b5aa765d61d8327de", "/a?sid=5f4dcc3b5aa765d61d8327de"),
        ("/a?s=a1b2c3d4", "/a?s=a1b2c3d4"),
        ("/a?sid=rat-u-kosovu", "/a?sid=rat-u-kosovu"),
        ("/a?s=0123456789abcdef0123456789abcdef", "/a"),
        ("/a?s=pretraga", "/a?s=pretraga"),
        ("/a?id=0123456789abcdef0123456789abcdef", "/a?id=0123456789abcdef0123456789abcdef"),
        ("/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "/a.aspx"),
        ("/(sub)/a", "/(sub)/a"),
        ("/a?ASPSESSIONIDQQRTABCD=X&b", "/a?b"),
        ("/a?utm_source=x&utm_medium=y", "/a"),
        ("/a?UTM_Source=x&id=1&fbclid=z", "/a?id=1"),
        ("/a?gclid=1;b=2", "/a?b=2"),
        ("/a?b=2;gclid=1;c=3", "/a?b=2;c=3"),
        ("/a?gclid", "/a"),
        ("/a?gclidx=1", "/a?gclidx=1"),
        ("/a?autm_source=1", "/a?autm_source=1"),
        ("/a?next=/b%3Futm_source%3Dx", "/a?next=/b%3Futm_source%3Dx"),
        ("/a?ref=b&page=2&lang=hr", "/a?ref=b&page=2&lang=hr"),
        ("/a?&&x=1&", "/a?&&x=1&"),
        ("/a?utm_source=1&&x", "/a?&x"),
    ],
)
def test_bookkeeping_goes_and_nothing_else(link: str, url: str) -> None:
    assert normalise(f"http://example.hr{link}") == f"http://example.hr{url}"
    assert normalise(link, "http://example.hr/x/y") == f"http://example.hr{url}"


@pytest.mark.parametrize(
    ("link", "path"),
    [
        ("c", "/a/c"),
        ("c/", "/a/c/"),
        ("../c", "/c"),
        ("../../../c", "/c"),
        ("./c/./d/../e", "/a/c/e"),
        ("c/../../d", "/d"),
        (".", "/a/"),
        ("..", "/"),
        ("", "/a/b?q=1"),
        ("#x", "/a/b?q=1"),
        ("?", "/a/b"),
        ("?x", "/a/b?x"),
        ("?x=../y", "/a/b?x=../y"),
        ("/c?x#y", "/c?x"),
        ("http:c", "/a/c"),
        ("HTTP:/c", "/c"),
        ("c:d", None),
        ("./c:d", "/a/c:d"),
        ("c%3Ad", "/a/c%3Ad"),
        ("\\c", "/c"),
        ("/c/%7Ed", "/c/~d"),
        ("c.html", "/a/c.html"),
        (".c", "/a/.c"),
        ("c/.d", "/a/c/.d"),
        ("c..d/e..", "/a/c..d/e.."),
    ],
)
def test_joins(link: str, path: str | None) -> None:
    assert normalise(link, "http://example.hr/a/b?q=1") == (f"http://example.hr{path}" if path else None)


def test_joins_as_browsers_do() -> None:
    base = "http://example.hr/a/b?q=1"
    assert normalise("c", base) == "http://example.hr/a/c"
    assert normalise("?x=2", base) == "http://example.hr/a/b?x=2"
    assert normalise("//other.hr/d", base) == "http://other.hr/d"
    assert normalise(" \n/e f ", base) == "http://example.hr/e%20f"
    assert normalise("#top", base) == base


_PIECES = st.sampled_from(
    [
        *"/?#&;=.:@%[]|\\ ",
        "..",
        "/./",
        "%2e",
        "%2F",
        "%41",
        "a",
        "č",
        "http://",
        "https:",
        "www.a.hr",
        ";jsessionid=1",
        "(S(abcdefgh))",
    ]
    + ["utm_source=x", "PHPSESSID=1", "sid=0123456789abcdef", "xn--", "127.1", "\t", "\n", ":80", "//", "user@"]
)
_LINKS = st.text(max_size=60) | st.lists(_PIECES, max_size=12).map("".join)


@given(_LINKS)
def test_normalising_twice_changes_nothing(text: str) -> None:
    for base in ("http://example.hr/a/b", None):
        url = normalise(text, base)
        if url is not None:
            assert normalise(url) == url
            assert normalise(url, "https://other.hr/x") == url
            assert origin_of(url) + path_of(url) == url
            assert url.startswith(("http://", "https://"))
            assert url.isascii()
            assert host_of(url)
            assert template(url)
            assert 0 <= url_key(url) < 2**64
            assert home_page(url) == origin_of(url) + "/"


@given(
    st.lists(
        st.sampled_from([*"abz09-._~!$&'()*+,=:@/%?#", "%41", "%C4%8D", "%2F", "..", "utm_source=1"]), max_size=14
    ).map("".join)
)
def test_the_quick_way_gives_the_same_as_the_standard(rest: str) -> None:
    for link in (f"http://example.hr/{rest}", f"http://www.example.hr{rest}", rest, "/" + rest, f"//b.hr/{rest}"):
        for base in ("http://example.hr/a/b?q=1", "https://example.hr/"):
            assert normalise(link, base) == _by_the_standard(link, base, "utf-8")


@pytest.mark.parametrize("encoding", ["cp1250", "shift_jis", "utf-16", "no-such-thing"])
def test_queries_in_the_encoding_of_the_page(encoding: str) -> None:
    url = normalise("/š?q=š&r=日#š", "http://a.hr/", encoding=encoding)
    assert url is not None
    assert url.startswith("http://a.hr/%C5%A1?q=")
    if encoding == "cp1250":
        assert url == "http://a.hr/%C5%A1?q=%9A&r=%26%2326085%3B"


def test_parts() -> None:
    assert hostname_of("http://[::1]:8080/x") == "::1"
    assert hostname_of("https://a.hr:99/x") == "a.hr"
    assert host_of("https://a.hr:99/x") == "a.hr:99"
    assert origin_of("https://a.hr:99/x?y") == "https://a.hr:99"
    assert path_of("https://a.hr:99/x?y") == "/x?y"
    assert seed_url("example.hr") == "http://example.hr/"


def test_templates() -> None:
    assert template("http://a.hr/2024/05/17/kisa-nad-zagrebom.html?b=1&a=2") == "/0/0/0/-.html?a&b"
    assert template("http://a.hr/") == "/"
    same = [
        ("/cal?y=1&m=2", "/cal?m=12&y=2011"),
        ("/clanak/123", "/clanak/4567"),
        ("/page12.html", "/page3.html"),
        ("/vijesti/velika-poplava-u-gradu", "/vijesti/kako-smo-preživjeli-zimu"),
        ("/f/0123456789abcdef0123456789abcdef", "/f/abcdef0123456789abcdef0123456789"),
        ("/u/550e8400-e29b-41d4-a716-446655440000", "/u/123e4567-e89b-12d3-a456-426614174000"),
        ("/" + "a/" * 30, "/" + "a/" * 40),
    ]
    for one, other in same:
        urls = [normalise(link, "http://a.hr/") for link in (one, other)]
        assert template(urls[0] or "") == template(urls[1] or "")
    for one, other in [
        ("/cal?y=1", "/kal?y=1"),
        ("/cal?y=1", "/cal?m=1"),
        ("/a/1", "/b/1"),
        ("/a/1", "/a/1/2"),
        ("/a", "/a/"),
        ("/a?lang=hr&id=1", "/a?lang=en&id=1"),
    ]:
        assert template("http://a.hr" + one) != template("http://a.hr" + other)


def test_keys_of_a_host_are_neighbours() -> None:
    one, two, other = (url_key(url) for url in ("http://a.hr/1", "https://a.hr/2", "http://b.hr/1"))
    assert one >> 40 == two >> 40 != other >> 40
    assert one != two
    assert url_key("http://a.hr/1") == 9449349818755364017


def test_traps_and_files() -> None:
    assert repeats_segments("http://a.hr/x/y/x/y/x/y/x/y")
    assert not repeats_segments("http://a.hr/x/y/x/y/x/y")
    assert not repeats_segments("http://a.hr/?x/x/x/x/x/x")
    assert looks_binary("http://a.hr/slika.JPG?v=1")
    assert not looks_binary("http://a.hr/slika.jpg/opis")
    assert not looks_binary("http://a.hr/zip")


def test_scope() -> None:
    scope = HostScope(CrawlConfig(tld=("hr",), domains=("example.com",), hosts=("*.blog.rs",)).scope)
    for host in ("a.hr", "b.a.hr", "example.com", "www.example.com", "x.blog.rs"):
        assert host in scope
    for host in ("hr", "ahr", "example.com.evil.org", "anexample.com", "blog.rs"):
        assert host not in scope
    assert "b.a.hr:8080" in scope
    everything = HostScope(CrawlConfig(seeds=("http://a.hr/x",)).scope)
    assert "c.de" in everything
    assert "c.de" in HostScope(CrawlConfig(tld=("hr",), everywhere=True).scope)


def test_scope_as_people_write_it() -> None:
    scope = HostScope(
        CrawlConfig(tld=(".HR", "срб"), domains=("*.Čakovec.ba", "127.0.0.1:8000"), hosts=("*.BLOG.rs",)).scope
    )
    for url in ("http://a.hr/", "http://ћ.срб/", "http://čakovec.ba/", "http://www.čakovec.ba/", "http://x.blog.rs/"):
        assert host_of(normalise(url) or "") in scope, url
    assert "127.0.0.1:99" in scope
    assert "ћ.срб" in scope
    assert CrawlConfig(languages=("hrv", "Croatian")).languages == ("hr",)
    with pytest.raises(ConfigError, match="crawl.languages"):
        CrawlConfig(languages=("xx",))
    for wrong in ({"tld": ("",)}, {"domains": ("https://a.hr/",)}, {"domains": ("a.hr b.hr",)}):
        with pytest.raises(ConfigError, match="is not a domain name"):
            CrawlConfig(**wrong)
