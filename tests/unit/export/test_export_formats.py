"""Exports, read again with other tools."""

import gzip
import html
import io
import json
import re

import duckdb
import pyarrow.parquet as pq
import pytest
import zstandard

from paberki.errors import ConfigError, QueryError, StoreError
from paberki.export import FORMATS, export, target
from paberki.export.format_list import form_of
from paberki.export.pages.survey import RowGroupPages, Unit, pieces


@pytest.fixture
def pages(exported):
    return list(exported.pages("id", "key", "url", "title", "text"))


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def test_jsonl(exported, pages, tmp_path):
    out = tmp_path / "o.jsonl"
    assert exported.export("jsonl", out) == len(pages) == 12
    said = [json.loads(line) for line in out.read_bytes().split(b"\n")[:-1]]
    assert [{name: one[name] for name in pages[0]} for one in said] == pages
    assert said[0]["date"] == "2026-11-16T00:00:00Z"
    assert said[1]["date"] is None
    assert {"host", "domain", "encoding", "script", "selected_word_count", "badness", "dup_exact"} <= set(said[0])
    assert said[0]["text"].count("\n") == 2
    assert "reason" not in said[0]


def test_pages_that_were_left_out(exported, tmp_path):
    assert exported.export("jsonl", tmp_path / "all.jsonl", kept=False) == 13
    left = [one for one in lines(tmp_path / "all.jsonl") if not one["keep"]]
    assert [one["url"] for one in left] == ["http://b.hr/kratko"]
    assert left[0]["reason"] in ("no-text", "too-short")


def test_conditions(exported, tmp_path):
    assert exported.export("jsonl", tmp_path / "o.jsonl", where="host = 'a1.hr'") == 4
    with pytest.raises(QueryError, match="did you mean 'host'"):
        exported.export("jsonl", tmp_path / "x.jsonl", where="hst = 'a1.hr'")
    assert exported.export("parquet", tmp_path / "none.parquet", where="host = 'c.hr'") == 0
    assert pq.read_table(tmp_path / "none.parquet").num_rows == 0
    assert not (tmp_path / "x.jsonl").exists()


def test_compression(exported, tmp_path):
    for name in ("o.jsonl", "o.jsonl.gz", "o.jsonl.zst", "o.vert", "o.vert.gz"):
        exported.export(name.split(".")[1], tmp_path / name)
    plain = (tmp_path / "o.jsonl").read_bytes()
    assert gzip.decompress((tmp_path / "o.jsonl.gz").read_bytes()) == plain
    packed = zstandard.ZstdDecompressor().stream_reader(io.BytesIO((tmp_path / "o.jsonl.zst").read_bytes()))
    assert packed.read() == plain
    assert gzip.decompress((tmp_path / "o.vert.gz").read_bytes()) == (tmp_path / "o.vert").read_bytes()


@pytest.mark.parametrize("name", ["o.jsonl.gz", "o.jsonl.zst", "o.parquet", "o.vert"])
def test_the_same_corpus_gives_the_same_bytes(exported, tmp_path, name):
    form = name.split(".")[1]
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        exported.export(form, tmp_path / folder / name)
    assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_parquet(exported, pages, tmp_path):
    out = tmp_path / "o.parquet"
    assert exported.export("parquet", out) == 12
    assert [{name: one[name] for name in pages[0]} for one in pq.read_table(out).to_pylist()] == pages
    said = pq.read_schema(out).metadata
    assert said[b"paberki.recipe"] == b"Izvoz"
    assert b"paberki.export" in said
    with duckdb.connect() as connection:
        [(count,)] = connection.execute(f"SELECT count(DISTINCT url) FROM '{out}'").fetchall()
    assert count == 12


@pytest.mark.parametrize("form", FORMATS)
def test_several_files(exported, tmp_path, form):
    out = tmp_path / "parts"
    exported.export(form, tmp_path / "whole")
    for _ in range(2):
        assert exported.export(form, out, shard_pages=5) == 12
        files = sorted(out.glob("part-*"))
        assert [one.name for one in files] == [f"part-0000{number}{form_of(form).suffix}" for number in range(3)]
        assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".tmp-")] == []
    if form == "parquet":
        assert [pq.read_metadata(one).num_rows for one in files] == [5, 5, 2]
        assert {one.name for one in out.iterdir()} > {"README.md", "croissant.json"}
        assert (out / "README.md").read_text("utf-8") == exported.card()
    elif form == "sentences":
        lines = [line for one in files for line in one.read_bytes().splitlines()]
        assert sorted(lines) == sorted((tmp_path / "whole").read_bytes().splitlines())
    elif form == "wet":
        records = [one.read_bytes().count(b"WARC-Type: conversion") for one in files]
        assert records == [5, 5, 2]
    elif form in ("tei", "wsf"):
        element = b"<div " if form == "tei" else b"<StandardFormat "
        assert [one.read_bytes().count(element) for one in files] == [5, 5, 2]
    elif form == "recipe-list":
        assert [one.read_bytes().count(b"\n") for one in files] == [5, 5, 2]
    else:
        assert b"".join(one.read_bytes() for one in files) == (tmp_path / "whole").read_bytes()
    (out / "other").touch()
    with pytest.raises(ConfigError, match="other things"):
        exported.export(form, out, shard_pages=5)


