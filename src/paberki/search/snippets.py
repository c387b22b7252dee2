"""Snippets: the tightest window of query terms, as in TSUBAKI, with some words around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from paberki.search.engine import INNER_SPACE
from paberki.search.stored_page import Ints, SearchedPage

WIDTH: Final = 30
"""Words of a snippet."""
WIDEST: Final = 60
_MOST_PLACES: Final = 20_000


@dataclass(frozen=True, slots=True)
class Snippet:
    """Some words of a page."""

    text: str
    hits: list[tuple[int, int]]
    """Characters of the text that are query terms."""


def snippet_of(page: SearchedPage, terms: Sequence[Sequence[str]], width: int = WIDTH) -> Snippet:
    """The window that holds most of the terms in fewest words; each term is one or more tokens in a row."""
    places = _places(page, terms)
    first, last = _tightest(places)
    if last - first > WIDEST:
        last = first + WIDEST
    around = max(0, width - (last - first)) // 2
    count = page.spans.shape[1]
    start, stop = max(0, first - around), min(count, last + around)
    if count == 0:
        return Snippet("", [])
    starts, ends = page.spans
    begin, end = int(starts[start]), int(ends[stop - 1])
    hits = [(int(starts[at]) - begin, int(ends[to - 1]) - begin) for at, to, _ in places if at >= start and to <= stop]
    text = page.text[begin:end].replace("\n", " ")
    return Snippet(text, sorted(set(hits)))


def kwic_of(page: SearchedPage, terms: Sequence[Sequence[str]], window: int) -> Snippet:
    """The first hit with so many words on both sides."""
    places = _places(page, terms)
    if not places:
        return Snippet("", [])
    first, last, _ = places[0]
    start, stop = max(0, first - window), min(page.spans.shape[1], last + window)
    starts, ends = page.spans
    begin = int(starts[start])
    text = page.text[begin : int(ends[stop - 1])].replace("\n", " ")
    return Snippet(text, [(int(starts[first]) - begin, int(ends[last - 1]) - begin)])


def _places(page: SearchedPage, terms: Sequence[Sequence[str]]) -> list[tuple[int, int, int]]:
    """First token, token after the last, and number of the term of every match, in order.

    Words are looked for in the text, and what is found counts where a token begins and ends: most texts are long and most
    words rare.
    """
    text = page.text.lower()
    simple = len(text) == len(page.text)
    starts, ends = page.spans
    places: list[tuple[int, int, int]] = []
    for number, term in enumerate(terms):
        if not term or not term[0]:
            continue
        if simple and INNER_SPACE not in term[0]:
            token_places = _tokens_at(text, term[0], starts, ends)
        else:
            token_places = [at for at, token in enumerate(page.tokens) if token == term[0]]
        places += [(at, at + len(term), number) for at in token_places if _goes_on(page, at, term)]
    return sorted(places)[:_MOST_PLACES]


def _tokens_at(text: str, word: str, starts: Ints, ends: Ints) -> list[int]:
    """Numbers of the tokens that are this word."""
    tokens: list[int] = []
    at = text.find(word)
    while at >= 0 and len(tokens) < _MOST_PLACES:
        token = int(np.searchsorted(starts, at))
        if token < len(starts) and starts[token] == at and ends[token] == at + len(word):
            tokens.append(token)
        at = text.find(word, at + len(word))
    return tokens


def _goes_on(page: SearchedPage, at: int, term: Sequence[str]) -> bool:
    return len(term) == 1 or [page.token(at + step) for step in range(len(term))] == list(term)


def _tightest(places: Sequence[tuple[int, int, int]]) -> tuple[int, int]:
    """The shortest stretch with all terms that the page has; of equal ones the first."""
    if not places:
        return 0, 0
    term_count = len({number for *_, number in places})
    counts: dict[int, int] = {}
    best = (places[0][0], places[-1][1])
    left = 0
    for _, stop, number in places:
        counts[number] = counts.get(number, 0) + 1
        while counts[places[left][2]] > 1:
            counts[places[left][2]] -= 1
            left += 1
        if len(counts) == term_count and stop - places[left][0] < best[1] - best[0]:
            best = (places[left][0], stop)
    return best
