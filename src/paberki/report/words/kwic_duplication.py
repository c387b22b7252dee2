"""Duplication that is left, by keywords in context (P5 §4.2, Table 3).

The three most frequent types are taken; each occurrence with 60 characters on both sides is a string; the share of repeated
strings is 1 − distinct ÷ all. Case is kept, a keyword is a whole word, and context ends with the page. Quotations count
too, so that this is an over-estimate. Strings are compared by hashes of 64 bits: among ten million different ones a pair
with the same hash is to be expected with a chance of 1 in 370,000.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from paberki.report.section import Section
from paberki.report.words.word_source import Ints, WordSource

TYPES: Final = 3
CONTEXT: Final = 60
"""Characters on each side."""
_SPACE: Final = ord(" ")
_AT_ONCE: Final = 1 << 16
_HASH_SEED: Final = 20120521


def kwic_duplication(source: WordSource) -> Section:
    """Share of repeated strings for each of the most frequent types."""
    title, types = "Duplication left", source.most_frequent(TYPES)
    if not len(types):
        return Section("kwic_duplication", title, missing="There are no words to look at.")
    rows = duplication_rows(source, types)
    caption = (
        f"Strings of one of the {len(rows)} most frequent words with {CONTEXT} characters on both sides that occur more than "
        "once (P5 Table 3). Quotations count as well, so that the share is an over-estimate."
    )
    notes = [
        "Context ends with the page. P5 Table 3: und 9.25 %, die 5.70 %, der 6.11 % in DECOW2012; 11.40, 11.19 and 11.09 % in "
        "deWaC."
    ]
    return Section("kwic_duplication", title, caption, {}, rows, (), notes)


def duplication_rows(source: WordSource, types: Ints) -> list[dict[str, Any]]:
    """Occurrences, distinct strings and share of repeated ones."""
    parts_by_type: list[list[NDArray[np.uint64]]] = [[] for _ in types]
    for number, some in _string_hashes(source, types):
        parts_by_type[number].append(some)
    words = source.values().strings.take(pa.array(types)).to_pylist()
    rows = []
    for word, parts in zip(words, parts_by_type, strict=True):
        hashes = np.concatenate(parts) if parts else np.zeros(0, np.uint64)
        distinct = len(np.unique(hashes))
        share = 1 - distinct / len(hashes) if len(hashes) else 0.0
        rows.append({"type": word, "occurrences": len(hashes), "distinct": distinct, "share": share})
    return rows


def _string_hashes(source: WordSource, types: Ints) -> Iterator[tuple[int, NDArray[np.uint64]]]:
    """Hashes of the strings of each type, page after page; a piece of text is as long as memory allows."""
    letters = Letters(source)
    for piece in _whole_pages(source):
        positions, words, pages = piece
        text, starts, ends = letters.text(positions, words)
        firsts, lasts = _page_spans(pages, starts, ends)
        for number, type_ in enumerate(types.tolist()):
            at = np.flatnonzero(words == type_)
            for begin in range(0, len(at), _AT_ONCE):
                some = at[begin : begin + _AT_ONCE]
                left = np.maximum(starts[some] - CONTEXT, firsts[pages[some]])
                right = np.minimum(ends[some] + CONTEXT, lasts[pages[some]])
                yield number, _hashes(text, starts[some], left, right)


def _whole_pages(source: WordSource) -> Iterator[tuple[Ints, NDArray[np.uint32], Ints]]:
    """Positions and words of whole pages, and the number of the page of each within the piece."""
    waiting: list[tuple[Ints, NDArray[np.uint32]]] = []
    for piece in source.pieces("word"):
        positions, words = piece.positions, piece.ids["word"]
        if waiting:
            positions = np.concatenate([waiting[0][0], positions])
            words = np.concatenate([waiting[0][1], words])
        owners = np.searchsorted(source.pages, positions, "right")
        last = int(np.searchsorted(owners, owners[-1])) if len(owners) else 0
        waiting = [(positions[last:], words[last:])]
        if last:
            yield positions[:last], words[:last], owners[:last] - owners[0]
    if waiting and len(waiting[0][0]):
        yield waiting[0][0], waiting[0][1], np.zeros(len(waiting[0][0]), np.int64)


def _page_spans(pages: Ints, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """First and last character of each page; pages without a token stay empty."""
    firsts, lasts = np.zeros(int(pages[-1]) + 1, np.int64), np.zeros(int(pages[-1]) + 1, np.int64)
    edges = np.flatnonzero(np.diff(pages, prepend=-1))
    firsts[pages[edges]] = starts[edges]
    lasts[pages[edges]] = np.append(ends[edges[1:] - 1], ends[-1])
    return firsts, lasts


def _hashes(text: NDArray[np.uint32], keys: Ints, left: Ints, right: Ints) -> NDArray[np.uint64]:
    """A hash of each string: characters times odd random numbers by their distance from the keyword, added up."""
    random = np.random.default_rng(_HASH_SEED)
    wide = int((right - left).max()) if len(left) else 0
    weights = random.integers(0, 1 << 63, CONTEXT + wide + 1, np.uint64) * np.uint64(2) + np.uint64(1)
    sums = np.zeros(len(keys), np.uint64)
    for distance in range(-CONTEXT, wide - CONTEXT + 1):
        at = keys + distance
        inside = (at >= left) & (at < right)
        signs = text[np.where(inside, at, 0)].astype(np.uint64) + np.uint64(1)
        sums += np.where(inside, _spread_bits(signs * weights[distance + CONTEXT]), np.uint64(0))
    return sums


def _spread_bits(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Bits spread, so that sums of products do not cancel each other out."""
    values = values ^ (values >> np.uint64(29))
    return values * np.uint64(0xBF58476D1CE4E5B9)


class Letters:
    """The characters of all words of a corpus, to write running text from tokens."""

    def __init__(self, source: WordSource) -> None:
        words = source.values().strings.to_pylist()
        text = "".join(words)
        self._signs = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        self._lengths = lengths
        self._begins = np.cumsum(lengths) - lengths
        self._segments = source.scope.places.index.segments

    def text(self, positions: Ints, words: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], Ints, Ints]:
        """Characters of tokens in a row, with a space where none is glued; start and end of each token."""
        lengths = self._lengths[words]
        gaps = ~self._glued(positions)
        gaps[:1] = False
        ends = np.cumsum(lengths + gaps)
        starts = ends - lengths
        text = np.full(int(ends[-1]) if len(ends) else 0, _SPACE, np.uint32)
        inner = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        text[np.repeat(starts, lengths) + inner] = self._signs[np.repeat(self._begins[words], lengths) + inner]
        return text, starts, ends

    def _glued(self, positions: Ints) -> NDArray[np.bool_]:
        glued = np.zeros(len(positions), np.bool_)
        for segment in self._segments:
            low, high = np.searchsorted(positions, (segment.base, segment.base + segment.tokens))
            glued[low:high] = segment.glue.at(positions[low:high] - segment.base)
        return glued
