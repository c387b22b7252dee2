"""What makes sweeps fast: neighbours that never meet, columns compared with themselves, tests as bytes."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest

from paberki.kernels import load
from paberki.query import open_index, run
from paberki.query.index.reader import Index
from paberki.query.matching import hit_search, matches
from paberki.query.matching.budget import Budget, BudgetWatch
from paberki.query.matching.conditions import neighbours
from paberki.query.matching.conditions.label_conditions import with_label_conditions
from paberki.query.matching.conditions.names import Names
from paberki.query.matching.matches import Matches
from paberki.query.matching.outline import outline
from paberki.query.matching.program import prepare
from paberki.query.matching.segment_search import SegmentSearch
from paberki.query.matching.starting import narrowing, prefix_rows, sieve, starting_places
from paberki.query.matching.starting.equal_tokens import EqualTokens
from paberki.query.matching.starting.region_starts import RegionStarts, StretchStarts
from paberki.query.matching.starting.whole_regions import WholeRegions
from paberki.query.sources.vertical import index_vertical
from paberki.query.syntax import DIALECTS, parse
from paberki.query.syntax.printer import print_pattern

TOKENS = 512


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Sentences of four tokens, N V A Z; one alone, from token 400 on, is N Z Z V."""
    path = tmp_path_factory.mktemp("sweeps")
    lines = []
    for sentence in range(TOKENS // 4):
        tags = "NZZV" if sentence == 100 else "NVAZ"
        lines += ["<s>", *(f"w{(sentence * 7 + at) % 50}\t{tag}" for at, tag in enumerate(tags)), "</s>"]
    source = path / "corpus.vert"
    source.write_text("\n".join(lines) + "\n")
    index_vertical(source, path / "index", ["word", "tag"])
    return open_index(path / "index")


@pytest.fixture
def _small_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "SHIFT", 5)
    monkeypatch.setattr(sieve, "_SMALLEST", 0)
    monkeypatch.setattr(matches, "_VAIN", -1)
    neighbours._tables.clear()


def _matches(index: Index, query: str) -> Matches:
    program = prepare(parse(query).pattern, index, DIALECTS["cqp"], "standard")
    return Matches(program, index.segments[0], BudgetWatch(Budget()))


def _windows(index: Index, query: str) -> list[tuple[int, int]]:
    return list(_matches(index, query).windows())


@pytest.mark.usefixtures("_small_stretches")
@pytest.mark.parametrize(
    "query",
    ['[tag="V"] [tag="V"]', '[tag="A"]+ [tag="N"] []', '[tag="A"] </s>', '<s> [tag="Z"]', '<s> [tag="Z"] []* </s>'],
)
def test_what_never_stands_together_is_not_looked_for(index: Index, query: str) -> None:
    assert _windows(index, query) == []
    assert run(index, query).count().value == 0
    assert _matches(index, query).is_impossible  # known from the first search


@pytest.mark.usefixtures("_small_stretches")
@pytest.mark.parametrize(
    "query", ['[tag="Z"] [tag="Z"]', '<s> [tag="N"] [tag="Z"]', '[tag="V"] </s>', '[tag="Z"] []? [tag="V"] </s>']
)
def test_only_stretches_where_neighbours_meet_are_searched(index: Index, query: str) -> None:
    windows = _windows(index, query)
    assert 0 < sum(high - low for low, high in windows) <= 64
    assert run(index, query).count().value == 1


def test_whole_regions_are_chosen_by_their_edges(index: Index) -> None:
    found = _matches(index, '<s> [tag="N"] [tag="Z"]+ [tag="V"] </s>')
    assert isinstance(found._source, WholeRegions)
    assert found._source.starts(0, TOKENS).tolist() == [400]
    assert _matches(index, '<s> [tag="N"] []')._source is None
    assert isinstance(_matches(index, '<s> [tag="N"] [] []? </s>')._source, WholeRegions)


