"""paberki identify, train langid, train siblings and eval langid, as people type them."""

from __future__ import annotations

import json
from pathlib import Path

from commandline import fine, refused

HR = "Jučer je u gradu otvorena nova knjižnica, a prvi su posjetitelji stigli već prije osam sati."
SR = "Juče je u gradu otvorena nova biblioteka, a prvi posetioci su stigli još pre osam sati."
EN = "A new library was opened in the town yesterday, and the first visitors came before eight."


def test_identify(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text(f"{HR}\n{EN}\n", encoding="utf-8")
    facts = fine("identify", page, "--lines", "--json").json
    assert [one["lang"] for one in facts] == ["hr", "en"]
    assert fine("identify", page, "--languages", "sl,cs", "--json").json["lang"] == "sl"
    assert fine("identify", page, "--method", "markov").out.split()[0] in ("hr", "en")
    assert "no such file" in refused("identify", tmp_path / "none")
    assert "unknown language" in refused("identify", page, "--languages", "klingon")


def test_train_and_eval(tmp_path: Path) -> None:
    data = tmp_path / "texts.jsonl"
    lines = [
        {"lang": lang, "text": text.replace("osam", f"osam {number}")}
        for number in range(60)
        for lang, text in (("hr", HR), ("sr", SR), ("en", EN))
    ]
    data.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    model = tmp_path / "own.model"
    words = ("train", "langid", data, "-o", model, "--bits", 12, "--examples", 100, "--source", "our own", "--json")
    assert fine(*words).json["languages"][0] == "el"
    close = tmp_path / "close.jsonl"
    close.write_text("".join(json.dumps(line) + "\n" for line in lines if line["lang"] != "en"), encoding="utf-8")
    assert fine("train", "siblings", close, "-o", tmp_path / "s.model", "--json").json["languages"] == ["hr", "sr"]
    pool, figure = tmp_path / "pool.jsonl", tmp_path / "confusion.svg"
    found = fine(
        "eval",
        "langid",
        data,
        "-m",
        "general",
        "-m",
        "words",
        "--languages",
        "hr,en",
        "--pool",
        pool,
        "--figure",
        figure,
        "--json",
    ).json
    assert found["texts"] == 180
    assert 0.6 < found["methods"][0]["accuracy"] < 0.7
    assert figure.read_text().startswith("<?xml")
    assert pool.exists()
    assert "two methods" in refused("eval", "langid", data, "--pool", pool)
    assert "no texts" in refused("eval", "langid")
