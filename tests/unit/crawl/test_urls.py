from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.crawl.config import CrawlConfig
from paberki.crawl.scope import Scope
from paberki.crawl.urls import (
    host_of,
    hostname_of,
    looks_binary,
    normalise,
    origin_of,
    path_of,
    repeats_segments,
    seed_url,
    template,
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


def test_joins_as_browsers_do() -> None:
    base = "http://example.hr/a/b?q=1"
    assert normalise("c", base) == "http://example.hr/a/c"
    assert normalise("?x=2", base) == "http://example.hr/a/b?x=2"
    assert normalise("//other.hr/d", base) == "http://other.hr/d"
    assert normalise(" \n/e f ", base) == "http://example.hr/e%20f"
    assert normalise("#top", base) == base


@given(st.text(max_size=60))
def test_normalising_twice_changes_nothing(text: str) -> None:
    url = normalise(text, "http://example.hr/a/b")
    if url is not None:
        assert normalise(url) == url
        assert origin_of(url) + path_of(url) == url
        assert host_of(url)


def test_parts() -> None:
    assert hostname_of("http://[::1]:8080/x") == "::1"
    assert hostname_of("https://a.hr:99/x") == "a.hr"
    assert host_of("https://a.hr:99/x") == "a.hr:99"
    assert origin_of("https://a.hr:99/x?y") == "https://a.hr:99"
    assert path_of("https://a.hr:99/x?y") == "/x?y"
    assert seed_url("example.hr") == "http://example.hr/"


def test_templates_leave_out_values() -> None:
    assert template("http://a.hr/cal?y=1&m=2") == template("http://a.hr/cal?m=12&y=2011")
    assert template("http://a.hr/cal?y=1") != template("http://a.hr/kal?y=1")


def test_traps_and_files() -> None:
    assert repeats_segments("http://a.hr/x/y/x/y/x/y/x/y")
    assert not repeats_segments("http://a.hr/x/y/x/y/x/y")
    assert not repeats_segments("http://a.hr/?x/x/x/x/x/x")
    assert looks_binary("http://a.hr/slika.JPG?v=1")
    assert not looks_binary("http://a.hr/slika.jpg/opis")
    assert not looks_binary("http://a.hr/zip")


def test_scope() -> None:
    scope = Scope(CrawlConfig(tld=("hr",), domains=("example.com",), hosts=("*.blog.rs",)))
    for host in ("a.hr", "b.a.hr", "example.com", "www.example.com", "x.blog.rs"):
        assert host in scope
    for host in ("hr", "ahr", "example.com.evil.org", "anexample.com", "blog.rs"):
        assert host not in scope
    assert "b.a.hr:8080" in scope
    everything = Scope(CrawlConfig(seeds=("http://a.hr/x",)))
    assert "c.de" in everything
