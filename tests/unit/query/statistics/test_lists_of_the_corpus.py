"""Word lists, n-grams and keywords against plain counting."""

from __future__ import annotations

from collections import Counter
from math import log, log2

import numpy as np
import pytest

from paberki.errors import QueryError
from paberki.query.counting.list_table import ListOptions
from paberki.query.counting.token_scope import TokenScope
from paberki.query.hits.page_conditions import scope_of
from paberki.query.statistics import ngrams as ngrams_module
from paberki.query.statistics import wordlist as wordlist_module
from paberki.query.statistics.keywords import keyness, keywords
from paberki.query.statistics.ngrams import ngrams
from paberki.query.statistics.wordlist import wordlist
from smallcorpus import pages, tokens


def counted(column: int, wanted: set[int], n: int = 1) -> Counter[str]:
    """Runs of n tokens within pages."""
    values, page_of = tokens(column), pages()
    return Counter(
        " ".join(values[at : at + n])
        for at in range(len(values) - n + 1)
        if page_of[at] == page_of[at + n - 1] and page_of[at] in wanted
    )


def as_counts(table: object, name: str) -> dict[str, int]:
    return {row[name]: row["hits"] for row in table.to_pylist()}


def test_wordlist_of_everything_and_of_a_part(scope: TokenScope, monkeypatch: pytest.MonkeyPatch) -> None:
    assert as_counts(wordlist(scope, "lemma"), "lemma") == counted(1, {0, 1, 2, 3})
    part = scope_of(scope.places, None, "year = 2021 or host = 'b.example'")
    assert as_counts(wordlist(part, "lemma"), "lemma") == counted(1, {1, 2, 3})
    whole_list = wordlist(part, "lemma")
    monkeypatch.setattr(wordlist_module, "_AT_ONCE", 2)
    assert wordlist(part, "lemma").equals(whole_list)


def test_spread_of_rare_words_from_postings_and_from_the_column(scope: TokenScope) -> None:
    from_column = {row["word"]: row for row in wordlist(scope, "word").to_pylist()}
    from_lists = wordlist(scope, "word", ListOptions(include=frozenset({"Čamac", "Novi"}))).to_pylist()
    assert from_lists == [from_column["Novi"], from_column["Čamac"]]


@pytest.mark.parametrize("n", [1, 2, 3, 9])
def test_ngrams(scope: TokenScope, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert as_counts(ngrams(scope, "lemma", n), "lemma") == counted(1, {0, 1, 2, 3}, n)
    part = scope_of(scope.places, None, "host = 'a.example'")
    monkeypatch.setattr(ngrams_module, "_PART", 5)
    assert as_counts(ngrams(part, "lemma", n), "lemma") == counted(1, {0, 2}, n)


def test_ngrams_have_spread_limits_and_edges(scope: TokenScope) -> None:
    row = ngrams(scope, "lemma", 2, options=ListOptions(regex="grad .*")).to_pylist()[0]
    assert (row["lemma"], row["hits"], row["pages"], row["hosts"]) == ("grad rasti", 2, 2, 2)
    assert ngrams(scope, "lemma", 2, limit=2).num_rows == 2
    assert ". vidjeti" not in as_counts(ngrams(scope, "lemma", 2, within="s"), "lemma")
    with pytest.raises(QueryError, match="from 1 to"):
        ngrams(scope, "lemma", 0)


def test_keywords_of_a_part_against_the_rest(scope: TokenScope) -> None:
    new, old = (scope_of(scope.places, None, condition) for condition in ("year = 2021", "year < 2021"))
    rows = {row["lemma"]: row for row in keywords(new, old, "lemma").to_pylist()}
    mine, theirs = counted(1, {2, 3}), counted(1, {0, 1})
    assert {lemma: row["hits"] for lemma, row in rows.items()} == mine
    for lemma, row in rows.items():
        score = (mine[lemma] * 1e6 / 13 + 1) / (theirs[lemma] * 1e6 / 18 + 1)
        assert row["simplemaths"] == pytest.approx(score)
        assert row["reference_hits"] == theirs[lemma]


def test_keywords_of_two_indexes_are_joined_by_string(
    scope: TokenScope, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from smallcorpus import make_index, whole_scope

    other = whole_scope(make_index(tmp_path_factory.mktemp("other"), lang=None))
    rows = keywords(scope, other, "word").to_pylist()
    assert {row["simplemaths"] for row in rows} == {1.0}


def test_other_measures_of_keyness() -> None:
    first, second = np.array([10, 1]), np.array([2, 0])
    assert keyness("logratio", first, second, 1000, 500)[0] == pytest.approx(log2(10_000 / 4000))
    expected = 12 / 1500
    score = 2 * (10 * log(10 / (expected * 1000)) + 2 * log(2 / (expected * 500)))
    assert keyness("ll", first, second, 1000, 500)[0] == pytest.approx(score)
    with pytest.raises(QueryError, match="there are"):
        keyness("x", first, second, 1, 1)
