"""A corpus that grows: old chunks are taken over as they are, and the result is that of a build from nothing."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

import paberki
from paberki.corpus import Corpus
from paberki.store import layer

PAGES = 560  # three chunks
STAGES = ("captures.v1", "decode.model.v1", "extract.tagpath.v1", "dedup.signatures.v1", "dedup.exact.v1",
          "dedup.near.v1", "select.v1", "dedup.paragraphs.v1")  # fmt: skip
ANY_TEXT = "".join(
    f'[[select.pages]]\nreason = "{reason}"\ndrop = ""\n' for reason in ("other-language", "not-connected", "too-short")
)
LATER = ("near", "select", "paragraphs")


def texts() -> list[str]:
    """Distinct pages; the last sentence of all is the same."""
    some = random.Random(5)
    words = [f"{some.choice('bcdfgk')}{some.choice('aeiou')}{number}" for number in range(4000)]
    return [" ".join(some.choices(words, k=80)) + ". Sva prava pridržana i ništa se ne prenosi." for _ in range(PAGES)]


def write(path: Path, pages: dict[int, str]) -> Path:
    rows = [{"url": f"http://a.hr/{at}", "text": text, "date": "2020-01-01T00:00:00Z"} for at, text in pages.items()]
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return path


def digests(corpus: Corpus) -> dict[str, dict[str, tuple[str, ...]]]:
    return {name: layer.column_digests(corpus.directory.layer(name, 0)) for name in LATER}


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Corpus, dict[str, dict[str, tuple[str, ...]]]]:
    """Later come a longer copy of page 300, a shorter one of page 5, and something new; then a page made of two."""
    place, all_texts = tmp_path_factory.mktemp("growth"), texts()
    corpus = paberki.new(place / "corpus", lang="hr")
    recipe = corpus.directory.recipe.read_text("utf-8").replace("\n[crawl]", f"\n{ANY_TEXT}\n[crawl]", 1)
    corpus.directory.recipe.write_text(f"stages = {json.dumps(STAGES)}\n{recipe}", "utf-8")
    corpus.add([write(place / "old.jsonl", dict(enumerate(all_texts[:-1])))])
    corpus.build(jobs=1)
    before = digests(corpus)
    more = {
        1000: all_texts[300] + " I još nekoliko riječi na kraju.",
        1001: all_texts[5].removesuffix(" se ne prenosi."),
        1002: all_texts[-1],
    }
    corpus.add([write(place / "new.jsonl", more)])
    corpus.build(jobs=1)
    corpus.add([write(place / "last.jsonl", {2000: all_texts[7][:300] + all_texts[400]})])
    corpus.build(jobs=1)
    return corpus, before


def test_labels_change_where_they_must(grown):
    corpus, before = grown
    keys = {url.removeprefix("http://a.hr/"): key for url, key in corpus.sql("select url, key from pages")[1]}
    found = corpus.sql("select url, dup_of from pages where dup_of is not null")[1]
    copies = {url.removeprefix("http://a.hr/"): of for url, of in found}
    assert copies == {"300": keys["1000"], "1001": keys["5"]}
    now = digests(corpus)
    changed = {
        name: [at for at in range(3) if before["select"][name][at] != now["select"][name][at]]
        for name in before["select"]
    }
    assert changed["keep"] == [1]
    assert changed["block_keep"] == []


def test_the_bytes_are_those_of_a_build_from_nothing(grown, tmp_path):
    corpus, _ = grown
    whole = tmp_path / "whole"
    shutil.copytree(corpus.directory.root, whole)
    for folder in (whole / "layers").iterdir():
        if folder.is_dir() and folder.name != "archive":
            shutil.rmtree(folder)
    shutil.rmtree(whole / ".paberki")
    paberki.open(whole).build(jobs=1)
    files = sorted(path.relative_to(whole) for path in (whole / "layers").rglob("*.parquet"))
    assert len(files) == 3 * (len(STAGES) + 1)
    for file in files:
        assert (whole / file).read_bytes() == (corpus.directory.root / file).read_bytes(), file
