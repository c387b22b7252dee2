"""The driver of exports: the same bytes however they are made; nothing half written; kind errors."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
import pyarrow as pa
import pytest

from paberki.corpus import Corpus
from paberki.errors import ConfigError, MissingExtra, QueryError, StoreError
from paberki.export import piece_files
from paberki.export.export_format import ExportHead, ExportPiece
from paberki.export.format_list import FORMATS
from paberki.export.pages import survey
from paberki.export.piece_files import ExportJob
from paberki.export.recipe_facts import recipe_facts
from paberki.store.built_layers import BuiltLayers


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of two pages, so that a small corpus has several."""
    monkeypatch.setattr(survey, "PIECE_PAGES", 2)


@pytest.mark.parametrize("form", ["vert", "tei", "parquet", "sentences"])
def test_several_processes_write_the_same_bytes(
    exported: Corpus, tmp_path: Path, small_pieces: None, form: str
) -> None:
    for jobs in (1, 2):
        exported.export(form, tmp_path / f"{jobs}.x", jobs=jobs)
    assert (tmp_path / "1.x").read_bytes() == (tmp_path / "2.x").read_bytes()


@pytest.mark.parametrize("form", ["vert", "conllu", "tei"])
def test_a_large_row_group_is_put_into_lines_part_by_part(
    exported: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    sizes: list[int] = []
    writer = piece_files.form_of(form)

    def counting(table: pa.Table, about: ExportHead) -> ExportPiece:
        sizes.append(table.num_rows)
        return writer.render(table, about)

    exported.export(form, tmp_path / "whole")
    monkeypatch.setattr(piece_files, "MOST_BYTES", 20_000)
    monkeypatch.setattr(piece_files, "form_of", lambda *_, **__: replace(writer, render=counting))
    exported.export(form, tmp_path / "parts")
    assert max(sizes) < sum(sizes) / 2
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "parts").read_bytes()


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_small_pieces_give_the_same_pages(
    exported: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    if form == "parquet":
        pytest.skip("row groups are pieces")
    exported.export(form, tmp_path / "one")
    monkeypatch.setattr(survey, "PIECE_PAGES", 5)
    exported.export(form, tmp_path / "several")
    one, several = ((tmp_path / name).read_bytes() for name in ("one", "several"))
    if form == "recipe-list":
        assert Counter(re.sub(rb', "recipe".*', b"}", line) for line in one.splitlines()) == Counter(
            re.sub(rb', "recipe".*', b"}", line) for line in several.splitlines()
        )
    else:
        assert one == several


def test_an_export_goes_on_after_a_fault(
    exported: Corpus, tmp_path: Path, small_pieces: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A killed process leaves its pieces; the next one makes the others."""
    exported.export("vert", tmp_path / "plain.vert")
    monkeypatch.setattr(piece_files.shutil, "rmtree", lambda *_, **__: None)  # nobody tidies up after a kill
    make, made = ExportJob.make, []

    def stop_at_third(job: ExportJob, piece: survey.WorkPiece) -> object:
        if len(made) == 3:
            raise KeyboardInterrupt
        made.append(piece.number)
        return make(job, piece)

    monkeypatch.setattr(ExportJob, "make", stop_at_third)
    with pytest.raises(KeyboardInterrupt):
        exported.export("vert", tmp_path / "o.vert")
    assert not (tmp_path / "o.vert").exists()
    rendered = []
    monkeypatch.undo()
    monkeypatch.setattr(survey, "PIECE_PAGES", 2)
    tables = ExportJob._tables
    monkeypatch.setattr(
        ExportJob, "_tables", lambda job, piece, **more: rendered.append(piece.number) or tables(job, piece, **more)
    )
    exported.export("vert", tmp_path / "o.vert")
    assert rendered == [3, 4, 5]
    assert (tmp_path / "o.vert").read_bytes() == (tmp_path / "plain.vert").read_bytes()
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".tmp-")] == []


def test_a_killed_process(exported: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGKILL at any moment: no file under the final name, and the same command gives the same bytes."""
    exported.export("conllu", tmp_path / "plain.conllu")
    script = (
        "import sys\nfrom paberki.export.pages import survey\nsurvey.PIECE_PAGES = 1\nfrom paberki.corpus import Corpus\n"
        "print('go', flush=True)\nCorpus(sys.argv[1]).export('conllu', sys.argv[2])\n"
    )
    out = tmp_path / "o.conllu"
    process = subprocess.Popen([sys.executable, "-c", script, str(exported.root), str(out)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    deadline = time.monotonic() + 60
    while not any(tmp_path.glob(".tmp-o.conllu.*/00000[1-9].json")) and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    if process.returncode:
        assert not out.exists()
    monkeypatch.setattr(survey, "PIECE_PAGES", 1)
    exported.export("conllu", out)
    assert out.read_bytes() == (tmp_path / "plain.conllu").read_bytes()
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith(".tmp-")] == []


def test_a_writing_process_that_is_killed_is_an_error_in_words(
    exported: Corpus, tmp_path: Path, small_pieces: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as dying:
        dying.setattr(piece_files, "_save_memory", partial(os._exit, 137))
        with pytest.raises(StoreError, match="was killed.*run the command again"):
            exported.export("vert", tmp_path / "o.vert", jobs=2)
    assert not list(tmp_path.iterdir())
    assert exported.export("vert", tmp_path / "o.vert", jobs=2) == 12


def test_a_full_disk_leaves_nothing(exported: Corpus, tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk: the error is one line, and nothing stays."""
    script = (
        "import resource, signal, sys\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nfrom paberki.corpus import Corpus\n"
        "corpus = Corpus(sys.argv[1])\ncorpus.plan()\nresource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))\n"
        "from paberki.errors import StoreError\n"
        "try:\n    corpus.export('jsonl', sys.argv[2])\nexcept StoreError as error:\n    print(error)\n"
    )
    assert resource.RLIMIT_FSIZE is not None
    out = tmp_path / "d"
    out.mkdir()
    answer = subprocess.run(
        [sys.executable, "-c", script, str(exported.root), str(out / "o.jsonl")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "size limit" in answer.stdout
    assert list(out.iterdir()) == []


def test_places_that_cannot_be_written(exported: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    with pytest.raises(ConfigError, match="no permission"):
        exported.export("jsonl", closed / "o.jsonl")


def test_columns(exported: Corpus, tmp_path: Path) -> None:
    exported.export("jsonl", tmp_path / "o.jsonl", columns=("url", "text"))
    rows = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text("utf-8").splitlines()]
    assert {tuple(row) for row in rows} == {("url", "text")}
    exported.export("vert", tmp_path / "o.vert", columns=("id", "lang"))
    assert (tmp_path / "o.vert").read_text("utf-8").startswith('<doc id="000000000" lang="hr">')
    with pytest.raises(QueryError, match="did you mean 'title'"):
        exported.export("jsonl", tmp_path / "x.jsonl", columns=("titel",))


def test_dropped_pages_have_their_reasons(exported: Corpus, tmp_path: Path) -> None:
    assert exported.export("jsonl", tmp_path / "o.jsonl", pages="dropped") == 1
    row = json.loads((tmp_path / "o.jsonl").read_text("utf-8"))
    assert row["reason"]
    assert not row["keep"]
    assert exported.export("jsonl", tmp_path / "all.jsonl", pages="all") == 13


def test_one_page_of_several(exported: Corpus, tmp_path: Path, small_pieces: None) -> None:
    assert exported.export("jsonl", tmp_path / "o.jsonl", every=5) == 3
    ids = [json.loads(line)["id"] for line in (tmp_path / "o.jsonl").read_text("utf-8").splitlines()]
    assert ids == ["000000000", "000000005", "000000010"]


def test_pages_are_shuffled_by_the_seed(exported: Corpus, tmp_path: Path) -> None:
    orders = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        exported.export("jsonl", tmp_path / name, shuffle=True, seed=seed)
        orders.append([json.loads(line)["id"] for line in (tmp_path / name).read_text("utf-8").splitlines()])
    assert orders[0] == orders[1]
    assert orders[0] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2]) != orders[0]
    exported.export("vert", tmp_path / "o.vert", shuffle=True, seed=1)
    assert re.findall(r'<doc id="(\d+)', (tmp_path / "o.vert").read_text("utf-8")) == orders[0]


def test_paragraphs_are_shuffled_with_their_tokens(exported: Corpus, tmp_path: Path) -> None:
    for name, shuffles in (("a", False), ("b", True)):
        exported.export("conllu", tmp_path / name, shuffle_paragraphs=shuffles, seed=3)
        exported.export("text", tmp_path / f"{name}.txt", shuffle_paragraphs=shuffles, seed=3)
    texts = [re.findall(r"# text = (.*)", (tmp_path / name).read_text("utf-8")) for name in ("a", "b")]
    assert sorted(texts[0]) == sorted(texts[1])
    assert texts[0] != texts[1]
    pages = [(tmp_path / f"{name}.txt").read_text("utf-8").split("\n\n")[:-1] for name in ("a", "b")]
    assert pages[0] != pages[1]
    assert [sorted(page.split("\n")) for page in pages[0]] == [sorted(page.split("\n")) for page in pages[1]]


@pytest.mark.parametrize("form", ["sentences", "recipe-list"])
def test_formats_without_paragraphs_do_not_shuffle_them(exported: Corpus, tmp_path: Path, form: str) -> None:
    for name, shuffles in (("a", False), ("b", True)):
        exported.export(form, tmp_path / name, shuffle_paragraphs=shuffles, seed=3)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("form", ["text", "wet", "sentences", "recipe-list"])
def test_formats_without_columns_refuse_unknown_ones(exported: Corpus, tmp_path: Path, form: str) -> None:
    with pytest.raises(QueryError, match="url"):
        exported.export(form, tmp_path / "o", columns=["id", "urll"])


def test_tokens_need_a_tokenizer(exported: Corpus, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--tokenizer"):
        exported.export("tokens", tmp_path / "o.bin")
    try:
        import tokenizers  # noqa: F401
    except ImportError:
        with pytest.raises(MissingExtra, match=r"paberki\[tokens\]"):
            exported.export("tokens", tmp_path / "o.bin", tokenizer="tokenizer.json")


@pytest.mark.parametrize("shard_pages", [None, 5])
def test_files_beside(exported: Corpus, tmp_path: Path, shard_pages: int | None) -> None:
    exported.export("vert", tmp_path / "hr.vert", shard_pages=shard_pages)
    exported.export("tei", tmp_path / "hr.tei.xml", shard_pages=shard_pages)
    names = {one.name for one in tmp_path.iterdir()}
    assert names == {"hr.vert", "hr.vert.registry", "hr.vert.cwb", "hr.tei.xml", "hr.tei.xml.cmdi.xml"}
    registry = (tmp_path / "hr.vert.registry").read_text("utf-8")
    assert [line.split()[1] for line in registry.splitlines() if line.startswith("ATTRIBUTE")] == [
        "word", "xpos", "lemma", "upos", "feats", "head", "deprel", "ner",
    ]  # fmt: skip
    vertical = "hr.vert" if shard_pages is None else "| cat hr.vert/part-*.vert"
    assert f'VERTICAL "{vertical}"' in registry
    assert re.search(r"STRUCTURE p {\s+ATTRIBUTE type\s", registry)


def test_registry_files_say_how_a_compressed_vertical_is_read(exported: Corpus, tmp_path: Path) -> None:
    exported.export("vert", tmp_path / "hr web.vert.gz")
    assert "VERTICAL \"| gzip -dc 'hr web.vert.gz'\"" in (tmp_path / "hr web.vert.gz.registry").read_text("utf-8")
    assert (
        (tmp_path / "hr web.vert.gz.cwb")
        .read_text("utf-8")
        .startswith("## gzip -dc 'hr web.vert.gz' | cwb-encode -d data/hr_web -R")
    )


def test_the_note_of_a_build_says_what_the_recipe_says(exported: Corpus) -> None:
    noted, planned = exported.layout(), exported.plan()
    assert isinstance(noted, BuiltLayers)
    assert recipe_facts(exported.directory, noted) == recipe_facts(exported.directory, planned)
    assert recipe_facts(exported.directory, replace(noted, facts={})) == recipe_facts(exported.directory, planned)


def test_a_script_without_a_guard_exports_and_its_processes_end_with_it(exported: Corpus, tmp_path: Path) -> None:
    """Processes import the main module of their parent, if it is there; and they wait for each other, not for the parent."""
    script = tmp_path / "script.py"
    script.write_text(
        f"""
import os, signal, sys
import paberki, psutil
from paberki.export.pages import survey
survey.PIECE_PAGES = 2
corpus = paberki.open({str(exported.root)!r})
if "kill" in sys.argv:
    def die(done, all_pages):
        print(*(child.pid for child in psutil.Process().children(recursive=True)), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    corpus.export("vert", "killed.vert", jobs=2, progress=die)
corpus.export("vert", "o.vert", jobs=2)
""",
        "utf-8",
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    exported.export("vert", tmp_path / "same.vert")
    assert (tmp_path / "o.vert").read_bytes() == (tmp_path / "same.vert").read_bytes()
    killed = subprocess.run([sys.executable, script, "kill"], cwd=tmp_path, capture_output=True, text=True)
    writers = [int(number) for number in killed.stdout.split()]
    assert writers
    until = time.monotonic() + 10
    while any(psutil.pid_exists(number) for number in writers) and time.monotonic() < until:
        time.sleep(0.05)
    assert [number for number in writers if psutil.pid_exists(number)] == []


@pytest.mark.parametrize("columns", [["url"], ["blocks"], ["tok_lemma"], ["block_keep", "title"], ["text"]])
@pytest.mark.parametrize("shuffles", [False, True])
def test_any_columns_alone_are_written(exported: Corpus, tmp_path: Path, columns: list[str], shuffles: bool) -> None:
    """What shuffling and masking look at is read, whatever is written."""
    for mask in (False, True):
        exported.export("jsonl", tmp_path / "o.jsonl", columns=columns, shuffle_paragraphs=shuffles, seed=1, mask=mask)
        rows = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text("utf-8").splitlines()]
        assert len(rows) == 12
        assert all(list(row) == columns for row in rows)
        if columns == ["tok_lemma"]:
            exported.export("jsonl", tmp_path / "p.jsonl", columns=columns)
            plain = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text("utf-8").splitlines()]
            assert [sorted(row["tok_lemma"]) for row in rows] == [sorted(row["tok_lemma"]) for row in plain]
            assert (rows != plain) == shuffles
