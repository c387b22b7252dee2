"""Archives that change in place, and files with odd names."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import paberki
from corpora import article
from paberki.archive.unchanged import changed_files
from paberki.corpus import Corpus
from paberki.doctor import corpus_checks
from paberki.errors import StoreError


@pytest.fixture
def archive(corpus: Callable[..., Corpus], pages: Callable[..., Path], tmp_path: Path) -> Path:
    """A WARC file, made by importing pages elsewhere."""
    made = corpus(pages(3), name="maker")
    [file] = made.root.glob("warc/*.warc.gz")
    copy = tmp_path / "a.warc.gz"
    copy.write_bytes(file.read_bytes())
    return copy


def test_a_link_to_a_file_that_changed_is_noticed(archive: Path, tmp_path: Path) -> None:
    corpus = paberki.new(tmp_path / "c", lang="hr")
    corpus.add([archive])
    corpus.build(jobs=1, until="decode")
    data = bytearray(archive.read_bytes())
    data[-30] ^= 1
    archive.write_bytes(data)
    os.utime(archive, ns=(1, 1))
    with pytest.raises(StoreError, match=r"a\.warc\.gz: has changed since it was imported"):
        corpus.build(jobs=1, until="decode")
    assert any(one.fine is False and "has changed" in one.detail for one in corpus_checks(corpus.root))


def test_another_time_alone_does_no_harm(archive: Path, tmp_path: Path) -> None:
    corpus = paberki.new(tmp_path / "c", lang="hr")
    corpus.add([archive])
    os.utime(archive, ns=(1, 1))
    corpus.build(jobs=1, until="decode")
    assert not list(changed_files(corpus.directory))


def test_deep_looks_into_files_with_the_same_time(archive: Path, tmp_path: Path) -> None:
    corpus = paberki.new(tmp_path / "c", lang="hr")
    corpus.add([archive])
    about = archive.stat()
    data = bytearray(archive.read_bytes())
    data[40] ^= 1
    archive.write_bytes(data)
    os.utime(archive, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert not list(changed_files(corpus.directory))
    assert [source.name for source, _ in changed_files(corpus.directory, deep=True)] == ["a.warc.gz"]


@pytest.mark.parametrize("name", [b"x.warc.json", b"\xff\xfe.warc.gz", b"a\nb.warc.gz"])
def test_odd_names(archive: Path, tmp_path: Path, name: bytes) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
    odd.write_bytes(archive.read_bytes())
    corpus = paberki.new(tmp_path / "c", lang="hr")
    corpus.add([odd])
    assert corpus.build(jobs=1, until="decode").pages == 3


def test_a_link_to_itself_is_skipped(corpus: Callable[..., Corpus], tmp_path: Path) -> None:
    folder = tmp_path / "loop"
    folder.mkdir()
    (folder / "a.html").write_text(article(1), "utf-8")
    (folder / "self").symlink_to(folder)
    (folder / "circle").symlink_to(folder / "circle")
    made = corpus(folder)
    assert made.build(jobs=1, until="decode").pages == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"committed": "x"}', "{}"])
def test_a_broken_sidecar_is_named(archive: Path, tmp_path: Path, text: str) -> None:
    corpus = paberki.new(tmp_path / "c", lang="hr")
    corpus.add([archive])
    (corpus.root / "warc/a.warc.gz.json").write_text(text)
    with pytest.raises(StoreError, match=r"a\.warc\.gz\.json"):
        corpus.build(jobs=1, until="decode")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', '{"format": "x"}', '{"format": 1, "shards": [{}]}'])
def test_a_broken_manifest_is_named(archive: Path, tmp_path: Path, text: str) -> None:
    corpus = paberki.new(tmp_path / "c", lang="hr")
    corpus.add([archive])
    corpus.build(jobs=1, until="decode")
    (corpus.root / "layers/manifest.json").write_text(text)
    with pytest.raises(StoreError, match=r"manifest\.json"):
        list(corpus.pages("id", kept=False))
