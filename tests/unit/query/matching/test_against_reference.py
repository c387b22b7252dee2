"""Random queries on random corpora: the engine and the slow evaluator must agree."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_corpora import make
from reference import Corpus, Reference

from paberki.errors import QueryError
from paberki.query import parse, run
from paberki.query.index import selection as selection_module
from paberki.query.index.reader import Index
from paberki.query.index.selection import Selection
from paberki.query.matching import hit_search as searching
from paberki.query.matching import matches, spans
from paberki.query.matching.automata import bindings, continuation, sequences
from paberki.query.matching.combining import cooccurrence, relations
from paberki.query.matching.conditions import neighbours
from paberki.query.matching.starting import narrowing, prefix_rows, region_starts, sieve, starting_places
from paberki.query.syntax import STRATEGIES
from paberki.query.syntax.tree import Cut, Pattern, TokenPattern

_SETTINGS = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)


_FEW = settings(_SETTINGS, max_examples=12)


class Pool(list[tuple[Index, Corpus]]):
    """Corpora with a short name for hypothesis."""

    def __repr__(self) -> str:
        return "corpora"


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Pool:
    sizes = [(1, 1, None), (2, 2, None), (3, 6, 10), (4, 5, None), (5, 9, 15), (6, 7, None)]
    return Pool(make(tmp_path_factory.mktemp("corpus"), seed, count, segment) for seed, count, segment in sizes)


_COMPARISONS = st.sampled_from(
    [
        'word="a"', 'word="[abc]"', 'word="A"%c', 'word="č"%d', 'word="C"%cd', 'word!="b"', 'word=="a"', 'word=".*b"',
        'word="a.*"', 'word=".*b.*"', 'lemma="x"', 'lemma!="y"', 'tag="N.*"', 'tag="V"', 'tag<="Na"', 'tag>"N"',
        'feats contains "Case=.*"', 'feats matches "Num=.*"', 'feats="Case=Nom"', 'feats not contains "Num=Sg"',
        "ambiguity(feats) > 1", "np", "z", "lbound(s)", "rbound(np)", 's_id="[0-4]"', "doc_year>=2010", "#3-9",
        "doc_year=in[2000,2010]", 'word="zzz"', 'f(lemma) > 6', "strlen(word) = 2",
    ]
)  # fmt: skip
_CONDITIONS = st.recursive(
    _COMPARISONS,
    lambda inner: st.one_of(
        st.builds("{} & {}".format, inner, inner),
        st.builds("{} | {}".format, inner, inner),
        st.builds("!({})".format, inner),
        st.builds("({})".format, inner),
    ),
    max_leaves=4,
)
_TOKENS = st.one_of(
    st.just("[]"), st.sampled_from(['"a"', '"b"', '"c"%c', '"x"']), st.builds("[{}]".format, _CONDITIONS)
)
_QUANTIFIERS = st.sampled_from(["", "", "", "?", "*", "+", "{2}", "{0,2}", "{1,3}", "{2,}", "{,2}"])


def _patterns(leaves: st.SearchStrategy[str], most: int = 4) -> st.SearchStrategy[str]:
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, min_size=2, max_size=3).map(" ".join),
            st.builds("({} | {})".format, inner, inner),
            st.builds("({}){}".format, inner, _QUANTIFIERS),
        ),
        max_leaves=most,
    )


_PLAIN = _patterns(st.builds("{}{}".format, _TOKENS, _QUANTIFIERS))
_TAGS = st.sampled_from(
    [
        "<s> {} </s>", "<np> {} </np>", "<s> {}", "{} </s>", "<np> {}", "{} </np>", '<s id="[12]"> {}', "<z> {} </z>",
        '<z k="a"> {} </z>', "<s> []* {} []* </s>", "<np/> {}", "{} <np/>", "<z/> {}", "<doc> {}", "<np> []* {} </np>",
        "[: tag=\"N\" :] {}", "{} [: tag=\"N\" :]", "(?= {}) []", "[] (?! {})", "(?<= []) {}", "(?<! \"a\" [] ) {}",
        '{} (?! "a" "b")', "{} (?= []* \"b\")", "[::] {}", "{} [::]",
    ]
)  # fmt: skip
_TAGGED = st.one_of(_PLAIN, st.builds(lambda frame, inner: frame.format(inner), _TAGS, _PLAIN))
_SCOPES = st.sampled_from(
    ["", "", " within s", " within np", " within 2", " within 2 s", ' within <doc year="2010"/>', " within z",
     " within s within np", ' within <z k="a"/>']
)  # fmt: skip
_FILTERS = st.one_of(
    st.just(""),
    st.sampled_from([" !within <np/>", " containing <np/>", " !containing <z/>", " overlap <np/>", " !overlap <z/>"]),
    st.builds(" containing ({})".format, _TAGGED),
    st.builds(" !containing ({})".format, _PLAIN),
    st.builds(" within ({})".format, _TAGGED),
    st.builds(" !within ({})".format, _PLAIN),
    st.builds(" within (<s/> containing ({}))".format, _PLAIN),
    st.builds(" overlap ({} within np)".format, _PLAIN),
)
_RELATIONS = st.sampled_from(["within", "!within", "containing", "!containing", "overlap", "!overlap"])
_STRUCTURES = st.sampled_from(
    ["<s/>", "<np/>", "<z/>", "<doc/>", '<z k="a"/>', '<doc year="2010"/>', '<s id="[0-4]"/>']
)
_SIMPLE = st.sampled_from(['"a"', '"b"', '"c"%c', '[tag="N"]', '[lemma="x"]', "[np]", '"a" []* "b"', '[]{2} "c"%c'])
_NESTED_SCOPES = st.recursive(
    st.one_of(_STRUCTURES, _SIMPLE.map("({})".format)),
    lambda inner: st.builds("({} {} {})".format, st.one_of(_STRUCTURES, _SIMPLE), _RELATIONS, inner),
    max_leaves=2,
)
_GAPS = st.builds("{} []* {}".format, _SIMPLE, _SIMPLE)
_FILTER_CHAINS = st.lists(st.builds(" {} {}".format, _RELATIONS, _NESTED_SCOPES), min_size=1, max_size=2).map("".join)
_PARTS = st.sampled_from(
    ["{}", "({}{}) </s>", "<s> ({}{})", "<np> ({}{}) </np>", '({}{}) "a"*', '"b"? </np> ({}{})', "({}{}) [: np :]"]
)


def _with_filters(frame: str, core: str, filters: str, later: str) -> str:
    return frame.format(core, filters) + later


_FILTERED = st.builds(_with_filters, _PARTS, st.one_of(_GAPS, _SIMPLE, _STRUCTURES), _FILTER_CHAINS, _FILTER_CHAINS)
_ENDS = st.sampled_from(
    ["", "", "", " cut 3", " expand to s", " expand left to np", " expand to 2", " expand right to z", " cut 1 4"]
)
_QUERIES = st.builds("{}{}{}{}".format, _TAGGED, _SCOPES, _FILTERS, _ENDS)


_REFUSED = ("match nothing", "look-behind", "not set in every match", "no token has the label")


def _agree(corpora: Pool, number: int, query: str, strategy: str) -> None:
    index, corpus = corpora[number % len(corpora)]
    parsed = parse(query)
    assert parse(str(parsed)) == parsed
    try:
        search = run(index, str(parsed), strategy=strategy)
    except QueryError as error:
        if not any(reason in str(error) for reason in _REFUSED):
            raise
        return
    expected = _expected(corpus, parsed.pattern, strategy)
    table = search.all()
    assert list(zip(table.starts.tolist(), table.ends.tolist(), strict=True)) == expected
    assert run(index, query, strategy=strategy).count().value == len(expected)
    first = run(index, query, strategy=strategy).first(2)
    assert list(zip(first.starts.tolist(), first.ends.tolist(), strict=True))[:2] == expected[:2]


def _expected(corpus: Corpus, pattern: object, strategy: str) -> list[tuple[int, int]]:
    """Hits in order; cuts count over all of them."""
    cut = pattern if isinstance(pattern, Cut) else None
    inner = cut.part if cut else pattern
    spans: list[tuple[int, int]] = [*Reference(corpus).hits(inner, strategy)]  # type: ignore[arg-type]
    return spans[cut.first : cut.last + 1] if cut else spans


@_SETTINGS
@given(st.integers(0, 5), _QUERIES, st.sampled_from(STRATEGIES))
def test_spans(corpora: Pool, number: int, query: str, strategy: str) -> None:
    _agree(corpora, number, query, strategy)


@_SETTINGS
@given(st.integers(0, 5), _FILTERED, _SCOPES, _ENDS, st.sampled_from(STRATEGIES))
def test_filters_of_filters(corpora: Pool, number: int, query: str, scope: str, end: str, strategy: str) -> None:
    """Negated and nested, over several segments, and of parts of sequences beside tags."""
    _agree(corpora, number, f"{query}{scope}{end}", strategy)


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are cut off and taken up again all the time, windows are tiny, and nothing begins at an anchor."""
    monkeypatch.setattr(sequences, "_LOOKAHEAD", 2)
    monkeypatch.setattr(sequences, "_LONGEST_LOOKAHEAD", 1)
    monkeypatch.setattr(bindings, "_LOOKAHEAD", 2)
    monkeypatch.setattr(bindings, "_LONGEST_LOOKAHEAD", 1)
    monkeypatch.setattr(continuation, "STEPS", (2, 4))
    monkeypatch.setattr(matches, "_FIRST_WINDOW", 3)
    monkeypatch.setattr(matches, "_WINDOW", 5)
    monkeypatch.setattr(matches, "anchor", lambda automaton, evaluator: None)
    monkeypatch.setattr(starting_places, "_RARE", 1)
    monkeypatch.setattr(matches, "_RARE", 0)
    monkeypatch.setattr(region_starts, "_FEWER", 0)
    monkeypatch.setattr(prefix_rows, "_SMALLEST", 0)
    monkeypatch.setattr(narrowing, "_FEWER", 0)
    monkeypatch.setattr(narrowing, "_RARE", 0)
    monkeypatch.setattr(sequences, "_SPARSE", 2)
    monkeypatch.setattr(cooccurrence, "_AT_ONCE", 3)
    monkeypatch.setattr(spans, "_FIRST_STRETCH", 3)
    monkeypatch.setattr(spans, "_LARGEST_STRETCH", 5)


