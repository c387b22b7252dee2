"""Personal data with checksums, licences, opt-outs, block lists."""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

import paberki
from paberki.errors import ConfigError
from paberki.quality.marks.marks_stage import block_lists
from paberki.quality.marks.signs import signs_in
from paberki.quality.permissions.licences import licences
from paberki.quality.permissions.personal import (
    SUSPECT,
    is_birth_number,
    is_iban,
    is_jmbg,
    is_oib,
    is_slovene_tax_number,
    masked,
    personal_data,
)
from paberki.quality.permissions.rights_stage import _judge, _reader, page_signals

FOUND = {
    "Pišite na ivan.horvat@example.hr.": [("email", "ivan.horvat@example.hr")],
    "Tel. 01 4567 890 ili +385 91 123 4567": [("phone", "01 4567 890"), ("phone", "+385 91 123 4567")],
    "IBAN: HR12 1001 0051 8630 0016 0, hvala": [("iban", "HR12 1001 0051 8630 0016 0")],
    "OIB 69435151530": [("oib", "69435151530")],
    "EMŠO 0101006500006": [("jmbg", "0101006500006")],
    "r. č. 736028/5163": [("rodne-cislo", "736028/5163")],
    "davčna številka: 15012557": [("davcna", "15012557")],
    "na ivo@x.hr-u, ...ana@x.hr, ž@y.hr": [("email", "ivo@x.hr"), ("email", "ana@x.hr"), ("email", "ž@y.hr")],
    "メールはana@x.jpまで или иван@пример.срб": [("email", "ana@x.jp"), ("email", "иван@пример.срб")],
    "ana [at] x.hr, ivo (at) y (dot) hr, ema＠z.hr": [
        ("email", "ana [at] x.hr"),
        ("email", "ivo (at) y (dot) hr"),
        ("email", "ema＠z.hr"),
    ],
    "i\u00advo@x.h\u200br": [("email", "i\u00advo@x.h\u200br")],
    "tel/+385912345678, +385 1 234 5678/123": [("phone", "+385912345678"), ("phone", "+385 1 234 5678/123")],
    "091/2345678 i 091.234.5678 i +385\u201391\u2013234\u20135678": [
        ("phone", "091/2345678"),
        ("phone", "091.234.5678"),
        ("phone", "+385\u201391\u2013234\u20135678"),
    ],
    "٦٩٤٣٥١٥١٥٣٠ ili ６９４３５１５１５３０": [("oib", "٦٩٤٣٥١٥١٥٣٠"), ("oib", "６９４３５１５１５３０")],
    "ＨＲ１２　1001 ００５１ 8630 0016 0": [("iban", "ＨＲ１２　1001 ００５１ 8630 0016 0")],
    "694-3515-1530 i OIB: 69 435 151 530": [("oib", "694-3515-1530"), ("oib", "69 435 151 530")],
    "010100-650-0006": [("jmbg", "010100-650-0006")],
    "736028 5163 i rč 7360285163": [("rodne-cislo", "736028 5163"), ("rodne-cislo", "7360285163")],
    "s adrese 192.168.1.20 i 2001:db8::1": [("ip", "192.168.1.20"), ("ip", "2001:db8::1")],
}


@pytest.mark.parametrize("text", FOUND)
def test_personal_data_is_found(text: str) -> None:
    assert [(one.type, text[one.start : one.end]) for one in personal_data(text)] == FOUND[text]


@pytest.mark.parametrize(
    "text",
    [
        "OIB 69435151531",
        "HR12 1001 0051 8630 0016 1",
        "0101006500007 je broj",
        "verzija 1.2.3.4.5 i 999.1.1.1",
        "u 12:30:45 dana 12.12.2012. godine",
        "cijena 1.234.567,00 kn, 2010-2012, 15012557 komada",
        "@korisnik a@b",
        "12 345 678 901 kuna, 69.435.151.530 kn",
        "vidi (at) nešto, 5 @ 3",
    ],
)
def test_what_only_looks_like_it_is_not(text: str) -> None:
    assert personal_data(text) == []


def test_checksums() -> None:
    assert is_iban("DE89370400440532013000")
    assert is_iban("SI56 2633 0001 2039 086")
    assert not is_iban("DE89370400440532013001")
    assert is_oib("69435151530")
    assert is_jmbg("0101006500006")
    assert not is_jmbg("3113006500006")
    assert is_birth_number("7360285163")
    assert is_slovene_tax_number("15012557")


