from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.errors import ConfigError, InputError
from paberki.seeding.common_crawl_index import Capture, captures, three_letters
from paberki.seeding.frequent_words import RankedWord, function_words, ranked_words
from paberki.seeding.homes import domain_names, home_pages, sitemap_urls, urls_of
from paberki.seeding.lookup import Lookup, fold
from paberki.seeding.size import web_size
from paberki.seeding.word_tuples import TRIPLES, Draw, queries

LETTERS = "abcdefghij"


def name(number: int) -> str:
    """A word of letters for a number."""
    return "w" + "".join(LETTERS[int(digit)] for digit in str(number))


@pytest.fixture
def list_file(tmp_path: Path) -> Path:
    """12,000 words, rank n is called name(n)."""
    path = tmp_path / "words.tsv"
    path.write_text("".join(f"{name(rank)}\t{100_000 - rank}\n" for rank in range(1, 12_001)), "utf-8")
    return path


def test_bigrams_of_the_window(list_file: Path) -> None:
    drawn = queries(ranked_words(list_file), Draw(count=5000, seed=3))
    window = {name(rank) for rank in range(1_000, 10_001)}
    assert len({frozenset(query) for query in drawn}) == 5000
    assert all(len(query) == 2 and set(query) <= window for query in drawn)
    assert len({word for query in drawn for word in query}) > 4000
    assert drawn == queries(ranked_words(list_file), Draw(count=5000, seed=3))
    assert drawn != queries(ranked_words(list_file), Draw(count=5000, seed=4))


def test_triples_of_content_words() -> None:
    words = [RankedWord(name(rank), 10_000 - rank, "NOUN" if rank % 2 else "ADP") for rank in range(1, 10_000)]
    drawn = queries(words, Draw(size=3, first_rank=1_001, last_rank=2_000, content=True, count=500))
    allowed = {name(rank) for rank in range(2_001, 4_000, 2)}
    assert all(len(set(query)) == 3 and set(query) <= allowed for query in drawn)
    assert (TRIPLES.size, TRIPLES.first_rank, TRIPLES.last_rank, TRIPLES.content) == (3, 1_001, 6_000, True)


@pytest.mark.parametrize(
    ("tag", "content"),
    [("NOUN", True), ("PROPN", True), ("VERB", True), ("ADJ", True), ("ADV", True), ("ADP", False), ("AUX", False)]
    + [
        ("NUM", False),
        ("Ncmsn", True),
        ("Vmr3s", True),
        ("Agpmsny", True),
        ("Rgp", True),
        ("Sl", False),
        ("Cc", False),
    ],
)
def test_content_words_by_tag(tag: str, content: bool) -> None:
    assert RankedWord("x", 1, tag).is_content(frozenset()) is content


def test_content_words_without_tags() -> None:
    croatian = function_words(["hr"])
    assert not RankedWord("između", 1).is_content(croatian)
    assert not RankedWord("dan", 1).is_content(croatian)
    assert RankedWord("knjiga", 1).is_content(croatian)


@pytest.mark.parametrize(
    "text",
    [
        "word\tcount\nriba\t5\nmore\t7\n12\t9\n,\t99\n",
        "riba\t5\tNcfsn\nmore\t7\tNcnsn\n",
        "7\tmore\n5\triba\n",
        "1\tmore\t7\n2\triba\t5\n",
        "\ufeffmore\t7\r\nriba\t5.0\r\n",
    ],
)
def test_word_lists_of_several_kinds(text: str, tmp_path: Path) -> None:
    for path, data in ((tmp_path / "a", text.encode()), (tmp_path / "b.gz", gzip.compress(text.encode()))):
        path.write_bytes(data)
        assert [(word.form, word.count) for word in ranked_words(path)] == [("more", 7.0), ("riba", 5.0)]


