"""Loose pages become records; what cannot be used is reported, not lost in silence."""

import gzip
import json
import os

import pytest
import zstandard

from paberki.archive.adding.annotated.conllu_file import pages
from paberki.archive.adding.annotated.vertical_file import guess_columns
from paberki.archive.adding.wrap import kind_of, sources_in, wrap
from paberki.archive.payload import payload
from paberki.archive.reading import numbered_lines, warc
from paberki.errors import InputError


class Reports(list):
    def __call__(self, where, why):
        self.append((where, why))


def wrapped(source, target, **options):
    reports = Reports()
    result = wrap(source, target, on_error=reports, **options)
    assert result.skipped == len(reports)
    pages = [r for r in warc.scan(target) if r.type == "resource"]
    assert len(pages) == result.records
    assert not any(r.error for r in pages)
    return pages, reports, result


@pytest.fixture
def site(tmp_path):
    root = tmp_path / "moj site"
    (root / "b").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "b" / "č.html").write_bytes("<p>čaša".encode("cp1250"))
    (root / "a.txt").write_text("text")
    (root / "X.HTM").write_text("<p>x")
    (root / "empty.html").write_text("")
    (root / "image.png").write_bytes(b"png")
    (root / ".hidden.html").write_text("x")
    (root / ".git" / "x.html").write_text("x")
    (tmp_path / "outside.html").write_text("secret")
    (root / "out.html").symlink_to(tmp_path / "outside.html")
    (root / "in.html").symlink_to(root / "a.txt")
    (root / "loop").symlink_to(root)
    os.mkfifo(root / "pipe.html")
    return root


def test_directory(site, tmp_path):
    pages, reports, result = wrapped(site, tmp_path / "x")
    names = ["X.HTM", "a.txt", "in.html", "b/%C4%8D.html"]
    assert [r.url for r in pages] == [f"file:///moj%20site/{name}" for name in names]
    assert [payload(r).mime for r in pages] == ["text/html", "text/plain", "text/html", "text/html"]
    assert pages[3].body == "<p>čaša".encode("cp1250")
    assert {r.date for r in pages} == {None}
    assert {payload(r).http_charset for r in pages} == {None}
    assert reports == [("empty.html", "is empty"), ("pipe.html", "is not a regular file")]
    assert not [p for p in tmp_path.iterdir() if p.name.endswith(".part")]
    assert wrapped(site, tmp_path / "y")[2] == result
    assert (tmp_path / "x").read_bytes() == (tmp_path / "y").read_bytes()


def test_archives_in_a_directory_are_imported_one_by_one(site, tmp_path):
    assert sources_in(site / "a.txt") == [site / "a.txt"]
    assert sources_in(site) == [site]
    (site / "b" / "1.warc.gz").write_bytes(b"x")
    (site / "2.WARC").write_bytes(b"x")
    (site / "t.jsonl.gz").write_bytes(b"x")
    (site / "p.png").write_bytes(b"x")
    assert sources_in(site) == [site / "2.WARC", site / "b" / "1.warc.gz", site]
    _, reports, _ = wrapped(site, tmp_path / "x")
    assert ("t.jsonl.gz", "holds several pages; name it by itself") in reports
    archives = tmp_path / "archives"
    archives.mkdir()
    (archives / "1.warc").write_bytes(b"x")
    assert sources_in(archives) == [archives / "1.warc"]


def test_base_url_and_progress(site, tmp_path):
    seen = []
    pages, _, _ = wrapped(site, tmp_path / "x", base_url="http://a.hr/s/", progress=seen.append)
    assert pages[0].url == "http://a.hr/s/X.HTM"
    assert seen == [1, 2, 3, 4]


def test_single_page(tmp_path):
    (tmp_path / "a b.html").write_text("<p>x")
    pages, _, _ = wrapped(tmp_path / "a b.html", tmp_path / "x")
    assert pages[0].url == "file:///a%20b.html"
    assert pages[0].body == b"<p>x"


def test_csv(tmp_path):
    big = "<p>" + "x" * 300_000
    rows = 'URL,html,date\nhttp://a.hr/1,"<p>a,\n""b""",2020-01-02\nhttp://a.hr/2\n,x,\nrelative,x,\n'
    rows += f"http://a.hr/3,{big},\nhttp://a.hr/4,,\n\nhttp://a.hr/5,\udce8a,\n"
    (tmp_path / "t.csv").write_bytes(b"\xef\xbb\xbf" + rows.encode("utf-8", "surrogateescape"))
    pages, reports, _ = wrapped(tmp_path / "t.csv", tmp_path / "x")
    assert [r.url for r in pages] == ["http://a.hr/1", "http://a.hr/3", "http://a.hr/5"]
    assert pages[0].body == b'<p>a,\n"b"'
    assert pages[0].date == "2020-01-02T00:00:00Z"
    assert payload(pages[0]).http_charset == "utf-8"
    assert pages[1].body == big.encode()
    assert pages[2].body == b"\xe8a"
    assert payload(pages[2]).http_charset is None
    assert reports == [
        ("t.csv:4", "has 1 fields, the header has 3"),
        ("t.csv:5", "no url"),
        ("t.csv:6", "the url is not absolute"),
        ("t.csv:8", "no content"),
    ]


