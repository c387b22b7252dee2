"""SQL over a corpus: every column under each of its names, nothing of pages that are gone, queries that can be stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from corpora import copy_of, corpus_of, write_pages
from paberki.corpus import Corpus
from paberki.errors import QueryError
from paberki.store.completeness import complete_layers
from paberki.store.reading import open_table
from paberki.store.sql.views import Views

ENDLESS = "select count(*) from range(100000) a, range(100000) b, range(100000) c where a.range + b.range < c.range"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("views")
    made = corpus_of(
        folder / "corpus",
        write_pages(folder / "pages", 5),
        recipe='[[select.pages]]\nreason = "not-connected"\ndrop = ""\n',
    )
    recipe = made.directory.recipe
    recipe.write_text('add = ["quality.ngrams.v1", "quality.graphs.v1"]\n' + recipe.read_text("utf-8"), "utf-8")
    made.build(jobs=1)
    return made


@pytest.fixture
def built(original: Corpus, tmp_path: Path) -> Corpus:
    return copy_of(original, tmp_path / "corpus")


def test_columns_have_the_names_of_the_papers_too(built: Corpus) -> None:
    _, rows = built.sql('select "3graph", ngram3, "12graph", ngram12, crawl_date, date, "OriginalEncoding" from pages')
    assert rows
    for row in rows:
        assert row[0] == row[1] is not None
        assert row[2] == row[3]
        assert row[4] == row[5]
        assert row[6] == "utf-8"


def test_a_query_without_select_asks_for_all_columns(built: Corpus) -> None:
    everything, _ = built.sql("select * from pages")
    assert built.sql("from pages limit 1")[0] == everything
    assert built.sql("select count(*) from (from pages limit 1) where lang = 'hr'")[1] == [(1,)]
    assert built.sql("table pages")[0] == everything


def test_only_layers_that_a_query_names_are_opened(built: Corpus) -> None:
    """Each layer has a file in every shard; the word for failed pages is also a reason, and is often written as text."""
    views = Views(open_table(built.directory, built.plan()), built.plan().layers)
    try:
        assert set(views._layers_in("select coalesce(reason, 'error') from pages")) == {"archive", "select"}
        assert set(views._layers_in("select url, text from pages")) == {"archive", "extract", "select"}
        assert len(views._layers_in("select reason, error from pages")) > 5
        assert len(views._layers_in('select id from pages where "error" is not null')) > 5
    finally:
        views.close()


def test_blocks_have_every_column_of_blocks(built: Corpus) -> None:
    names, rows = built.sql("select * from blocks")
    plan = built.plan()
    assert {column.name for column in plan.columns.values() if column.level == "block"} <= set(names)
    assert {field.name for field in plan.columns["extract.blocks"].type.value_type} <= set(names)
    assert len(names) == len(set(names))
    _, [(count,)] = built.sql("select sum(len(blocks)) from pages")
    assert len(rows) == count


def test_text_is_the_same_everywhere(corpus: Callable[..., Corpus], pages: Callable[..., Path], tmp_path: Path) -> None:
    words = "Rekli su da se tu nalazi ono što traže već nekoliko godina, a nitko to nije očekivao. " * 4
    page = f"<html><body><p>{words}To je 5 &amp;amp; 6!!!!!!!!</p></body></html>".encode()
    made = corpus(pages(3, {"x.html": page}), recipe='[select]\npages = []\ncopies = ""\n')
    made.build(jobs=1)
    [text] = [one["text"] for one in made.pages("text", where="url like '%x.html'")]
    assert text.endswith("To je 5 & 6!!!")
    _, [(in_sql, source)] = made.sql("select text, source from blocks where url like '%x.html' and block_keep")
    assert in_sql == text
    assert source.endswith("To je 5 &amp; 6!!!!!!!!")
    assert dict(made.sql("select id, text from pages")[1]) == {
        page["id"]: page["text"] for page in made.pages("id", "text", kept=False)
    }
    made.export("jsonl", tmp_path / "o.jsonl", where="url like '%x.html'")
    assert json.loads((tmp_path / "o.jsonl").read_text("utf-8"))["text"] == text
    _check_views(made)


def _check_views(corpus: Corpus) -> None:
    """DuckDB alone reads the same texts and ids from ``views.sql``, wherever it is started from."""
    with duckdb.connect() as connection:
        connection.execute((corpus.root / "views.sql").read_text("utf-8").replace("layers/", f"{corpus.root}/layers/"))
        texts = dict(connection.execute("select id, text from texts").fetchall())
        ids = connection.execute("select l.id, p.id from layer_select l positional join pages p").fetchall()
    assert texts == {page["id"]: page["text"] for page in corpus.pages("id", "text")}
    assert texts
    assert all(one == other for one, other in ids)


def test_a_page_that_was_taken_down_is_gone_at_once(built: Corpus, tmp_path: Path) -> None:
    before = list(built.pages("key", "url", "text"))
    gone = before[0]
    (built.root / "tombstones.jsonl").write_text(json.dumps({"key": gone["key"]}) + "\n")
    assert [row["key"] for row in built.pages("key")] == [row["key"] for row in before[1:]]
    _, [row] = built.sql(f"select keep, reason, url, title, blocks, lang from pages where key = '{gone['key']}'")
    assert row == (False, "taken-down", None, None, None, "hr")
    assert built.sql(f"select text from pages where key = '{gone['key']}'")[1] == [(None,)]
    assert built.sql(f"select count(*) from blocks where key = '{gone['key']}'")[1] == [(0,)]
    [row] = [one for one in built.pages("key", "keep", "reason", "text", kept=False) if one["key"] == gone["key"]]
    assert (row["keep"], row["reason"], row["text"]) == (False, "taken-down", None)
    for form in ("jsonl", "vert", "conllu"):
        built.export(form, tmp_path / f"o.{form}", kept=False)
        assert gone["url"] not in (tmp_path / f"o.{form}").read_text("utf-8")


def test_a_column_of_another_stage_is_named_with_it(built: Corpus) -> None:
    with pytest.raises(QueryError, match=r"quality\.rules\.v1 adds it"):
        built.sql("select gopher_word_count from pages")
    with pytest.raises(QueryError, match=r"quality\.rules\.v1 adds it"):
        list(built.pages("gopher_word_count"))
    with pytest.raises(QueryError, match="badness"):
        built.sql("select badnes from pages")


def test_an_endless_query_is_stopped(built: Corpus) -> None:
    started = time.monotonic()
    with pytest.raises(QueryError, match="more than 0.5 s"):
        built.sql(ENDLESS, seconds=0.5)
    assert time.monotonic() - started < 20


def test_what_is_remembered_of_layers_is_checked(built: Corpus) -> None:
    layers = built.plan().layers
    assert complete_layers(built.directory, layers) == layers
    (built.directory.private / "complete-layers.json").write_text("no json")
    assert complete_layers(built.directory, layers) == layers
    built.directory.layer("select", 0).unlink()
    assert complete_layers(built.directory, layers) == [name for name in layers if name != "select"]
