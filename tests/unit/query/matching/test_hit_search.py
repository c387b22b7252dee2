"""Searches: lazily, counted, stopped, remembered, selected, on disk."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from paberki.errors import QueryError
from paberki.query import Budget, Count, Search, open_index, run
from paberki.query.index.reader import Index
from paberki.query.matching import hit_search as searching
from paberki.query.matching.automata import sequences
from paberki.query.matching.automata.evaluator import Masks
from paberki.query.matching.combining import cooccurrence
from paberki.query.matching.hit_table import HitEdges, HitTable, concatenate
from paberki.query.matching.starting import starting_places
from paberki.query.matching.store import HitStore
from paberki.query.sources.vertical import index_vertical

_TOKENS = 120_000


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Three segments of some 40,000 tokens; every tenth word is ``x``, every thousandth ``rare``."""
    directory: Path = tmp_path_factory.mktemp("large")
    lines = []
    for number in range(_TOKENS):
        if number % 500 == 0:
            lines += ["</s>", "</doc>"] * (number > 0) + [f'<doc id="{number}">', "<s>"]
        word = "rare" if number % 1000 == 7 else "x" if number % 10 == 0 else f"w{number % 97}"
        lines.append(f"{word}\t{word[0]}\t{'N' if number % 3 else 'V'}")
    lines += ["</s>", "</doc>"]
    (directory / "large.vert").write_text("\n".join(lines) + "\n")
    index_vertical(directory / "large.vert", directory / "index", ["word", "lemma", "tag"], segment_tokens=_TOKENS // 3)
    return open_index(directory / "index")


def test_several_segments(corpus: Index) -> None:
    assert len(corpus.segments) > 1
    table = run(corpus, '"rare"').all()
    assert table.starts.tolist() == list(range(7, _TOKENS, 1000))


@pytest.mark.parametrize(
    "query", ['[tag="N"] [tag="V"]', '[tag="N"]+ "x"', '"rare" []{0,3} [tag="V"] within s', "<s> []", "[]"]
)
def test_first_is_the_beginning_of_all(corpus: Index, query: str) -> None:
    searching._tables.clear()
    search = run(corpus, query)
    first = search.first(20)
    assert len(first) >= 20
    assert search.progress().state == "running" or search.progress().value == len(first)
    everything = search.all()
    np.testing.assert_array_equal(everything.starts[: len(first)], first.starts)
    assert search.count().value == len(everything) == run(corpus, query).count().value
    assert search.count().state == "done"
    assert search.count().searched == 1.0


def test_hits_are_remembered(corpus: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    searching._tables.clear()
    table = run(corpus, '[tag="N"] []{0,5} [tag="V"] "x"').all()
    monkeypatch.setattr(searching.SegmentSearch, "chunks", None)
    again = run(corpus, '[tag="N"]   []{0,5} [tag="V"] "x"').all()
    np.testing.assert_array_equal(table.starts, again.starts)


def test_number_of_hits_is_limited(corpus: Index) -> None:
    searching._tables.clear()
    search = run(corpus, "[]", budget=Budget(hits=1000))
    assert 1000 <= len(search.all()) < _TOKENS
    assert search.progress().state == "stopped"
    assert search.progress().searched < 1.0


HOSTILE = [
    "(?all) []+", '(?longest) [word=".*"]+', "a:[] []* b:[] []* c:[] :: a.word = b.word & b.word = c.word", "[] within ([]+)",
    '"x" []* "nowhere"', "(([]*)*)* \"nowhere\"", "[]{200} \"rare\"", "([]?){300} \"rare\"", " ".join(["[]"] * 20),
    "([] | [] []){20} \"rare\"", "([]{1,50} containing \"x\") \"rare\"", '[word="(a+)+$"]', '[word=".*"]+ within doc',
    "|".join(f'"w{n}"' for n in range(10_000)), "|".join(f'("w{n}" "w{n + 1}")' for n in range(2000)), "[tag=\"N\"] & []+",
    "MU(meet [] [] -1000 1000)", "TAB [] * [] * \"nowhere\"", "<s/> containing ([]* \"x\" []*)",
]  # fmt: skip


@pytest.mark.parametrize("query", HOSTILE, ids=[query[:40] for query in HOSTILE])
def test_hostile_queries_end(corpus: Index, query: str) -> None:
    searching._tables.clear()
    started = time.monotonic()
    count = run(corpus, query, budget=Budget(seconds=0.5, memory_bytes=200 << 20)).count()
    assert count.state in ("done", "stopped")
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("query", ["[]{0,1000000}", '"x" []{0,1000000} "y"', '"(a"', "(" * 1000 + "[]" + ")" * 1000])
def test_hostile_queries_that_are_errors(corpus: Index, query: str) -> None:
    with pytest.raises(QueryError):
        run(corpus, query)


_ENDLESS = [
    "a:[] []* b:[] []* c:[] :: a.word = b.word & b.word = c.word",
    "(?all) []+",
    '(?all) [] []* "rare"? []',
    "[]+ containing ([]+ containing [])",
]


@pytest.mark.parametrize("query", _ENDLESS)
def test_cancel_within_a_tenth_of_a_second(corpus: Index, query: str) -> None:
    """At least once in ten times, as other work on the machine may hold the thread up."""
    assert any(_seconds_to_stop(run(corpus, query)) < 0.1 for _ in range(10))


def _seconds_to_stop(search: Search) -> float:
    searching._tables.clear()
    ended: list[float] = []
    thread = threading.Thread(target=lambda: (search.count(), ended.append(time.monotonic())))
    thread.start()
    time.sleep(0.1)
    assert not ended
    asked = time.monotonic()
    search.cancel()
    thread.join(10)
    assert search.progress().state == "stopped"
    return ended[0] - asked


def test_other_searches_go_on_beside_a_hostile_one(corpus: Index) -> None:
    hostile = run(corpus, "(?all) []+", budget=Budget(seconds=3))
    thread = threading.Thread(target=hostile.count)
    thread.start()
    assert run(corpus, '"rare"').count().value == _TOKENS // 1000
    hostile.cancel()
    thread.join(10)


def test_unknown_strategy(corpus: Index) -> None:
    with pytest.raises(QueryError, match="did you mean 'longest'"):
        run(corpus, "[]", strategy="longst")


def test_store_goes_to_disk() -> None:
    store = HitStore(1 << 20)
    for begin in range(0, 300_000, 50_000):
        places = np.arange(begin, begin + 50_000, dtype=np.int64)
        store.add(HitTable(places, places + 1))
    assert store.is_on_disk
    table = store.table()
    assert len(table) == 300_000
    np.testing.assert_array_equal(table.starts, np.arange(300_000))
    np.testing.assert_array_equal(table.take(np.array([5, 7])).ends, [6, 8])


def test_tables_are_joined() -> None:
    one = HitTable(np.array([1]), np.array([2]), {"a": np.array([1])}, {"a": np.array([2])})
    two = HitTable(np.array([5]), np.array([6]))
    table = concatenate([one, two])
    assert table.labels["a"].tolist() == [1, -1]
    assert table.moved(10).labels["a"].tolist() == [11, -1]
    edges = HitEdges(np.array([-1, 3]), np.array([2, 4]), np.array([0, 1]))
    assert edges.moved(10).source.tolist() == [-1, 13]


@pytest.mark.parametrize("strategy", ["all", "traditional", "standard", "shortest", "longest"])
@pytest.mark.parametrize(
    "query",
    [
        '"w3" []* "rare" within s',
        '"x" []* "rare" []* "w5" within <doc id="[1-4].*"/>',
        '"w96" "x"* "rare" []* "w7" within s',
    ],
)
def test_a_rare_token_tells_where_no_match_can_begin(
    corpus: Index, query: str, strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hits() -> list[tuple[int, int]]:
        searching._tables.clear()
        table = run(corpus, query, strategy=strategy).all()
        return list(zip(table.starts.tolist(), table.ends.tolist(), strict=True))

    with_help = hits()
    monkeypatch.setattr(starting_places, "_RARE", 1 << 40)
    assert with_help == hits()


@pytest.mark.parametrize(
    "query",
    ['"x" []* "nowhere"', '[tag="N"]+ "nowhere"', '[tag="N"] within <doc id="none"/>', '<doc/> containing "nowhere"',
     '[tag="N"] within ("x" []* "nowhere")'],
)  # fmt: skip
def test_what_is_nowhere_is_not_looked_for(corpus: Index, query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def sweep(*_: object) -> None:
        raise AssertionError("the corpus was read")

    monkeypatch.setattr(Masks, "between", sweep)
    search = run(corpus, query)
    assert len(search.first(50)) == 0
    assert search.progress() == Count(0, "done", 1.0)


@pytest.mark.parametrize(
    "query",
    ['MU(meet "x" "rare" -5 5)', 'MU(meet [tag="N"] "rare" s)', 'MU(meet (meet [] "rare" 1 30) [lemma="x"] -12 -1)',
     '(union (meet "x" "rare" -9 9) "w5")', '(meet "x" (union "rare" "w7") 4 8) within doc'],
)  # fmt: skip
def test_words_near_each_other_are_found_a_stretch_at_a_time(
    corpus: Index, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(corpus, query).all()
    searching._tables.clear()
    monkeypatch.setattr(cooccurrence, "_AT_ONCE", 50)
    pieces = run(corpus, query).all()
    assert len(whole)
    assert (whole.starts.tolist(), whole.ends.tolist()) == (pieces.starts.tolist(), pieces.ends.tolist())


def test_a_search_for_everything_near_everything_can_be_stopped(corpus: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cooccurrence, "_AT_ONCE", 50)
    search = run(corpus, "MU(meet [] [] -100 100)")
    assert 100 <= len(search.first(100)) < 1000
    search.cancel()
    search.all()
    assert search.progress().state == "stopped"


def test_all_ends_of_endless_matches_stop_the_search(corpus: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences, "_FURTHEST", 1000)
    search = run(corpus, "[]+", strategy="all")
    search.all()
    assert search.progress().state == "stopped"


@pytest.mark.parametrize(
    ("query", "spans"),
    [
        ("</np> []{3} within s", [(3, 6)]),
        ("[]{3} <np> within s", [(0, 3)]),
        ("</np> (<s/> within <s/>) within <s/>", [(3, 6)]),
    ],
)
def test_regions_beside_a_match_may_be_in_another_segment(
    make: Callable[..., Index], query: str, spans: list[tuple[int, int]]
) -> None:
    """A match ends with its sentence, but a tag before or behind it may belong to the neighbouring segment."""
    first = "<doc>\n<s>\na\n<np>\nb\nc\n</np>\n</s>\n</doc>\n"
    second = "<doc>\n<s>\n<np>\nd\n</np>\ne\nf\n</s>\n</doc>\n"
    index = make(first + second, ("word",), segment_tokens=3)
    assert len(index.segments) == 2
    table = run(index, query).all()
    assert list(zip(table.starts.tolist(), table.ends.tolist(), strict=True)) == spans
    assert run(index, query).count().value == len(spans)
