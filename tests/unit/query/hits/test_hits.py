"""Hits of real queries over the small corpus: pages, steps, lists, notebooks."""

from __future__ import annotations

import pytest

import paberki
from paberki.errors import QueryError, StoreError
from paberki.query import Budget
from paberki.query.concordancer import OpenIndex
from paberki.query.hits import lines, sorting
from paberki.query.hits.hits import Hits
from paberki.query.index.reader import Index
from smallcorpus import pages, tokens

NOUNS = [(at, at + 1) for at, tag in enumerate(tokens(2)) if tag == "N"]


@pytest.fixture
def corpus(small: Index) -> OpenIndex:
    return paberki.open(small.path)


@pytest.fixture
def nouns(corpus: OpenIndex) -> Hits:
    return corpus.query('[tag="N"]')


def test_the_contract(corpus: OpenIndex) -> None:
    hits = corpus.query('[tag="N"]', strategy="standard", dialect="cqp")
    assert hits.count() == len(hits) == len(NOUNS)
    assert hits.spans() == NOUNS
    assert [line.node for line in hits.page(0)] == [tokens()[start] for start, _ in NOUNS]
    assert hits.page(1) == []
    assert hits.freq("word").column_names[:2] == ["word", "hits"]
    assert hits.collocations("lemma", window=(-5, 5), measure="mi").column_names[-1] == "mi"
    assert hits.kwic().column("node").to_pylist() == [line.node for line in hits]


def test_pages_are_found_before_all_hits(corpus: OpenIndex) -> None:
    hits = corpus.query('[tag="N"]').per_page(1)
    assert [(line.start, line.page) for line in hits.page(0, size=2)] == [(1, 0), (10, 1)]
    assert "table" not in hits.__dict__
    assert [line.start for line in hits.page(1, size=2)] == [18, 27]


def test_lines_have_glue_references_and_edges_of_pages(nouns: Hits) -> None:
    line = nouns.page(0, context=3)[4]
    assert (line.left, line.node, line.right) == ("Njiva spava,"[:0], "Njiva", "spava, grad")
    assert line.reference == {"id": "d3", "host": "a.example", "year": "2021"}
    sentence = nouns.page(0, context="s")[3]
    assert (sentence.left, sentence.right) == ("Novi", "raste brzo.")


def test_labels_and_edges(corpus: OpenIndex) -> None:
    hits = corpus.query('A:[tag="V"] -nsubj-> B:[]')
    assert hits.labels()[0] == {"A": (2, 3), "B": (1, 2)}
    assert hits.edges()[0] == [(2, 1, "nsubj")]
    assert {row["A.lemma"] for row in hits.freq("A.lemma,B.lemma").to_pylist()} == {"spavati", "ploviti", "rasti"}


def test_steps_in_a_row(nouns: Hits, corpus: OpenIndex) -> None:
    assert nouns.filter('[lemma="rasti"]').spans() == [(14, 15), (18, 19), (21, 22)]
    assert nouns.filter('[lemma="rasti"]', keep=False).count() == len(NOUNS) - 3
    assert nouns.filter('[lemma="rasti"]', window=(0, 1)).spans() == [(14, 15), (21, 22)]
    assert nouns.filter('[lemma="rasti"]', window="doc").count() == 4
    assert corpus.query('[tag="A|N"]{2}|[tag="N"]', strategy="all").no_overlap().spans()[:2] == [(0, 2), (5, 7)]
    sample = nouns.sample(3, seed=5)
    assert sample.spans() == nouns.sample(3, seed=5).spans() == sorted(sample.spans())
    assert sample.count() == 3
    assert nouns.sample(3, seed=6).spans() != sample.spans()


def test_equal_lines_are_folded(corpus: OpenIndex, tmp_path: object) -> None:
    hits = corpus.query('[lemma="spavati"] [tag="Z"]')
    assert hits.fold().count() == hits.count()
    assert corpus.query('[tag="N"]', strategy="all").fold().spans() == NOUNS


def test_good_examples_first(nouns: Hits) -> None:
    best = nouns.good().page(0, context="s")
    assert sorted(line.start for line in best) == [start for start, _ in NOUNS]
    assert best[0].start in (6, 18, 21)  # in one of the two longest sentences


def test_sorted_by_the_alphabet_of_the_language(corpus: OpenIndex) -> None:
    firsts = corpus.query("<s> []").sort("node").page(0)
    assert [line.node for line in firsts] == ["Cesta", "Čamac", "Nitko", "Novi", "Njiva", "Stari", "Vidim"]
    by_year = corpus.query('[lemma="grad"]').sort("-doc.year", "right").page(0)
    assert [line.start for line in by_year] == [21, 14, 6, 1]
    left = corpus.query('[lemma="grad"]').sort("left").page(0)
    assert [line.left.split()[-1] for line in left] == ["spava,", "Novi", "stari", "Stari"]


@pytest.mark.parametrize("keys", ["right", "left,right", "-node,doc.year,left", "tag,-right.tag,lemma", "doc.host,tag"])
def test_later_keys_count_where_earlier_ones_are_equal(
    corpus: OpenIndex, monkeypatch: pytest.MonkeyPatch, keys: str
) -> None:
    hits = corpus.query("[]")
    at_once = hits.sort(keys).spans()
    monkeypatch.setattr(sorting, "_BITS", 5)  # one key at a time
    assert hits.sort(keys).spans() == at_once
    single = hits
    for key in reversed(keys.split(",")):  # the last key first, as stable sorting has it
        single = single.sort(key)
    assert single.spans() == at_once


