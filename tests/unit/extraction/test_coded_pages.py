"""Coded pages: the format, gold texts, and training from them on the command line."""

from __future__ import annotations

import io
import json
import lzma
import subprocess
import sys
import tarfile

import pytest

from paberki.errors import ConfigError
from paberki.extraction.evaluation.coded_pages import CodedPage, align, read_coded, write_coded
from paberki.extraction.html.segmenter import segment
from paberki.extraction.methods.perceptron import PerceptronConfig, perceptron

SENTENCE = "Danas je u gradu {n} bilo lijepo vrijeme, a gosti su došli iz svih krajeva zemlje i ostali do večeri."


def html(number: int) -> str:
    menu = "".join(f'<li><a href="/{n}">Meni {n}</a></li>' for n in range(8))
    body = "".join(f"<p>{SENTENCE.format(n=number * 10 + n)} {SENTENCE.format(n=n)}</p>" for n in range(5))
    return f"<title>T</title><ul class=nav>{menu}</ul><div class=main><h1>Naslov broj {number} ovdje</h1>{body}</div><ul>{menu}</ul>"


def gold(number: int) -> str:
    return f"Naslov broj {number} ovdje\n" + "\n".join(
        f"{SENTENCE.format(n=number * 10 + n)} {SENTENCE.format(n=n)}" for n in range(5)
    )


def coded(count: int) -> list[CodedPage]:
    pages = []
    for number in range(count):
        blocks = segment(html(number)).blocks
        align(blocks, gold(number))
        pages.append(CodedPage(str(number), blocks, lang="hr", coder="ana", set="proba"))
    return pages


def test_gold_text_labels_blocks():
    (page,) = coded(1)
    assert {block.label for block in page.blocks if block.text.startswith("Meni")} == {"boilerplate"}
    assert [block.label for block in page.blocks if block.tag == "h1"] == ["header"]
    assert sum(block.label == "text" for block in page.blocks) == 5


def test_written_pages_read_the_same(tmp_path):
    pages = coded(3)
    assert write_coded(tmp_path / "a.jsonl", iter(pages)) == 3
    again = list(read_coded(tmp_path))
    assert [(page.id, page.coder, page.lang, page.set) for page in again] == [
        (str(n), "ana", "hr", "proba") for n in range(3)
    ]
    assert [[(b.text, b.label, b.path, b.link_chars) for b in page.blocks] for page in again] == [
        [(b.text, b.label, b.path, b.link_chars) for b in page.blocks] for page in pages
    ]


def test_gold_sets_packed_and_unpacked(tmp_path):
    folder = tmp_path / "proba"
    (folder / "html").mkdir(parents=True)
    row = {"id": "1", "file": "1.html", "enc": "cp1250", "gold": gold(1)}
    (folder / "gold.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    (folder / "html" / "1.html").write_bytes(html(1).encode("cp1250"))
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name in ("gold.jsonl", "html/1.html"):
            archive.add(folder / name, name)
    packed = tmp_path / "proba.tar.xz"
    packed.write_bytes(lzma.compress(data.getvalue()))
    found = [next(read_coded(path)) for path in (folder, packed)]
    assert [block.label for block in found[0].blocks] == [block.label for block in found[1].blocks]
    assert found[0].set == found[1].set == "proba"


@pytest.mark.parametrize("line", ["{", '{"id": 1}', '{"id": "1", "blocks": [{"text": "a", "label": "good"}]}', "[]"])
def test_bad_lines_are_named(tmp_path, line):
    (tmp_path / "a.jsonl").write_text("\n" + line + "\n", "utf-8")
    with pytest.raises(ConfigError, match="line 2"):
        list(read_coded(tmp_path / "a.jsonl"))


def paberki(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "paberki", *arguments], capture_output=True, text=True, timeout=120)


def test_training_a_perceptron_on_the_command_line(tmp_path):
    write_coded(tmp_path / "a.jsonl", iter(coded(12)))
    done = paberki(
        "train", "perceptron", str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "m.json"), "--epochs", "60", "--json"
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["2012"]["f"] > 0.95
    assert json.loads((tmp_path / "m.json").read_text())["2012"]["sources"] == ["proba"]
    blocks = segment(html(99)).blocks
    perceptron(blocks, PerceptronConfig(weights=str(tmp_path / "m.json"), cutoff=said["2012"]["cutoff"]))
    assert sum(block.kept for block in blocks if block.tag == "p") == 5


def test_training_victor_on_the_command_line(tmp_path):
    pytest.importorskip("pycrfsuite")
    write_coded(tmp_path / "a.jsonl", iter(coded(12)))
    done = paberki("train", "victor", str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "m.crf"), "--iterations", "20")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "m.crf").stat().st_size > 500


def test_missing_data_is_one_line(tmp_path):
    done = paberki("train", "perceptron", str(tmp_path / "none.jsonl"))
    assert done.returncode
    assert done.stderr.count("\n") == 1
    assert "none.jsonl" in done.stderr
