"""Corpora of earlier formats still open, say the same, and go on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import paberki
from paberki.report.one_page.explain import explain
from paberki.store.lock import holder

HERE = Path(__file__).parent
EXPECTED: list[dict[str, Any]] = json.loads((HERE / "expected.json").read_text("utf-8"))["pages"]
KEPT = [page for page in EXPECTED if page["keep"]]


@pytest.fixture
def old(tmp_path: Path) -> paberki.Corpus:
    """A copy of the corpus of format 1."""
    shutil.copytree(HERE / "format1", tmp_path / "old")
    return paberki.open(tmp_path / "old")


def test_the_corpus_is_small_and_self_contained() -> None:
    files = [path for path in (HERE / "format1").rglob("*") if not path.is_dir()]
    assert sum(path.stat().st_size for path in files) < 100_000
    assert not any(path.is_symlink() for path in files)
    assert len(EXPECTED) == 12
    assert {page["reason"] for page in EXPECTED} == {None, "duplicate", "other-language", "no-text"}


def test_every_value_is_as_recorded(old: paberki.Corpus) -> None:
    assert [dict(row) for row in old.pages(*EXPECTED[0], kept=False)] == EXPECTED


def test_it_can_be_read(old: paberki.Corpus, tmp_path: Path) -> None:
    assert old.directory.manifest().format == 1
    assert old.sql("select count(*), count(*) filter (keep) from pages")[1] == [(12, len(KEPT))]
    assert holder(old.directory.lock("layers")) is None
    assert old.export("jsonl", tmp_path / "x.jsonl") == len(KEPT)
    lines = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text("utf-8").splitlines()]
    assert [line["text"] for line in lines] == [page["text"] for page in KEPT]
    for page in EXPECTED:
        found = explain(old.directory, old.plan(), old.decisions(), page["url"])
        assert page["id"] in found.text()


def _kept_but_for_copies(corpus: paberki.Corpus) -> None:
    """What was kept is kept, but for copies that only later versions notice."""
    now = {page["key"]: page["reason"] for page in corpus.pages("key", "reason", kept=False)}
    assert {now[page["key"]] for page in KEPT} <= {None, "duplicate"}
    assert sum(now[page["key"]] is None for page in KEPT) >= len(KEPT) - 2


def test_it_can_be_built_on(old: paberki.Corpus) -> None:
    result = old.build(jobs=1)
    assert (result.pages, result.new_pages, result.errors) == (12, 0, 0)
    _kept_but_for_copies(old)
    assert [page["id"] for page in old.pages("id", kept=False)] == [page["id"] for page in EXPECTED]
    again = old.build(jobs=1)
    assert all(tally.pages == 0 for tally in again.stages)


def test_it_can_grow(old: paberki.Corpus, tmp_path: Path) -> None:
    (tmp_path / "nova.html").write_text("<p>Nova stranica koja je došla poslije.</p>", "utf-8")
    old.add([tmp_path / "nova.html"])
    result = old.build(jobs=1)
    assert (result.pages, result.new_pages) == (13, 1)
    _kept_but_for_copies(old)