def test_tsv_and_semicolons(tmp_path):
    (tmp_path / "t.tsv").write_text("text\turl\nDobar dan\thttp://a.hr/\n")
    (tmp_path / "t.csv").write_text("content;url;mime\n<p>;/x;text/plain\n")
    pages, _, _ = wrapped(tmp_path / "t.tsv", tmp_path / "x")
    assert payload(pages[0]).mime == "text/plain"
    pages, _, _ = wrapped(tmp_path / "t.csv", tmp_path / "x", base_url="http://a.hr/b/")
    assert (pages[0].url, payload(pages[0]).mime) == ("http://a.hr/x", "text/plain")


JSONL = "\n".join(
    [
        json.dumps({"url": "http://a.hr/1", "html": "<p>čaša", "date": "2020-01-02T03:04:05Z"}),
        "{nonsense",
        "[1]",
        "[" * 100_000,
        '{"url": "http://a.hr/2", "html": "a\\ud800b"}',
        '{"url": 5, "html": "x"}',
        '{"url": "http://a.hr/3", "html": {"a": 1}}',
        "",
        '{"url": "http://[", "html": "x", "n": ' + "9" * 5000 + "}",
        json.dumps({"url": "http://a.hr/4", "text": "x"}),
    ]
).encode()


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson.gz", ".jsonl.zst"])
def test_jsonl(tmp_path, suffix):
    data = {"l": lambda x: x, "z": gzip.compress, "t": zstandard.compress}[suffix[-1]](JSONL)
    source = tmp_path / f"t{suffix}"
    source.write_bytes(data)
    assert kind_of(source) == "table"
    pages, reports, _ = wrapped(source, tmp_path / "x")
    assert [r.url for r in pages] == ["http://a.hr/1", "http://a.hr/2", "http://a.hr/4"]
    assert pages[0].body.decode() == "<p>čaša"
    assert pages[1].body.decode() == "a\ufffdb"
    assert [where.rsplit(":")[1] for where, _ in reports] == ["2", "3", "4", "6", "7", "9"]


def test_damaged_table_keeps_what_came_before(tmp_path):
    rows = b"".join(
        b'{"url": "http://a.hr/%d", "html": "%s"}\n' % (i, os.urandom(90).hex().encode()) for i in range(4000)
    )
    data = gzip.compress(rows)
    (tmp_path / "t.jsonl.gz").write_bytes(data[: len(data) // 2])
    pages, reports, _ = wrapped(tmp_path / "t.jsonl.gz", tmp_path / "x")
    assert len(pages) > 500
    assert "damaged" in reports[0][1]


def test_long_lines_are_not_held(tmp_path, monkeypatch):
    monkeypatch.setattr(numbered_lines, "LINE_BYTES", 1000)
    good = b'{"url": "http://a.hr/1", "html": "x"}\n'
    (tmp_path / "t.jsonl").write_bytes(good + b"x" * 2_000_000 + b"\n" + good + b"y" * 5000)
    pages, reports, _ = wrapped(tmp_path / "t.jsonl", tmp_path / "x")
    assert len(pages) == 2
    assert [where for where, _ in reports] == ["t.jsonl:2", "t.jsonl:4"]


@pytest.mark.parametrize(("name", "text"), [("t.csv", "a,b\n1,2\n"), ("t.jsonl", '{"a": 1, "b": 2}')])
def test_missing_columns(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=f"{name}: needs a column url and one of .*; found: a, b"):
        wrap(tmp_path / name, tmp_path / "x", on_error=Reports())
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_kinds(tmp_path):
    (tmp_path / "page").write_text("\n<!DOCTYPE HTML><p>")
    (tmp_path / "t.md").write_text("# x")
    assert kind_of(tmp_path) == "directory"
    assert kind_of(tmp_path / "page") == kind_of(tmp_path / "t.md") == "page"
    wrap(tmp_path / "page", tmp_path / "odd.csv", on_error=Reports())
    assert kind_of(tmp_path / "odd.csv") == "warc"
    with pytest.raises(InputError, match="needs no wrapping"):
        wrap(tmp_path / "odd.csv", tmp_path / "x", on_error=Reports())


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "notes.docx",
            b"PK\x03\x04",
            "notes.docx: .*; paberki import takes WARC, ARC, WET, HTML, text, CSV, JSONL",
        ),
        ("x.html", b"", "x.html: is empty"),
        ("x.warc.gz", b"nonsense", "x.warc.gz: is not a WARC"),
    ],
)
def test_refused(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        kind_of(tmp_path / name)


def test_refused_paths(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        kind_of(tmp_path / "none")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not a regular file"):
        kind_of(tmp_path / "pipe")
    (tmp_path / "d").mkdir()
    with pytest.raises(InputError, match="holds no pages"):
        wrap(tmp_path / "d", tmp_path / "x", on_error=Reports())


@pytest.mark.parametrize("broken", ["alone", "one\ttoo\tmany\tcolumns", "\t".join("abcdefghi")])
def test_columns_of_a_vertical_are_those_of_most_lines(broken: str) -> None:
    lines = ["<doc>", "<s>", "Psi\tNcmpn\tpes", broken, "močno\tRgp\tmočno", "lajajo\tVmpr3p\tlajati", "</s>"]
    assert guess_columns(lines) == ["word", "xpos", "lemma"]


def test_a_sentence_that_is_not_utf8_is_passed_over(tmp_path) -> None:
    word = "1\t{0}\t{0}\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "a.conllu").write_bytes(word.format("žena").encode("iso-8859-2") + word.format("žena").encode())
    reports: list[str] = []
    (page,) = pages(tmp_path / "a.conllu", lambda place, problem: reports.append(f"{place}: {problem}"))
    assert reports == ["a.conllu:1: is not UTF-8; the sentence is passed over"]
    assert [block.text for block in page.blocks] == ["žena"]