def test_words_of_a_text(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("More je more, a riba je riba. More! 2011. i', l'anno\n", "utf-8")
    assert {word.form: word.count for word in ranked_words(path)}["je"] == 2
    assert "l'anno" in {word.form for word in ranked_words(path)}


def test_too_few_words_is_said(tmp_path: Path) -> None:
    path = tmp_path / "few.txt"
    path.write_text("jedna dvije tri")
    with pytest.raises(ConfigError, match="has 3 words"):
        queries(ranked_words(path), Draw())
    with pytest.raises(ConfigError, match="lower rank first"):
        queries(ranked_words(path), Draw(first_rank=3, last_rank=2))
    assert len(queries(ranked_words(path), Draw(first_rank=1, last_rank=3, count=100))) == 3
    with pytest.raises(InputError):
        ranked_words(tmp_path / "missing")
    path.write_bytes(b"")
    with pytest.raises(InputError, match="no words"):
        ranked_words(path)


def cdxj(url: str, surt: str, *, languages: str = "hrv", status: str = "200", mime: str = "text/html") -> str:
    said = {"url": url, "mime": mime, "mime-detected": mime, "status": status, "languages": languages}
    return f"{surt} 20240101000000 {json.dumps(said)}"


@pytest.fixture
def index_file(tmp_path: Path) -> Path:
    lines = [
        cdxj("http://www.a.hr/vijesti/velika-poplava-u-gradu", "hr,a)/vijesti/velika-poplava-u-gradu"),
        cdxj("https://www.a.hr/%C5%A1uma/%C4%8Dovjek-i-more.html", "hr,a)/x"),
        cdxj("http://b.hr/slika.jpg", "hr,b)/slika.jpg", mime="image/jpeg"),
        cdxj("http://b.hr/nema-mora-i-grada", "hr,b)/nema", status="404"),
        cdxj("http://c.hr/en/city", "hr,c)/en/city", languages="eng,hrv"),
        cdxj("http://d.com/poplava-u-gradu?a=b c", "com,d)/poplava"),
        "hr,broken)/x 20240101 {not json",
        "garbage",
        "hr,old)/ 20100101000000 http://old.hr/stara-poplava text/html 200 AAAA - - 12 34 f.warc.gz",
    ]
    path = tmp_path / "cdx-00000.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def test_index(index_file: Path) -> None:
    found = list(captures(index_file))
    assert [one.url.split("/")[2] for one in found] == [
        "www.a.hr",
        "www.a.hr",
        "b.hr",
        "b.hr",
        "c.hr",
        "d.com",
        "old.hr",
    ]
    assert [one.is_page for one in found] == [True, True, False, False, True, True, True]
    assert [one.is_in(("hrv",)) for one in found] == [True, True, True, True, False, True, False]
    assert len(list(captures(index_file, tld=("com",)))) == 1
    assert three_letters(["hr", "jpn"]) == ("hrv", "jpn")


def test_lookup(index_file: Path) -> None:
    wanted = Lookup([("poplava", "gradu"), ("čovjek", "more"), ("gora", "more"), ("City", "en")])
    for capture in captures(index_file, tld=("hr",)):
        if capture.is_page:
            wanted.offer(capture)
    assert wanted.urls == [
        "http://www.a.hr/vijesti/velika-poplava-u-gradu",
        "https://www.a.hr/%C5%A1uma/%C4%8Dovjek-i-more.html",
        "http://c.hr/en/city",
    ]
    assert wanted.answered_count == 3
    assert fold("Đačić") == "dacic"


def test_lookup_limits_hits_and_may_want_fewer_words() -> None:
    some = Lookup([("riba", "more")], hits=2, least=1)
    assert [some.offer(Capture(f"http://a.hr/riba-{n}", "200", "text/html", ())) for n in range(4)] == [
        True,
        True,
        False,
        False,
    ]
    assert not some.offer(Capture("not a url", "200", "text/html", ()))


def test_home_pages_on_the_domain() -> None:
    urls = [
        "http://www.a.hr/x/y?z",
        "https://www.a.hr/q",
        "http://b.hr:8080/1",
        "http://c.com/",
        "http://www.a.hr/",
        "http://hr/",
    ]
    assert home_pages(urls, tld=("hr",)) == ["https://www.a.hr/", "http://b.hr:8080/"]
    assert len(home_pages(urls)) == 4
    assert domain_names([".HR", "рф"]) == ("hr", "xn--p1ai")


def test_urls_from_lists_indexes_and_sitemaps(
    index_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = tmp_path / "urls.txt"
    urls.write_text("# seeds\nhttp://a.hr/x\nb.hr\n\n12\thttps://c.hr/y\tnote\nmailto:x@y\n", "utf-8")
    assert list(urls_of(urls)) == ["http://a.hr/x", "http://b.hr/", "https://c.hr/y"]
    assert home_pages(urls_of(index_file, tld=("hr",), languages=("hr",))) == ["https://www.a.hr/"]
    sitemap = tmp_path / "sitemap.xml.gz"
    sitemap.write_bytes(gzip.compress(b"<urlset><url><loc>http://a.hr/1</loc></url><url><loc>/2</loc></url></urlset>"))
    assert list(urls_of(sitemap)) == sitemap_urls(sitemap) == ["http://a.hr/1"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"http://d.hr/1\n")))
    assert list(urls_of(Path("-"))) == ["http://d.hr/1"]


def test_size_of_a_web(index_file: Path) -> None:
    size = web_size(captures(index_file), codes=("hrv",), tld=("hr",))
    assert size.lines == 7
    assert size.language.scaled(1.0) == {"pages": 3, "hosts": 2, "domains": 2}
    assert size.domain.scaled(1.0) == {"pages": 4, "hosts": 3, "domains": 3}
    assert size.both.scaled(0.01)["pages"] == 200


def test_damaged_input_is_said_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.gz"
    path.write_bytes(gzip.compress(b"http://a.hr/\n" * 100_000)[:-30])
    with pytest.raises(InputError, match="cannot be read after line"):
        list(urls_of(path))


@given(st.text(max_size=100))
def test_any_line_can_be_read(text: str) -> None:
    from paberki.seeding.common_crawl_index import _capture
    from paberki.seeding.frequent_words import _entry

    for line in (text, f"hr,a)/ 2024 {{{text}", f'hr,a)/ 2024 {{"url": "{text}"}}', f"{text}\t5"):
        _capture(line)
        _entry(line)
