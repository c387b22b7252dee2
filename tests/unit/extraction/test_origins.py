"""Every stretch of a block's text knows the bytes it stands on."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.decoding import decode_as
from paberki.errors import ContractError
from paberki.extraction import to_bytes
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.compiled.origins import PageSource
from paberki.extraction.compiled.page_objects import page_blocks
from paberki.extraction.html.elements import ElementsConfig
from paberki.extraction.html.plain_text import segment_text
from paberki.extraction.html.segmenter import segment as reference

_WORDS = ("kuća", "žut", "x", "Љубав", "日本", "e\u0301", "\ufeffa", "a\u00adb", "1<2", "R&D", "\u2028", "naÄŤin")
_INSIDE = (
    " ", "\n\t ", "&nbsp;", "&scaron;", "&#x17E;", "&#382", "&amp;lt;b&gt;", "&NotEqualTilde;", "&notit;", "&", "&#0;",
    "<b>", "</b>", "<i class='a>b'>", "</i>", "</>", "<!-- k<p> -->", "<script>a='<b>'</script>", "<svg><text>t</text></svg>",
    "<style>p{}</style>", "<template>x</template>", "<wbr>", "<img alt='ž'>", "<a href=x>", "</a>", "<?php ?>", "<svg/>",
)  # fmt: skip
_BETWEEN = (
    "<p>",
    "</p>",
    "<br>",
    "<div id=č>",
    "</div>",
    "<span hidden>",
    "</span>",
    "<textarea>",
    "</textarea>",
    "<svg>",
    "<script>",
)
pieces = st.lists(st.sampled_from((*_WORDS, *_INSIDE, *_INSIDE, *_BETWEEN)), max_size=40).map("".join)
encodings = st.sampled_from(
    ["utf-8", "cp1250", "cp1251", "utf-16-le", "utf-16-be", "cp932", "euc_jp", "gb18030", "big5hkscs", "iso2022_jp"]
)


def words_and_bytes(payload, encoding, block, *, is_plain=False):
    spans = np.array([found.span() for found in re.finditer(r"\S+", block.text)], np.int64).reshape(-1, 2)
    source = PageSource(payload, encoding, is_plain=is_plain)
    starts, ends = source.byte_spans(block.start, block.end, block.text, spans[:, 0], spans[:, 1])
    for (first, last), start, end in zip(spans.tolist(), starts.tolist(), ends.tolist(), strict=True):
        yield block.text[first:last], payload[start:end]


def blocks_of(payload, encoding, elements=None):
    harvest = Harvest(elements)
    harvest.add_page(payload, decode_as(payload, encoding), encoding)
    return page_blocks(harvest, 0)


@settings(max_examples=300, deadline=None)
@given(pieces, encodings)
def test_bytes_without_markup_are_the_word(html, encoding):
    payload = html.encode(encoding, "xmlcharrefreplace")
    for block in blocks_of(payload, encoding):
        for word, data in words_and_bytes(payload, encoding, block):
            if encoding != "iso2022_jp":  # what precedes a piece tells how it is read
                assert "".join(one.text for one in reference(decode_as(data, encoding)).blocks) == word


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(max_size=300), pieces.map(str.encode)), encodings)
def test_damaged_pages_have_places_too(payload, encoding):
    for elements in (None, ElementsConfig(preset="texrex"), ElementsConfig(preset="www2sf")):
        for block in blocks_of(payload, encoding, elements):
            for _, data in words_and_bytes(payload, encoding, block):
                assert data


@settings(deadline=None)
@given(st.text(max_size=200), encodings)
def test_plain_text_has_no_markup(text, encoding):
    payload = text.encode(encoding, "ignore")
    decoded = decode_as(payload, encoding)
    for block in to_bytes(segment_text(decoded), payload, encoding).blocks:
        for word, data in words_and_bytes(payload, encoding, block, is_plain=True):
            if encoding != "iso2022_jp":
                assert decode_as(data, encoding) == word


def test_span_goes_from_first_to_last_byte():
    payload = b"<p>x hap<b>py</b> &Scaron;iben<!-- -->ik</p>"
    (block,) = blocks_of(payload, "utf-8")
    assert [data.decode() for _, data in words_and_bytes(payload, "utf-8", block)] == [
        "x", "hap<b>py", "&Scaron;iben<!-- -->ik",
    ]  # fmt: skip


def test_text_that_is_not_there_is_an_error():
    with pytest.raises(ContractError, match="not what its bytes say"):
        PageSource(b"<p>abc</p>", "utf-8").byte_spans(3, 6, "abd", np.array([0]), np.array([3]))
