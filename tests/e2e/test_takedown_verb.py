"""Take-downs beside a build, under kill -9, in a crawl, and from the command line."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from commandline import fine, paberki, refused
from disturbed import run, start
from serving import Serving

from corpora import article, layer_bytes
from paberki.corpus import Corpus

Make = Callable[..., Corpus]
Pages = Callable[..., Path]
WORD = "šumbrekalj"
PAGE = article(3).replace("<p>", f"<p>Ovdje živi {WORD}. ")


def layers_with_word(root: Path) -> list[str]:
    """Layer files, and parts of them, that hold the word."""
    holding = []
    for path in sorted(root.glob("layers/**/*.parquet")):
        try:
            if path.name[0].isdigit() and WORD in repr(pq.read_table(path, use_threads=False).to_pydict()):
                holding.append(str(path.relative_to(root)))
        except FileNotFoundError:  # the build has replaced it
            continue
    return holding


@pytest.mark.waits
def test_a_page_goes_while_a_build_runs(corpus: Make, pages: Pages) -> None:
    source = pages(600, {"00123-x.html": PAGE.encode()})
    made, calm = (corpus(source, name=name, preset="llm") for name in ("made", "calm"))
    process = start("build", str(made.root), "--jobs", "2", "--quiet")
    until = time.monotonic() + 120
    while not layers_with_word(made.root) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    url = next(
        url for url in pq.read_table(made.root / "layers/archive/00000.parquet")["url"].to_pylist() if "00123-x" in url
    )
    result = json.loads(run("takedown", str(made.root), url, "--reason", "request", "--json")[1])
    running = process.poll() is None
    assert [page["url"] for page in result["taken_down"]] == [url]
    while process.poll() is None:
        assert layers_with_word(made.root) == []
        time.sleep(0.1)
    assert process.returncode == 0, process.communicate()
    process.communicate()
    assert layers_with_word(made.root) == []
    assert result["during_build"] or not running

    # Models are learnt again, since the page may have gone before or after the build learnt its own.
    again = ("--refit", "--jobs", "2", "--quiet")
    assert run("build", str(made.root), *again)[0] == 0
    assert run("build", str(calm.root), "--jobs", "2", "--quiet")[0] == 0
    unharmed = layer_bytes(calm)
    fine("takedown", calm.root, url, "--reason", "request", "--quiet")
    assert run("build", str(calm.root), *again)[0] == 0
    assert layer_bytes(made) == layer_bytes(calm)
    fine("takedown", made.root, "--undo", url, "--quiet")
    assert run("build", str(made.root), *again)[0] == 0
    assert layer_bytes(made) == unharmed


@pytest.mark.waits
def test_a_killed_takedown_is_finished_by_the_same_command(corpus: Make, pages: Pages) -> None:
    made = corpus(pages(30, {"00012-x.html": PAGE.encode()}), preset="llm")
    made.build(jobs=1)
    before = layer_bytes(made)
    ((url,),) = made.sql("select url from pages where url like '%00012-x%'")[1]
    moments = random.Random(7)
    for _ in range(4):
        process = start("takedown", str(made.root), url, "--reason", "request")
        time.sleep(moments.uniform(0.3, 2.0))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    fine("takedown", made.root, url, "--reason", "request", "--quiet")
    assert layers_with_word(made.root) == []
    assert len(made.takedowns()) == 1
    fine("takedown", made.root, "--undo", url, "--quiet")
    assert {name: data for name, data in layer_bytes(made).items() if ".tmp" not in name} == before


@pytest.mark.slow
def test_the_command_line(corpus: Make, pages: Pages, tmp_path: Path) -> None:
    made = corpus(pages(8), recipe='[[select.pages]]\nreason = "not-connected"\ndrop = ""\n')
    made.build(jobs=1, until="paragraphs")
    root = made.root
    urls = [url for (url,) in made.sql("select url from pages order by id")[1]]
    assert "--reason" in refused("takedown", root, urls[0])
    assert "give one of" in refused("takedown", root)
    assert "similar: " in refused("takedown", root, urls[0] + "x", "--reason", "r")
    assert "taken down: 000000000" in fine("takedown", root, urls[0], "--reason", "r").out
    assert fine("takedown", root, "--list", "--json").json["takedowns"][0]["reason"] == "r"
    assert "brought back" in fine("takedown", root, "--undo", "0").out
    assert fine("release", root, "--version", "1.0", "--formats", "jsonl,recipe-list", "--json").json["pages"] > 0
    assert fine("release", root, "--verify", "1.0").out.startswith("release 1.0: all files")
    (root / "releases/1.0/NOTES.md").write_text("changed\n")
    assert "NOTES.md has changed" in refused("release", root, "--verify", "1.0", code=1)
    assert fine("card", root).out.startswith("---\n")
    listing = tmp_path / "list.jsonl"
    fine("export", root, "recipe-list", "-o", listing, "--quiet")
    (archive,) = root.glob("warc/*.warc.gz")
    assert fine("rebuild", listing, "--warc", archive, "-o", tmp_path / "again", "--quiet").out == ""
    page = json.loads(listing.read_text().splitlines()[0])
    listing.write_text(json.dumps({**page, "url": "http://gone.hr/", "key": "0" * 32}) + "\n" + listing.read_text())
    done = paberki("rebuild", listing, "--warc", archive, "-o", tmp_path / "third")
    assert done.code == 1
    assert "gone: http://gone.hr/" in done.out
    assert "none of the" in refused("rebuild", listing, "--warc", _other(tmp_path), "-o", tmp_path / "fourth")


def _other(folder: Path) -> Path:
    from commandline import good, packed

    (path := folder / "other.warc.gz").write_bytes(packed(good("http://x.hr/", 99)))
    return path


def test_a_page_goes_under_a_running_service(corpus: Make, pages: Pages) -> None:
    made = corpus(
        pages(8, {"00003-x.html": PAGE.encode()}), recipe='[[select.pages]]\nreason = "not-connected"\ndrop = ""\n'
    )
    made.build(jobs=1)
    fine("index", made.root, "--quiet")
    ((url, page),) = made.sql("select url, id from pages where url like '%00003-x%'")[1]
    questions = {
        "hits": {"q": f'[word="{WORD}"]'}, "search": {"q": WORD}, "wordlist": {"attr": "word"}, f"pages/{page}": {},
        f"pages/{page}/original": {}, "export": {"q": f'[word="{WORD}"]', "format": "csv"},
    }  # fmt: skip
    with Serving(made.root) as server:
        before = {
            name: server.get(name, **parameters).body.decode("utf-8", "replace")
            for name, parameters in questions.items()
        }
        assert WORD in before["hits"]
        assert WORD in before[f"pages/{page}"]
        fine("takedown", made.root, url, "--reason", "request", "--quiet")
        for name, parameters in questions.items():
            answer = server.get(name, **parameters).body.decode("utf-8", "replace")
            assert f"živi {WORD}" not in answer, name
            assert "q" in parameters or WORD not in answer, name
        assert server.get(f"pages/{page}/original").status in (404, 410)
        assert server.fine("hits", q=f'[word="{WORD}"]')["rows"] == []
        fine("takedown", made.root, "--undo", url, "--quiet")
        assert server.fine("hits", q=f'[word="{WORD}"]')["rows"]
