"""The index of documents: made beside, put in force at once, resumed, and the same however it came about."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from paberki.corpus import Corpus
from paberki.search import updating
from paberki.search.engine import EngineDocument, EngineField, EngineWriter, SearchIndex, all_of, any_of
from paberki.search.opening import is_up_to_date
from paberki.search.searching import DocumentSearch
from paberki.search.stored_page import pack, unpack

SEARCHES = ("nitko", "more OR most", "koncert knjiga", '"stari grad"', "title:danas")


def answers(root: Path) -> list[list[tuple[str, float]]]:
    search = DocumentSearch(root)
    return [[(row.id, row.score) for row in search.search(words, size=None).rows] for words in SEARCHES]


@pytest.fixture
def corpus(search_corpus: Path, tmp_path: Path) -> Corpus:
    shutil.copytree(search_corpus, tmp_path / "copy")
    return Corpus(tmp_path / "copy")


def test_an_update_without_changes_does_nothing(corpus: Corpus) -> None:
    before = updating.read_manifest(corpus.root)
    assert before is not None
    assert is_up_to_date(corpus)
    assert not corpus.index_documents().changed
    assert updating.read_manifest(corpus.root) == before


def test_a_changed_layer_is_noticed_and_old_generations_go(corpus: Corpus) -> None:
    expected = answers(corpus.root)
    manifest = updating.folder_of(corpus.root) / updating.FILE
    manifest.write_text(manifest.read_text("utf-8").replace('"0": "', '"0": "x'), "utf-8")
    assert not is_up_to_date(corpus)
    assert corpus.index_documents().changed
    assert answers(corpus.root) == expected
    assert len(list(updating.folder_of(corpus.root).glob("documents-*"))) == 1
    assert not (updating.folder_of(corpus.root) / "building").exists()


def test_a_damaged_or_foreign_manifest_is_made_anew(corpus: Corpus) -> None:
    expected = answers(corpus.root)
    for text in ("{", "[]", '{"format": 99}', '{"strange": 1}'):
        (updating.folder_of(corpus.root) / updating.FILE).write_text(text, "utf-8")
        assert updating.read_manifest(corpus.root) is None
        assert corpus.index_documents().changed
        assert answers(corpus.root) == expected


def test_an_open_index_goes_on_while_a_new_one_is_made(corpus: Corpus) -> None:
    search = DocumentSearch(corpus.root)
    before = [row.id for row in search.search("nitko").rows]
    manifest = updating.folder_of(corpus.root) / updating.FILE
    manifest.write_text(manifest.read_text("utf-8").replace('"0": "', '"0": "x'), "utf-8")
    corpus.index_documents()
    assert search.is_replaced
    assert [row.id for row in search.search("nitko").rows] == before


def test_new_shards_are_added_to_a_copy(corpus: Corpus) -> None:
    """The links point to the same files, and what is in force does not change."""
    folder = updating.folder_of(corpus.root)
    manifest = updating.read_manifest(corpus.root)
    assert manifest is not None
    updating._link(folder / manifest.generation, folder / "copy")
    names = {path.name for path in (folder / "copy").iterdir()}
    assert "meta.json" in names
    assert not any(name.endswith(".lock") for name in names)
    assert SearchIndex(folder / "copy").documents == manifest.documents


@pytest.mark.parametrize("moment", [0.0, 0.3, 0.6])
def test_a_killed_update_is_finished_by_the_next(corpus: Corpus, moment: float) -> None:
    expected = answers(corpus.root)
    shutil.rmtree(updating.folder_of(corpus.root))
    command = [sys.executable, "-m", "paberki", "index", str(corpus.root), "--quiet"]
    process = subprocess.Popen(command, start_new_session=True, env={**os.environ})
    deadline = time.monotonic() + 30
    while not updating.folder_of(corpus.root).exists() and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)
    time.sleep(moment)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    corpus.index_documents()
    assert answers(corpus.root) == expected


def test_scores_do_not_depend_on_segments(tmp_path: Path) -> None:
    """Eighty searches on one index of one part and one of many: the same pages, the same scores."""
    pick = random.Random(7)
    vocabulary = [f"w{number}" for number in range(300)]
    weights = list(itertools.accumulate(1 / (number + 1) for number in range(300)))
    documents = [" ".join(pick.choices(vocabulary, cum_weights=weights, k=pick.randint(5, 80))) for _ in range(1200)]
    engines = []
    for name, size in (("one", len(documents)), ("many", 190)):
        writer = EngineWriter(tmp_path / name, [EngineField("body", "words", True)])
        for number, words in enumerate(documents):
            writer.add(EngineDocument(number, b"", {"body": words}))
            if number % size == size - 1:
                writer.commit()
        writer.commit()
        writer.close()
        engines.append(SearchIndex(tmp_path / name))
    assert engines[0].segments == 1
    assert engines[1].segments > 3
    for at in range(80):
        words = pick.sample(vocabulary[: 60 + at], 3)
        results = []
        for engine in engines:
            terms = [engine.term("body", word) for word in words]
            query = [any_of(terms), all_of(terms[:2]), engine.phrase("body", words[:2])][at % 3]
            hits, total = engine.search(query, 1200)
            results.append((total, {hit.number: hit.score for hit in hits}))
        assert results[0][0] == results[1][0]
        assert results[0][1] == pytest.approx(results[1][1], abs=1e-6)


def test_stored_pages_come_back() -> None:
    import numpy as np

    text = "Stari  grad, " + "x" * 400 + " kraj\nČamci 1 000"
    spans = [(0, 5), (7, 11), (11, 12), (13, 413), (414, 418), (419, 424), (425, 430)]
    starts, ends = (np.array(part) for part in zip(*spans, strict=True))
    page = unpack(pack({"id": "1", "title": "č"}, text, starts, ends))
    assert page.about == {"id": "1", "title": "č"}
    assert page.text == text
    assert page.tokens == ["stari", "grad", ",", "x" * 400, "kraj", "čamci", "1\x1f000"]
    empty = unpack(pack({}, "", np.zeros(0, np.int64), np.zeros(0, np.int64)))
    assert empty.tokens == []
