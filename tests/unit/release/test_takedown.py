"""A page that was taken down is found nowhere; one that comes back is as it was."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from leftovers import COPY_URL, SECRET_URL, WORDS, places_of

import paberki
from corpora import layer_bytes
from paberki.coding import CodingStore
from paberki.coding.coding_scheme import BLOCKS
from paberki.coding.drawing import draw_blocks
from paberki.corpus import Corpus
from paberki.errors import ConfigError, QueryError, StoreError
from paberki.export import FORMATS
from paberki.report.one_page.explain import explain
from paberki.report.peek import peek
from paberki.report.written_report import write_report
from paberki.store.reading import open_table
from paberki.store.taken_down.tombstones import BlockedAddresses

Copied = Callable[[], Corpus]


def everything_shown(corpus: Corpus, folder: Path) -> dict[str, str]:
    """What all readers show of a corpus, as text."""
    folder.mkdir(exist_ok=True)
    shown = {
        "sql": repr(list(corpus.sql("select * from pages")[1])) + repr(list(corpus.sql("select * from blocks")[1])),
        "pages": repr(list(corpus.pages("id", "title", "text", "blocks", "links", kept=False))),
        "peek": repr(peek(corpus.directory, corpus.plan(), n=100, kept=False)),
        "card": corpus.card(),
        "query": "".join(repr(corpus.query(f'[word="{word}.*"]', set="all").count()) for word in WORDS).replace(
            "0", ""
        ),
        "wordlist": repr(corpus.wordlist("word").to_pydict()) + repr(corpus.wordlist("lemma").to_pydict()),
    }
    for form in FORMATS:
        with contextlib.suppress(ConfigError):  # a format may need a file that is not here
            corpus.export(form, out := folder / form)
            table = out.read_bytes()[:4] == b"PAR1"
            shown[form] = repr(pq.read_table(out).to_pydict()) if table else out.read_bytes().decode("utf-8", "replace")
    write_report(corpus.directory, corpus.plan(), corpus.recipe, out=folder / "report")
    shown["report"] = "".join(path.read_text("utf-8") for path in (folder / "report").iterdir())
    for path in corpus.root.glob("layers/*/[0-9]*.parquet"):
        shown[f"duckdb {path.parent.name}"] = repr(duckdb.sql(f"select * from '{path}'").fetchall())
    return shown


def showing(shown: dict[str, str]) -> list[str]:
    return [name for name, text in shown.items() if any(word in text for word in (*WORDS, SECRET_URL))]


def test_no_reader_shows_a_page_that_was_taken_down(copied: Copied, tmp_path: Path) -> None:
    corpus = copied()
    before = showing(everything_shown(corpus, tmp_path / "before"))
    assert {"sql", "pages", "peek", "jsonl", "vert", "parquet", "duckdb extract", "wordlist"} <= set(before)
    opened = paberki.open(corpus.root)
    assert opened.query('[word="trnobrzdu"]').count() == 1
    corpus.takedown(SECRET_URL, reason="request", copies=True)
    after = everything_shown(corpus, tmp_path / "after")
    assert showing(after) == []
    assert after["query"] == ""
    assert opened.query('[word="trnobrzdu"]').count() == 0, "also for those who opened the corpus before"
    assert "taken down" in str(
        explain(corpus.directory, corpus.plan(), corpus.decisions(), corpus.takedowns()[0].id)
    ).replace("-", " ")


def test_what_comes_back_has_the_same_bytes(copied: Copied) -> None:
    corpus = copied()
    before = layer_bytes(corpus)
    corpus.takedown(SECRET_URL, reason="request")
    corpus.takedown("http://a.hr/1", reason="another")
    assert layer_bytes(corpus) != before
    assert corpus.undo_takedown(SECRET_URL)[1]
    assert corpus.undo_takedown("http://a.hr/1")[1]
    assert layer_bytes(corpus) == before
    assert corpus.takedowns() == []


def test_copies_are_listed_and_never_take_the_place(copied: Copied) -> None:
    corpus = copied()
    before = layer_bytes(corpus)
    kept_url = corpus.sql(f"select url from pages where keep and url in ('{SECRET_URL}', '{COPY_URL}')")[1][0][0]
    other_url = COPY_URL if kept_url == SECRET_URL else SECRET_URL
    result = corpus.takedown(kept_url, reason="request")
    assert [page.url for page in result.copies] == [other_url]
    corpus.build(jobs=1)
    assert corpus.sql(f"select keep, reason from pages where url = '{other_url}'")[1] == [(False, "taken-down")]
    corpus.undo_takedown(kept_url)
    corpus.build(jobs=1)
    assert layer_bytes(corpus) == before


def test_a_host_is_taken_down_with_all_its_pages_and_those_to_come(copied: Copied, tmp_path: Path) -> None:
    corpus = copied()
    result = corpus.takedown("b.hr", reason="owner")
    assert len(result.pages) == 3
    assert corpus.sql("select count(*) from pages where keep and host = 'b.hr'")[1] == [(0,)]
    blocked = BlockedAddresses(corpus.root)
    assert "https://b.hr/anything" in blocked
    assert "http://b.hr:8080/" in blocked
    assert "http://c.b.hr/" not in blocked
    (tmp_path / "new.jsonl").write_text(json.dumps({"url": "http://b.hr/novo", "html": "<p>Novo je ovdje."}) + "\n")
    corpus.add([tmp_path / "new.jsonl"])
    corpus.build(jobs=1)
    assert corpus.sql("select reason from pages order by id desc limit 1")[1] == [("taken-down",)]
    corpus.undo_takedown("b.hr")
    assert "https://b.hr/anything" not in BlockedAddresses(corpus.root)


@pytest.mark.parametrize("name", ["id", "key", "url"])
def test_a_page_can_be_named_in_three_ways(copied: Copied, name: str) -> None:
    corpus = copied()
    value = corpus.sql(f"select {name} from pages where url = '{SECRET_URL}'")[1][0][0]
    assert [page.url for page in corpus.takedown(value, reason="request").pages] == [SECRET_URL]
    assert corpus.takedown(value, reason="again").pages[0].url == SECRET_URL
    assert len(corpus.takedowns()) == 1
    corpus.undo_takedown(value)
    assert corpus.takedowns() == []


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("http://a.hr/12345", "similar: http://a.hr/"),
        ("tajn.hr", "similar: tajna.hr"),
        ("000009999", "the last one is 000000009"),
        ("0123456789abcdef0123456789abcdef", "another corpus"),
        ("", "no page named"),
    ],
)  # fmt: skip
def test_names_of_nothing_are_errors(copied: Copied, what: str, message: str) -> None:
    corpus = copied()
    with pytest.raises(QueryError, match=message):
        corpus.takedown(what, reason="request")
    with pytest.raises(QueryError, match="nothing was taken down"):
        corpus.undo_takedown("http://a.hr/1")
    with pytest.raises(ConfigError, match="--reason"):
        corpus.takedown(SECRET_URL, reason=" ")


def test_cached_reports_that_show_the_page_are_removed(copied: Copied) -> None:
    corpus = copied()
    corpus.directory.report.mkdir(exist_ok=True)
    sample = corpus.directory.report / "sample.html"
    sample.write_text(
        "<p>Ovdje živi prastari šumbrekalj pod kamenom. Danas je u gradu bilo lijepo vrijeme, a gosti su došli iz</p>"
    )
    (corpus.directory.report / "oov.json").write_text('{"word": "trnobrzdu", "occurrences": 2}')
    (corpus.directory.report / "words.json").write_text('{"word": "\\u0161umbrekalj"}')
    (corpus.directory.report / "duplicates.csv").write_text(f"{SECRET_URL},2\n")
    other = corpus.directory.report / "hosts.csv"
    other.write_text(f"rank,host,vrijeme\n{SECRET_URL}/2,1\n")
    assert {one.name for one in corpus.takedown(SECRET_URL, reason="request", copies=True).removed} == {
        "sample.html", "oov.json", "words.json", "duplicates.csv",
    }  # fmt: skip
    assert other.exists()


def test_samples_for_coders_lose_the_page(copied: Copied) -> None:
    corpus = copied()
    table = open_table(corpus.directory)
    CodingStore(corpus.directory).create("blocks", draw_blocks(table, 20, 1), BLOCKS)
    key = next(iter(corpus.pages("key", where=f"url = '{SECRET_URL}'", kept=False)))["key"]
    CodingStore(corpus.directory).write(
        "blocks",
        "ana",
        next(one.place for one in CodingStore(corpus.directory).sample("blocks") if one.place.key == key),
        {"label": "text"},
    )
    assert [name for name in places_of(corpus.root) if name.startswith("codings/")]
    notes = corpus.takedown(SECRET_URL, reason="request", copies=True).notes
    assert [name for name in places_of(corpus.root) if name.startswith("codings/")] == []
    assert "codings/blocks/ana.csv" in notes[0]
    coded = CodingStore(corpus.directory).read("blocks", "ana")
    assert any(coded.labels("label"))


@pytest.mark.slow
def test_erased_pages_are_in_no_file(copied: Copied, tmp_path: Path) -> None:
    corpus = copied()
    places_before = places_of(corpus.root)
    assert any(name.startswith("warc/") for name in places_before)
    assert any(name.startswith("index/") for name in places_before)
    numbers = corpus.sql("select id, key, warc_offset from pages where url like 'http://a.hr/%' order by id")[1]
    corpus.takedown("http://a.hr/4", reason="kept for later")
    result = corpus.takedown(SECRET_URL, reason="court", copies=True, erase=True)
    assert result.erased
    assert places_of(corpus.root) == []
    assert corpus.sql("select id, key, warc_offset from pages where host = 'a.hr' order by id")[1] == numbers
    corpus.undo_takedown("http://a.hr/4")
    with pytest.raises(StoreError, match="was erased"):
        corpus.undo_takedown(SECRET_URL)
    corpus.build(jobs=1)
    assert places_of(corpus.root) == []
    assert corpus.query('[word="trg.*"]').count() > 0
    again = paberki.new(tmp_path / "again", lang="hr")
    again.add(sorted((corpus.root / "warc").glob("*.warc.gz")))
    again.build(jobs=1, max_errors=1.0)
    assert again.sql("select count(*) from pages")[1] == corpus.sql("select count(*) from pages")[1]


def test_a_linked_archive_is_copied_before_its_record_is_erased(original: Path, tmp_path: Path) -> None:
    (archive,) = original.glob("warc/*.warc.gz")
    outside = tmp_path / "outside.warc.gz"
    outside.write_bytes(content := archive.read_bytes())
    corpus = paberki.new(tmp_path / "c", lang="hr")
    corpus.add([outside])
    corpus.build(jobs=1, until="extract")
    assert (corpus.root / "warc/outside.warc.gz").is_symlink()
    result = corpus.takedown("tajna.hr", reason="court", erase=True)
    corpus.takedown("zrcalo.hr", reason="court", erase=True)
    assert any(str(outside) in note for note in result.notes)
    assert outside.read_bytes() == content
    assert not (corpus.root / "warc/outside.warc.gz").is_symlink()
    assert places_of(corpus.root) == []
    corpus.build(jobs=1)
    assert corpus.sql("select count(*) from pages where keep")[1][0][0] > 0
