"""Frequency lists against plain counting."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from paberki.errors import QueryError
from paberki.query.concordancer import OpenIndex
from paberki.query.counting.token_scope import TokenScope
from paberki.query.sources.vertical import index_vertical
from paberki.query.statistics.frequency import frequency
from smallcorpus import hits_of, hosts, pages, table, tokens

SPANS = [(0, 2), (5, 7), (5, 8), (13, 15), (21, 22)]


def test_every_value_of_single_tokens(scope: TokenScope) -> None:
    list_of_words = frequency(scope, hits_of("grad"), "word")
    assert list_of_words.column_names == ["word", "hits", "pages", "hosts", "arf", "dp", "per_million"]
    rows = {row["word"]: row for row in list_of_words.to_pylist()}
    assert {word: row["hits"] for word, row in rows.items()} == {"grad": 3, "Grad": 1}
    assert rows["grad"]["pages"] == 3
    assert rows["grad"]["hosts"] == len({hosts()[pages()[at]] for at, word in enumerate(tokens()) if word == "grad"})
    assert rows["Grad"]["per_million"] == pytest.approx(1e6 / len(tokens()))


def test_hits_of_several_tokens_are_phrases(scope: TokenScope) -> None:
    lemmas = tokens(1)
    rows = frequency(scope, table(SPANS), "lemma").to_pylist()
    expected = Counter(" ".join(lemmas[start:end]) for start, end in SPANS)
    assert {row["lemma"]: row["hits"] for row in rows} == expected


def test_several_attributes_labels_and_pages(scope: TokenScope) -> None:
    hits = table([(0, 2), (5, 7), (13, 15)], A=[0, 5, 13], B=[1, -1, 14])
    rows = frequency(scope, hits, "A.lemma,B.word,doc.year").to_pylist()
    assert [(row["A.lemma"], row["B.word"], row["doc.year"], row["hits"]) for row in rows] == [
        ("novi", "grad", "2020", 1),
        ("stari", "", "2019", 1),
        ("stari", "Grad", "2019", 1),
    ]


@pytest.mark.parametrize("segment_tokens", [None, 2])
def test_attributes_of_any_structure(tmp_path: Path, segment_tokens: int | None) -> None:
    phrases = ["a", "b", None, "a", "b"]
    lines = [
        line
        for phrase in phrases
        for line in (f'<np t="{phrase}">' if phrase else "<s>", "x", "y", "</np>" if phrase else "</s>")
    ]
    (tmp_path / "some.vert").write_text("\n".join(["<np>", "x", "</np>", *lines]) + "\n")
    index_vertical(tmp_path / "some.vert", tmp_path / "index", ["word"], segment_tokens=segment_tokens)
    hits = OpenIndex(tmp_path / "index").query('"x"')
    expected = [("a", 2), ("b", 2), ("", 2)]
    assert sorted((row["np.t"], row["hits"]) for row in hits.freq("np.t").to_pylist()) == sorted(expected)
    rows = hits.sort("-right").freq("word,np.t").to_pylist()
    assert sorted((row["np.t"], row["hits"]) for row in rows) == sorted(expected)
    assert OpenIndex(tmp_path / "index").query('"z"').freq("np.t").num_rows == 0
    with pytest.raises(QueryError, match="np has no attribute 'u'"):
        hits.freq("np.u")


def test_long_hits_are_told_apart(scope: TokenScope) -> None:
    size = len(tokens())
    rows = frequency(scope, table([(0, size), (0, size - 1), (0, size)]), "word").to_pylist()
    assert sorted(row["hits"] for row in rows) == [1, 2]


def test_no_hits_give_an_empty_list(scope: TokenScope) -> None:
    assert frequency(scope, table([]), "word").num_rows == 0
    assert frequency(scope, table([]), "word,lemma").num_rows == 0


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("lema", "did you mean 'lemma'"),
        ("C.lemma", "no label 'C'"),
        ("doc.yaer", "did you mean 'year'"),
        (" ", "at least"),
    ],
)
def test_wrong_names_are_explained(scope: TokenScope, names: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        frequency(scope, table([(0, 1)], A=[0]), names)


def test_random_phrases_of_two_attributes(scope: TokenScope) -> None:
    generator = np.random.default_rng(1)
    starts = np.sort(generator.integers(0, 28, 200))
    spans = [(int(start), int(start) + int(generator.integers(1, 4))) for start in starts]
    words, tags = tokens(0), tokens(2)
    expected = Counter((" ".join(words[a:b]), " ".join(tags[a:b])) for a, b in spans)
    rows = frequency(scope, table(spans), "word,tag").to_pylist()
    assert {(row["word"], row["tag"]): row["hits"] for row in rows} == expected
