"""Blocks: where they begin and end, what they leave out, and that their spans say the truth."""

import re
import time
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.extraction import extract, segment_text
from paberki.extraction.html.collector import LINK_LIMIT
from paberki.extraction.html.html_tokens import line_starts
from paberki.extraction.html.segmenter import segment

SKIPPED = re.compile(
    r"<!--.*?-->|<(script|style|noscript|svg|template)\b.*?</\1\s*>|</?[A-Za-z](?:[^>\"']|\"[^\"]*\"|'[^']*')*>",
    re.DOTALL | re.IGNORECASE,
)


def visible(source):
    """What a reader sees of a stretch of source, found in another way than the code under test."""
    return " ".join(unescape(SKIPPED.sub("", source)).split())


def texts(html):
    return [block.text for block in segment(html).blocks]


def test_block_tags_and_br_divide():
    html = "<p>Prvi <b>dio</b> teksta<p>drugi<br>treći<br/><div>četvrti<ul><li>a<li>b</ul></div>peti"
    assert texts(html) == ["Prvi dio teksta", "drugi", "treći", "četvrti", "a", "b", "peti"]


@pytest.mark.parametrize(
    "skipped",
    [
        "<script>if (a<b) x()</script>",
        "<style>p{}</style>",
        "<noscript>ne</noscript>",
        "<template><p>ne</p></template>",
        "<svg><title>ne</title><text>ne</text></svg>",
        "<!-- ne -->",
        "<?php ne ?>",
    ],
)
def test_transparent_elements_do_not_divide(skipped):
    assert texts(f"<p>jedan {skipped}dva</p>") == ["jedan dva"]


@pytest.mark.parametrize(
    "skipped",
    [
        "<select><option>ne<option>ne</select>",
        "<button>ne</button>",
        "<textarea>ne</textarea>",
        "<iframe>ne</iframe>",
        "<object><p>ne</p></object>",
        "<video>ne</video>",
        "<math><mi>ne</mi></math>",
        "<xmp>ne <b>ne</b></xmp>",
        "<noframes>ne</noframes>",
        "<span hidden>ne <span>ne</span> ne</span>",
        '<span style="color:red; DISPLAY : none">ne</span>',
        "<div hidden><div>ne</div>ne</div>",
        '<a href="/" style="display:none">ne</a>',
    ],
)
def test_controls_and_hidden_elements_divide(skipped):
    assert texts(f"<div>jedan {skipped} dva</div>") == ["jedan", "dva"]


def test_hidden_ends_with_what_ends_it_implicitly():
    assert texts("<p hidden>ne<p>da<ul><li hidden>ne<li>da") == ["da", "da"]
    assert texts("<div><button>ne</div>da") == ["da"]


def test_svg_that_nobody_closes_does_not_swallow_the_page():
    assert texts("<p>a</p><svg><path><p>b</p>") == ["a", "b"]


def test_paths():
    html = '<body><div id=main class=" content  wide "><p>a</p><table><tr><td>b<td>c</table></div><p class=x>d'
    assert [block.path for block in segment(html).blocks] == [
        "div#main.content.wide>p",
        "div#main.content.wide>table>tr>td",
        "div#main.content.wide>table>tr>td",
        "p.x",
    ]


def test_wrong_nesting_is_tolerated():
    html = "<div class=a><p>1</div></p></section><div class=b><table><td></div>2</table>3</div>4"
    assert [(block.text, block.path) for block in segment(html).blocks] == [
        ("1", "div.a>p"),
        ("2", "div.b>table>td"),
        ("3", "div.b"),
        ("4", ""),
    ]


def test_long_paths_are_short_and_distinct():
    deep = "".join(f"<div class=layer{index}>" for index in range(200))
    blocks = segment(f"{deep}<p>a</p><section>b</section></div><section>c</section>").blocks
    assert len({block.path for block in blocks}) == 3
    assert all(len(block.path) <= 512 for block in blocks)


def test_text_is_unescaped_and_collapsed_and_counted():
    block = segment("<p>\n a&nbsp;&amp;\tb <a href=x> c  d </a><i>e</i> &nbsp; </p>").blocks[0]
    assert (block.text, block.link_chars, block.tag_count, block.tag) == ("a & b c d e", 3, 2, "p")


