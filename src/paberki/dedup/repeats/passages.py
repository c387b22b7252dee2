"""Long passages that stand on more than one page, as spans (join stage).

Winnowing (Schleimer, Wilkerson & Aiken 2003): of every 26 neighbouring runs of 25 words the one with the smallest hash is
kept, so that two pages with 50 words in a row in common have a kept run in common. Pages meet where they do; each is
compared with the first page that has the run, and followed as far as the two agree. Memory is that of the kept runs of
one range, or of a portion of the pairs; the words of the pages that are compared wait in a file.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from paberki.dedup.near.spool import distinct
from paberki.dedup.repeats.word_runs import kernel, tokens_of, tuples_of
from paberki.dedup.signatures.shingle_sets import SetFile
from paberki.dedup.signatures.shingles import Hashes, Ints
from paberki.dedup.signatures.signature_stage import TEXT
from paberki.dedup.signatures.word_places import word_spans
from paberki.stage import Columns, Memory, Read, join_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin
from paberki.store.portions import Portions

_EMITTED = pa.schema([("group", pa.uint64()), ("page", pa.int64()), ("place", pa.int32())])
_PAIRS = pa.schema([("page", pa.int64()), ("other", pa.int64()), ("at", pa.int32()), ("other_at", pa.int32())])
_CHECKED = pa.schema([("page", pa.int64()), ("other", pa.int64()), ("begin", pa.int32()), ("end", pa.int32())])
LEAST: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class PassagesConfig:
    """How long a passage must be."""

    words: int = 50
    """Shared runs of at least so many words are reported."""

    def __post_init__(self) -> None:
        if self.words < LEAST:
            raise ValueError(f"passages: words = {self.words} is less than {LEAST}")

    @property
    def run(self) -> int:
        """Words in a hashed run."""
        return self.words // 2

    @property
    def window(self) -> int:
        """Neighbouring runs of which one is kept."""
        return self.words - self.run + 1


@join_stage(
    "dedup.passages.v1", layer="passages", needs=TEXT, adds=builtin("passages"), config=PassagesConfig,
    behaviour="each passage once",
)  # fmt: skip
class Passages:
    """Passages that an earlier page has too, with their place in the blocks of the page (no paper; winnowing, 2003).

    Of pages that share a run each is compared with the first one. A passage goes over the borders of kept blocks, and is
    told once for each block that it touches.
    """

    @staticmethod
    def emit(batch: Batch, config: PassagesConfig) -> pa.Table:
        """The kept runs of every page, with their place among its words."""
        tokens, edges = _page_tokens(batch)
        hashes = tuples_of(tokens, edges[1:], config.run)
        parts = [_winnow(hashes[low:high], config.window) for low, high in itertools.pairwise(edges.tolist())]
        places = np.concatenate([np.empty(0, np.int64), *parts])
        pages = np.repeat(np.asarray(batch.pages, np.int64), [len(part) for part in parts])
        starts = np.repeat(edges[:-1], [len(part) for part in parts])
        return pa.table([hashes[places + starts], pages, places.astype(np.int32)], schema=_EMITTED)

    @staticmethod
    def resolve(rows: pa.Table, config: PassagesConfig) -> pa.Table:
        """Each page with the first other one that has the same run."""
        group, page, place = (column.to_numpy() for column in rows.columns)
        order = np.lexsort((place, page, group))
        group, page, place = group[order], page[order], place[order]
        new = np.ones(len(group), bool)
        new[1:] = group[1:] != group[:-1]
        first = np.maximum.accumulate(np.where(new, np.arange(len(new)), 0)) if len(new) else np.empty(0, np.int64)
        again = page != page[first]
        return pa.table([page[again], page[first][again], place[again], place[first][again]], schema=_PAIRS)

    @staticmethod
    def check(portions: Portions, read: Read, config: PassagesConfig) -> Iterator[pa.Table]:
        """The passages that are long enough, each once."""
        words = _PageWords(portions, read)
        for rows in portions:
            order = [(name, "ascending") for name in ("page", "other", "at")]
            page, other, at, other_at = (column.to_numpy().astype(np.int64) for column in rows.sort_by(order).columns)
            begins, ends = words.follow(other, page, other_at, at, config.words)
            long = ends - begins >= config.words
            passages = np.unique(np.stack([page, other, begins, ends])[:, long], axis=1)
            yield pa.table([passages[0], passages[1], *passages[2:].astype(np.int32)], schema=_CHECKED)

    @staticmethod
    def solve(portions: Portions, read: Read, config: PassagesConfig, memory: Memory) -> Iterator[pa.Table]:
        """The passages of each page as spans of its blocks; of overlapping ones the longer."""
        for rows in portions:
            rows = rows.sort_by([("page", "ascending"), ("begin", "ascending"), ("end", "descending")])
            page, source, begin, end = (column.to_numpy() for column in rows.columns)
            pages, starts = np.unique(page, return_index=True)
            edges = itertools.pairwise([*starts.tolist(), len(page)])
            lists = [
                _spans(batch, row, begin[low:high], end[low:high], source[low:high])
                for batch in (read(pages) if len(pages) else ())
                for row, (low, high) in zip(range(len(batch)), edges, strict=False)
            ]
            spans = pa.array([one for one, _ in lists], builtin("passages")[0].type)
            shares = pa.array([share for _, share in lists], pa.float32())
            yield pa.table({"page": pa.array(pages, pa.int64()), "passages": spans, "passage_share": shares})

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: PassagesConfig) -> Columns:
        """The decisions are the columns."""
        return {
            "passages": decisions.column("passages"),
            "passage_share": decisions.column("passage_share").fill_null(0),
        }


def _page_tokens(batch: Batch) -> tuple[Hashes, Ints]:
    """Words of the kept blocks of every page, and where those of each page begin."""
    kept_blocks = kept_texts(batch.arrow(TEXT[0]), batch.arrow(TEXT[1]))
    tokens = tokens_of(kept_blocks.texts)
    return tokens.values, np.r_[0, tokens.ends][kept_blocks.edges]


def _winnow(hashes: Hashes, window: int) -> Ints:
    """Places of the kept runs of one page: the smallest of every window, the last one of equals."""
    there = np.flatnonzero(hashes)
    if not len(there):
        return there
    values = hashes[there]
    if len(values) <= window:
        return there[[len(values) - 1 - int(np.argmin(values[::-1]))]]
    views = np.lib.stride_tricks.sliding_window_view(values, window)[:, ::-1]
    places: Ints = there[np.unique(np.arange(len(views)) + window - 1 - views.argmin(axis=1))]
    return places


class _PageWords:
    """Words of the pages that are compared, which wait on disk."""

    def __init__(self, portions: Portions, read: Read) -> None:
        both = ("page", "other")
        self._pages = distinct(np.concatenate([rows.column(name).to_numpy() for name in both]) for rows in portions)
        self._sets = SetFile()
        for batch in read(self._pages) if len(self._pages) else ():
            tokens, edges = _page_tokens(batch)
            self._sets.append_sets(tokens, np.diff(edges))

    def follow(self, left: Ints, right: Ints, at: Ints, other_at: Ints, least: int) -> tuple[Ints, Ints]:
        """Where the passages begin and end on the right pages, from places that both pages share, in their order."""
        begins, ends = np.zeros(len(left), np.int64), np.zeros(len(left), np.int64)
        places = np.searchsorted(self._pages, left), np.searchsorted(self._pages, right)
        for mine, set_arrays, one, other in self._sets.some(*places):
            kernel().extend(*set_arrays, one, other, at[mine], other_at[mine], least, begins[mine], ends[mine])
        return begins, ends


def _spans(batch: Batch, row: int, begins: Any, ends: Any, sources: Any) -> tuple[list[dict[str, Any]], float]:
    """Passages, given as places among the words of a page in the order of where they begin, as spans of its blocks."""
    texts, flags = batch[TEXT[0]][row] or [], batch[TEXT[1]][row] or []
    blocks = [
        (number, word_spans(text)) for number, (text, stays) in enumerate(zip(texts, flags, strict=True)) if stays
    ]
    words = sum(len(spans) for _, spans in blocks)
    starts = list(itertools.accumulate((len(spans) for _, spans in blocks), initial=0))
    passages: list[dict[str, Any]] = []
    covered_end = 0
    for begin, end, source in zip(begins.tolist(), ends.tolist(), sources.tolist(), strict=True):
        if end <= covered_end:
            continue
        covered_end = end
        for place in range(bisect_right(starts, begin) - 1, bisect_left(starts, end)):
            number, spans = blocks[place]
            low, high = max(begin - starts[place], 0), min(end - starts[place], len(spans))
            if low < high:
                span = {"block": number, "start": spans[low][0], "end": spans[high - 1][1]}
                passages.append({**span, "words": high - low, "of": f"{source:09d}"})
    inside = np.zeros(words, bool)
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        inside[begin:end] = True
    return passages, float(inside.mean()) if words else 0.0
