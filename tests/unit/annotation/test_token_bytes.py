"""The bytes of a token, decoded, without tags and put through the same repair, are its form."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.annotation.annotate_config import AnnotateConfig
from paberki.annotation.annotate_stage import annotate
from paberki.decoding import decode_as
from paberki.extraction.compiled.origins import PageSource
from paberki.extraction.extract_stage import extract_learned
from paberki.extraction.html.segmenter import segment
from paberki.extraction.learned.block_classifier import LearnedConfig
from paberki.extraction.repair.breakpoints import in_text
from paberki.extraction.repair.dehyphenate import PageWords
from paberki.extraction.repair.repaired_text import normalise
from paberki.languages.transliteration import View, cyrillic_view, latin_view
from paberki.store.batch import Batch
from paberki.store.columns import builtin

WORDS = (
    "kuća", "žuta", "Zagreb", "naÄŤin", "rijeÄŤ", "lije&scaron;", "&Scaron;ibenik", "hap<b>py</b>", "so&shy;fa", "so\u00adfa",
    "&amp;quot;tako&amp;quot;", "&lt;b&gt;hap&lt;/b&gt;py", "!!!!!!!!", "nas- tavak", "nastavak", "nastavak", "kraj.Novo", "kraj",
    "Novo", "Љубав", "ЊЕГОШ", "日本", "1<!-- x -->2", "a<script>var b='<p>';</script>c", "R&amp;D", "R&D", "e\u0301",
    "<svg><text>no</text></svg>", "<i>", "</i>", "&#382;ut", "&#x17E", "d.o.o.", "...", "čaša",
)  # fmt: skip
ENCODINGS = ("utf-8", "cp1250", "utf-16-le", "utf-16-be", "cp932", "gb18030", "cp1251", "euc_jp", "big5hkscs")
_LITERAL = re.compile("</?b>")


def annotated(payload: bytes, encoding: str, lang: str = "hr", mime: str = "text/html") -> tuple[dict[str, Any], Batch]:
    """What the stages make of one page all of whose blocks are kept."""
    values = {
        "decode.encoding": encoding, "archive.mime": mime, "archive.url": "http://a.hr/", "identify.lang": lang,
    }  # fmt: skip
    columns = {name: pa.array([value]) for name, value in values.items()}
    ephemeral = {"payload": [payload], "decoded": [decode_as(payload, encoding)]}
    batch = Batch(np.array([0]), columns, values=ephemeral)
    made = extract_learned(batch, LearnedConfig())
    blocks = made["blocks"]
    kept = pa.array(np.ones(len(blocks.values), bool))
    fields = [kept if field.name == "kept" else blocks.values.field(field.name) for field in blocks.type.value_type]
    blocks = pa.ListArray.from_arrays(
        blocks.offsets, pa.StructArray.from_arrays(fields, fields=list(blocks.type.value_type))
    )
    batch.add({"extract.blocks": blocks, "extract.kept_char_count": pa.array([1])}, {})
    return dict(annotate(batch, AnnotateConfig(corpus_lang=(lang,)))), batch


def tokens(
    payload: bytes, encoding: str, lang: str = "hr", mime: str = "text/html"
) -> list[tuple[str, str, list[str]]]:
    """Each token, what its bytes say, and what the page has in all its blocks."""
    made, batch = annotated(payload, encoding, lang, mime)
    page = {
        column.name: values[0].as_py() if isinstance(values := made[column.name], pa.Array) else values[0]
        for column in builtin("annotate")
    }
    blocks = batch.arrow("extract.blocks")[0].as_py()
    sources = [block["source"] or block["text"] for block in blocks]
    of_token = [
        block for block, length in zip(page["sent_block"], page["sent_length"], strict=True) for _ in range(length)
    ]
    names = ("tok_start", "tok_end", "tok_byte_start", "tok_byte_end")
    return [
        (blocks[block]["text"][start:end], decode_as(payload[first:last], encoding), sources)
        for block, start, end, first, last in zip(of_token, *(page[name] for name in names), strict=True)
    ]


def repaired(data: str, sources: list[str]) -> str:
    read = _LITERAL.sub("", "".join(block.text for block in segment(data).blocks))
    return normalise(read, words=PageWords(sources)) or read


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=30), st.sampled_from(ENCODINGS), st.booleans())
def test_bytes_of_a_token_are_its_form(words: list[str], encoding: str, is_split: bool) -> None:
    body = "<p>" + " ".join(words) + ("</p><p>" if is_split else " ") + " ".join(reversed(words)) + "</p>"
    payload = body.encode(encoding, "xmlcharrefreplace")
    for form, data, sources in tokens(payload, encoding):
        assert form == repaired(data, sources), (form, data)


@pytest.mark.parametrize(
    ("html", "form", "data"),
    [
        ("Ovo je hap<b>py</b> dan.", "happy", "hap<b>py"),
        ("Grad &Scaron;ibenik.", "Šibenik", "&Scaron;ibenik"),
        ("Ovo je naÄŤin rijeÄŤi.", "način", "naÄŤin"),
        ("Ovo je so\u00adfa mala.", "sofa", "so\u00adfa"),
        ("Ovo je &lt;i&gt;hap&lt;/i&gt;py dan.", "happy", "hap&lt;/i&gt;py"),
        ("Nije nas- tavak nego nastavak i nastavak.", "nastavak", "nas- tavak"),
        ("Što?!!!!!!!!!! Da.", "Što", "Što"),
        ("Ne&amp;scaron;to drugo.", "Nešto", "Ne&amp;scaron;to"),
    ],
)
def test_span_of_what_was_repaired(html: str, form: str, data: str) -> None:
    found = [(own, said) for own, said, _ in tokens(f"<p>{html}</p>".encode(), "utf-8")]
    assert (form, data) in found


def test_serbian_in_cyrillic_has_the_bytes_of_the_page() -> None:
    html = "<p>Љубав је <b>Њ</b>егошева тема, џеп &#x45F;еп.</p>"
    for encoding in ("utf-8", "cp1251", "utf-16-le"):
        found = [(form, data) for form, data, _ in tokens(html.encode(encoding), encoding, "sr")]
        assert [data for _, data in found][:3] == ["Љубав", "је", "Њ</b>егошева"]
        assert found[-2] == ("џеп", "&#x45F;еп")


@pytest.mark.parametrize("spell", [latin_view, cyrillic_view])
@pytest.mark.parametrize("html", ["Љубав и <b>Њ</b>егош, џеп.", "Lju<b>bav</b> i Njego&scaron;, d&#382;ep."])
def test_words_of_a_script_view_have_bytes(html: str, spell: Callable[[str], View]) -> None:
    payload = f"<p>{html}</p>".encode()
    (block,) = segment(payload.decode()).blocks
    view = spell(block.text)
    spans = np.array([word.span() for word in re.finditer(r"\w+", view.text)], np.int64)
    start, end = (len(payload.decode()[:place].encode()) for place in (block.start, block.end))
    places = in_text(view.breaks, spans[:, 0], spans[:, 1])
    bytes_of = PageSource(payload, "utf-8").byte_spans(start, end, block.text, *places)
    for (first, last), begin, stop in zip(spans, *bytes_of, strict=True):
        (read,) = segment(payload[begin:stop].decode()).blocks
        assert spell(read.text).text == view.text[first:last]


def test_tokens_of_one_reference_share_its_bytes() -> None:
    assert [data for _, data, _ in tokens(b"<p>a &NotEqualTilde; b</p>", "utf-8")] == [
        "a", "&NotEqualTilde;", "&NotEqualTilde;", "b",
    ]  # fmt: skip


@pytest.mark.parametrize(("mime", "frame"), [("text/html", "<pre>{}</pre>"), ("text/plain", "Naslov.\n\n{}")])
def test_tokens_after_a_repeated_line_have_their_bytes(mime: str, frame: str) -> None:
    lines = "Prvi red pjesme.\nDrugi red pjesme.\nDrugi red pjesme.\nDrugi red pjesme.\nTre\u0107i red \u017eut."
    payload = frame.format(lines).encode()
    found = [(form, data) for form, data, _ in tokens(payload, "utf-8", mime=mime)]
    assert [form for form, _ in found].count("Drugi") == 1
    assert all(form == data for form, data in found)
    assert found[-2] == ("\u017eut", "\u017eut")


def test_plain_text_has_characters_only() -> None:
    text = "Grad &Scaron; i se<u>lo.\n\nDrugi odlomak, žut."
    found = {form: data for form, data, _ in tokens(text.encode("cp1250"), "cp1250", mime="text/plain")}
    assert found["Š"] == "&Scaron;"
    assert found["selo"] == "se<u>lo"
    assert found["žut"] == "žut"
