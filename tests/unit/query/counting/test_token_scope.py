"""Parts of a corpus as runs of tokens, against sets of positions."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from test_spread import TOKENS, FixedPages, whole_pages

from paberki.query.counting.places import PagePlaces, partition
from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import values_of
from paberki.query.index.reader import Index
from smallcorpus import pages, tokens

masks = st.lists(st.booleans(), min_size=TOKENS, max_size=TOKENS)


def of_mask(mask: list[bool]) -> TokenScope:
    """The scope of these positions."""
    edges = np.flatnonzero(np.diff(np.array([0, *mask, 0], np.int8)))
    return TokenScope(FixedPages(), edges[::2].astype(np.int64), edges[1::2].astype(np.int64))


@given(masks, masks)
def test_what_two_scopes_have_in_common(one: list[bool], other: list[bool]) -> None:
    both = [a and b for a, b in zip(one, other, strict=True)]
    second = of_mask(other)
    meeting = of_mask(one).meet(second.starts, second.ends, "other")
    assert (meeting.runs_of(np.arange(TOKENS)) >= 0).tolist() == both
    assert meeting.tokens == sum(both)
    assert meeting.page_tokens.tolist() == [sum(both[low:high]) for low, high in zip(*edges(), strict=True)]


def edges() -> tuple[list[int], list[int]]:
    all_edges = FixedPages().edges.tolist()
    return all_edges[:-1], all_edges[1:]


@given(masks)
def test_positions_are_counted_within_the_scope(mask: list[bool]) -> None:
    inside = np.flatnonzero(mask)
    assert of_mask(mask).offsets(inside).tolist() == list(range(len(inside)))


def test_hits_belong_by_their_first_and_last_token() -> None:
    scope = whole_pages().of_pages(np.array([True, False, False, False, True]), "some")
    starts, ends = np.array([0, 5, 6, 44, 45]), np.array([7, 8, 7, 46, 46])
    assert scope.holds(starts, ends).tolist() == [True, False, True, False, True]


def test_values_of_a_part_come_with_their_runs(small: Index) -> None:
    places = PagePlaces(small)
    scope = TokenScope(places, np.array([2, 9, 20]), np.array([5, 15, 31]))
    words = []
    for piece in scope.pieces(values_of(small, "word"), size=8):
        for low, high in zip(piece.begins, piece.stops, strict=True):
            words += values_of(small, "word").texts(piece.ids[low - piece.first : high - piece.first])
    all_words = tokens()
    assert words == all_words[2:5] + all_words[9:15] + all_words[20:31]


def test_pages_hosts_and_edges_of_structures(small: Index) -> None:
    places = PagePlaces(small)
    assert places.locate(np.arange(small.tokens)).tolist() == pages()
    assert [places.host_names[host] for host in places.hosts] == ["a.example", "b.example", "a.example", "c.example"]
    assert partition(small, "s").tolist() == [0, 4, 10, 13, 18, 24, 27, 31]
    assert places.locate(np.array([30, 0, 12])).tolist() == [3, 0, 1]
