"""Input of every kind, good and bad, through the command line: what is bad is said in one line, the rest is processed."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
import zstandard
from commandline import fine, good, left_overs, new, paberki, packed, record, refused, response, rows

from corpora import article, layer_bytes
from paberki.corpus import Corpus

Tmp = pytest.TempPathFactory


@pytest.fixture
def copied(built: Path, tmp_path: Path) -> Path:
    """The same, to be damaged."""
    root = tmp_path / "copied"
    shutil.copytree(built, root, symlinks=True)
    return root


# ---- damaged archives ----


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: Tmp) -> dict[str, dict[str, Any]]:
    """Rows by URL of a corpus of damaged archives; what could not even be read is under its file name."""
    base = tmp_path_factory.mktemp("damaged")
    member = packed(good("http://cut.hr/last", 3))
    noise = random.Random(5).randbytes(50_000)
    bomb = gzip.compress(bytes(100 << 20), 9, mtime=0)
    assert len(bomb) * 900 < 100 << 20
    files = {
        "cut.warc.gz": packed(good("http://cut.hr/first", 2)) + member[: len(member) // 2],
        "middle.warc.gz": packed(good("http://mid.hr/1", 4))
        + packed(good("http://mid.hr/2", 5))[:-200]
        + packed(good("http://mid.hr/3", 6)),
        "length.warc": good("http://len.hr/1", 7)
        + record("http://len.hr/wrong", response(article(8).encode()), length=77)
        + good("http://len.hr/3", 9),
        "nodate.warc.gz": packed(record("http://nodate.hr/", response(article(10).encode()), date=None)),
        "baddate.warc.gz": packed(record("http://baddate.hr/", response(article(11).encode()), date="yesterday")),
        "bomb.warc.gz": packed(
            record("http://bomb.hr/coding", response(bomb, "Content-Encoding: gzip\r\n")),
            record("http://bomb.hr/member", response(bytes(100 << 20))),
            good("http://bomb.hr/after", 12),
        ),
        "binary.warc.gz": packed(record("http://binary.hr/", response(noise))),
        "controls.warc.gz": packed(record("http://odd.hr/a\x01\x1b[31mb\tc d", response(article(13).encode()))),
        "long.warc.gz": packed(record(f"http://long.hr/{'x' * 5000}", response(article(14).encode()))),
    }
    for name, data in files.items():
        (base / name).write_bytes(data)
    root = new(base / "corpus", *(base / name for name in files))
    fine("build", root, "--jobs", 1, "--quiet")
    assert not left_overs(root)
    found: dict[str, dict[str, Any]] = {}
    for row in rows(root, "url, date, keep, reason, error, warc_file, warc_offset, sha224, replaced_count"):
        found[row["url"] or f"{row['warc_file']}:{row['warc_offset']}"] = row
    return found


def test_truncated_member_costs_itself(damaged: dict[str, Any]) -> None:
    assert damaged["http://cut.hr/first"]["keep"]
    error = next(row["error"] for row in damaged.values() if row["warc_file"] == "cut.warc.gz" and row["error"])
    assert (error["stage"], error["code"]) == ("archive.v1", "truncated")


def test_member_cut_in_the_middle_costs_itself(damaged: dict[str, Any]) -> None:
    assert damaged["http://mid.hr/1"]["keep"]
    assert damaged["http://mid.hr/3"]["keep"]
    broken = [row for row in damaged.values() if row["warc_file"] == "middle.warc.gz" and row["error"]]
    assert len(broken) == 1


def test_wrong_content_length_costs_itself(damaged: dict[str, Any]) -> None:
    assert damaged["http://len.hr/1"]["keep"]
    assert damaged["http://len.hr/3"]["keep"]
    assert damaged["http://len.hr/wrong"]["error"]["code"] == "wrong-length"
    assert damaged["http://len.hr/wrong"]["reason"] == "error"


@pytest.mark.parametrize("url", ["http://nodate.hr/", "http://baddate.hr/"])
def test_record_without_a_date_is_a_page_without_a_date(damaged: dict[str, Any], url: str) -> None:
    assert damaged[url]["date"] is None
    assert damaged[url]["keep"]


def test_bombs_cost_themselves(damaged: dict[str, Any]) -> None:
    assert damaged["http://bomb.hr/coding"]["error"]["code"] == "bomb"
    others = [
        row["error"]["code"] for url, row in damaged.items() if row["warc_file"] == "bomb.warc.gz" and row["error"]
    ]
    assert others.count("bomb") == 2, others
    assert damaged["http://bomb.hr/after"]["keep"]


def test_binary_that_says_it_is_html_is_left_out(damaged: dict[str, Any]) -> None:
    row = damaged["http://binary.hr/"]
    assert row["error"] is None
    assert not row["keep"]
    assert row["reason"] in ("bad-encoding", "no-text", "too-short", "other-language")


def test_addresses_are_made_safe(damaged: dict[str, Any]) -> None:
    assert damaged["http://odd.hr/a%01%1B[31mb%09c%20d"]["keep"]
    assert damaged[f"http://long.hr/{'x' * 5000}"]["keep"]
    assert not any(char < " " for url in damaged for char in url)


@pytest.mark.slow
def test_two_gigabytes_in_one_record_take_seconds(tmp_path: Path) -> None:
    path = tmp_path / "big.warc"
    head = record("http://big.hr/", b"", length=2 << 30)[:-4]
    with path.open("wb") as file:
        file.write(good("http://small.hr/1", 1) + head)
        file.seek(2 << 30, os.SEEK_CUR)
        file.write(b"\r\n\r\n" + good("http://small.hr/2", 2))
    began = time.monotonic()
    root = new(tmp_path / "corpus", path)
    fine("build", root, "--jobs", 1, "--quiet")
    assert time.monotonic() - began < 90  # a disk may take its time; what counts is that nothing holds the record
    found = {row["url"]: row for row in rows(root, "url, keep, error")}
    assert found["http://small.hr/1"]["keep"]
    assert found["http://small.hr/2"]["keep"]
    assert found["http://big.hr/"]["error"]["code"] == "too-large"


# ---- files that cannot be imported ----


def test_files_that_cannot_be_imported_are_named_and_the_rest_is_taken(tmp_path: Path) -> None:
    root = new(tmp_path / "corpus")
    (tmp_path / "empty.warc.gz").touch()
    (tmp_path / "noise.warc.gz").write_bytes(random.Random(1).randbytes(3000))
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff" + bytes(100))
    (tmp_path / "nothing-in-it").mkdir()
    (tmp_path / "good.warc.gz").write_bytes(packed(good("http://a.hr/", 1)))
    bad = ["empty.warc.gz", "noise.warc.gz", "photo.jpg", "nothing-in-it", "missing.warc.gz", "missing-folder/"]
    done = paberki("import", root, *(tmp_path / name for name in bad), tmp_path / "good.warc.gz")
    assert done.code == 2
    lines = done.err.splitlines()
    assert len(lines) == len(bad)
    for name, line in zip(bad, lines, strict=True):
        assert line.startswith("paberki: ")
        assert name.rstrip("/") in line
    assert "good.warc.gz" in done.out
    assert sorted(path.name for path in (root / "warc").iterdir()) == ["good.warc.gz", "good.warc.gz.json"]
    assert fine("build", root, "--jobs", 1, "--json").json["pages"] == 1


def test_rows_of_a_table_that_cannot_be_taken_are_named_by_line(tmp_path: Path) -> None:
    root = new(tmp_path / "corpus")
    lines = [json.dumps({"url": "http://a.hr/1", "html": article(1)}), "{broken", json.dumps({"html": "no address"})]
    lines += [json.dumps({"url": "http://a.hr/4", "html": article(4)})]
    (tmp_path / "pages.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    done = fine("import", root, tmp_path / "pages.jsonl")
    assert "2 pages" in done.out
    skipped = [line for line in done.out.splitlines() if "skipped" in line]
    assert len(skipped) == 2
    assert re.search(r"pages\.jsonl\D+2\b", skipped[0])
    assert re.search(r"pages\.jsonl\D+3\b", skipped[1])


def test_import_twice_is_import_once(tmp_path: Path) -> None:
    source = tmp_path / "a.warc.gz"
    source.write_bytes(packed(good("http://a.hr/", 1)))
    root = new(tmp_path / "corpus", source)
    assert "imported before" in fine("import", root, source).out
    own = root / "warc" / "a.warc.gz"
    assert "imported before" in fine("import", root, own).out
    assert "imported before" in fine("import", root, own, "--copy").out
    assert own.resolve() == source
    assert fine("build", root, "--jobs", 1, "--json").json["pages"] == 1


@pytest.mark.slow
def test_odd_directory_names(tmp_path: Path) -> None:
    folder = tmp_path / "moje stranice – čćž 'x' \"y\" [z]"
    folder.mkdir()
    (folder / "prva stranica #1 ž.html").write_text(article(1), "utf-8")
    root = new(tmp_path / "korpus – šđ ' \" [a]", folder)
    fine("build", root, "--jobs", 1, "--quiet")
    (row,) = rows(root, "url, keep")
    assert row["keep"]
    assert row["url"].startswith("file:///")
    assert "%20" in row["url"]
    fine("export", root, "jsonl", "-o", tmp_path / "izvoz ž.jsonl", cwd=tmp_path)
    assert json.loads((tmp_path / "izvoz ž.jsonl").read_text("utf-8"))["url"] == row["url"]
    fine("explain", root, row["url"])
    fine("report", root)


# ---- every format that can be imported ----

TEXT = "Rekli su da se tu nalazi ono što traže već nekoliko godina."
FORMATS = ("warc", "warc.gz", "warc.zst", "single.gz", "arc", "arc.gz", "wet", "html", "text", "csv", "jsonl")


def write_format(form: str, base: Path) -> Path:
    """Two pages, numbered 1 and 2, in the format; their addresses and texts name the format."""
    urls = [f"http://{form}.hr/{number}" for number in (1, 2)]
    texts = [f"{TEXT} Ovo je stranica {number} u obliku {form}." for number in (1, 2)]
    htmls = [f"<html><title>{form}</title><body><p>{text}</p></body></html>" for text in texts]
    records = [record(url, response(html.encode())) for url, html in zip(urls, htmls, strict=True)]
    path = base / f"pages-{form.replace('.', '-')}"
    if form in ("html", "text"):
        path.mkdir()
        for number, body in enumerate(htmls if form == "html" else texts, 1):
            (path / f"{number}.{'html' if form == 'html' else 'txt'}").write_text(body, "utf-8")
        return path
    if form == "csv":
        import csv

        path = base / "pages.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("url", "html"), *zip(urls, htmls, strict=True)])
        return path
    if form == "jsonl":
        path = base / "pages.jsonl"
        pairs = zip(urls, htmls, strict=True)
        path.write_text("".join(json.dumps({"url": url, "html": html}) + "\n" for url, html in pairs), "utf-8")
        return path
    if form.startswith("arc"):
        names = b"1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
        pieces = [f"filedesc://x.arc 0.0.0.0 20200102030405 text/plain {len(names)}\n".encode() + names + b"\n"]
        for url, html in zip(urls, htmls, strict=True):
            body = response(html.encode())
            pieces.append(f"{url} 192.0.2.1 20200102030405 text/html {len(body)}\n".encode() + body + b"\n")
    elif form == "wet":
        pieces = [
            record(url, text.encode(), kind="conversion", mime="text/plain")
            for url, text in zip(urls, texts, strict=True)
        ]
    else:
        pieces = records
    data = b"".join(pieces)
    if form in ("warc.gz", "arc.gz", "wet"):
        data = packed(*pieces)
    elif form == "warc.zst":
        data = b"".join(zstandard.ZstdCompressor().compress(piece) for piece in pieces)
    elif form == "single.gz":
        data = gzip.compress(data, mtime=0)
    suffix = {"single.gz": ".warc.gz", "wet": ".warc.wet.gz"}.get(form, f".{form}")
    path = path.with_name(path.name + suffix)
    path.write_bytes(data)
    return path


@pytest.fixture(scope="module")
def formats(tmp_path_factory: Tmp) -> dict[str, dict[str, Any]]:
    """Pages of all formats by address, from one corpus."""
    base = tmp_path_factory.mktemp("formats")
    root = new(base / "corpus", *(write_format(form, base) for form in FORMATS))
    fine("build", root, "--jobs", 1, "--quiet")
    out = fine("export", root, "jsonl", "-o", "-", "--all").out
    known = {row["url"]: row for row in rows(root, "url, error, status, record_type, date, encoding")}
    return {page["url"]: {**known[page["url"]], **page} for page in map(json.loads, out.splitlines())}


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_arrives_whole(formats: dict[str, dict[str, Any]], form: str) -> None:
    base = {"html": "file:///pages-html", "text": "file:///pages-text"}.get(form, f"http://{form}.hr")
    suffix = {"html": ".html", "text": ".txt"}.get(form, "")
    for number in (1, 2):
        page = formats[f"{base}/{number}{suffix}"]
        assert page["error"] is None
        assert page["encoding"] == "utf-8"
        assert page["text"] == f"{TEXT} Ovo je stranica {number} u obliku {form}."
    if "arc" in form:
        assert page["status"] == 200
        assert str(page["date"]).startswith("2020-01-02")
    assert len(formats) == 2 * len(FORMATS)


# ---- wrong words ----


def test_missing_corpus(tmp_path: Path) -> None:
    for verb in ("build", "status", "plan", "peek", "report"):
        line = refused(verb, tmp_path / "missing")
        assert str(tmp_path / "missing") in line
        assert "paberki new" in line
    (tmp_path / "other").mkdir()
    assert "not a corpus" in refused("build", tmp_path / "other")


def test_corpus_without_pages_says_what_to_type(tmp_path: Path) -> None:
    root = new(tmp_path / "corpus")
    for words in (("build",), ("sql", "select 1"), ("peek",), ("export", "jsonl", "-o", tmp_path / "x"), ("report",)):
        line = refused(words[0], root, *words[1:])
        assert str(root) in line
        assert "paberki import" in line or "paberki build" in line
    assert "paberki import" in refused("build", root)
    assert fine("status", root, "--json").json["pages"] == 0
    fine("plan", root)
    (tmp_path / "requests.warc").write_bytes(record("http://a.hr/", b"GET / HTTP/1.1\r\n\r\n", kind="request"))
    fine("import", root, tmp_path / "requests.warc")
    assert "no pages" in refused("build", root, "--quiet")
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        ('preset = "modern"\nlang = [', "corpus.toml"),
        ('preset = "moddern"\n', "did you mean 'modern'"),
        (
            'lang = "hr"\n[identify]\nmin_block_char = 3\n',
            "line 3: unknown setting 'min_block_char'; did you mean 'min_block_chars'",
        ),
        ('lang = "hr"\n[identify]\nmin_block_chars = "many"\n', "line 3"),
        ('stages = ["captures.v1", "decode.declard.v1"]\n', "did you mean 'decode.declared.v1'"),
        ('[[select.pages]]\nreason = "x"\ndrop = "selected_char_cuont < 3"\n', "did you mean 'selected_char_count'"),
        ('[[select.pages]]\nreason = "x"\ndrop = "status <"\n', "status <"),
        ('[[select.pages]]\ndrop = "status = 1"\n', "reason"),
        ("[build]\nmax_errors = true\n", "line 2"),
    ],
)
def test_wrong_recipe(copied: Path, recipe: str, message: str) -> None:
    (copied / "corpus.toml").write_text(recipe, "utf-8")
    before = layer_bytes(Corpus(copied))
    line = refused("build", copied)
    assert message in line
    assert layer_bytes(Corpus(copied)) == before


def test_unreadable_recipe(copied: Path) -> None:
    (copied / "corpus.toml").write_bytes(b'name = "\xff\xfe"\n')
    assert "corpus.toml" in refused("build", copied)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("build", "--part", "3/2"), "--part 3/2"),
        (("build", "--part", "x"), "--part x"),
        (("build", "--part", "0/2"), "--part 0/2"),
        (("build", "--jobs", "0"), "--jobs"),
        (("build", "--jobs", "many"), "--jobs"),
        (("build", "--max-errors", "lots"), "--max-errors lots"),
        (("build", "--engine", "locl"), "did you mean 'local'"),
        (("build", "--until", "extrct"), "did you mean 'extract'"),
        (("build", "--nonsense"), "--nonsense"),
        (("explain", "http://nowhere.hr/"), "http://nowhere.hr/"),
        (("explain", "000000099"), "000000099"),
        (("explain", "999999999999"), "999999999999"),
        (("sql", "selec 1"), "selec"),
        (("sql", "select nothing from pages"), "nothing"),
        (("sql", "drop view pages"), "read-only"),
        (("sql", "select 1; select 2"), "single SELECT"),
        (("sql", ""), "SELECT"),
        (("sql", "select * from read_text('/etc/hostname')"), "disabled"),
        (("sql", "copy pages to '/tmp/paberki-no.csv'"), "read-only"),
        (("peek", "--where", "lang ="), "lang ="),
        (("peek", "--where", "lng = 'hr'"), "did you mean 'lang'"),
        (("peek", "--where", "url > 5"), "url > 5"),
        (("peek", "--where", "url"), "url"),
        (("export", "jsonl", "-o", "OUT", "--where", "no_such_column = 1"), "no_such_column"),
        (("export", "jsnol", "-o", "OUT"), "did you mean 'jsonl'"),
        (("export", "jsonl"), "--out"),
        (("export", "jsonl", "-o", "FOLDER"), "is a directory"),
    ],
)
def test_wrong_words(built: Path, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    before = layer_bytes(Corpus(built))
    places = {"OUT": str(tmp_path / "out.jsonl"), "FOLDER": str(tmp_path)}
    line = refused(words[0], built, *(places.get(word, word) for word in words[1:]))
    assert message in line
    assert not list(tmp_path.iterdir())
    assert layer_bytes(Corpus(built)) == before


def test_export_wants_a_directory_that_is_there(built: Path, tmp_path: Path) -> None:
    out = tmp_path / "not" / "there" / "hr.jsonl"
    assert "mkdir -p" in refused("export", built, "jsonl", "-o", out)
    assert not (tmp_path / "not").exists()


# ---- damaged corpora ----


@pytest.mark.parametrize("layer", ["extract", "select"])
def test_damaged_layer_file_says_that_it_can_be_removed(copied: Path, layer: str) -> None:
    whole = layer_bytes(Corpus(copied))
    path = copied / "layers" / layer / "00000.parquet"
    path.write_bytes(path.read_bytes()[:-100])
    for words in (("sql", copied, "select count(*) from pages where keep"), ("build", copied)):
        line = refused(*words)
        assert str(path) in line
        assert "remove it" in line
    path.unlink()
    fine("build", copied, "--jobs", 1, "--quiet")
    assert layer_bytes(Corpus(copied)) == whole


def test_damaged_archive_layer_is_not_to_be_removed_alone(copied: Path) -> None:
    whole = layer_bytes(Corpus(copied))
    path = copied / "layers" / "archive" / "00000.parquet"
    path.write_bytes(path.read_bytes()[:-100])
    for words in (("sql", copied, "select count(*) from pages"), ("build", copied)):
        line = refused(*words)
        assert str(path) in line
        assert f"remove {copied / 'layers'} " in line
    path.unlink()
    assert str(path) in refused("build", copied)
    shutil.rmtree(copied / "layers")
    fine("build", copied, "--jobs", 1, "--quiet")
    assert layer_bytes(Corpus(copied)) == whole


def test_damaged_manifest_is_named(copied: Path) -> None:
    (copied / "layers" / "manifest.json").write_text('{"format": 1, "sha')
    assert "manifest.json" in refused("build", copied)
    (copied / "layers" / "manifest.json").write_text('{"format": 99}')
    assert "update paberki" in refused("status", copied)


def test_missing_archive_is_named(tmp_path: Path) -> None:
    source = tmp_path / "gone.warc.gz"
    source.write_bytes(packed(*(good(f"http://a.hr/{number}", number) for number in range(5))))
    root = new(tmp_path / "corpus", source)
    away = tmp_path / "away"
    source.rename(away)
    assert "gone.warc.gz" in refused("build", root)
    away.rename(source)
    fine("build", root, "--jobs", 1, "--quiet")
    whole = layer_bytes(Corpus(root))
    # Gone after it was numbered: its pages must not turn into errors when a setting changes.
    source.rename(away)
    fine("build", root, "--jobs", 1, "--quiet")
    recipe = (root / "corpus.toml").read_text("utf-8")
    (root / "corpus.toml").write_text(recipe.replace('lang = ["hr"]', 'lang = ["hr", "sl"]'), "utf-8")
    assert "gone.warc.gz" in refused("build", root, "--jobs", 1)
    away.rename(source)
    (root / "corpus.toml").write_text(recipe, "utf-8")
    fine("build", root, "--jobs", 1, "--quiet")
    assert layer_bytes(Corpus(root)) == whole
