"""``paberki decode`` and ``paberki train charset`` from the command line."""

from __future__ import annotations

from pathlib import Path

from commandline import fine, refused

TEXT = "Željeznički promet između Zagreba i Šibenika ponovno je uspostavljen, kažu čelnici općine.\n"


def test_decode(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(f'<meta charset="utf-8"><p>{TEXT}</p>'.encode("cp1250"))
    told = fine("decode", page).out
    assert told.startswith("cp1250\n")
    assert "declares utf-8" in told
    facts = fine("decode", page, "--json", "--http-charset", "windows-1251", "--lang", "hr").json
    assert (facts["encoding"], facts["replaced_count"]) == ("cp1250", 0)
    assert [item["source"] for item in facts["evidence"]] == ["http", "meta", "model"]
    assert fine("decode", page, "--text").out == f'<meta charset="utf-8"><p>{TEXT}</p>'
    assert fine("decode", page, "--quiet").out == ""


def test_decode_refuses(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"caf\xe9")
    assert "no such file" in refused("decode", tmp_path / "nothing.html")
    assert "is a directory" in refused("decode", tmp_path)
    assert "paberki train charset" in refused("decode", tmp_path / "a", "--model", tmp_path / "a")


def test_train_charset(tmp_path: Path) -> None:
    (tmp_path / "hr.txt").write_text(TEXT * 50, encoding="utf-8")
    model = tmp_path / "own.model"
    made = fine("train", "charset", tmp_path / "hr.txt", "-o", model, "--source", "own sentences", "--json").json
    assert made["languages"] == ["hbs"]
    (tmp_path / "page").write_bytes(TEXT.encode("iso8859-2"))
    assert fine("decode", tmp_path / "page", "--model", model, "--json").json["encoding"] == "iso8859-2"
    help_text = fine("train", "charset", "--help").out
    assert "paberki train charset" in help_text.split("Examples:")[1]


def test_train_charset_refuses(tmp_path: Path) -> None:
    (tmp_path / "hr.txt").write_text("malo", encoding="utf-8")
    assert "too little text" in refused("train", "charset", tmp_path / "hr.txt", "-o", tmp_path / "m")
    assert "texts come as" in refused("train", "charset", tmp_path / "x.pdf", "-o", tmp_path / "m")
    assert not (tmp_path / "m").exists()
