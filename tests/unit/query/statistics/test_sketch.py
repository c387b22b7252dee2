"""Word sketches, their difference, similar words: against the trees of the small corpus read by plain Python."""

from __future__ import annotations

from collections import Counter
from math import log2
from pathlib import Path

import pytest

import paberki
from paberki.errors import QueryError
from paberki.query.counting.token_scope import TokenScope
from paberki.query.statistics import relation_pairs
from paberki.query.statistics.similar import similar
from paberki.query.statistics.sketch import sketch, sketch_difference
from smallcorpus import SENTENCES, make_index, whole_scope


def triples() -> Counter[tuple[str, str, str]]:
    """Lemma, relation and the lemma at its other end, seen from both sides."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for _, _, sentence in SENTENCES:
        rows = [token.split() for token in sentence.split("|")]
        for _, lemma, _, head, deprel in rows:
            if int(head):
                other = rows[int(head) - 1][1]
                counts[other, deprel, lemma] += 1
                counts[lemma, f"{deprel} of", other] += 1
    return counts


@pytest.mark.parametrize("lemma", ["grad", "spavati", "novi", "."])
def test_sketch_counts_and_scores(scope: TokenScope, lemma: str) -> None:
    everything = triples()
    rows = sketch(scope, lemma, limit=None).to_pylist()
    expected = {(r, o): count for (w, r, o), count in everything.items() if w == lemma}
    assert {(row["relation"], row["collocate"]): row["hits"] for row in rows} == expected
    for row in rows:
        relation, other = row["relation"], row["collocate"]
        mine = sum(count for (w, r, _), count in everything.items() if w == lemma and r == relation)
        theirs = sum(count for (_, r, o), count in everything.items() if r == relation and o == other)
        assert row["logdice"] == pytest.approx(14 + log2(2 * row["hits"] / (mine + theirs)))


def test_so_many_of_each_relation_the_best_first(scope: TokenScope) -> None:
    rows = sketch(scope, "grad", limit=1).to_pylist()
    assert [row["relation"] for row in rows] == list(dict.fromkeys(row["relation"] for row in rows))
    assert rows[0]["relation"] == "nsubj of"
    assert rows[0]["collocate"] == "rasti"


def test_difference_of_two_lemmas(scope: TokenScope) -> None:
    rows = {(row["relation"], row["collocate"]): row for row in sketch_difference(scope, "grad", "njiva").to_pylist()}
    sleep = rows["nsubj of", "spavati"]
    assert (sleep["hits grad"], sleep["hits njiva"], sleep["hits"], sleep["pages"]) == (1, 1, 2, 2)
    assert sleep["difference"] == pytest.approx(sleep["logdice grad"] - sleep["logdice njiva"])
    assert rows["amod", "stari"]["hits njiva"] == 0


def test_similar_words_share_relations(scope: TokenScope) -> None:
    rows = similar(scope, "njiva").to_pylist()
    assert {row["lemma"] for row in rows} == {"nitko", "cesta", "grad"}
    assert all(0 < row["similarity"] <= 1 for row in rows)
    assert rows[0]["lemma"] in {"nitko", "cesta"}
    assert rows[0]["similarity"] == pytest.approx(1)


def test_a_lemma_that_does_not_occur(scope: TokenScope) -> None:
    with pytest.raises(QueryError, match="does not occur"):
        sketch(scope, "nebo")


def test_relations_are_counted_when_the_index_is_made(tmp_path: Path) -> None:
    path = make_index(tmp_path).path
    files = sorted((path / "cache").iterdir())
    assert [file.name.split(".")[1] for file in files] == ["counts", "keys"]
    assert paberki.open(path).sketch("grad").num_rows
    assert sorted((path / "cache").iterdir()) == files


def test_large_tables_are_counted_some_relations_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scope: TokenScope
) -> None:
    monkeypatch.setattr(relation_pairs, "_MOST_CELLS", 1)
    assert sketch(whole_scope(make_index(tmp_path)), "grad") == sketch(scope, "grad")
