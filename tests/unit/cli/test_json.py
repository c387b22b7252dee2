"""``--json`` prints one JSON value, with the keys that docs/json.md lists."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from in_process import paberki

from corpora import SENTENCES, article

ROOT = Path(__file__).parents[3]
TREE = "1\tPas\tpas\tNOUN\tNcmsn\t_\t2\tnsubj\t_\t_\n2\tlaje\tlajati\tVERB\tVmr3s\t_\t0\troot\t_\tSpaceAfter=No\n3\t.\t.\tPUNCT\tZ\t_\t2\tpunct\t_\t_\n\n"


def _table() -> dict[str, tuple[str, list[str]]]:
    """Kind of value and keys by verb, as the document has them."""
    rows = re.findall(
        r"^\| `([^|]+) \| (object|list) \| (.+) \|$", (ROOT / "docs" / "json.md").read_text("utf-8"), re.M
    )
    return {verb.replace("`", "").strip(): (kind, re.findall(r"`(\w+)`|(…)", keys)) for verb, kind, keys in rows}


TABLE = _table()


def printed(*words: object) -> Any:
    """The value that a command prints."""
    end = paberki(*words, "--json")
    assert end.code == 0, end.err
    return end.json


def check(row: str, value: Any) -> None:
    """The value has the kind and exactly the keys of a row; where the row has … it may have more behind them."""
    kind, parts = TABLE[row]
    keys = [key for key, _ in parts if key]
    assert isinstance(value, dict if kind == "object" else list)
    for one in [value] if kind == "object" else value[:3]:
        assert (list(one)[: len(keys)] if ("", "…") in parts else list(one)) == keys


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("plan", ("plan", "DIR")),
        ("status", ("status", "DIR")),
        ("status --stages", ("status", "DIR", "--stages")),
        ("peek", ("peek", "DIR", "-n", "2")),
        ("explain (one page)", ("explain", "DIR", "000000000")),
        ("explain (two pages)", ("explain", "DIR", "000000000", "000000001")),
        ("search", ("search", "DIR", "grad")),
        ("export", ("export", "DIR", "jsonl", "-o", "OUT/hr.jsonl")),
        ("report", ("report", "DIR", "-o", "OUT/report")),
        ("tune (no score)", ("tune", "DIR")),
        ("tune (a score)", ("tune", "DIR", "badness", "-o", "OUT/report")),
        ("columns", ("columns",)),
        ("columns", ("columns", "DIR")),
        ("stages", ("stages",)),
        ("stages", ("stages", "DIR")),
        ("settings", ("settings", "select.v1")),
        ("doctor", ("doctor",)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_verbs_that_read_a_corpus(row: str, words: tuple[str, ...], corpus: Path, tmp_path: Path) -> None:
    places = [word.replace("DIR", str(corpus)).replace("OUT", str(tmp_path)) for word in words]
    check(row, printed(*places))


def test_sql_has_the_columns_of_the_query(corpus: Path) -> None:
    assert printed("sql", corpus, "select 1 as one, keep from pages limit 2") == [{"one": 1, "keep": True}] * 2


@pytest.mark.parametrize("verb", ["decode", "extract", "identify"])
def test_verbs_that_read_a_file(verb: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(article(1), "utf-8")
    check(verb, printed(verb, page))


def test_verbs_that_make_a_corpus(tmp_path: Path) -> None:
    check("new", printed("new", tmp_path / "hr", "--lang", "hr"))
    (tmp_path / "a.html").write_text(article(1), "utf-8")
    check("import", printed("import", tmp_path / "hr", tmp_path / "a.html"))
    built = printed("build", tmp_path / "hr", "--jobs", "1", "--until", "captures")
    assert {key for key, _ in TABLE["build"][1] if key} <= built.keys()
    assert built["pages"] == 1


def test_reduce(tmp_path: Path) -> None:
    lines = [json.dumps({"text": " ".join(SENTENCES) + f" {number}."}) for number in range(3)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines), "utf-8")
    value = printed("reduce", tmp_path / "a.jsonl")
    check("reduce", value)
    assert value["corpora"]


@pytest.mark.parametrize("verb", ["tokeniser", "lemmatiser"])
def test_training_of_annotation(verb: str, tmp_path: Path) -> None:
    (tmp_path / "hr.conllu").write_text(TREE * 20, "utf-8")
    value = printed("train", verb, tmp_path / "hr.conllu", "-o", tmp_path / "hr.annotation")
    check(f"train {verb}", value)
    assert value["sentences"] == 20


def test_training_of_encodings(tmp_path: Path) -> None:
    (tmp_path / "hr.txt").write_text("\n".join(SENTENCES) * 10, "utf-8")
    value = printed("train", "charset", tmp_path / "hr.txt", "-o", tmp_path / "my.model")
    check("train charset", value)
    assert value["languages"] == ["hbs"]


def test_evaluation_of_annotation(tmp_path: Path) -> None:
    (tmp_path / "hr.conllu").write_text(TREE * 3, "utf-8")
    value = printed("eval", "annotate", tmp_path / "hr.conllu")
    check("eval annotate", value[:1])
    assert value[0]["words"] == 9


def test_coded_pages(tmp_path: Path) -> None:
    """Training and evaluation of extraction from the same coded pages."""
    blocks = [{"text": sentence * 3, "label": "text", "markup": 9, "tag": "p"} for sentence in SENTENCES]
    blocks += [
        {"text": word, "label": "boilerplate", "markup": 40, "tag": "li"} for word in ("Vijesti", "Sport", "Više")
    ]
    html = "".join(f"<{one['tag']}>{one['text']}</{one['tag']}>" for one in blocks)
    lines = [json.dumps({"id": str(number), "html": html, "blocks": blocks}) for number in range(10)]
    (tmp_path / "coded.jsonl").write_text("\n".join(lines), "utf-8")
    check(
        "train perceptron",
        printed("train", "perceptron", tmp_path / "coded.jsonl", "-o", tmp_path / "my.json", "--epochs", "3"),
    )
    check("eval extract", printed("eval", "extract", tmp_path / "coded.jsonl", "--method", "bte"))


def test_quiet_prints_nothing(corpus: Path, tmp_path: Path) -> None:
    for words in (("plan", corpus), ("peek", corpus), ("columns",), ("report", corpus, "-o", tmp_path)):
        assert paberki(*words, "--quiet") == (0, "", "")


def test_every_row_of_the_document_is_a_verb() -> None:
    from in_process import verbs

    rows = {tuple(re.sub(r"[(-].*", "", row).split()) for row in TABLE}
    assert rows - set(verbs()) == set()


def test_json_of_annotate_is_its_format(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Pas laje.", "utf-8")
    end = paberki("annotate", tmp_path / "a.txt", "--lang", "hr", "--format", "json")
    assert list(end.json) == ["lang", "text", "sentences"]
    assert [token["form"] for token in end.json["sentences"][0]["tokens"]] == ["Pas", "laje", "."]