def test_masking_keeps_the_rest() -> None:
    text = "Ivan (ivan@x.hr, ana@y.hr) piše"
    assert masked(text, personal_data(text)) == "Ivan ([email], [email]) piše"


def test_long_hostile_text_takes_no_time() -> None:
    began = time.process_time()
    for text in ("1 " * 200_000, "a@" * 100_000, "AA11" * 50_000, ":" * 100_000, "+1" * 100_000):
        personal_data(text)
    assert time.process_time() - began < 30


def test_long_texts_are_read_to_their_end() -> None:
    text = "riječ " * 333_330 + "ana@x.hr" + " riječ" * 100_000 + " ivo@x.hr"
    assert [text[one.start : one.end] for one in personal_data(text)] == ["ana@x.hr", "ivo@x.hr"]


def test_every_kind_is_suspect() -> None:
    """One look by Arrow must not miss what the real ones would see."""
    assert pc.all(pc.match_substring_regex(pa.array(list(FOUND)), SUSPECT)).as_py()


def test_licences_have_place_and_confidence() -> None:
    page = (
        b'<p>Text under CC BY 3.0</p><a rel="license" href="https://creativecommons.org/licenses/by-sa/4.0/deed.hr">x</a>'
        b"<footer>All rights reserved</footer>"
    )
    found = licences(page)
    assert [one.name for one in found] == ["CC-BY-SA-4.0", "CC-BY-3.0", "all-rights-reserved"]
    assert page[found[0].start : found[0].end].startswith(b"https://creativecommons.org/licenses/by-sa/4.0")
    assert found[0].confidence == pytest.approx(0.95)
    assert found[0].confidence > found[1].confidence > found[2].confidence
    assert licences(b"nothing at all") == []
    assert licences(b"see http://creativecommons.org/publicdomain/zero/1.0/")[0].name == "CC0-1.0"


def test_statements_of_a_page_are_read() -> None:
    page = b"<meta name='robots' content='noindex, noai'><META content=\"1\" name=tdm-reservation>"
    found = {str(one) for one in page_signals(page, [("X-Robots-Tag", "nofollow")], "paberki")}
    assert found == {"header:nofollow", "meta:noindex", "meta:noai", "meta:tdm-reservation=1"}


def test_an_archived_robots_txt_judges_pages() -> None:
    readers = {
        ("http://a.hr", "/robots.txt"): _reader("/robots.txt", b"User-agent: *\nDisallow: /tajno/", "paberki"),
        ("http://a.hr", "/ai.txt"): _reader("/ai.txt", b"User-agent: *\nDisallow: /", "paberki"),
    }
    assert _judge("http://a.hr", "http://a.hr/tajno/x", readers)[0] is False
    allowed, signals = _judge("http://a.hr", "http://a.hr/javno", readers)
    assert allowed is True
    assert "ai.txt:disallow" in map(str, signals)
    assert _judge("http://b.hr", "http://b.hr/", readers) == (None, [])


def test_block_lists_know_hosts_addresses_and_words(tmp_path: Path) -> None:
    (tmp_path / "adult.txt").write_text("bad.com\nhttp://x.hr/igre\nword: ružna  riječ\n# comment\n")
    (tmp_path / "ads.txt").write_text("ads.x.hr\n")
    lists = block_lists((("adult", f"{tmp_path}/adult.txt"), ("ads", f"{tmp_path}/ads.txt")))
    assert lists.categories("http://www.bad.com/", "www.bad.com", "") == ["adult"]
    assert lists.categories("https://x.hr/igre/nova", "x.hr", "") == ["adult"]
    assert lists.categories("https://x.hr/igrexx", "x.hr", "") == []
    assert lists.categories(None, "ads.x.hr", "To je Ružna riječ.") == ["ads", "adult"]
    with pytest.raises(ConfigError, match="CATEGORY=FILE"):
        block_lists((("ads", "nowhere.txt"),))


def test_signs_of_machine_translation() -> None:
    assert signs_in(b'<script src="https://cdn.weglot.com/weglot.min.js">').translator == "weglot"
    assert signs_in(b'<div id="google_translate_element">').translator == "google"
    assert signs_in(b"<p>An ordinary page about translation</p>").translator is None