def test_labels_can_be_sorted_by(corpus: OpenIndex) -> None:
    hits = corpus.query('A:[tag="A"] B:[tag="N"]').sort("B.word", "A.lemma").page(0)
    assert [line.node for line in hits] == ["Novi grad", "stari grad", "Stari Grad"]


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("rihgt", "did you mean 'right'"),
        ("X.lemma", "no label 'X'"),
        ("doc.yeer", "did you mean 'year'"),
        ("", "sort by what"),
    ],
)
def test_wrong_keys_are_explained(nouns: Hits, key: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        nouns.sort(key).spans()


def test_parts_have_their_own_size(corpus: OpenIndex) -> None:
    part = corpus.part("year >= 2021")
    hits = part.query('[lemma="spavati"]')
    assert hits.count() == 3
    assert hits.scope.tokens == sum(page >= 2 for page in pages()) == 13
    assert hits.freq("lemma").to_pylist()[0]["per_million"] == pytest.approx(3e6 / 13)
    assert corpus.query('[lemma="spavati"]', where="host = 'c.example'").spans() == [(29, 30)]
    assert part.wordlist("lemma").num_rows == 10
    with pytest.raises(QueryError, match="did you mean 'year'"):
        corpus.part("yaer = 1")


def test_a_notebook_shows_escaped_lines(tmp_path_factory: pytest.TempPathFactory) -> None:
    from paberki.query.sources.vertical import index_vertical

    directory = tmp_path_factory.mktemp("markup")
    (directory / "a.vert").write_text("<doc>\n&lt;b&gt;\nx&amp;y\n</doc>\n", "utf-8")
    index_vertical(directory / "a.vert", directory / "index", ["word"])
    page = paberki.open(directory / "index").query('"x.*"')._repr_html_()
    assert "<b>x&amp;y</b>" in page
    assert "&lt;b&gt;" in page


def test_nothing_to_open(tmp_path: object) -> None:
    with pytest.raises(StoreError):
        paberki.open(f"{tmp_path}/nothing")


def test_a_query_without_hits(corpus: OpenIndex) -> None:
    hits = corpus.query('[lemma="nebo"]')
    assert (hits.count(), hits.page(0), hits.spans(), hits.sort("right").page(0)) == (0, [], [], [])
    assert hits.freq("word").num_rows == hits.collocations("lemma").num_rows == hits.distribution("host").num_rows == 0
    assert hits.kwic().num_rows == 0
    assert hits.fold().per_page().no_overlap().good().sample(3).count() == 0


def test_lists_are_remembered_by_all_that_makes_them(corpus: OpenIndex, nouns: Hits) -> None:
    first = nouns.collocations("lemma", window=(-2, 2))
    assert (
        corpus.query('[tag = "N"]').collocations("lemma", window=[-2, 2]) is first
    )  # the same query, spelt differently
    others = [
        nouns.collocations("lemma", window=(-2, 1)),
        nouns.collocations("lemma", window=(-2, 2), measure="mi"),
        nouns.collocations("lemma", window=(-2, 2), within="s"),
        nouns.collocations("lc", window=(-2, 2)),
        nouns.collocations("lemma", window=(-2, 2), min=2),
        nouns.collocations("lemma", window=(-2, 2), limit=2),
        nouns.per_page(1).collocations("lemma", window=(-2, 2)),
        nouns.filter('[tag="A"]', window=(-1, 0)).collocations("lemma", window=(-2, 2)),
        nouns.filter('[tag="A"]', window=(0, 1)).collocations("lemma", window=(-2, 2)),
        corpus.part("year >= 2021").query('[tag="N"]').collocations("lemma", window=(-2, 2)),
        corpus.query('[tag="N"]', strategy="all", where="year < 2021").collocations("lemma", window=(-2, 2)),
    ]
    tables = [table.to_pylist() for table in (first, *others)]
    assert all(one != other for at, one in enumerate(tables) for other in tables[:at])


def test_a_list_of_an_unfinished_search_is_not_remembered(corpus: OpenIndex) -> None:
    query = '[tag="N" & word!="never asked before"]'
    assert corpus.query(query, budget=Budget(seconds=0)).freq("word").num_rows == 0
    assert corpus.query(query).freq("word").num_rows > 0


def test_a_step_goes_on_from_hits_that_are_there(nouns: Hits, monkeypatch: pytest.MonkeyPatch) -> None:
    order = nouns.sort("right").spans()
    table = nouns.table
    monkeypatch.setattr(nouns.search, "all", None)
    assert nouns.sort("right").spans() == order
    assert nouns.table is table


def test_very_long_hits_are_shown_by_their_ends(corpus: OpenIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    hits = corpus.query("<s/>")
    whole = [line.node.replace(",", " ,").replace(".", " .").replace("!", " !").split() for line in hits.page(0)]
    for size in (1, 1000):
        monkeypatch.setattr(lines, "_BATCH_TOKENS", size)
        short = [str(line.node) for line in lines.lines_of(hits.scope.places, hits.table, longest=4)]
        expected = [f"{words[0]} {words[1]} … {words[-2]}{words[-1]}" for words in whole if len(words) > 4]
        assert [node for node in short if "…" in node] == expected
        assert len(short) == len(whole)
    assert [line.right for line in lines.lines_of(hits.scope.places, hits.table, longest=4)] == [
        line.right for line in hits.page(0)
    ]
