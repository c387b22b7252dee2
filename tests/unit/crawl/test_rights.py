from __future__ import annotations

import json
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.web.rights import Policy, Signal, ai_txt, header_signals, meta_signals, well_known_tdmrep

SITE = "http://a.hr"


def names(*headers: tuple[str, str], agent: str = "paberki") -> list[str]:
    return [str(signal).removeprefix("header:") for signal in header_signals(headers, agent)]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("noindex", ["noindex"]),
        ("NOINDEX, Nofollow", ["noindex", "nofollow"]),
        ("noindex,nofollow", ["noindex", "nofollow"]),
        ("all", []),
        ("index, follow", []),
        ("none", ["none"]),
        ("noai, noimageai", ["noai", "noimageai"]),
        ("paberki: noindex", ["noindex"]),
        ("PABERKI: noindex, nofollow", ["noindex", "nofollow"]),
        ("otherbot: noindex, nofollow", []),
        ("otherbot: noindex, paberki: noai", ["noai"]),
        ("noarchive, otherbot: noindex", ["noarchive"]),
        ("paberki: nofollow, otherbot: noindex", ["nofollow"]),
        ("max-snippet: 20, noindex", ["max-snippet=20", "noindex"]),
        ("unavailable_after: 25 Jun 2010 15:00:00 GMT", ["unavailable_after=25 Jun 2010 15:00:00 GMT"]),
        (
            "unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, nofollow",
            ["unavailable_after=Friday, 25-Jun-10 15:00:00 GMT", "nofollow"],
        ),
        ("", []),
        (",,: ,", []),
    ],
)
def test_x_robots_tag(value: str, found: list[str]) -> None:
    assert names(("X-Robots-Tag", value)) == found


def test_several_headers() -> None:
    assert names(("x-robots-tag", "otherbot: none"), ("X-ROBOTS-TAG", "noindex"), ("Content-Type", "noai")) == [
        "noindex"
    ]
    assert names(("TDM-Reservation", " 1 "), ("tdm-policy", "https://a.hr/p.json")) == [
        "tdm-reservation=1",
        "tdm-policy=https://a.hr/p.json",
    ]
    assert names(("Content-Usage", "train-ai=n, search=y")) == ["train-ai=n", "search=y"]
    assert names(("Content-Signal", "search=yes,ai-train=no,ai-input=no")) == ["search=y", "ai-train=n", "ai-input=n"]


def test_meta_elements() -> None:
    assert meta_signals("robots", "noindex nofollow", "paberki") == (
        Signal("meta", "noindex"),
        Signal("meta", "nofollow"),
    )
    assert meta_signals("PaBerki", "NOAI", "paberki/1.0") == (Signal("meta", "noai"),)
    assert meta_signals("googlebot", "noindex", "paberki") == ()
    assert meta_signals("", "noindex", "") == ()
    assert meta_signals("tdm-reservation", "1", "paberki") == (Signal("meta", "tdm-reservation", "1"),)


def test_tdmrep_file() -> None:
    rules = well_known_tdmrep(
        json.dumps(
            [
                {"location": "/free/*", "tdm-reservation": 0},
                {"location": "/č/", "tdm-reservation": 1},
                {"location": "/*.html$", "tdm-reservation": 1, "tdm-policy": "https://a.hr/policy.json"},
                {"location": "/", "tdm-reservation": "0"},
                {"location": 5},
                "nothing",
            ]
        ).encode()
    )
    reserved = {
        path: [str(s) for s in rules.signals(SITE + path)] for path in ("/free/x.html", "/y.html", "/y", "/%C4%8D/")
    }
    assert reserved["/free/x.html"] == ["tdmrep:tdm-reservation=0"]
    assert reserved["/y.html"] == ["tdmrep:tdm-reservation=1", "tdmrep:tdm-policy=https://a.hr/policy.json"]
    assert reserved["/y"] == ["tdmrep:tdm-reservation=0"]
    assert reserved["/%C4%8D/"] == ["tdmrep:tdm-reservation=1"]
    whole = well_known_tdmrep(b'\xef\xbb\xbf[{"location": "/", "tdm-reservation": true}]')
    assert Policy().refuses(whole.signals(SITE + "/x")) is not None


