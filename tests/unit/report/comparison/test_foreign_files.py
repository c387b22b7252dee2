"""Foreign files of every format, packed and damaged, and warnings where a comparison makes no sense."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from paberki.annotation.splitting.any_language import splitter_for
from paberki.errors import InputError
from paberki.report.comparison.compare import CompareOptions, compare
from paberki.report.comparison.foreign_files import format_of, open_foreign
from paberki.report.words.sentence_lengths import sentence_lengths
from paberki.report.words.word_source import WordSource

TEXTS = [
    "Danas je u gradu bilo lijepo vrijeme, a gosti su došli.",
    "Nitko nije očekivao toliko ljudi na trgu.",
] * 20 + ["Danas je u gradu."]
ENGLISH = ["It was a fine day in the town and the guests had come from all over the country."] * 40
RUSSIAN = ["Сегодня в городе была хорошая погода, и гости приехали из всех краёв страны."] * 40


def write(path: Path, texts: list[str]) -> Path:
    path.write_text("\n\n".join(texts), "utf-8")
    return path


def words(source: WordSource) -> dict[str, int]:
    counts = source.counts()
    return {word: int(counts[at]) for at, word in enumerate(source.values().strings.to_pylist()) if counts[at]}


def test_text_jsonl_and_parquet_have_the_same_tokens(tmp_path: Path) -> None:
    text = write(tmp_path / "a.txt", TEXTS)
    rows = tmp_path / "a.jsonl"
    rows.write_text("".join(json.dumps({"text": one}) + "\n" for one in TEXTS), "utf-8")
    pq.write_table(pa.table({"text": TEXTS}), tmp_path / "a.parquet")
    counts = [
        words(open_foreign(path, "a", tmp_path / f"index{at}", lang="hr"))
        for at, path in enumerate((text, rows, tmp_path / "a.parquet"))
    ]
    assert counts[0] == counts[1] == counts[2]
    assert counts[0]["gradu"] == 21


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
def test_packed_files(tmp_path: Path, suffix: str) -> None:
    plain = b"<doc>\n<s>\nPas\tpas\tN\nspava\tspavati\tV\n</s>\n</doc>\n" * 30
    pack = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstandard.compress}[suffix]
    path = tmp_path / f"a.vert{suffix}"
    path.write_bytes(pack(plain))
    assert format_of(path) == "vert"
    source = open_foreign(path, "a", tmp_path / "index")
    assert (source.tokens, source.skipped) == (60, 0)
    assert words(source) == {"Pas": 30, "spava": 30}


def test_broken_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    lines = [
        b"<doc>",
        b"<s>",
        b"Pas\tpas\tN",
        b"broken",
        b"spava\tspavati\tV",
        b"\xff\xfe\tx\tN",
        b"</s>",
        b"",
        b"</doc>",
    ]
    path = tmp_path / "a.vert"
    path.write_bytes(b"\n".join(lines) + b"\n")
    source = open_foreign(path, "a", tmp_path / "index")
    assert (source.tokens, source.skipped) == (2, 2)
    assert list(source.skipped_lines) == [4, 6]


def test_files_with_one_column_are_not_broken(tmp_path: Path) -> None:
    path = tmp_path / "a.vert"
    path.write_text("<doc>\nPas\nspava\n.\n</doc>\n" * 10, "utf-8")
    source = open_foreign(path, "a", tmp_path / "index")
    assert (source.tokens, source.skipped, source.pos) == (30, 0, None)


def test_broken_json_and_rows_without_text(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "Pas spava."}\n{broken\n[1]\n{"title": "x"}\n\n{"content": "Pas laje."}\n', "utf-8")
    source = open_foreign(path, "a", tmp_path / "index", lang="hr")
    assert list(source.skipped_lines) == [2, 3, 4]
    assert words(source)["Pas"] == 2


def test_conllu(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    good = "1\tPas\tpas\tNOUN\tNc\t_\t2\tnsubj\t_\t_\n2\tspava\tspavati\tVERB\tVm\t_\t0\troot\t_\t_\n"
    path.write_text(f"# sent_id = 1\n{good}\n" * 5 + f"{good}oops\n\n", "utf-8")
    source = open_foreign(path, "a", tmp_path / "index")
    assert (source.tokens, source.skipped) == (12, 1)
    assert source.pos is not None


@pytest.mark.parametrize("name", ["none.vert", "empty.vert", "noise.bin", "noise.parquet"])
def test_what_cannot_be_read_is_told_in_one_line(tmp_path: Path, name: str) -> None:
    if name.startswith("empty"):
        (tmp_path / name).write_bytes(b"")
    elif name.startswith("noise"):
        (tmp_path / name).write_bytes(bytes(range(256)) * 40)
    good = write(tmp_path / "good.txt", TEXTS)
    with pytest.raises(InputError) as error:
        compare([good, tmp_path / name], tmp_path / "out")
    assert "\n" not in str(error.value)


def test_other_languages_and_scripts_are_warned_of(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{name}.txt", texts) for name, texts in (("en", ENGLISH), ("ru", RUSSIAN))]
    comparison = compare(files, tmp_path / "out")
    warnings = " ".join(comparison.warnings)
    assert "different languages (en en, ru ru)" in warnings
    assert "different scripts (en Latin, ru Cyrillic)" in warnings
    assert "make no sense" in comparison.sections["similarity"].notes[0]
    assert "Warning" in comparison.page.read_text("utf-8")


def test_comparison_of_a_corpus_with_itself(tmp_path: Path) -> None:
    files = [write(tmp_path / "a" / "x.txt", TEXTS) for _ in [(tmp_path / "a").mkdir()]] + [
        write(tmp_path / "x.txt", TEXTS)
    ]
    comparison = compare(files, tmp_path / "out", CompareOptions(lang="hr"))
    answer = comparison.as_json()
    assert answer["similarity"]["spearman"] == pytest.approx(1)
    assert answer["chi2"]["chi2"] == pytest.approx(0)
    assert [row["corpus"] for row in answer["sizes"]["rows"]] == ["x.txt-1", "x.txt-2"]
    assert not comparison.warnings
    for name in ("homogeneity", "cross_entropy", "known_similarity", "keywords", "ngrams", "pos", "kwic_duplication"):
        assert (tmp_path / "out" / f"{name}.json").is_file()
        assert (tmp_path / "out" / f"{name}.csv").is_file()


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Текст на русском языке. Ещё одно предложение! А это что?", 3),
        ("Rekao je: „Idemo.“ Otišli su 8. 2. 2009. godine s J. Novakom.", 2),
        ("यह एक वाक्य है। यह दूसरा है।", 2),
        ("这是。那是。", 2),
        ("see e.g. that or www.a.hr. no", 1),
        ("", 0),
    ],
)
def test_sentences_of_languages_without_a_model(text: str, count: int) -> None:
    starts, _, edges = splitter_for("und").split(text)
    assert edges[-1] == len(starts)
    assert len(edges) == count + 1


def test_sentences_of_a_russian_file(tmp_path: Path) -> None:
    (tmp_path / "ru.txt").write_text("Текст на русском языке. Ещё одно предложение.\n\nВторой абзац.\n", "utf-8")
    source = open_foreign(tmp_path / "ru.txt", "ru", tmp_path / "scratch")
    assert sentence_lengths([source]).rows[0]["sentences"] == 3


def test_json_lines_without_text_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"html": "<p>x"}\n', "utf-8")
    with pytest.raises(InputError, match=r"no text in any line .*; line 1"):
        open_foreign(tmp_path / "a.jsonl", "a", tmp_path / "scratch")
