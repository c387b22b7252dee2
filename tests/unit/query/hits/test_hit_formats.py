"""Every format, read back."""

from __future__ import annotations

import csv
import io
import json

import openpyxl
import pytest

from paberki.errors import QueryError
from paberki.query.concordancer import OpenIndex
from paberki.query.hits import formats
from paberki.query.hits.formats import safe_cell, write_rows, write_workbook
from paberki.query.hits.hit_export import header_of, write_hits, write_table
from paberki.query.hits.hits import Hits
from paberki.query.index.reader import Index

NAMES = ["corpus", "build", "subcorpus", "query", "strategy", "tokens", "hits"]


@pytest.fixture
def hits(small: Index) -> Hits:
    return OpenIndex(small.path).query('A:[tag="A"] [tag="N"]')


def written(hits: Hits, form: str, **options: object) -> str:
    out = io.StringIO()
    write_hits(out, form, hits, first=None, view="kwic", header=header_of(hits), **options)
    return out.getvalue()


def test_the_header_names_everything(hits: Hits) -> None:
    header = header_of(hits.per_page(1))
    assert set(NAMES) <= set(header)
    assert header["steps"] == "at most 1 per page"
    assert (header["query"], header["strategy"], header["hits"], header["tokens"]) == (
        'A:[tag="A"] [tag="N"]', "standard", 2, 31,
    )  # fmt: skip


def test_csv_and_tsv(hits: Hits) -> None:
    for form, mark in (("csv", ","), ("tsv", "\t")):
        lines = written(hits, form).splitlines()
        assert [line.split(":")[0] for line in lines if line.startswith("#")][:3] == [
            "# corpus",
            "# build",
            "# subcorpus",
        ]
        rows = list(csv.DictReader([line for line in lines if not line.startswith("#")], delimiter=mark))
        assert [row["node"] for row in rows] == ["Stari Grad", "stari grad", "Novi grad"]
        assert rows[2]["doc.year"] == "2020"
        assert rows[0]["A"] == "0 1"


def test_json_lines(hits: Hits) -> None:
    first, *rows = (json.loads(line) for line in written(hits, "jsonl").splitlines())
    assert set(NAMES) <= set(first["header"])
    assert [(row["start"], row["end"]) for row in rows] == [(0, 2), (5, 7), (13, 15)]


def test_spans_are_plain_lines(hits: Hits) -> None:
    assert written(hits, "spans") == "0 2\n5 7\n13 15\n"


def test_conllu_can_be_read(hits: Hits) -> None:
    text = written(hits, "conllu")
    sentences = text.strip().split("\n\n")
    assert len(sentences) == 3
    tokens = [line.split("\t") for line in sentences[0].splitlines() if not line.startswith("#")]
    assert [token[1] for token in tokens] == ["Stari", "Grad", "spava", "."]
    assert [token[6] for token in tokens] == ["2", "3", "0", "3"]
    assert tokens[0][9] == "Hit=Yes|Label=A"
    assert tokens[2][9] == "SpaceAfter=No"
    assert "# query = A:" in sentences[0]
    assert "# text = Stari Grad spava." in sentences[0]


def test_vertical_can_be_indexed_again(hits: Hits, tmp_path: object) -> None:
    from pathlib import Path

    from paberki.query.sources.vertical import index_vertical

    source = Path(str(tmp_path)) / "hits.vert"
    source.write_text(written(hits, "vert"), "utf-8")
    index_vertical(source, source.parent / "index", ["word", "lemma", "tag", "feats*", "deprel"])
    again = OpenIndex(source.parent / "index")
    assert [line.node for line in again.query("<hit> []+ </hit>").page(0)] == ["Stari Grad", "stari grad", "Novi grad"]


def test_spreadsheets_hold_text_as_text(hits: Hits, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    write_workbook(
        out, {"query": "=1+1"}, ["node", "hits"], [["=HYPERLINK(1)", 3], ["https://x.example", 0.5], ["\x01", None]]
    )
    rows = list(openpyxl.load_workbook(io.BytesIO(out.getvalue())).active.iter_rows())
    assert [cell.data_type for cell in rows[3]] == ["s", "n"]
    assert rows[3][0].value == "=HYPERLINK(1)"
    assert rows[0][1].value == "=1+1"
    monkeypatch.setattr(formats, "_SHEET_ROWS", 4)
    with pytest.raises(QueryError, match="rows at most"):
        write_workbook(io.BytesIO(), {"query": "x"}, ["node"], [["a"], ["b"], ["c"]])


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx"])
def test_cells_that_look_like_formulas_are_harmless(text: str) -> None:
    assert safe_cell(text).startswith("'")
    out = io.StringIO()
    write_rows(out, "csv", {}, ["word"], [[text]])
    assert next(csv.reader([out.getvalue().split("\n", 1)[1]]))[0].startswith("'")


def test_numbers_stay_numbers() -> None:
    assert safe_cell(-1.5) == -1.5
    assert safe_cell("grad-selo") == "grad-selo"


def test_lists_in_formats(hits: Hits) -> None:
    out = io.StringIO()
    write_table(out, "tsv", {"corpus": "x"}, hits.freq("lemma"))
    assert out.getvalue().splitlines()[:2] == ["# corpus: x", "lemma\thits\tpages\thosts\tarf\tdp\tper_million"]
    with pytest.raises(QueryError, match="a list cannot be written"):
        write_table(out, "conllu", {}, hits.freq("lemma"))
    with pytest.raises(QueryError, match="did you mean 'csv'"):
        write_hits(out, "cvs", hits, first=None, view="kwic", header={})