def test_source_is_trimmed_of_white_space_however_written():
    html = "<p> &nbsp;&#160;\r\n x y&#xa0; &nbsp <b> </b></p>"
    block = segment(html).blocks[0]
    assert html[block.start : block.end] == "x y"


@pytest.mark.parametrize("tail", ["<b", "</b", '<a href="x>y', "</>", "", " <!-- x"])
def test_last_text_ends_before_a_broken_tag(tail):
    html = "<p>konec" + tail
    block = segment(html).blocks[0]
    assert html[block.start : block.end] == "konec"


def test_head_is_read():
    html = (
        '<!DOCTYPE html><html lang="hr"><head><title> Naš &amp; vaš </title><base href="/b/">'
        '<meta name="Keywords" content="a, b"><meta content=\'Opis &quot;x&quot;\' name=description>'
        '<link rel="canonical" href="https://example.hr/x"></head><body><p>t<title>ne</title>'
    )
    found = segment(html)
    assert (found.doctype, found.declared_language, found.base) == ("html", "hr", "/b/")
    assert found.canonical == "https://example.hr/x"
    assert found.title is not None
    assert (found.title.text, html[found.title.start : found.title.end]) == ("Naš & vaš", "Naš &amp; vaš")
    assert found.keywords is not None
    assert html[found.keywords.start : found.keywords.end] == "a, b"
    assert found.description is not None
    assert unescape(html[found.description.start : found.description.end]) == found.description.text == 'Opis "x"'
    assert [block.text for block in found.blocks] == ["t"]


def test_links():
    html = '<a name=x>ne</a><p><a href="/a?b=1&amp;c" rel="nofollow"> tu <b>i</b> <div>tamo</div></a><a href=y></a>'
    first, second = segment(html).links
    assert (first.text, first.target, first.rel) == ("tu i tamo", "/a?b=1&c", "nofollow")
    assert html[first.start : first.end] == "tu <b>i</b> <div>tamo"
    assert (second.text, second.target) == ("", "y")


def test_links_are_limited():
    assert len(segment("<a href=x>y</a>" * (LINK_LIMIT + 10)).links) == LINK_LIMIT


@given(st.text("ab\r\n\x0b\x0c\x85\u2028č", max_size=60))
def test_lines_end_at_cr_lf_and_crlf_only(text):
    expected = [0, 0, *(match.end() for match in re.finditer("\r\n|\r|\n", text))]
    assert line_starts(text) == expected


def test_plain_text_paragraphs():
    text = "  Prvi red\r\ndrugi red\r\n \r\n\r\nDrugi odlomak &amp; kraj. \n"
    found = segment_text(text)
    assert [block.text for block in found.blocks] == ["Prvi red drugi red", "Drugi odlomak &amp; kraj."]
    assert all(block.kept and block.label == "text" and block.reason == "plain text" for block in found.blocks)
    assert [text[block.start : block.end] for block in found.blocks] == [
        "Prvi red\r\ndrugi red",
        "Drugi odlomak &amp; kraj.",
    ]


def test_plain_text_without_empty_lines_is_divided_by_lines():
    assert [block.text for block in segment_text("a\nb\r\nc").blocks] == ["a", "b", "c"]
    assert segment_text(" \n ").blocks == []


WORDS = {
    "utf-8": ["čaša", "漢字", "𝄞", "књига", "a"],
    "cp1250": ["čaša", "đak", "ž", "konec", "a"],
    "cp1251": ["књига", "њива", "ђак", "a", "б"],
    "cp932": ["漢字", "かな", "ｶﾅ", "表", "a"],
    "euc_jp": ["漢字", "かな", "本", "東京", "a"],
    "utf-16-le": ["čaša", "漢字", "𝄞", "књига", "a"],
}
MARKUP = [
    " ", "\n", "\r\n", "\r", "&nbsp;", "&amp;", "&lt;b&gt;", "&#269;" , "<p>", "</p>", "<br>", "<div class='a b'>",
    "</div>",
    "<b>", "</b>", "<a href='x?a=1&amp;b=2'>", "</a>", "<script>var a='<p>x';</script>", "<!-- <p>x -->",
    "<span hidden>", "</span>", "<svg><text>x</text></svg>", "<button>x</button>", "<li>", "<td>", "<table>",
    "</table>",
    "<img alt='>'>", "<style>x</style>", "<noscript><p>x</p></noscript>", "<h1>", "</h1>", "<hr/>", "<title>x</title>",
]  # fmt: skip