@_SETTINGS
@given(st.integers(0, 5), _QUERIES, st.sampled_from(STRATEGIES))
def test_spans_in_small_steps(corpora: Pool, small_steps: None, number: int, query: str, strategy: str) -> None:
    searching._tables.clear()
    searching._counts.clear()
    _agree(corpora, number, query, strategy)


@_FEW
@given(st.integers(0, 5), _FILTERED, _SCOPES, _ENDS, st.sampled_from(STRATEGIES))
def test_filters_in_small_steps(
    corpora: Pool, small_steps: None, number: int, query: str, scope: str, end: str, strategy: str
) -> None:
    searching._tables.clear()
    searching._counts.clear()
    _agree(corpora, number, f"{query}{scope}{end}", strategy)


@pytest.fixture
def known_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where matches can be is asked at once, stretches are tiny, and most values are rare."""
    monkeypatch.setattr(neighbours, "SHIFT", 2)
    monkeypatch.setattr(neighbours, "_MOST_CLASSES", 4)
    monkeypatch.setattr(sieve, "_SMALLEST", 0)
    monkeypatch.setattr(matches, "_VAIN", -1)
    monkeypatch.setattr(matches, "_RARE", 0)
    monkeypatch.setattr(matches, "_FIRST_WINDOW", 3)


@_SETTINGS
@given(st.integers(0, 5), _QUERIES, st.sampled_from(STRATEGIES))
def test_spans_where_neighbours_are_known(
    corpora: Pool, known_neighbours: None, number: int, query: str, strategy: str
) -> None:
    searching._tables.clear()
    searching._counts.clear()
    _agree(corpora, number, query, strategy)


@_SETTINGS
@given(
    st.integers(0, 5),
    st.sampled_from(["<s> {} </s>", "<np> {} </np>", "<s> {}", "{} </s>", "<s> {} []* {} </s>", "{} </s> <s> {}"]),
    st.lists(_PLAIN, min_size=2, max_size=2),
    st.sampled_from(STRATEGIES),
)
def test_edges_of_regions_where_neighbours_are_known(
    corpora: Pool, known_neighbours: None, number: int, frame: str, parts: list[str], strategy: str
) -> None:
    searching._tables.clear()
    searching._counts.clear()
    _agree(corpora, number, frame.format(*parts), strategy)


@_SETTINGS
@given(st.integers(0, 5), _QUERIES, st.sampled_from(STRATEGIES))
def test_spans_from_anchors_whose_starts_are_tested_first(
    corpora: Pool, monkeypatch: pytest.MonkeyPatch, number: int, query: str, strategy: str
) -> None:
    monkeypatch.setattr(starting_places, "_WIDE", -1)
    searching._tables.clear()
    searching._counts.clear()
    _agree(corpora, number, query, strategy)


@pytest.mark.parametrize(
    "query",
    ["[]{2,} expand to s", '[]{2,} []{2,} "b"+ expand to np', "[]+ expand left to z", "[]{3,} expand to 2 s cut 4 9"],
)
@pytest.mark.parametrize("number", range(6))
def test_hits_that_become_equal_in_different_stretches(
    corpora: Pool, small_steps: None, number: int, query: str
) -> None:
    searching._tables.clear()
    searching._counts.clear()
    _agree(corpora, number, query, "all")


@pytest.mark.parametrize(
    "query",
    [
        '[]+ </np> within <doc year="2010"/> !overlap ("a"{2})',
        "[]+ within doc overlap ([] [])",
        "<s> []* </s> within s expand to 2",
        "[]+ </s> within s expand right to 3",
        "<np/> expand right to 1",
    ],
)
@pytest.mark.parametrize("end", ["", " cut 40", " cut 10 60", " cut 5 200 cut 3 30"])
@pytest.mark.parametrize("number", range(6))
def test_hits_near_borders_are_in_order(corpora: Pool, number: int, query: str, end: str) -> None:
    _agree(corpora, number, f"{query}{end}", "all")


@_SETTINGS
@given(st.integers(0, 5), _QUERIES, st.sampled_from(STRATEGIES), st.integers(1, 1 << 20))
def test_hits_in_a_part_of_the_corpus(
    corpora: Pool, monkeypatch: pytest.MonkeyPatch, number: int, query: str, strategy: str, chance: int
) -> None:
    """As where pages were taken down: hits that begin and end in sentences that are left, over several segments."""
    monkeypatch.setattr(selection_module, "BLOCK", "s")
    index, corpus = corpora[number]
    blocks = {
        one.number: np.random.default_rng([chance, one.number]).random(one.structure("s").size) < 0.6
        for one in index.segments
    }
    part = Selection("part", f"part@{chance}", 0, lambda segment: blocks[segment.number])
    pattern = parse(query).pattern
    cut = pattern if isinstance(pattern, Cut) else None
    try:
        table = run(index, query, strategy=strategy, selection=part).all()
    except QueryError as error:
        if not any(reason in str(error) for reason in _REFUSED):
            raise
        return
    spans = _expected(corpus, cut.part if cut else pattern, strategy)
    expected = [span for span in spans if all(_is_in(index, blocks, place) for place in (span[0], span[1] - 1))]
    expected = expected[cut.first : cut.last + 1] if cut else expected
    assert list(zip(table.starts.tolist(), table.ends.tolist(), strict=True)) == expected
    assert run(index, query, strategy=strategy, selection=part).count().value == len(expected)


def _is_in(index: Index, blocks: dict[int, npt.NDArray[np.bool_]], place: int) -> bool:
    """Whether a token is in a sentence that is left."""
    [segment] = [one for one in index.segments if one.base <= place < one.base + one.tokens]
    number = int(segment.structure("s").region_of(np.array([place - segment.base]))[0])
    return number >= 0 and bool(blocks[segment.number][number])


_DIFFERENCES = st.builds(
    "{}({} & {}({} {})){}".format,
    st.sampled_from(["", '"a" ', "[] "]),
    _PLAIN,
    st.sampled_from(["!", "", "[] & !"]),
    _TOKENS,
    _PLAIN,
    st.sampled_from(["", ' "b"', " within s"]),
)


@settings(_SETTINGS, max_examples=12)  # the other evaluator needs seconds for some of them
@given(st.integers(0, 5), _DIFFERENCES, st.sampled_from(STRATEGIES))
def test_intersections_and_differences(corpora: Pool, number: int, query: str, strategy: str) -> None:
    _agree(corpora, number, query, strategy)


_SIDES = _patterns(st.one_of(_TOKENS, st.builds("{}{}".format, _TOKENS, _QUANTIFIERS)), 3)
_OPEN_GAPS = st.builds(
    "{}{} {} {}".format,
    st.sampled_from(["", "", "a:", "<s> ", "[: np :] "]),
    _SIDES,
    st.sampled_from(["[]*", "[]*", "[]+", "[]{2,}", "[]* []*", '[]* "b"? []*', '[]* [tag="N"] []{3,}']),
    _SIDES,
)


@_SETTINGS
@given(st.integers(0, 5), _OPEN_GAPS, _SCOPES, _FILTERS, st.sampled_from(STRATEGIES))
def test_open_gaps_before_something_rare(
    corpora: Pool, small_steps: None, number: int, query: str, scope: str, later: str, strategy: str
) -> None:
    searching._tables.clear()
    searching._counts.clear()
    _agree(corpora, number, f"{query}{scope}{later}", strategy)


_LONG = " ".join(['"nowhere"'] * 70)


@_SETTINGS
@given(st.integers(0, 5), _TAGGED, _SCOPES, st.sampled_from(STRATEGIES))
def test_more_states_than_a_word_has_bits(corpora: Pool, number: int, query: str, scope: str, strategy: str) -> None:
    _agree(corpora, number, f"({query} | {_LONG}){scope}", strategy)


_LABELLED = st.sampled_from(
    [
        "a:{} b:{}", "a:{} {}* b:{}", "a:{} {} b:{}?", "(a:{} | b:{}) {}", "a:({}+) b:{}", "a:{}+ b:{}", "{} a:{} {}? b:{}",
        "<s> a:{} []* b:{} </s>", "a:{} []{{0,2}} b:{}",
    ]
)  # fmt: skip
_CONSTRAINTS = st.sampled_from(
    [
        "a.lemma = b.lemma", "a.word != b.word", "a.word = b.lemma", 'a.tag = "N.*"', "distance(a, b) > 1", "a.word < b.word",
        "distabs(a, b) = 2", "a & !b", "f(a.lemma) > 4", "match.doc_year >= 2010", 'a.s_id = "[0-3]"', "a.Case = b.Case",
        "a.lemma = b.lemma | a.tag = b.tag", "!(a.lemma = b.lemma)", "end(a) = start(b)", "b - a < 3", 'matchend.tag = "V"',
        "a.s_id = b.s_id",
    ]
)  # fmt: skip
_REFERENCES = st.sampled_from(
    [
        "a:{} [lemma = a.lemma]", "a:{} []* [word = a.word]", "a:{} [lemma != a.lemma]+ {}", "a:{} ([lemma = a.lemma] {})*",
        'a:{} [lemma = a.lemma | tag="V"]', "a:{} [word = a.lemma]?",
    ]
)  # fmt: skip


@_SETTINGS
@given(
    st.integers(0, 5),
    _LABELLED,
    st.lists(_TOKENS, min_size=4, max_size=4),
    _CONSTRAINTS,
    _SCOPES,
    st.sampled_from(STRATEGIES),
)
def test_constraints(
    corpora: Pool, number: int, frame: str, tokens: list[str], constraint: str, scope: str, strategy: str
) -> None:
    query = f"{frame.format(*tokens)} :: {constraint}{scope}"
    _agree(corpora, number, query, strategy)


@_SETTINGS
@given(st.integers(0, 5), _REFERENCES, st.lists(_TOKENS, min_size=3, max_size=3), _SCOPES, st.sampled_from(STRATEGIES))
def test_references(corpora: Pool, number: int, frame: str, tokens: list[str], scope: str, strategy: str) -> None:
    _agree(corpora, number, f"{frame.format(*tokens)}{scope}", strategy)


@_SETTINGS
@given(st.integers(0, 5), _LABELLED, st.lists(_TOKENS, min_size=4, max_size=4), st.sampled_from(STRATEGIES))
def test_labels_are_possible(corpora: Pool, number: int, frame: str, tokens: list[str], strategy: str) -> None:
    index, corpus = corpora[number]
    query = parse(f"{frame.format(*tokens)} within s")
    table = run(index, query, strategy=strategy).all()
    possible = [
        (start, end, {name: place[0] for name, place in labels.items()})
        for start, end, labels in Reference(corpus).spans(query.pattern)
    ]
    for at in range(len(table)):
        labels = {name: int(places[at]) for name, places in table.labels.items() if places[at] >= 0}
        assert (int(table.starts[at]), int(table.ends[at]), labels) in possible


_NEAR = st.recursive(
    _TOKENS,
    lambda inner: st.one_of(
        st.builds("(meet {} {} {} {})".format, inner, inner, st.integers(-3, 0), st.integers(0, 3)),
        st.builds("(meet {} {} s)".format, inner, inner),
        st.builds("(meet {} not {} -2 2)".format, inner, inner),
        st.builds("(union {} {})".format, inner, inner),
    ),
    max_leaves=3,
).filter(lambda text: text.startswith(("(meet", "(union")))
_TABLES = st.builds(
    "TAB {} {} {} {} {}".format,
    _TOKENS,
    st.sampled_from(["", "?", "*", "{1}", "{0,2}", "{,2}"]),
    _TOKENS,
    st.sampled_from(["", "+", "{2,3}"]),
    _TOKENS,
)


@_SETTINGS
@given(
    st.integers(0, 5),
    st.one_of(_NEAR.map("MU{}".format), _TABLES),
    st.sampled_from(["", " within s", ' containing [tag="N"]', " expand to s"]),
)
def test_near(corpora: Pool, number: int, query: str, end: str) -> None:
    _agree(corpora, number, query + end, "standard")


def _is_token(pattern: Pattern) -> bool:
    return isinstance(pattern, TokenPattern)


@pytest.mark.parametrize("most", [0, 1 << 40])
@_FEW
@given(
    st.integers(0, 5), st.one_of(_NEAR.map("MU{}".format), _TABLES), st.sampled_from(["", " within s", " within np"])
)
def test_near_in_small_steps(
    corpora: Pool, monkeypatch: pytest.MonkeyPatch, most: int, number: int, query: str, end: str
) -> None:
    """Around the rarest token of a row, and a stretch after the other."""
    monkeypatch.setattr(cooccurrence, "_AT_ONCE", 3)
    monkeypatch.setattr(cooccurrence, "_RARE", most)
    monkeypatch.setattr(cooccurrence, "_FIRST_STRETCH", 3)
    monkeypatch.setattr(cooccurrence, "_LARGEST_STRETCH", 7)
    monkeypatch.setattr(
        cooccurrence, "_is_from_right", lambda meet, *_: not (most or meet.negated) and _is_token(meet.left)
    )
    searching._tables.clear()
    searching._counts.clear()
    _agree(corpora, number, query + end, "standard")


@_FEW
@given(st.integers(0, 5), _PLAIN, _PLAIN, _SCOPES, st.booleans(), st.sampled_from(STRATEGIES))
def test_spans_that_match_two_patterns_in_small_steps(
    corpora: Pool, small_steps: None, number: int, one: str, other: str, end: str, negated: bool, strategy: str
) -> None:
    searching._tables.clear()
    searching._counts.clear()
    _agree(corpora, number, f"({one}) & {'!' * negated}([]{{0}} {other}){end}", strategy)


_COMPLEX = st.recursive(
    st.one_of(
        _PLAIN, st.builds("({} within <np/>)".format, _PLAIN), st.builds("({} containing {})".format, _PLAIN, _TOKENS)
    ),
    lambda inner: st.one_of(
        st.builds("{} {}".format, inner, inner),
        st.builds("({} | {})".format, inner, inner),
        st.builds("({} & {})".format, inner, inner),
        st.builds("({}){}".format, inner, st.sampled_from(["?", "{1,2}", "+"])),
        st.builds("({} within <s/>)".format, inner),
        st.builds("({} !containing <z/>)".format, inner),
    ),
    max_leaves=3,
)


@_SETTINGS
@given(st.integers(0, 2), _COMPLEX, st.sampled_from(["", ' [tag="N"]', " within s"]), st.sampled_from(STRATEGIES))
def test_operations_inside_patterns(corpora: Pool, number: int, query: str, end: str, strategy: str) -> None:
    _agree(corpora, number, query + end, strategy)


_NODES = st.one_of(st.just("_"), _TOKENS)
_ARROWS = st.sampled_from(["-obj->", "-->", "-nsubj|obl->", "-->>", "-obj->>", "!-obj->", "!-->", "-o.*->"])
_RELATIONS = st.recursive(
    st.builds("{} {} {}".format, _NODES, _ARROWS, _NODES),
    lambda inner: st.one_of(
        st.builds("{} {} ({})".format, _NODES, _ARROWS, inner),
        st.builds("{} {} {} ; {} {}".format, _NODES, _ARROWS, _NODES, _ARROWS, _NODES),
        st.builds("{} {} ({}) ; {} {}".format, _NODES, _ARROWS, inner, _ARROWS, _NODES),
        st.builds("^--> ({})".format, inner),
    ),
    max_leaves=3,
)


@_SETTINGS
@given(st.integers(0, 5), _RELATIONS, st.sampled_from(["", " within np", ' containing [tag="V"]']))
def test_relations(corpora: Pool, number: int, query: str, end: str) -> None:
    _agree(corpora, number, query + end, "standard")


@_SETTINGS
@given(st.integers(0, 5), st.builds("A:{} {} B:{}".format, _NODES, st.sampled_from(["-obj->", "-->", "-->>"]), _NODES),
       st.sampled_from(["A < B", "distance(A, B) >= 2", "A.Case = B.Case", "A.lemma = B.lemma", "start(A) > start(B)"]))  # fmt: skip
def test_relation_constraints(corpora: Pool, number: int, query: str, constraint: str) -> None:
    _agree(corpora, number, f"{query} :: {constraint}", "standard")


@_SETTINGS
@given(st.integers(0, 5), _RELATIONS)
def test_edges(corpora: Pool, number: int, query: str) -> None:
    index, corpus = corpora[number]
    pattern = parse(query).pattern
    table = run(index, query).all()
    expected = sorted(
        [tuple((a if a >= 0 else -1, b) for a, b in edges)] for *_, edges in Reference(corpus).trees(pattern)
    )
    pairs = [list(zip(one.source.tolist(), one.target.tolist(), strict=True)) for one in table.edges]
    assert sorted([tuple(row)] for row in (zip(*pairs, strict=True) if pairs else [()] * len(table))) == expected


@pytest.mark.parametrize("query", ["A:_ --> B:_ :: A < B", "A:_ -obj-> B:_ :: distance(A, B) >= 1 within s"])
def test_relations_are_found_some_sentences_at_a_time(
    corpora: Pool, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    index, _ = corpora[5]
    whole = run(index, query).all()
    searching._tables.clear()
    monkeypatch.setattr(relations, "_FIRST_WINDOW", 1)
    search = run(index, query)
    assert 0 < len(search.first(1)) < len(whole)
    assert search.progress().searched < 1.0
    assert search.all().starts.tolist() == whole.starts.tolist()
    assert len(run(index, "_ -nowhere-> _").all()) == 0