@pytest.mark.parametrize(
    ("query", "source"),
    [
        ('<s> []* [word="w3" & tag="V"] []* </s>', RegionStarts),
        ('[tag="N"] []* [word="w3" & tag="V"] within s', RegionStarts),
        ('[]+ [word="w3" & tag="V"] within s', RegionStarts),
        ('[tag="A"] within (<s/> containing [word="w3" & tag="V"])', StretchStarts),
    ],
)
def test_regions_of_rare_tokens_tell_where_matches_begin(
    index: Index, query: str, source: type[RegionStarts | StretchStarts], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = run(index, query).all()
    for module, name in ((starting_places, "_RARE"), (narrowing, "_RARE"), (narrowing, "_FEWER")):
        monkeypatch.setattr(module, name, 1)
    program = prepare(parse(query).pattern, index, DIALECTS["cqp"], "standard")
    search = SegmentSearch(program, index.segments[0], BudgetWatch(Budget()))
    source_of_starts = search._matches._source
    assert isinstance(source_of_starts, source)
    assert 0 < len(source_of_starts.starts(0, TOKENS)) <= 4 * TOKENS // 50
    hit_search._tables.clear()
    quick = run(index, query).all()
    assert len(quick)
    assert (quick.starts.tolist(), quick.ends.tolist()) == (slow.starts.tolist(), slow.ends.tolist())


def test_regions_are_looked_at_where_they_hold_something_rare(index: Index) -> None:
    query = '<s/> containing [tag="N"] containing [word="w3"]'
    slow = run(index, query).all()
    program = prepare(parse(query).pattern, index, DIALECTS["cqp"], "standard")
    search = SegmentSearch(program, index.segments[0], BudgetWatch(Budget()))
    tables = [table for table, _ in search.chunks()]
    assert sum(map(len, tables)) < TOKENS // 16
    assert len(slow)
    assert set(slow.starts.tolist()) <= {start for table in tables for start in table.starts.tolist()}


def test_rows_that_all_matches_begin_with(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefix_rows, "_SMALLEST", 0)
    query = '[tag="Z"] ([tag="N"] [tag="V"] | [tag="Z"] [tag="V"] []?)'
    matches_of_query = _matches(index, query)
    assert matches_of_query.sequences._prefix is not None
    expected = sorted({401, *range(3, TOKENS - 4, 4)} - {399, 403})
    assert matches_of_query.sequences._prefix.starts(0, TOKENS).tolist() == expected
    assert matches_of_query.sequences._prefix.starts(8, 20).tolist() == [11, 15, 19]
    assert run(index, query).all().starts.tolist() == expected
    assert _matches(index, '[tag="Z"] [tag="N"]?').sequences._prefix is None


def test_spans_of_one_token_that_match_both_patterns_are_one_condition(index: Index) -> None:
    core = outline(parse('([tag="N"] & [word="w1.*"] & []) [tag="V"]').pattern).core
    assert print_pattern(core) == print_pattern(parse('[tag="N" & word="w1.*"] [tag="V"]').pattern)
    assert run(index, '[] & [tag="V"]', strategy="all").count().value == TOKENS // 4


def test_what_stands_behind_a_match_tells_where_it_begins(index: Index) -> None:
    found = _matches(index, '[tag="N"] [tag="V"]? [: word="w3" & tag="A" :]')
    assert found._anchor is not None
    assert (found._anchor.low, found._anchor.high) == (1, 2)
    words, tags = (index.segments[0].attribute(name) for name in ("word", "tag"))
    rows = [*zip(words.values(words.ids), tags.values(tags.ids), strict=True)]
    ends = [at for at, row in enumerate(rows) if row == ("w3", "A")]
    expected = [(at - 2, at) for at in ends if rows[at - 1][1] == "V" and rows[at - 2][1] == "N"]
    assert expected
    table = run(index, '[tag="N"] [tag="V"]? [: word="w3" & tag="A" :]').all()
    assert list(zip(table.starts.tolist(), table.ends.tolist(), strict=True)) == expected


def test_positions_outside_of_all_regions(index: Index) -> None:
    assert _matches(index, '[tag="N" & !s]').is_impossible
    assert _matches(index, "[!s]").is_impossible
    assert run(index, '[tag="N" & s]').count().value == TOKENS // 4


@pytest.mark.parametrize("width", [1, 5, 10, 18, 21, 28, 29, 32])
@pytest.mark.parametrize("distance", [1, 2, 7])
def test_a_column_is_compared_with_itself(width: int, distance: int) -> None:
    chance = np.random.default_rng(width)
    ids = chance.integers(0, 1 << width, 300, dtype=np.uint64).astype(np.uint32)
    ids[50:90] = ids[10:50]
    ids[100:140] = ids[100]
    ids[141] = ids[140] ^ np.uint32(1 << (width - 1))
    words = np.zeros(300 * width // 64 + 3, np.uint64)
    load("paberki.query.index.columns_kernel").pack(ids, width, 0, words)
    out = np.empty(300, np.int64)
    high = len(ids) - distance
    count = load("paberki.query.matching.starting.equal_tokens_kernel").equal_places(
        words, width, distance, 3, high, out
    )
    assert out[:count].tolist() == [place for place in range(3, high) if ids[place] == ids[place + distance]]


@pytest.mark.parametrize("width", [3, 14, 15, 28, 29])
def test_tables_of_bytes_are_gathered(width: int) -> None:
    chance = np.random.default_rng(width)
    ids = chance.integers(0, 1 << min(width, 16), 211, dtype=np.uint64).astype(np.uint32)
    words = np.zeros(211 * width // 64 + 3, np.uint64)
    load("paberki.query.index.columns_kernel").pack(ids, width, 0, words)
    table = chance.integers(0, 256, 1 << min(width, 16)).astype(np.uint8)
    out = np.full(205, 4, np.uint8)
    load("paberki.query.index.columns_kernel").gather_bytes(words, width, table, 5, out)
    assert out.tolist() == (table[ids[5:210]] | 4).tolist()


def test_equal_values_of_labels(index: Index) -> None:
    query = "a:[] []{5} b:[] :: a.word = b.word & a.tag != b.tag"
    segment = index.segments[0]
    words, tags = (segment.attribute(name).ids.tolist() for name in ("word", "tag"))
    pairs = [at for at in range(TOKENS - 6) if words[at] == words[at + 6] and tags[at] != tags[at + 6]]
    found = _matches(index, query)
    assert isinstance(found._source, EqualTokens)
    assert run(index, query).all().starts.tolist() == pairs


@pytest.mark.parametrize(
    ("query", "same"),
    [
        ('a:[] b:[] :: a.tag = "N" & b.tag != "Z"', 'a:[tag="N"] b:[tag!="Z"]'),
        ('(a:[word="w1"] | b:[]) :: a.tag = "N" | b.tag = "V"', None),
        ('a:[]+ :: a.tag = "N"', None),
        ('a:[] a:[] :: a.tag = "N"', None),
        ("a:[] b:[] :: a.tag = b.tag", None),
        ('[] a:[word="w1"] :: a.tag = "N" :: f(a.word) > 1', '[] a:[word="w1" & tag="N"]'),
    ],
)
def test_what_is_said_of_one_label_is_a_condition_on_its_token(index: Index, query: str, same: str | None) -> None:
    core = outline(parse(query).pattern).core
    expected = core if same is None else outline(parse(same).pattern).core
    constraints = outline(parse(query).pattern).constraints
    assert print_pattern(with_label_conditions(core, constraints, Names(index))) == print_pattern(expected)


@pytest.mark.usefixtures("_small_stretches")
def test_neighbours_do_not_keep_a_closed_index(tmp_path: Path) -> None:
    source = tmp_path / "corpus.vert"
    source.write_text("<s>\n" + "grad\tN\nje\tV\n" * 100 + "</s>\n")
    index_vertical(source, tmp_path / "index", ["word", "tag"])
    opened = open_index(tmp_path / "index")
    assert _windows(opened, '[tag="N"] [tag="N"]') == []
    assert len(neighbours._tables) == 1
    del opened
    gc.collect()
    assert len(neighbours._tables) == 0