@pytest.mark.parametrize("compressed", [True, False])
def test_metadata_records_of_an_archive_are_read(tmp_path: Path, compressed: bool) -> None:
    def record(kind: str, url: str, block: bytes, content_type: str) -> bytes:
        head = f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"
        head += (
            f"WARC-Record-ID: <urn:x:{kind}>\r\nContent-Type: {content_type}\r\nContent-Length: {len(block)}\r\n\r\n"
        )
        found = head.encode() + block + b"\r\n\r\n"
        return gzip.compress(found, mtime=0) if compressed else found

    def page(name: str, *said: str) -> bytes:
        url, http = f"http://a.hr/{name}", "application/http"
        found = record("response", url, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Text</p>", http)
        found += record("request", url, b"GET / HTTP/1.1\r\n\r\n", http)
        for one in said:
            found += record("metadata", url, one.encode(), "application/warc-fields")
        return found

    corpus = paberki.new(tmp_path / "c", lang="hr")
    archive = tmp_path / ("a.warc.gz" if compressed else "a.warc")
    foreign = record("metadata", "http://a.hr/elsewhere", b"robots: noindex\r\n", "application/warc-fields")
    archive.write_bytes(
        page("reserved", "good: true\r\nsignal: tdmrep: tdm-reservation=1\r\n")
        + page("robots", "fetchTimeMs: 12\r\nrobots: noai\r\n")
        + page("free", "via: http://a.hr/\r\nno colon\r\n")
        + foreign
    )
    corpus.add([archive])
    recipe = corpus.directory.root / "corpus.toml"
    recipe.write_text('lang = "hr"\nstages = ["captures.v1", "decode.model.v1", "quality.rights.v1"]\n', "utf-8")
    corpus = paberki.open(corpus.directory.root)
    corpus.build(jobs=1)
    found = {str(row[0])[-8:]: (row[1], row[2]) for row in corpus.sql("select url, signals, opted_out from pages")[1]}
    assert found["reserved"] == (["tdmrep:tdm-reservation=1"], True)
    assert found["r/robots"] == (["meta:noai"], True)
    assert found[".hr/free"] == ([], False)


ROBOTS = b"# crawlers\n\nUser-agent: *\n\nDisallow: /tajno/\n"
AI = b"User-agent: *\n\nDisallow: /\n"
TDM = b'[{"location": "/",\n\n "tdm-reservation": 1}]'


@pytest.mark.parametrize("kind", ["text/plain", "text/html; charset=utf-8", "application/octet-stream"])
def test_files_about_rights_are_read_from_the_payload_whatever_their_type(tmp_path: Path, kind: str) -> None:
    def record(path: str, body: bytes) -> bytes:
        block = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n".encode() + body
        head = (
            f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.hr{path}\r\n"
            "WARC-Date: 2020-01-02T03:04:05Z\r\nWARC-Record-ID: <urn:x:1>\r\n"
            f"Content-Type: application/http\r\nContent-Length: {len(block)}\r\n\r\n"
        )
        return head.encode() + block + b"\r\n\r\n"

    (tmp_path / "a.warc").write_bytes(
        record("/tajno/x", b"<p>Text</p>") + record("/javno", b"<p>Text</p>") + record("/robots.txt", ROBOTS)
        + record("/ai.txt", AI) + record("/.well-known/tdmrep.json", TDM)
    )  # fmt: skip
    corpus = paberki.new(tmp_path / "c", lang="hr")
    corpus.add([tmp_path / "a.warc"])
    recipe = corpus.directory.root / "corpus.toml"
    recipe.write_text('lang = "hr"\nstages = ["captures.v1", "decode.model.v1", "quality.robots.v1"]\n', "utf-8")
    corpus = paberki.open(corpus.directory.root)
    corpus.build(jobs=1)
    rows = corpus.sql(
        "select url, robots_allowed, robots_signals from pages where url like '%/ta%' or url like '%/ja%' order by url desc"
    )[1]
    assert [row[1] for row in rows] == [False, True]
    assert {"ai.txt:disallow", "tdmrep:tdm-reservation=1"} <= set(rows[1][2])
