"""A model can be counted from plain text, in the formats people have it in."""

from __future__ import annotations

import gzip
import json
import lzma

import pytest

from paberki.decoding import decode
from paberki.decoding.charset_training import is_traditional, to_cyrillic, train
from paberki.decoding.letter_counts import write_counts
from paberki.decoding.training_texts import read_texts
from paberki.errors import ConfigError

CROATIAN = "Željeznički promet između Zagreba i Šibenika ponovno je uspostavljen, kažu čelnici općine. " * 40
RUSSIAN = "Вчера в Москве открылась выставка старинных книг, на которой можно увидеть редкие издания. " * 40


def test_what_is_counted_is_found(tmp_path):
    write_counts(tmp_path / "own.model", train([("hr", CROATIAN), ("ru", RUSSIAN)], ["mine"]))
    for text, codec in ((CROATIAN, "iso8859-2"), (CROATIAN, "cp1250"), (RUSSIAN, "koi8-r"), (RUSSIAN, "cp866")):
        assert decode(text.encode(codec), model=tmp_path / "own.model").text == text


def test_languages_with_too_little_text_are_left_out():
    counts = train([("hr", CROATIAN), ("ru", "мало"), ("xx", "unknown " * 1000)])
    assert list(counts.alphabetic) == ["hbs"]


def test_serbian_is_counted_in_both_scripts():
    counts = train([("sr", CROATIAN)])
    assert list(counts.alphabetic) == ["hbs", "sr-Cyrl"]
    assert "ч" in counts.alphabetic["sr-Cyrl"].letters
    assert list(train([("sr", to_cyrillic(CROATIAN))]).alphabetic) == ["sr-Cyrl"]


def test_to_cyrillic():
    assert to_cyrillic("Ljubav, njiva, džep, Đorđe, ıx") == "Љубав, њива, џеп, Ђорђе, ıx"


def test_chinese_is_told_apart_by_its_characters():
    assert is_traditional("這個國家的時間")
    assert not is_traditional("这个国家的时间")
    counts = train([("zh", "這個國家的時間" * 400), ("zh", "这个国家的时间" * 400)])
    assert set(counts.ideographic) == {"zh", "zh-Hant"}


def test_the_same_text_gives_the_same_file(tmp_path):
    for name in ("a", "b"):
        write_counts(tmp_path / name, train([("hr", CROATIAN), ("ru", RUSSIAN)]))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_formats_of_texts(tmp_path):
    (tmp_path / "hr.txt").write_text("prva\ndruga\n", encoding="utf-8")
    (tmp_path / "sl.web.conllu.gz").write_bytes(gzip.compress("# text = čaša\n1\tčaša\n\n".encode()))
    row = json.dumps({"lang": "cs", "text": "řeka"})
    (tmp_path / "texts.jsonl.xz").write_bytes(lzma.compress(row.encode()))
    (tmp_path / "notes.md").write_text("not a text")
    assert list(read_texts(tmp_path)) == [("hr", "prva"), ("hr", "druga"), ("sl", "čaša"), ("cs", "řeka")]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("hr.pdf", b"", "texts come as"),
        ("a.jsonl", b"{}\n", "line 1"),
        ("a.jsonl.xz", b"not compressed", "cannot be read"),
        ("hr.txt", b"\xff\xfe", "cannot be read"),
    ],
)
def test_files_that_are_no_texts(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        list(read_texts(tmp_path / name))
