"""paberki extract, eval extract and train extract, as people type them."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from commandline import fine, refused

from paberki.demo.responses import SiteResponses
from paberki.demo.world import world

SENTENCE = "Jučer je u gradu otvorena nova izložba starih knjiga, a posjetitelja je bilo više nego lani."
PAGE = (
    '<html lang=hr><title>Izložba</title><meta property="article:published_time" content="2026-03-04T10:00:00Z">'
    f"<ul><li><a href=/a rel=nofollow>Početna</a></ul><div class=text><p>{SENTENCE}</p><p>Drugi put: {SENTENCE}</p></div>"
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of pages of the mini-web with their gold text, packed, and a folder with snippets."""
    root = tmp_path_factory.mktemp("sets")
    answers = SiteResponses(world(), lambda host, path: f"http://{host}{path}")
    pages = [(host, page) for host, site in world().items() for page in site.pages.values()]
    wanted = [(host, page) for host, page in pages if page.truth().kind in ("article", "post") and page.truth().wanted]
    rows = []
    (root / "demo" / "html").mkdir(parents=True)
    for number, (host, page) in enumerate(wanted[::12]):
        truth = page.truth()
        (root / "demo" / "html" / f"{number}.html").write_bytes(answers.answer(host, page.path).body)
        rows.append(
            {"id": str(number), "file": f"{number}.html", "enc": truth.encoding, "url": f"http://{host}{page.path}",
             "lang": truth.language, "type": truth.kind, "gold": truth.wanted}
        )  # fmt: skip
    (root / "demo" / "gold.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    with tarfile.open(root / "packed.tar.xz", "w:xz") as archive:
        archive.add(root / "demo" / "gold.jsonl", "gold.jsonl")
        archive.add(root / "demo" / "html", "html")
    (root / "snippets" / "html").mkdir(parents=True)
    (root / "snippets" / "html" / "a.html").write_text(PAGE, "utf-8")
    row = {"id": "a", "file": "a.html", "enc": "utf-8", "with": [SENTENCE], "without": ["Početna"]}
    (root / "snippets" / "gold.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    return root


def test_text_blocks_and_json(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE, "utf-8")
    assert fine("extract", tmp_path / "a.html").out == f"{SENTENCE}\nDrugi put: {SENTENCE}\n"
    blocks = fine("extract", tmp_path / "a.html", "--blocks").out.splitlines()
    assert [line[0] for line in blocks] == ["-", "+", "+"]
    found = fine("extract", tmp_path / "a.html", "--json", "--url", "http://a.hr/1").json
    assert (found["title"], found["declared_language"], found["date"]) == ("Izložba", "hr", "2026-03-04")
    assert found["links"][0]["target"] == "/a"
    assert found["links"][0]["rel"] == "nofollow"
    assert set(found["blocks"][0]) == {
        "text", "start", "end", "path", "label", "score", "kept", "reason", "source"
    }  # fmt: skip
    assert fine("extract", tmp_path / "a.html", "--quiet").out == ""


def test_standard_input() -> None:
    command = [sys.executable, "-m", "paberki", "extract", "-", "--method", "tagpath"]
    done = subprocess.run(command, input=PAGE.encode("cp1250"), capture_output=True, timeout=120, check=True)
    assert done.stdout.decode() == f"{SENTENCE}\nDrugi put: {SENTENCE}\n"


def test_what_cannot_be_extracted(tmp_path: Path) -> None:
    assert "no such file" in refused("extract", tmp_path / "none.html")
    if sys.platform == "linux":
        assert "cannot be read" in refused("extract", "/proc/self/mem")
    assert "directory" in refused("extract", tmp_path)
    (tmp_path / "a.html").write_text("x")
    assert "learned" in refused("extract", tmp_path / "a.html", "--method", "magic")
    assert "encoding" in refused("extract", tmp_path / "a.html", "--encoding", "klingon")


def test_evaluation(data: Path, tmp_path: Path) -> None:
    figure, log = tmp_path / "cutoff.svg", tmp_path / "log.jsonl"
    words = ("eval", "extract", data, "--method", "learned", "--method", "tagpath", "--figure", figure, "--log", log)
    learned, tagpath = fine(*words, "--json").json
    assert [row["name"] for row in learned["by_set"]] == ["demo", "packed", "snippets"]
    demo, packed, snippets = learned["by_set"]
    assert {**demo, "name": ""} == {**packed, "name": ""}
    assert 0.9 < demo["low"] <= demo["f"] <= demo["high"] <= 1.0
    assert snippets["f"] == 1.0
    assert {row["name"] for row in learned["by_type"]} == {"article", "post"}
    assert min(learned["mean"], tagpath["mean"]) > 0.95
    assert figure.read_text("utf-8").count("<polyline") == 6
    rows = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert {"method", "set", "page", "start", "end", "label", "score", "kept", "gold", "reason"} == set(rows[0])
    assert "demo" in fine("eval", "extract", data / "demo").out


def test_comments_are_scored_apart(tmp_path: Path) -> None:
    comment = "Meni se ovaj grad uopće ne sviđa, jer je prevelik i preglasan."
    page = f'{PAGE}<div class="comments"><p class="comment">{comment}</p></div>'
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "a.html").write_text(page, "utf-8")
    row = {"id": "a", "file": "a.html", "gold": SENTENCE, "gold_comments": comment}
    (tmp_path / "gold.jsonl").write_text(json.dumps(row), "utf-8")
    [found] = fine("eval", "extract", tmp_path, "--json").json
    assert found["by_set"][0]["comments"] == 1.0
    assert "comments F" in fine("eval", "extract", tmp_path).out


def test_evaluation_of_nothing(tmp_path: Path) -> None:
    assert "no sets here" in refused("eval", "extract", tmp_path)
    assert "no such file" in refused("eval", "extract", tmp_path / "none")
    (tmp_path / "bad.tar.xz").write_bytes(b"no archive")
    assert "not a set of pages" in refused("eval", "extract", tmp_path / "bad.tar.xz")
    assert "known methods" in refused("eval", "extract", tmp_path, "--method", "magic")


@pytest.mark.slow
def test_training(data: Path, tmp_path: Path) -> None:
    pytest.importorskip("lightgbm")
    made = fine("train", "extract", data / "demo", "-o", tmp_path / "my.npz", "--trees", 10, "--json").json
    assert made["training_sets"] == ["demo"]
    assert (tmp_path / "my.npz").stat().st_size == made["bytes"] < 100_000
    from paberki.extraction import extract

    page = (data / "demo" / "html" / "0.html").read_bytes()
    found = extract(page, model=str(tmp_path / "my.npz"))
    assert found.text
    assert [block.score for block in found.blocks] != [block.score for block in extract(page).blocks]
    own, shipped = (
        fine("eval", "extract", data / "demo", "--json", *given).json[0]["mean"]
        for given in (("--model", tmp_path / "my.npz"), ())
    )
    assert 0.5 < own != shipped
    assert "not an extraction model" in refused("eval", "extract", data / "demo", "--model", tmp_path / "none.npz")
    assert "too few" in refused("train", "extract", data / "snippets", "-o", tmp_path / "x.npz")
    assert "too few" in refused("train", "extract", data / "demo", "-o", tmp_path / "x.npz", "--without", "demo/*")
    assert "too few" in refused("train", "extract", data / "demo", "-o", tmp_path / "x.npz", "--unlabelled", "demo/*")
