"""RFC 9309 by cases: what a robots.txt says, who asks, for what, and the answer."""

from __future__ import annotations

import pickle
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.web.robots import MAX_BYTES, Robots

SITE = "http://a.hr"
EVERYBODY = "User-agent: *\n"


def allows(body: str | bytes, path: str, agent: str = "paberki") -> bool:
    return Robots(body.encode() if isinstance(body, str) else body, agent).allows(SITE + path)


@pytest.mark.parametrize(
    ("rules", "path", "allowed"),
    [
        # §2.2.2: Allow and Disallow
        ("", "/x", True),
        ("Disallow: /", "/", False),
        ("Disallow: /", "/x", False),
        ("Disallow:", "/x", True),
        ("Disallow: /\nAllow: /x", "/xy", True),
        ("Disallow: /fish", "/fish", False),
        ("Disallow: /fish", "/fish.html", False),
        ("Disallow: /fish", "/fishheads/yummy.html", False),
        ("Disallow: /fish", "/Fish.asp", True),
        ("Disallow: /fish", "/catfish", True),
        ("Disallow: /fish/", "/fish", True),
        ("Disallow: /fish/", "/fish/salmon.htm", False),
        ("Disallow: /x?a=1", "/x?a=1&b=2", False),
        ("Disallow: /x?a=1", "/x", True),
        ("Disallow: /", "/robots.txt", True),
        # the longest match decides, Allow among equals
        ("Allow: /p\nDisallow: /", "/page", True),
        ("Allow: /folder\nDisallow: /folder", "/folder/page", True),
        ("Disallow: /folder\nAllow: /folder", "/folder/page", True),
        ("Allow: /page\nDisallow: /*.htm", "/page.htm", False),
        ("Allow: /page\nDisallow: /*.ph", "/page.php5", True),
        ("Allow: /page*\nDisallow: /page.", "/page.htm", True),
        ("Allow: /$\nDisallow: /", "/", True),
        ("Allow: /$\nDisallow: /", "/page.htm", False),
        ("Allow: /example/page/\nDisallow: /example/page/disallowed.gif", "/example/page/disallowed.gif", False),
        ("Disallow: /a\nAllow: /a/b\nDisallow: /a/b/c", "/a/b/c/d", False),
        ("Disallow: /a\nAllow: /a/b\nDisallow: /a/b/c", "/a/b/d", True),
        # §2.2.3: wildcards
        ("Disallow: /*.php", "/folder/any.php.file.html", False),
        ("Disallow: /*.php", "/windows.PHP", True),
        ("Disallow: /*.php$", "/filename.php", False),
        ("Disallow: /*.php$", "/filename.php?parameters", True),
        ("Disallow: /fish*.php", "/fishheads/catfish.php?id=1", False),
        ("Disallow: /a*b*c", "/a/x/b/y/c", False),
        ("Disallow: /a*b*c", "/a/c/b", True),
        ("Disallow: /a*b$", "/ab/b", False),
        ("Disallow: /a*ab$", "/ab", True),
        ("Disallow: *.pdf", "/x/y.pdf", False),
        ("Disallow: *", "/x", False),
        ("Disallow: /**/x", "/a/x", False),
        ("Disallow: /x$y", "/x$y", False),
        ("Disallow: /x$", "/x", False),
        ("Disallow: /x$", "/xy", True),
        ("Disallow: /path/file-with-a-%2A.html", "/path/file-with-a-*.html", False),
        ("Disallow: /path/foo-%24", "/path/foo-$", False),
        ("Disallow: /path/foo-%24", "/path/foo-", True),
        # §2.2.2: percent codes, octets beyond ASCII
        ("Disallow: /foo/bar?baz=http%3A%2F%2Ffoo.bar", "/foo/bar?baz=http%3A%2F%2Ffoo.bar", False),
        ("Disallow: /foo/bar/\u30c4", "/foo/bar/%E3%83%84", False),
        ("Disallow: /foo/bar/%E3%83%84", "/foo/bar/%E3%83%84", False),
        ("Disallow: /foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", False),
        ("Disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", False),
        ("Disallow: /a%2Fb", "/a/b", True),
        ("Disallow: /a%2fb", "/a%2Fb", False),
        ("Disallow: /a|b[1]", "/a%7Cb%5B1%5D", False),
        # §2.2: comments, blanks, case, unknown lines
        ("Disallow: /x # not for you", "/xy", False),
        ("# Disallow: /x", "/x", True),
        ("  dISALLOW  :   /x  ", "/x", False),
        ("Noindex: /x\nDisallow: /y", "/x", True),
        ("Disallow: /y\n\n\nDisallow: /x", "/x", False),
        ("Sitemap: http://a.hr/s.xml\nDisallow: /x", "/x", False),
        # what people write
        ("Dissallow: /x", "/x", False),
        ("Disallow /x", "/x", False),
        ("Disallow: x/", "/x/y", False),
        ("Disallow: http://a.hr/x", "/xy", False),
    ],
)
def test_rules(rules: str, path: str, allowed: bool) -> None:
    assert allows(EVERYBODY + rules, path) is allowed


