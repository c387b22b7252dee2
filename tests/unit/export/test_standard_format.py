"""Web Standard Format: valid, and every offset right, whatever the encoding."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from paberki.archive.payload import payload
from paberki.archive.reading.warc import Archive
from paberki.corpus import Corpus
from paberki.errors import QueryError
from paberki.export.page_forms import NoSuchPage, page_form
from paberki.export.standard_format.sentence_places import placed_sentences
from paberki.export.standard_format.standard_xml import (
    DTD,
    Passage,
    StandardLink,
    StandardPage,
    page_xml,
)
from paberki.extraction import extract

PARSER = etree.XMLParser(resolve_entities=False, no_network=True)
TAGS = re.compile(r"<!--.*?-->|<[^>]*>", re.DOTALL)


def clean(source: str) -> str:
    """What a reader sees of a piece of HTML, white space apart."""
    return "".join(html.unescape(TAGS.sub("", source)).split())


def at(data: bytes, offset: int, length: int, encoding: str) -> str:
    """The characters of some bytes; encodings with a state are read from the beginning."""
    before = data[:offset].decode(encoding, "replace")
    return data[: offset + length].decode(encoding, "replace")[len(before) :]


@pytest.fixture(scope="module")
def documents(search_corpus: Path) -> dict[str, tuple[Any, bytes]]:
    """Every page as a tree, with its bytes."""
    corpus = Corpus(search_corpus)
    pages = list(corpus.pages("id", kept=False))
    return {
        page["id"]: (
            etree.fromstring(page_form(corpus, page["id"], "xml").data, PARSER),
            page_form(corpus, page["id"], "html").data,
        )
        for page in pages
    }


def test_every_document_is_valid(documents: dict[str, tuple[Any, bytes]]) -> None:
    dtd = etree.DTD(str(DTD))
    for tree, _ in documents.values():
        assert tree.tag == "StandardFormat"
        assert dtd.validate(tree), dtd.error_log
    assert len(documents) == 34


def test_every_offset_is_right(documents: dict[str, tuple[Any, bytes]]) -> None:
    encodings, passages = set(), 0
    for tree, data in documents.values():
        encoding = tree.get("OriginalEncoding")
        encodings.add(encoding)
        for one in tree.iter("Title", "Keywords", "Description", "S"):
            source = at(data, int(one.get("Offset")), int(one.get("Length")), encoding)
            assert clean(source) == "".join(one.findtext("RawString").split())
            passages += 1
    assert {
        "utf-8",
        "cp1250",
        "iso8859-2",
        "utf-16-le",
        "utf-16-be",
        "cp1251",
        "euc_jp",
        "cp932",
        "iso2022_jp",
    } <= encodings
    assert passages > 500


def test_heads_links_and_annotation(documents: dict[str, tuple[Any, bytes]]) -> None:
    tree, _ = documents["000000001"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", tree.get("Time"))
    assert tree.find("Header/Title").get("Id") == "0"
    assert tree.findtext("Header/Title/RawString").endswith("1 & drugo")
    assert tree.findtext("Header/Keywords/RawString").endswith("broj 1")
    assert tree.findtext("Header/Description/RawString").endswith('"1"')
    numbers = [int(one.get("Id")) for one in tree.iter("S")]
    assert numbers == list(range(1, len(numbers) + 1))
    lines = tree.find("Text/S/Annotation")
    assert lines.get("Scheme") == "paberki"
    assert all(len(line.split("\t")) == 10 for line in lines.text.split("\n"))
    words = "".join(line.split("\t")[1] for line in lines.text.split("\n"))
    assert words == "".join(tree.findtext("Text/S/RawString").split())


def test_links_have_the_ids_of_both_ends(documents: dict[str, tuple[Any, bytes]]) -> None:
    pairs = set()
    for id_, (tree, _) in documents.items():
        for link in tree.iterfind("Header/OutLinks/OutLink"):
            pairs |= {(id_, one.text) for one in link.iter("DocID")}
    back = {
        (one.text, id_)
        for id_, (tree, _) in documents.items()
        for one in tree.iterfind("Header/InLinks/InLink/DocIDs/DocID")
    }
    assert back
    assert back <= pairs
    urls = {id_: tree.get("Url") for id_, (tree, _) in documents.items()}
    for tree, _ in documents.values():
        assert all(urls[one.text] == one.get("Url") for one in tree.iter("DocID"))


def test_html_is_the_payload(search_corpus: Path, documents: dict[str, tuple[Any, bytes]]) -> None:
    corpus = Corpus(search_corpus)
    for page in corpus.pages("id", "warc_file", "warc_offset", "warc_length", kept=False):
        with Archive(corpus.directory.warc / page["warc_file"]) as archive:
            record = archive.read(page["warc_offset"], page["warc_length"])
        assert documents[page["id"]][1] == payload(record).data


def test_export_is_a_set_of_the_same_documents(search_corpus: Path, tmp_path: Path) -> None:
    corpus = Corpus(search_corpus)
    count = corpus.export("wsf", tmp_path / "all.xml", kept=False)
    tree = etree.parse(str(tmp_path / "all.xml"), PARSER).getroot()
    assert etree.DTD(str(DTD)).validate(tree)
    assert len(tree) == count == 34
    for one in tree:
        alone = etree.fromstring(page_form(corpus, one.get("Id"), "xml").data, PARSER)
        assert etree.tostring(alone, with_tail=False) == etree.tostring(one, with_tail=False)


def test_forms_and_errors(search_corpus: Path) -> None:
    corpus = Corpus(search_corpus)
    assert b"lijepo vrijeme" in page_form(corpus, "http://novine.hr/clanak/1", "text").data
    assert b'"warc_offset"' in page_form(corpus, "1", "json").data
    with pytest.raises(QueryError, match="did you mean 'html'"):
        page_form(corpus, "1", "htm")
    for name in ("999999999", "000000034", "http://novine.hr/nothing"):
        with pytest.raises(NoSuchPage):
            page_form(corpus, name, "xml")


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60), st.text(max_size=40), st.integers(0, 10**9))
def test_any_text_makes_a_valid_document(title: str, word: str, url: str, output: str, number: int) -> None:
    passage = Passage(title, number, len(title), [(word, output), ("]]>", f"a]]>b{output}")])
    page = StandardPage(
        url, word, "2020-01-01 00:00:00", "000000001", word, passage, passage, passage,
        [StandardLink(word, [("000000002", url)])], [StandardLink(title, (), url), StandardLink(title)], [passage], [passage],
        {"Author": title},
    )  # fmt: skip
    tree = etree.fromstring(page_xml(page).encode("utf-8", "replace"), PARSER)
    dtd = etree.DTD(str(DTD))
    assert dtd.validate(tree), dtd.error_log
    assert f"a]]>b{output}".replace("\r", "\n").startswith(tree.find("Header/Title")[2].text[:5])


ALPHABETS = {
    "utf-8": "aČ京Ж𐍈 é&<",
    "cp1250": "aČšđ Ž&<",
    "windows-1251": "aЖю Б&<",
    "euc-jp": "a京都の 大&<",
    "shift_jis": "a京ソ表 の&<",
    "iso-2022-jp": "a京都 の大&<",
    "utf-16-le": "aČ京 𐍈&<",
}


def pages() -> Iterator[Any]:
    for encoding, letters in ALPHABETS.items():
        words = st.text(letters, min_size=1, max_size=8).map(str.strip).filter(bool)
        yield pytest.param(
            encoding, st.lists(st.lists(words, min_size=1, max_size=6), min_size=1, max_size=4), id=encoding
        )


@pytest.mark.parametrize(("encoding", "paragraphs"), list(pages()))
@given(data=st.data())
def test_places_of_sentences_hold_in_any_encoding(encoding: str, paragraphs: Any, data: st.DataObject) -> None:
    """Pages without annotation: sentences are placed by reading the page once more."""
    texts = data.draw(paragraphs)
    body = "".join(f"<p>{html.escape(' '.join(words))}. <b>Kraj</b> &amp; x!</p>" for words in texts)
    source = f"<html><body><div>{body}</div></body></html>".encode(encoding, "xmlcharrefreplace")
    found = extract(source, encoding=encoding, method="whole")
    blocks = [
        {"text": one.text, "start": one.start, "end": one.end, "label": one.label, "kept": True, "source": None}
        for one in found.blocks
        if one.source is None
    ]
    page = {"blocks": blocks, "encoding": found.encoding, "mime": "text/html", "lang": ""}
    for sentence in placed_sentences(page, lambda: source):
        piece = at(source, sentence.offset, sentence.length, encoding)
        assert clean(piece) == "".join(sentence.text.split())


def test_writing_is_a_function_of_the_page(search_corpus: Path) -> None:
    corpus = Corpus(search_corpus)
    first, second = (page_form(corpus, "5", "xml").data for _ in range(2))
    assert first == second
    assert io.BytesIO(first).read(5) == b"<?xml"