@st.composite
def pages(draw):
    codec = draw(st.sampled_from(sorted(WORDS)))
    pieces = draw(st.lists(st.sampled_from(MARKUP + WORDS[codec] * 4), max_size=40))
    mark = b"\xff\xfe" if codec.startswith("utf-16") else draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))
    return (mark if codec.startswith("utf") else b"") + "".join(pieces).encode(codec), codec


@given(pages())
@settings(max_examples=400)
def test_spans_hold_the_text_of_their_blocks(page):
    payload, codec = page
    found = extract(payload, encoding=codec)
    for item in [*found.blocks, *found.links]:
        source = payload[item.start : item.end].decode(codec)
        if item in found.links and re.search("<button|hidden|title>", source):
            continue  # unlike a block, an anchor is not divided at what it hides
        if item in found.links:  # tags that end a block are spaces in the text of an anchor
            assert "".join(visible(source).split()) == "".join(item.text.split())
        else:
            assert visible(source) == (item.source or item.text)
        assert source == source.strip()


@given(st.text(st.sampled_from("<>/!-=\"'&;# apbdivscript\0\n\r\ud800č漢"), max_size=120))
@settings(max_examples=300)
def test_no_string_makes_it_fail(html):
    found = extract(html)
    payload = html.encode("utf-8", "surrogatepass")
    assert all(0 <= block.start < block.end <= len(payload) for block in found.blocks)


HOSTILE = {
    "nested": b"<div>" * 60_000 + b"x" + b"</div>" * 60_000,
    "misnested": b"<div><p><b>" * 20_000 + b"</i></ul>" * 20_000,
    "attributes": b"<p " + b" ".join(b"a%d=1" % index for index in range(1_000_000)) + b">x",
    "comment": b"<p>a<!--" + b"x" * 5_000_000,
    "zeros": b"\0" * 500_000 + b"<p>a\0b",
    "references": b"<p>" + b"&nbsp;" * 100_000 + b"x" + b"&nbsp;" * 100_000,
    "opening": b"<" * 500_000,
    "svg": b"<svg>" * 100_000,
    "unclosed": b"<title>" * 50_000,
    "links": b"<a href=x>y" * 50_000,
    "class": b"<div class='" + b"a " * 500_000 + b"'>" + b"<p>x" * 100,
    "spaces": b"<p>x" + b" " * 5_000_000,
    "returns": b"\r" * 500_000,
    "damaged": b"\xc5\xa1" * 100_000 + b"\xff<p>" * 1000,
    "binary": bytes(range(256)) * 4_000,
    "large": "<p>Šuma je zelena, a nebo je plavo. ".encode() * 30_000,
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_pages_take_linear_time(name):
    extract(b"\xe8 <p>loads what is loaded once")
    before = time.process_time()
    found = extract(HOSTILE[name])
    assert time.process_time() - before < 4.0
    assert all(len(block.path) <= 512 for block in found.blocks)


@pytest.mark.parametrize("cut", [segment, extract])
def test_text_of_a_link_is_its_longest_piece_between_hidden_ones(cut):
    html = '<p>a <a href="/x">19:45 <button>EU</button><h4>Naslov <b>članka</b></h4><i hidden>ne</i>kraj</a> b</p>'
    (link,) = cut(html).links
    source = html if cut is segment else html.encode()
    piece = source[link.start : link.end]
    assert link.text == "Naslov članka"
    assert visible(piece if isinstance(piece, str) else piece.decode()) == link.text


@pytest.mark.parametrize("cut", [segment, extract])
def test_text_of_a_link_has_a_space_between_blocks(cut):
    (link,) = cut('<a href="/x"><div>1</div><div>Naslov<br>dva</div></a>').links
    assert link.text == "1 Naslov dva"