@pytest.mark.parametrize("body", [b"", b"<html>", b"[" * 100_000, b"{}", b"[[]]", b"null", b'"x"', b"1", b"\xff\xfe"])
def test_what_is_no_tdmrep_file_says_nothing(body: bytes) -> None:
    assert well_known_tdmrep(body).signals(SITE + "/x") == ()


def test_ai_txt() -> None:
    everything = ai_txt(b"# Spawning AI\nUser-Agent: *\nDisallow: /\n")
    assert everything.signals(SITE + "/x") == (Signal("ai.txt", "disallow"),)
    kinds = ai_txt(b"User-Agent: *\nDisallow: *.html\nAllow: *.jpg\n")
    assert kinds.signals(SITE + "/x?y=1")
    assert not kinds.signals(SITE + "/x.jpg")
    pictures = ai_txt(b"User-Agent: *\nDisallow: *.jpg\nDisallow: *.png\nAllow: *.html\n")
    assert not pictures.signals(SITE + "/x")
    assert not ai_txt(b"<html><body>404</body></html>").signals(SITE + "/x")


@pytest.mark.parametrize(
    ("signal", "refused"),
    [
        (Signal("meta", "noindex"), True),
        (Signal("header", "none"), True),
        (Signal("meta", "noai"), True),
        (Signal("header", "tdm-reservation", "1"), True),
        (Signal("header", "tdm-reservation", "0"), False),
        (Signal("robots", "train-ai", "n"), True),
        (Signal("robots", "train-ai", "y"), False),
        (Signal("robots", "ai-train", "n"), True),
        (Signal("robots", "ai-input", "n"), False),
        (Signal("ai.txt", "disallow"), True),
        (Signal("meta", "nofollow"), False),
        (Signal("meta", "noarchive"), False),
        (Signal("meta", "nosnippet"), False),
        (Signal("meta", "noimageai"), False),
        (Signal("header", "unavailable_after", "25 Jun 2010 15:00:00 GMT"), True),
        (Signal("header", "unavailable_after", "Friday, 25-Jun-10 15:00:00 GMT"), True),
        (Signal("header", "unavailable_after", "2010-06-25"), True),
        (Signal("header", "unavailable_after", "2110-06-25"), False),
        (Signal("header", "unavailable_after", "some day"), False),
    ],
)
def test_what_keeps_a_page_out_by_default(signal: Signal, refused: bool) -> None:
    now = datetime(2026, 11, 1, tzinfo=UTC)
    assert Policy().refuses([Signal("meta", "noodp"), signal], now=now) == (signal if refused else None)


def test_policies_can_be_set() -> None:
    assert Policy(keep_out=()).refuses([Signal("meta", "noindex")]) is None
    assert Policy(keep_out=("noarchive",)).refuses([Signal("meta", "noarchive")]) == Signal("meta", "noarchive")
    assert not Policy().follows([Signal("meta", "nofollow")])
    assert not Policy().follows([Signal("meta", "none")])
    assert Policy().follows([Signal("meta", "noindex")])
    assert Policy(no_links=()).follows([Signal("meta", "nofollow")])


@given(st.text(max_size=80))
def test_any_header_value_can_be_read(value: str) -> None:
    header_signals([("X-Robots-Tag", value), ("Content-Usage", value), ("tdm-reservation", value)], "paberki")
    Policy().refuses([Signal("header", "unavailable_after", value)])


def test_long_headers_take_linear_time() -> None:
    start = time.process_time()
    for value in ("a:" * 500_000, "," * 500_000, "unavailable_after:," * 50_000, " " * 500_000):
        header_signals([("X-Robots-Tag", value), ("Content-Signal", value)], "paberki")
    assert time.process_time() - start < 1.0
