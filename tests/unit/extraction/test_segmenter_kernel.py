"""The kernel gives what the readable implementation gives, and survives whatever a page holds."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.decoding import decode
from paberki.demo.responses import SiteResponses
from paberki.demo.world import world
from paberki.extraction import to_bytes
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.compiled.page_objects import page_of, segment
from paberki.extraction.html.byte_spans import mark_length
from paberki.extraction.html.elements import KINDS
from paberki.extraction.html.segmenter import segment as reference

WORDS = """
&amp; &nbsp; &#160; &#x20; &lt &notit; &copy &nGt; &#0; &#x80; &#xD800; &#99999999; &ensp; &Tab; & &# &#x ; < <! <!- <!--
--> --!> -> <![CDATA[ ]]> > / /> = " ' text Zagreb. <br> </span> </script> </textarea> </select> </a> </svg> </noscript>
</style> <svg> <noscript> <style> <script> <textarea> <plaintext> <script><!--<script> <!--> <!---> </p> čšž 日本 😀
"""
PIECES = [
    *WORDS.split(),
    "\0", "\r", "\n", "\r\n", " ", "\t", "\x0b", "\x1c", "\x85", "\xa0", "\u2003", "\u3000", "Neki tekst.",
    "<!doctype html>", '<!DOCTYPE html PUBLIC "-//W3C//DTD">', "<title>a <b> &amp; c</title>", "<title></title>",
    "<a href=x>", '<a href="y&amp;z&copy=1" rel=nofollow>', "<a hidden href=q>",
    '<meta name=keywords content="a,  b&nbsp;c">', "<meta name=\"Description\" content='opis \"x\"'>",
    '<link rel="x canonical" href=" u ">', "<base href=b>", '<html lang=" hr ">', "<html xml:lang=cs>",
    '<meta http-equiv=content-language content="sl, en">', "<div hidden>", "<div hidden=until-found>",
    '<span style="display : NONE">', '<p style="color:red;display:none">', "<select><option>x",
    '<div class="a  b>c" id=" x y ">', "<p id=' > '>", "<p class='\0 &amp; č'>",
]  # fmt: skip
NAMES = "id class style hidden href rel lang xml:lang name content http-equiv x ID =x"
VALUES = ["", "a", "a b", "display:none", "&amp;x", "&ampx", "&copy=", "č", "a\r\nb", ">", "x/", "\0", "keywords"]


def _attribute(name: str, equals: str, quote: str, value: str) -> str:
    return f"{name}{equals}{quote}{value.replace(quote or ' ', '')}{quote}" if equals else name


attribute = st.builds(
    _attribute,
    st.sampled_from(NAMES.split()),
    st.sampled_from(["", "=", " = "]),
    st.sampled_from(['"', "'", ""]),
    st.sampled_from(VALUES),
)
tag = st.builds(
    lambda slash, name, attributes, end: f"<{slash}{name}{''.join(' ' + item for item in attributes)}{end}",
    st.sampled_from(["", "", "/"]),
    st.sampled_from([name for name in KINDS if name != "title"] + ["b", "I", "span", "img", "DIV", "P", "unknown"]),
    st.lists(attribute, max_size=3),
    st.sampled_from([">", ">", ">", "/>", " >", ""]),
)
html = st.lists(st.one_of(tag, st.sampled_from(PIECES)), max_size=40).map("".join)


@settings(max_examples=400, deadline=None)
@given(html)
def test_same_as_the_reference(page: str) -> None:
    assert segment(page) == reference(page)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_same_for_any_text(page: str) -> None:
    assert segment(page).blocks == reference(page).blocks


@settings(max_examples=150, deadline=None)
@given(html, st.sampled_from(["utf-8", "utf-8-sig", "cp1250", "cp932", "utf-16-le", "gb18030", "iso2022_jp"]))
def test_same_byte_offsets_in_every_encoding(page: str, codec: str) -> None:
    payload = page.encode(codec, "replace")
    encoding = "utf-8" if codec == "utf-8-sig" else codec
    text = payload[mark_length(payload, encoding) :].decode(encoding, "replace")
    harvest = Harvest()
    harvest.add_page(payload, text, encoding)
    assert page_of(harvest, 0, text) == to_bytes(reference(text), payload, encoding)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=400))
def test_damaged_utf8(payload: bytes) -> None:
    text = payload.decode("utf-8", "replace")
    harvest = Harvest()
    harvest.add_page(payload, text, "utf-8")
    mark = mark_length(payload, "utf-8")
    if not mark:
        assert page_of(harvest, 0, text).blocks == to_bytes(reference(text), payload, "utf-8").blocks


@settings(max_examples=60, deadline=None)
@given(st.lists(html, max_size=6))
def test_pages_of_a_batch_do_not_touch_each_other(pages: list[str]) -> None:
    harvest = Harvest()
    for page in pages:
        harvest.add_text(page)
    assert [page_of(harvest, number, page) for number, page in enumerate(pages)] == [segment(page) for page in pages]


def test_pages_of_the_mini_web() -> None:
    checked = 0
    sites = world()
    answers = SiteResponses(sites, lambda host, path: f"http://{host}{path}")
    for host, path in [(host, path) for host, site in sites.items() for path in site.pages]:
        payload = answers.answer(host, path).body
        decoded = decode(payload)
        harvest = Harvest()
        harvest.add_page(payload, decoded.text, decoded.encoding)
        assert page_of(harvest, 0, decoded.text) == to_bytes(reference(decoded.text), payload, decoded.encoding)
        checked += 1
    assert checked > 100


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>č&#11;</p>", "č"),  # html.unescape, which the reference trims with, drops this reference
        ("<p>&nbspfoo</p>", "foo"),
        ("<p>-><?x", "->"),
        ("<title>a</></title><p>b", "b"),
    ],
)
def test_spans_end_with_the_text(page: str, text: str) -> None:
    """Where the reference takes a little too much source, the kernel does not."""
    block = segment(page).blocks[0]
    assert block.text == text
    assert page[block.start : block.end] == text


def test_long_paths_are_shortened_alike() -> None:
    page = "".join(f"<div class='name-{number} č'>" for number in range(200)) + "<p>x"
    found = segment(page)
    assert found == reference(page)
    assert found.blocks[0].path.startswith("~")


def test_more_paths_than_expected() -> None:
    page = "".join(f"<div id=n{number}>{number}</div>" for number in range(5000))
    assert segment(page) == reference(page)


def test_paths_out_of_all_proportion_become_short() -> None:
    page = "<div class=some-long-name>" * 60 + "".join(f"<p class=c{number}>a" for number in range(40_000))
    paths = {block.path for block in segment(page).blocks}
    assert len(paths) == 40_000
    assert max(map(len, paths)) <= 64


HOSTILE = {
    "nested": b"<div>" * 60_000 + b"x",
    "attributes": b"<p " + b"a=b " * 1_000_000 + b">x",
    "less than": b"<" * 3_000_000,
    "ampersands": b"&" * 3_000_000,
    "references": b"&nGt;" * 600_000,
    "numeric": b"&#" + b"1" * 3_000_000,
    "NUL": b"<title>" + b"\0" * 1_000_000 + b"</title>" + b"\0" * 1_000_000,
    "NUL in a class": b"<p class='" + b"\0" * 1_000_000 + b"'>x",
    "comment": b"x<!--" + b"- " * 1_500_000,
    "comments": b"<!-- " * 600_000,
    "quote": b"x<a href='" + b"y " * 1_500_000,
    "quotes": b"<a href='" * 300_000,
    "escapes": b"<script>" + b"<!--<script></script>" * 150_000,
    "templates": b"<template></svg>" * 200_000,
    "titles": b"<title>" * 400_000,
    "links": b"<a href=x>y</a>" * 200_000,
    "stray ends": b"<div>" * 4_000 + b"</p>" * 700_000,
    "junk": bytes(range(256)) * 12_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_take_linear_time_and_memory(name: str) -> None:
    payload = HOSTILE[name]
    text = payload.decode("utf-8", "replace")
    Harvest().add_page(b"x", "x", "utf-8")
    tracemalloc.start()
    begin = time.process_time()
    harvest = Harvest()
    harvest.add_page(payload, text, "utf-8")
    seconds = time.process_time() - begin
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seconds < 2 + len(payload) / 20e6
    assert peak < 40 * len(payload) + 5_000_000  # what is reserved; what is written is far less
