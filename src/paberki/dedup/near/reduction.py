"""P5's reduction applied to any corpus: how much is removed if the shorter of every two similar documents is [74].

Documents are read once; their signatures and names are stored on disk. Memory holds a few numbers for each document and
the list of removed ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from paberki.dedup.near.foreign_documents import ForeignDocument
from paberki.dedup.near.input_texts import batches
from paberki.dedup.near.resembling_pairs import SKETCH, Resembling, resembling
from paberki.dedup.near.spool import ColumnFile, SpooledRows, StringFile
from paberki.dedup.signatures import matching
from paberki.dedup.signatures.shingles import Hashes, Ints, shingle
from paberki.dedup.signatures.signature_stage import OFTEN_VALUES, sign
from paberki.errors import ConfigError
from paberki.lexicon import texts_of

KINDS = ("often", "rabin")


@dataclass(frozen=True, slots=True)
class Reduction:
    """What is left of a corpus."""

    documents: int
    kept_documents: int
    words: int
    kept_words: int
    copies: int
    """Documents that went because another one has exactly their words."""
    frequent: int
    """Hash values that more documents have than are all compared with each other."""
    removed: list[tuple[int, str, int, str, float]] = field(repr=False)
    """Number and name of each document that went, of the longest one that it resembles, and the share of values."""

    @property
    def share(self) -> float:
        """Share of the documents that went."""
        return 1 - self.kept_documents / self.documents if self.documents else 0.0


def reduce(
    documents: Iterable[ForeignDocument], *, threshold: float = 0.05, kind: str = "often", cap: int = 0
) -> Reduction:
    """Remove the shorter of every two documents that share at least ``threshold`` of 100 min-hashes (P5 §3.4).

    ``kind="rabin"`` with ``cap=200`` is P5's program. Documents without words stay.
    """
    if not 0 < threshold <= 1:
        raise ConfigError(f"threshold = {threshold}: a resemblance lies between 0 and 1")
    if kind not in KINDS:
        raise ConfigError(f"unknown kind of signatures {kind!r}; known: {', '.join(KINDS)}")
    read = _read(documents, kind)
    order, first = _different(read)
    return _reduction(read, order, first, _similar_texts(read, order[first], threshold, cap))


@dataclass(slots=True)
class _Read:
    names: StringFile
    words: Ints
    sizes: Ints
    digests: Hashes
    values: ColumnFile
    sketches: SpooledRows | None


def _read(documents: Iterable[ForeignDocument], kind: str) -> _Read:
    names = StringFile()
    sizes, words, digests = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty((0, 2), np.uint64)]
    values = ColumnFile(np.uint64 if kind == "rabin" else np.uint32, OFTEN_VALUES)
    sketches = None if kind == "rabin" else SpooledRows(np.uint8, SKETCH)
    for some in batches(documents, lambda one: one.text):
        shingles = shingle([one.text for one in some])
        signatures = sign(shingles, kind)
        values.append(signatures[:, :OFTEN_VALUES])
        if sketches is not None:
            sketches.append(np.ascontiguousarray(signatures[:, OFTEN_VALUES:]))
        sizes.append(np.diff(shingles.offsets))
        digests.append(shingles.digests)
        names.append(texts_of([one.name for one in some]))
        words.append(np.array([one.words for one in some], np.int64))
    return _Read(
        names, np.concatenate(words), np.concatenate(sizes), np.concatenate(digests), values, sketches
    )  # fmt: skip


def _different(read: _Read) -> tuple[Ints, Ints]:
    """Documents with words, the longest first and those with the same words together; places of the first of each."""
    order = np.lexsort((np.arange(len(read.sizes)), read.digests[:, 1], read.digests[:, 0], -read.sizes))
    order = order[read.sizes[order] > 0]
    digests = read.digests[order]
    new = np.ones(len(order), bool)
    new[1:] = (digests[1:] != digests[:-1]).any(axis=1)
    return order, np.flatnonzero(new)


def _similar_texts(read: _Read, which: Ints, threshold: float, cap: int) -> Resembling:
    sketches = read.sketches
    look = None if sketches is None else (lambda texts: sketches.take(which[texts]))
    return resembling(lambda number: read.values.column(number)[which], OFTEN_VALUES, threshold, look, cap=cap)


def _reduction(read: _Read, order: Ints, first: Ints, similar_texts: Resembling) -> Reduction:
    of, how = np.full(len(first), -1, np.int64), np.zeros(len(first))
    for pairs, alike in similar_texts.portions():
        left, right = matching.split(pairs)  # left is the longer one, and the longest come first
        right, at = np.unique(right, return_index=True)
        new = of[right] < 0
        of[right[new]], how[right[new]] = left[at[new]], alike[at[new]]
    near_copies = np.flatnonzero(of >= 0)
    text = np.zeros(len(order), np.int64)
    text[first[1:]] = 1
    text = np.cumsum(text)
    copies = np.setdiff1d(np.arange(len(order)), first)
    # Copies of a document that goes go with it: each is the shorter one of some pair, or equal to one that is.
    removed_texts = np.concatenate([order[copies], order[first[near_copies]]])
    stays = np.concatenate([order[first[text[copies]]], order[first[of[near_copies]]]])
    share = np.concatenate([np.ones(len(copies)), how[near_copies]])
    by_number = np.argsort(removed_texts)
    removed_texts, stays, share = removed_texts[by_number], stays[by_number], share[by_number]
    names = (read.names.take(one).to_pylist() for one in (removed_texts, stays))
    columns = zip(removed_texts.tolist(), next(names), stays.tolist(), next(names), share.tolist(), strict=True)
    return Reduction(
        len(read.sizes),
        len(read.sizes) - len(removed_texts),
        int(read.words.sum()),
        int(read.words.sum() - read.words[removed_texts].sum()),
        len(copies),
        similar_texts.frequent,
        list(columns),
    )