def test_vertical(exported, pages, tmp_path):
    out = tmp_path / "o.vert"
    assert exported.export("vert", out) == 12
    text = out.read_bytes().decode()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028]", text)
    rows = [row.partition("\t")[0] for row in text.split("\n")[:-1]]
    tags = re.compile(r'<(?:doc|p|s)(?: [a-z0-9_]+="[^"<>\n]*")*>|</(?:doc|p|s)>|<g/>')
    assert all(tags.fullmatch(row) for row in rows if row.startswith("<"))
    assert (rows.count("</doc>"), rows.count("</p>")) == (12, 36)
    first = dict(re.findall(r'([a-z_]+)="([^"]*)"', rows[0]))
    assert first["crawl_date"] == "2026-11-16T00:00:00Z"
    assert html.unescape(first["url"]) == pages[0]["url"]
    assert html.unescape(first["title"]).startswith('<script>"x y')
    assert {"id", "domain", "lang", "cyrillic_num", "cyrillic_perc"} <= set(first)
    assert re.search(r'<p lang="hr" neardupe="[01]">', text)
    assert {"&lt;", "&gt;", "&amp;", "12:30", "Danas"} <= set(rows)


def test_vertical_can_be_put_together_again(exported, pages, tmp_path):
    exported.export("vert", tmp_path / "o.vert")
    document = (tmp_path / "o.vert").read_text("utf-8").split("</doc>\n")[1].split("\n", 1)[1]
    document = re.sub(r"\t.*|\n</?s>", "", document)
    blocks = re.findall(r"<p[^>]*>\n(.*?)\n</p>", document, re.DOTALL)
    glued = [html.unescape(block.replace("\n<g/>\n", "").replace("\n", " ")) for block in blocks]
    assert "\n".join(glued) == pages[1]["text"]


def test_standard_output(exported, tmp_path, monkeypatch):
    sink = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(target.sys, "stdout", sink)
    assert exported.export("jsonl", "-") == 12
    exported.export("jsonl", tmp_path / "o.jsonl")
    assert sink.buffer.getvalue() == (tmp_path / "o.jsonl").read_bytes()


def test_a_device_is_not_replaced(exported, tmp_path):
    (tmp_path / "null").symlink_to("/dev/null")
    assert exported.export("jsonl", tmp_path / "null") == 12
    assert (tmp_path / "null").is_char_device()


def test_progress_and_what_is_wrong(exported, tmp_path):
    seen = []
    exported.export("jsonl", tmp_path / "o.jsonl", progress=lambda *numbers: seen.append(numbers))
    assert seen == [(12, 12)]
    exported.export("jsonl", tmp_path / "o.jsonl", every=4, progress=lambda *numbers: seen.append(numbers))
    assert seen[1:] == [(3, 3)]
    with pytest.raises(ConfigError, match="did you mean 'jsonl'"):
        exported.export("json", tmp_path / "o")
    with pytest.raises(ConfigError, match="at least 1"):
        exported.export("jsonl", tmp_path / "o", shard_pages=0)
    with pytest.raises(ConfigError, match="is a directory"):
        exported.export("jsonl", tmp_path)
    with pytest.raises(StoreError, match="nothing is selected"):
        export(exported.directory, exported.plan("extract"), "vert", tmp_path / "o", kept=False)


@pytest.mark.parametrize("shard_pages", [None, 5])
def test_nothing_half_written(exported, tmp_path, shard_pages):
    """An interrupted export leaves what was there before, and nothing else."""
    out = tmp_path / "o"
    exported.export("jsonl", out, shard_pages=shard_pages)
    before = sorted(tmp_path.rglob("*"))

    def stop(pages, all_pages):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exported.export("jsonl", out, shard_pages=shard_pages, progress=stop)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_full_disk(exported):
    with pytest.raises(StoreError, match="no space left"):
        exported.export("jsonl", "/dev/full")


def test_taken_down_pages_do_not_leave(exported, pages, tmp_path, monkeypatch):
    gone = frozenset({pages[3]["key"]})
    monkeypatch.setattr(type(exported.directory), "tombstones", lambda self: gone)
    for kept, left in ((True, 11), (False, 12)):
        assert exported.export("jsonl", tmp_path / "o.jsonl", kept=kept) == left
        assert pages[3]["key"] not in (tmp_path / "o.jsonl").read_text("utf-8")


def test_pieces_end_where_files_end():
    for sizes in ([], [3], [5], [6], [4, 4, 4], [20], [5, 5], [1, 2500, 3]):
        for most in (5, None):
            work = pieces([Unit(RowGroupPages(0, number, 0, 1), size) for number, size in enumerate(sizes)], most)
            files = [sum(piece.pages for piece in work if piece.file == file) for file in range(work[-1].file + 1)]
            total = sum(sizes)
            assert files == ([5] * (total // 5) + ([total % 5] if total % 5 else []) or [0] if most else [total])
            assert max(piece.pages for piece in work) <= 1000


@pytest.mark.parametrize(
    "name", ["o.jsonl.bz2", "o.jsonl.7z", "no/such/o.jsonl", "s3://bucket/o.jsonl", "https://a.hr/o"]
)
def test_places_and_endings_that_cannot_be_written(exported, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError):
        exported.export("jsonl", name)
    assert not list(tmp_path.iterdir())


def test_all_attributes_of_p3_that_the_corpus_has(exported, tmp_path):
    exported.export("vert", tmp_path / "o.vert")
    head = (tmp_path / "o.vert").read_text("utf-8").splitlines()[0]
    for name in ("domain", "url", "crawl_date", "cyrillic_num", "cyrillic_perc", "lang", "langdistr"):
        assert f' {name}="' in head