@pytest.mark.parametrize(
    ("body", "allowed"),
    [
        # §2.2.1: which group is ours
        ("User-agent: paberki\nDisallow: /", False),
        ("User-agent: PABERKI\nDisallow: /", False),
        ("User-agent: paberki/2.0 (crawler)\nDisallow: /", False),
        ("User-agent: paberki2\nDisallow: /", True),
        ("User-agent: paberki-news\nDisallow: /", True),
        ("User-agent: pab\nDisallow: /", True),
        ("User-agent: other\nDisallow: /", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: paberki\nDisallow:", True),
        ("User-agent: paberki\nDisallow: /y\n\nUser-agent: *\nDisallow: /", True),
        ("User-agent: *\nDisallow: /y\nUser-agent: other\nDisallow: /", True),
        ("User-agent: other\nUser-agent: paberki\nDisallow: /", False),
        ("User-agent: paberki\nUser-agent: other\nDisallow: /", False),
        ("User-agent: other\nDisallow: /y\nUser-agent: paberki\nDisallow: /", False),
        ("User-agent: paberki\nDisallow: /y\n\nUser-agent: paberki\nDisallow: /x", False),
        ("User-agent: *\nDisallow: /y\n\nUser-agent: b\nDisallow: /z\n\nUser-agent: *\nDisallow: /x", False),
        ("User-agent: other\nSitemap: http://a.hr/s\nUser-agent: paberki\nDisallow: /", False),
        ("User-agent: other\nCrawl-delay: 9\nUser-agent: paberki\nDisallow: /", False),
        ("Disallow: /", True),
        ("Disallow: /\nUser-agent: *\nDisallow: /y", True),
        ("User-agent:\nDisallow: /", True),
        # line ends, marks, other encodings
        ("User-agent: *\rDisallow: /x\r", False),
        ("User-agent: *\r\nDisallow: /x\r\n", False),
        ("\ufeffUser-agent: *\nDisallow: /x", False),
        ("User-agent: *\nDisallow: /\u2028\nDisallow: /y", True),
        ("<!doctype html><html>Disallow: /</html>", True),
    ],
)
def test_groups(body: str, allowed: bool) -> None:
    assert allows(body, "/x") is allowed


def test_other_encodings() -> None:
    assert not allows("User-agent: *\nDisallow: /x".encode("utf-16"), "/x")
    assert not allows("User-agent: *\nDisallow: /č".encode("cp1250"), "/%E8")
    assert allows(b"\xff\xfe\x00\xd8" * 10, "/x")
    assert not allows(b"User-agent: *\x00\nDisallow: /x", "/x")


def test_our_name_may_carry_a_version() -> None:
    assert not allows("User-agent: paberki\nDisallow: /", "/", "Paberki/1.0 (+http://x.hr)")
    assert not allows("User-agent: my-bot_2\nDisallow: /", "/", "my-bot_2/1")


def test_crawl_delay_and_sitemaps() -> None:
    robots = Robots(
        b"Sitemap: http://a.hr/1.xml\nUser-agent: *\nCrawl-delay: 2.5\nDisallow: /x\nsitemap:http://a.hr/2.xml # two\n"
        b"User-agent: other\nCrawl-delay: 100\nSitemap: http://a.hr/1.xml\n",
        "paberki",
    )
    assert robots.crawl_delay == 2.5
    assert robots.sitemaps == ("http://a.hr/1.xml", "http://a.hr/2.xml")
    assert Robots(b"User-agent: *\nCrawl-delay: 1\nUser-agent: paberki\nCrawl-delay: 7", "paberki").crawl_delay == 7
    for value in (b"soon", b"-3", b"", b"nan", b"inf", b"1e9"):
        assert Robots(b"User-agent: *\nCrawl-delay: " + value, "p").crawl_delay in (None, 1.0)


def test_preferences_about_use() -> None:
    robots = Robots(
        b"User-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Usage: train-ai=n\n"
        b"Content-Usage: /open/ train-ai=y\nAllow: /\nUser-agent: other\nContent-Usage: bots=n",
        "paberki",
    )
    assert list(map(str, robots.signals)) == ["robots:search=y", "robots:ai-train=n", "robots:train-ai=n"]
    assert list(map(str, robots.signals_for(SITE + "/open/x"))) == [
        "robots:search=y",
        "robots:ai-train=n",
        "robots:train-ai=y",
    ]
    assert robots.signals_for(SITE + "/x") == robots.signals
    assert Robots(b"Content-Signal: ai-train=no\nUser-agent: *\nDisallow:", "p").signals
    assert not Robots(b"User-agent: x\nContent-Signal: ai-train=no", "p").signals


def test_constants_and_pickling() -> None:
    assert Robots.ALLOW_ALL.allows(SITE + "/x")
    assert not Robots.DENY_ALL.allows(SITE + "/x")
    copy = pickle.loads(pickle.dumps(Robots(b"User-agent: *\nDisallow: /x*y\nAllow: /z\nCrawl-delay: 3", "p")))
    assert not copy.allows(SITE + "/xzy")
    assert copy.crawl_delay == 3


def test_only_the_first_half_megabyte_counts_and_no_half_line() -> None:
    filler = b"# " + b"x" * 1000 + b"\n"
    head = b"User-agent: *\n" + filler * (MAX_BYTES // len(filler) + 1)
    body = head[: MAX_BYTES - 11] + b"\nDisallow: /private\nDisallow: /late"
    robots = Robots(body, "paberki")
    assert robots.allows(SITE + "/public")
    assert robots.allows(SITE + "/late")
    assert not Robots(head[:-2000] + b"\nDisallow: /late", "paberki").allows(SITE + "/late")


@pytest.mark.parametrize(
    "body",
    [
        b"User-agent: *\nDisallow: /" + b"*a" * 200_000,
        b"User-agent: *\n" + b"Disallow: /*a*a*a*b\n" * 20_000,
        b"User-agent: *\n" + b"".join(b"Disallow: /*%d*b\n" % n for n in range(20_000)),
        b"User-agent: " * 40_000,
        b"User-agent: *\n" * 30_000,
        b"U" * 500_000,
        b":" * 500_000,
        b" " * 500_000,
    ],
)
def test_hostile_files_take_linear_time(body: bytes) -> None:
    start = time.process_time()
    Robots(body, "paberki").allows(SITE + "/" + "a" * 1900)
    assert time.process_time() - start < 2.0


@given(st.binary(max_size=300), st.text(max_size=20))
def test_never_fails(body: bytes, agent: str) -> None:
    robots = Robots(b"User-agent: *\n" + body, agent)
    assert robots.allows(SITE + "/x") in (True, False)
    assert robots.crawl_delay is None or 0 <= robots.crawl_delay < 1e10


@given(st.text("ab*$/", max_size=12), st.text("ab$/", max_size=14))
def test_wildcards_match_as_a_regular_expression_would(pattern: str, path: str) -> None:
    import re

    body, end = (pattern[:-1], r"\Z") if pattern.endswith("$") else (pattern, "")
    expression = "".join(".*" if part == "*" else re.escape(part) for part in "/" + body) + end
    expected = re.match(expression, "/" + path, re.S) is None
    assert allows(f"{EVERYBODY}Disallow: /{pattern}", "/" + path) is expected
