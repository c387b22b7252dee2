"""Pages come out as they were written, whatever their headers say about the encoding."""

import codecs
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.decoding import decode

SENTENCES = {
    "hr": "Željeznički promet između Zagreba i Šibenika ponovno je uspostavljen, kažu čelnici općine; građani će moći"
    " putovati već sutra, a vozne će karte biti jeftinije nego ljeti.",
    "sl": "Včeraj so v Ljubljani odprli razstavo starih knjig, na kateri si lahko obiskovalci ogledajo tudi številne"
    " redke izdaje, ki jih že več let hranijo v šolski knjižnici.",
    "cs": "Příliš žluťoučký kůň úpěl ďábelské ódy, řekl včera ředitel školy v Brně, když se ho žáci ptali na oběd.",
    "sr": "Јуче је у Београду отворена изложба старих књига, на којој се могу видети ретка издања из прошлог века.",
    "ru": "Вчера в Москве открылась выставка старинных книг, на которой можно увидеть редкие издания прошлых веков.",
    "de": "Gestern wurde in München eine Ausstellung über schöne alte Bücher eröffnet, sagte die Bürgermeisterin"
    " auf der Straße; für Schüler kostet der Eintritt fünf Euro, für größere Gruppen drei.",
    "ja": "昨日、東京で古い本の展示会が開かれました。珍しい本をたくさん見ることができます。入場は無料です。",
}
CASES = [
    ("hr", "cp1250"),
    ("hr", "iso8859-2"),
    ("sl", "cp1250"),
    ("sl", "iso8859-2"),
    ("cs", "cp1250"),
    ("cs", "iso8859-2"),
    ("sr", "cp1251"),
    ("sr", "iso8859-5"),
    ("ru", "cp1251"),
    ("ru", "koi8-r"),
    ("ru", "iso8859-5"),
    ("ru", "cp866"),
    ("de", "cp1252"),
    ("ja", "cp932"),
    ("ja", "euc_jp"),
    ("ja", "iso2022_jp"),
    *((language, "utf-8") for language in SENTENCES),
]


def page(language, label=None):
    meta = f'<meta charset="{label}">' if label else ""
    return f"<html><head>{meta}<title>x</title></head><body><p>{SENTENCES[language]}</p></body></html>"


@pytest.mark.parametrize(("language", "codec"), CASES)
def test_undeclared(language, codec):
    decoded = decode(page(language).encode(codec))
    assert decoded.text == page(language)
    assert decoded.replaced_count == 0
    assert decoded.evidence[-1].source in ("valid", "model")


@pytest.mark.parametrize(("language", "codec"), CASES)
def test_rightly_declared(language, codec):
    label = {"cp932": "shift_jis", "euc_jp": "euc-jp", "iso2022_jp": "iso-2022-jp"}.get(codec, codec)
    text = page(language, label)
    decoded = decode(text.encode(codec))
    assert (decoded.text, decoded.encoding) == (text, codec)
    assert any(item.source == "meta" and item.encoding == codec for item in decoded.evidence)


@pytest.mark.parametrize("lie", ["utf-8", "iso-8859-1", "iso-8859-2", "windows-1251", "shift_jis", "euc-jp"])
@pytest.mark.parametrize(("language", "codec"), CASES)
def test_wrongly_declared(language, codec, lie):
    text = page(language, lie)
    assert decode(text.encode(codec)).text == text
    assert decode(page(language).encode(codec), http_charset=lie).text == page(language)


def test_declaration_decides_where_bytes_do_not():
    data = b"<p>caf\xe9</p>"
    assert decode(data, http_charset="iso-8859-1").encoding == "cp1252"
    assert decode(data, http_charset="windows-1250").encoding == "cp1250"


def test_unmodelled_declared_encoding_is_taken():
    text = "Labdien! Šodien ir jauka diena, un ārā spīd saule."
    assert decode(text.encode("cp1257"), http_charset="windows-1257").text == text


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks_decide_and_go(codec):
    decoded = decode(page("hr", "iso-8859-2").encode(codec), http_charset="windows-1251")
    assert decoded.text == page("hr", "iso-8859-2")
    assert decoded.evidence[0].source == "bom"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_without_mark(codec):
    assert decode(page("hr").encode(codec)).text == page("hr")


def test_ascii_is_utf8():
    decoded = decode(b"<p>plain</p>", http_charset="windows-1250")
    assert (decoded.text, decoded.encoding, decoded.replaced_count) == ("<p>plain</p>", "utf-8", 0)


def test_damaged_utf8_stays_utf8_and_damage_is_counted():
    data = page("hr").encode()
    data = data[:120] + b"\xff" + data[120:] + b"\xc4"
    decoded = decode(data, http_charset="utf-8")
    assert decoded.encoding == "utf-8"
    assert decoded.replaced_count == 2
    assert "Željeznički" in decoded.text


def test_replacement_characters_of_the_page_are_not_damage():
    assert decode("već \ufffd je".encode()).replaced_count == 0


def test_codec_names_are_known_to_python():
    for language, codec in CASES:
        assert codecs.lookup(decode(page(language).encode(codec)).encoding)


@given(st.binary(max_size=300), st.sampled_from([None, "utf-8", "cp1250", "nonsense", "utf-16"]))
def test_any_bytes_decode(data, label):
    decoded = decode(data, http_charset=label)
    assert codecs.lookup(decoded.encoding)
    assert decoded.replaced_count >= 0


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_utf8_is_kept_letter_by_letter(text):
    data = ("č" + text).encode()
    assert decode(data).text == "č" + text


@pytest.mark.parametrize(
    "data",
    [
        b"<script" * 30_000 + b"\xe9",
        b"<" * 200_000 + b"\xe9",
        b"<!--" * 50_000 + b"charset\xe9",
        bytes(range(256)) * 20_000,
        b"\x81" * 500_000,
        b"\x00" * 500_000,
        b"<p>\xe8\x9a\x9e " * 300_000,
    ],
)
def test_hostile_pages_take_linear_time(data):
    before = time.process_time()
    decode(data)
    assert time.process_time() - before < 3.0
