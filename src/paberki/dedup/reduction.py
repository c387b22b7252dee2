"""P5's reduction applied to any corpus: how much of it goes when the shorter of every two similar documents goes [74].

Documents are read once; their signatures wait on disk. What is in memory is some forty bytes for each document.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np

from paberki.dedup import matching
from paberki.dedup.foreign import Document
from paberki.dedup.resembling import SKETCH, Resembling, resembling
from paberki.dedup.shingles import BATCH_BYTES, Hashes, Ints, shingle
from paberki.dedup.signatures import OFTEN_VALUES, sign
from paberki.dedup.sortjoin import ColumnFile
from paberki.errors import ConfigError

KINDS = ("often", "rabin")
_ROWS = 16_384


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


def reduce(documents: Iterable[Document], *, threshold: float = 0.05, kind: str = "often", cap: int = 0) -> Reduction:
    """Remove the shorter of every two documents that share at least ``threshold`` of 100 min-hashes (P5 §3.5).

    ``kind="rabin"`` with ``cap=200`` is P5's program. Documents without words stay.
    """
    if not 0 < threshold <= 1:
        raise ConfigError(f"threshold = {threshold}: a resemblance lies between 0 and 1")
    if kind not in KINDS:
        raise ConfigError(f"unknown kind of signatures {kind!r}; known: {', '.join(KINDS)}")
    with tempfile.TemporaryFile() as rows, tempfile.TemporaryFile() as columns:
        read = _read(documents, rows, kind)
        order, first = _different(read)
        shared = _shared(rows, columns, read, order[first], threshold, cap)
    return _reduced(read, order, first, shared)


@dataclass(slots=True)
class _Read:
    names: list[str]
    words: Ints
    sizes: Ints
    digests: Hashes
    kind: Any


def _read(documents: Iterable[Document], rows: BinaryIO, kind: str) -> _Read:
    names: list[str] = []
    words: list[int] = []
    sizes, digests = [np.empty(0, np.int64)], [np.empty((0, 2), np.uint64)]
    for some in _batches(documents):
        found = shingle([one.text for one in some])
        sign(found, kind).tofile(rows)
        sizes.append(np.diff(found.offsets))
        digests.append(found.digests)
        names += [one.name for one in some]
        words += [one.words for one in some]
    rows.flush()
    values = np.uint64 if kind == "rabin" else np.uint32
    return _Read(names, np.array(words, np.int64), np.concatenate(sizes), np.concatenate(digests), values)


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    some: list[Document] = []
    size = 0
    for one in documents:
        some.append(one)
        size += 2 * len(one.text) + 1
        if size > BATCH_BYTES:
            yield some
            some, size = [], 0
    if some:
        yield some


def _different(read: _Read) -> tuple[Ints, Ints]:
    """Documents with words, the longest first and those with the same words together; places of the first of each."""
    order = np.lexsort((np.arange(len(read.sizes)), read.digests[:, 1], read.digests[:, 0], -read.sizes))
    order = order[read.sizes[order] > 0]
    digests = read.digests[order]
    new = np.ones(len(order), bool)
    new[1:] = (digests[1:] != digests[:-1]).any(axis=1)
    return order, np.flatnonzero(new)


def _shared(rows: BinaryIO, columns: BinaryIO, read: _Read, which: Ints, threshold: float, cap: int) -> Resembling:
    if len(which) < 2:
        return Resembling(np.empty(0, np.uint64), np.empty(0), 0)
    signatures = np.memmap(rows, read.kind, "r").reshape(len(read.sizes), -1)
    turned = ColumnFile(columns, read.kind, OFTEN_VALUES, len(which))
    for first in range(0, len(which), _ROWS):
        some = np.arange(first, min(first + _ROWS, len(which)))
        turned.write(some, signatures[which[some]][:, :OFTEN_VALUES])
    sketched = signatures.shape[1] > OFTEN_VALUES

    def sketches(texts: Ints) -> Any:
        return signatures[which[texts], OFTEN_VALUES:].view(np.uint8).reshape(len(texts), SKETCH)

    return resembling(turned.column, OFTEN_VALUES, threshold, sketches if sketched else None, cap=cap)


def _reduced(read: _Read, order: Ints, first: Ints, shared: Resembling) -> Reduction:
    left, right = matching.split(shared.pairs)  # left is the longer one
    at = np.lexsort((left, right))
    left, right, alike = left[at], right[at], shared.alike[at]
    new = np.r_[True, right[1:] != right[:-1]] if len(right) else np.empty(0, bool)
    gone, of, how = right[new], left[new], alike[new]
    text = np.zeros(len(order), np.int64)
    text[first[1:]] = 1
    text = np.cumsum(text)
    copies = np.setdiff1d(np.arange(len(order)), first)
    went = [
        *((order[one], order[first[text[one]]], 1.0) for one in copies.tolist()),
        *((order[first[a]], order[first[b]], c) for a, b, c in zip(gone, of, how, strict=True)),
    ]
    # Copies of a document that goes go with it: each is the shorter one of some pair, or equal to one that is.
    removed = sorted(
        (int(one), read.names[one], int(other), read.names[other], float(share)) for one, other, share in went
    )
    lost = np.array([one[0] for one in removed], np.int64)
    return Reduction(
        len(read.sizes),
        len(read.sizes) - len(lost),
        int(read.words.sum()),
        int(read.words.sum() - read.words[lost].sum()),
        len(copies),
        shared.frequent,
        removed,
    )
