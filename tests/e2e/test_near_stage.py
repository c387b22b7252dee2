"""Near-duplicate pages in a build: the same clusters as among the texts, however often and in whatever steps it is built."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import paberki
from corpora import WORDS, layer_bytes
from paberki.corpus import Corpus


def page(text: str, number: int) -> str:
    return f"<!doctype html><html lang=hr><title>Stranica {number}</title><body><div class=main><p>{text}</p></div>"


def texts(seed: int, families: int) -> list[str]:
    """Families of pages: a text, the same in capitals, with a word changed, with many changed, and cut in half."""
    some = random.Random(seed)
    made = []
    for _ in range(families):
        words = [some.choice(WORDS) + str(some.randrange(100)) for _ in range(some.choice((40, 60, 120, 400)))]
        sentences = [
            f"Kažu da je {' '.join(words[at : at + 8])} i da se to u gradu bilo." for at in range(0, len(words), 8)
        ]
        text = " ".join(sentences)
        changed = [word if some.random() > 0.25 else "drugo" for word in text.split()]
        made += [text, text.upper(), text.replace("bilo.", "bila.", 1), " ".join(changed), text[: len(text) // 2]]
    some.shuffle(made)
    return made


def build(root: Path, folders: list[Path], recipe: str = "") -> Corpus:
    corpus = paberki.new(root, lang="hr", preset="modern")
    with corpus.directory.recipe.open("a", encoding="utf-8") as file:
        file.write(recipe)
    for folder in folders:
        corpus.add([folder])
        corpus.build()
    return corpus


def write(folder: Path, pages: list[str], first: int = 0) -> Path:
    folder.mkdir()
    for number, text in enumerate(pages, first):
        (folder / f"{number:05d}.html").write_text(page(text, number), "utf-8")
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Corpus, list[str]]:
    place = tmp_path_factory.mktemp("near")
    made = texts(1, 60)
    return build(place / "corpus", [write(place / "pages", made)]), made


def test_clusters_are_those_of_the_texts(built: tuple[Corpus, list[str]]) -> None:
    corpus, made = built
    rows = list(corpus.pages("key", "dup_cluster", "dup_size", "dup_similarity", "kept_char_count", kept=False))
    assert len(rows) == len(made)
    found = paberki.near_duplicates(
        [text if row["kept_char_count"] else "" for row, text in zip(rows, made, strict=True)], threshold=0.8
    )
    best = dict.fromkeys(range(len(rows)), 0.0)
    for one, other, alike in found.pairs():
        best[one], best[other] = max(best[one], alike), max(best[other], alike)
    for number, row in enumerate(rows):
        mine = [other for other, cluster in enumerate(found.cluster) if cluster == found.cluster[number]]
        assert row["dup_size"] == len(mine)
        assert row["dup_cluster"] == (rows[min(mine)]["key"] if len(mine) > 1 else None)
        assert row["dup_similarity"] == (pytest.approx(best[number], abs=1e-6) if len(mine) > 1 else None)


def test_one_page_of_a_cluster_stays_and_the_others_name_it(built: tuple[Corpus, list[str]]) -> None:
    rows = list(built[0].pages("key", "keep", "reason", "dup_of", "dup_cluster", kept=False))
    kept = {row["dup_cluster"]: row["key"] for row in rows if row["keep"] and row["dup_cluster"]}
    gone = [row for row in rows if row["reason"] == "duplicate"]
    assert gone
    assert all(row["dup_of"] == kept[row["dup_cluster"]] for row in gone)


@pytest.mark.slow
def test_pages_added_later_make_no_difference(built: tuple[Corpus, list[str]], tmp_path: Path) -> None:
    _, made = built
    cut = len(made) * 2 // 3
    parts = [write(tmp_path / "first", made[:cut]), write(tmp_path / "second", made[cut:], cut)]
    grown = build(tmp_path / "grown", parts)
    whole = paberki.new(tmp_path / "whole", lang="hr", preset="modern")
    whole.add([parts[0]])
    whole.build(until="captures.v1")  # seals the same shards
    whole.add([parts[1]])
    whole.build()
    near = [
        {name: data for name, data in layer_bytes(corpus).items() if name.startswith("layers/near/")}
        for corpus in (grown, whole)
    ]
    assert len(near[0]) == 2
    assert near[0] == near[1]
    assert grown.sql("select count(distinct dup_cluster) from pages")[1][0][0] > 30


def test_a_threshold_out_of_range_is_named(tmp_path: Path) -> None:
    corpus = paberki.new(tmp_path / "corpus", lang="hr", preset="modern")
    with corpus.directory.recipe.open("a", encoding="utf-8") as file:
        file.write("[near]\nthreshold = 0.2\n")
    with pytest.raises(paberki.errors.ConfigError, match="threshold = 0.2 is not between 0.5 and 1"):
        corpus.plan()
