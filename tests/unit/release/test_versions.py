"""Releases are frozen, signed, and say what changed; a card tells the numbers of the corpus."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from leftovers import SECRET_URL, places_of

import paberki
from corpora import article
from paberki.corpus import Corpus
from paberki.errors import ConfigError, StoreError
from paberki.release.card import headings
from paberki.release.checksums import read_checksums
from paberki.release.markdown import escape, yaml
from paberki.release.versions import verify

Copied = Callable[[], Corpus]


def test_a_release_is_a_corpus_of_its_own(copied: Copied) -> None:
    corpus = copied()
    kept = corpus.sql("select count(*) from pages where keep")[1][0][0]
    release = corpus.release("1.0", ["jsonl", "vert"], doi="10.1234/abc", authors=["Ana Anić"])
    assert release.path == corpus.root / "releases/1.0"
    assert release.pages == kept
    assert release.changes == {"since": None, "in": kept, "out": 0, "changed": 0, "taken_down": 0}
    for name, digest in read_checksums(release.path).items():
        assert hashlib.sha256((release.path / name).read_bytes()).hexdigest() == digest
    assert len((release.path / "formats/Mali-korpus-1.0.jsonl").read_text("utf-8").splitlines()) == kept
    citation = (release.path / "CITATION.cff").read_text("utf-8")
    assert 'doi: "10.1234/abc"' in citation
    assert '- name: "Ana Anić"' in citation
    assert "taken down: 0" in (release.path / "NOTES.md").read_text("utf-8")
    assert "paberki rebuild" in (release.path / "REBUILD.md").read_text("utf-8")
    assert "open licence" in (release.path / "LICENCE.md").read_text("utf-8")

    corpus.takedown(SECRET_URL, reason="later")
    frozen = paberki.open(release.path)
    assert frozen.query('[word="trnobrzdu"]').count() == corpus.query('[word="trnobrzdu"]').count() + 1
    assert verify(corpus.directory, "1.0") == [], "reading does not change a release, and neither does a take-down"
    for change in (
        lambda: frozen.build(jobs=1),
        lambda: frozen.takedown("a.hr", reason="x"),
        lambda: frozen.release("2.0"),
    ):
        with pytest.raises(StoreError, match="is a release"):
            change()


def test_notes_tell_what_changed(copied: Copied, tmp_path: Path) -> None:
    corpus = copied()
    before = corpus.release("1.0").pages
    corpus.takedown("http://a.hr/1", reason="request of the author")
    rows = [
        {"url": "http://a.hr/novo", "html": article(77)},
        {"url": "http://a.hr/2", "html": article(78), "date": "2026-01-01T00:00:00Z"},
    ]
    (tmp_path / "new.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    corpus.add([tmp_path / "new.jsonl"])
    corpus.build(jobs=1)
    release = corpus.release("1.1")
    assert release.pages == before
    assert release.changes == {"since": "1.0", "in": 1, "out": 1, "changed": 1, "taken_down": 1}
    notes = (release.path / "NOTES.md").read_text("utf-8")
    assert "taken down: 1" in notes
    assert "request of the author" in notes
    assert corpus.release("1.2").changes == {"since": "1.1", "in": 0, "out": 0, "changed": 0, "taken_down": 0}


def test_a_changed_release_is_detected_by_the_name_of_the_file(copied: Copied) -> None:
    corpus = copied()
    path = corpus.release("1.0").path
    (path / "NOTES.md").write_text("better notes\n")
    (path / "CITATION.cff").unlink()
    (path / "extra.txt").write_text("x")
    faults = {("NOTES.md", "has changed"), ("CITATION.cff", "is missing"), ("extra.txt", "was added")}
    assert set(verify(corpus.directory, "1.0")) == faults
    with pytest.raises(StoreError, match=r"no release 2.0; there are: 1.0"):
        verify(corpus.directory, "2.0")
    with pytest.raises(StoreError, match="choose another version"):
        corpus.release("1.0")
    for version in ("../1", "", "a b", ".tmp-x"):
        with pytest.raises(ConfigError, match="--version"):
            corpus.release(version)
    with pytest.raises(ConfigError, match="did you mean 'jsonl'"):
        corpus.release("3.0", ["jsonnl"])
    (path / "SHA256SUMS").write_text("abc\n")
    with pytest.raises(StoreError, match="SHA256SUMS, line 1"):
        verify(corpus.directory, "1.0")


def test_a_release_that_cannot_be_written_leaves_nothing(copied: Copied) -> None:
    corpus = copied()
    (corpus.root / "releases").write_text("not a directory")
    with pytest.raises(StoreError, match=r"making the release 1\.0"):
        corpus.release("1.0")


def test_an_erased_page_leaves_releases_too(copied: Copied) -> None:
    corpus = copied()
    pages = corpus.release("1.0", ["jsonl", "parquet"]).pages
    result = corpus.takedown(SECRET_URL, reason="court", copies=True, erase=True)
    assert any("release 1.0" in note for note in result.notes)
    assert places_of(corpus.root) == []
    assert verify(corpus.directory, "1.0") == []
    frozen = paberki.open(corpus.root / "releases/1.0")
    assert frozen.sql("select count(*) from pages where keep")[1] == [(pages - 1,)]
    assert frozen.query('[word="trg.*"]').count() > 0
    later = corpus.release("1.1")
    assert later.changes == {"since": "1.0", "in": 0, "out": 0, "changed": 0, "taken_down": 2}
    notes = (later.path / "NOTES.md").read_text("utf-8")
    assert "taken down: 2" in notes
    assert "court" in notes
    corpus.takedown("http://a.hr/1", reason="author", erase=True)
    assert corpus.release("1.2").changes["taken_down"] == 1


def test_the_card_tells_the_numbers_of_the_corpus(copied: Copied) -> None:
    corpus = copied()
    text = corpus.card()
    assert text.startswith('---\npretty_name: "Mali korpus"\nlanguage:\n- "hr"\n')
    for heading in headings():
        assert f"\n## {heading}\n" in text
    kept, words = corpus.sql("select count(*), sum(selected_word_count) from pages where keep")[1][0]
    assert f"{kept} pages with {words:,} words" in text
    assert "data:image/svg+xml;base64," in text
    assert "| a.hr |" in text
    corpus.takedown("http://a.hr/1", reason="x")
    assert f"{kept - 1} pages with" in corpus.card()
    assert "1 pages were taken down on request" in corpus.card()


def test_nothing_in_a_card_is_taken_for_markup() -> None:
    assert escape("a|b\n<script>") == r"a\|b \<script\>"
    assert yaml({"name": 'x: "y"\n---', "list": ["- a"]}) == 'name: "x: \\"y\\" ---"\nlist:\n- "- a"\n'
