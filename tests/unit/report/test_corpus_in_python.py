"""A corpus in Python: answers as rows, Arrow and frames; what a notebook shows."""

from __future__ import annotations

from typing import Any

import pytest

from paberki import Corpus
from paberki.errors import QueryError

QUESTION = "select reason, count(*) as pages from pages group by all order by 1 nulls first"


def test_a_query_gives_names_and_rows_and_frames(reported: Corpus) -> None:
    answer = reported.sql(QUESTION)
    names, rows = answer
    assert (answer.columns, answer.fetchall()) == (names, rows) == (["reason", "pages"], rows)
    assert len(answer) == len(rows)
    assert sum(row[1] for row in rows) == len(reported)
    assert answer.arrow().to_pylist() == [dict(zip(names, row, strict=True)) for row in rows]
    assert answer.df()["pages"].sum() == answer.pl()["pages"].sum() == len(reported)
    assert repr(answer) == f"<{len(rows)} rows: reason, pages>"


def test_a_wrong_query_is_an_error_at_once(reported: Corpus) -> None:
    with pytest.raises(QueryError, match="raeson"):
        reported.sql("select raeson from pages")


def test_pages_are_read_as_dictionaries_or_frames(reported: Corpus) -> None:
    pages = reported.pages("id", "url", "text")
    rows = list(pages)
    assert rows
    assert pages.arrow().to_pylist() == rows
    assert pages.fetchall() == [tuple(row.values()) for row in rows]
    assert pages.df()["text"].tolist() == pages.pl()["text"].to_list() == [row["text"] for row in rows]


def test_no_page_is_an_empty_table_with_the_columns(reported: Corpus) -> None:
    table = reported.pages("id", "text", where="id = 'none'").arrow()
    assert (table.num_rows, table.column_names) == (0, ["id", "text"])


def test_conditions_may_speak_of_the_text(reported: Corpus) -> None:
    rows = list(reported.pages("id", "text"))
    word = rows[0]["text"].split()[0]
    ids = [row["id"] for row in rows if word in row["text"]]
    assert [row["id"] for row in reported.pages("id", where=f"text like '%{word}%'")] == ids


def test_a_lazy_frame_reads_what_is_asked_for(reported: Corpus) -> None:
    import polars as pl

    rows = list(reported.pages("host", "text"))
    long = [row["host"] for row in rows if len(row["text"]) > 200]
    frame = reported.scan("host", "text")
    assert frame.filter(pl.col("text").str.len_chars() > 200).collect()["host"].to_list() == long
    assert len(frame.head(1).collect()) == 1
    assert frame.collect_schema().names() == ["host", "text"]


def test_what_python_and_a_notebook_show(reported: Corpus) -> None:
    status = reported.status()
    assert (status["pages"], bool(reported)) == (len(reported), True)
    assert repr(reported) == f"<corpus {reported.root}: hr, {len(reported)} pages, {status['kept']} kept>"
    shown = reported._repr_html_()
    assert "<td" in shown
    assert "kept" in shown


def test_explain_tune_and_one_path_to_add(reported: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    page = next(iter(reported.pages("id")))["id"]
    assert page in reported.explain(page).text()
    assert reported.tune("badness").pages > 0
    asked: list[Any] = []
    monkeypatch.setattr("paberki.archive.adding.importing.add", lambda _, path: asked.append(str(path)))
    reported.add("one.warc")
    reported.add(["two.warc", "three.warc"])
    assert asked == ["one.warc", "two.warc", "three.warc"]
