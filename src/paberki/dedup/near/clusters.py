"""Clusters of copies: from pairs of texts to the heads of clusters, and from these to the decisions of a join stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.dedup.near.spool import StringFile, distinct
from paberki.dedup.signatures.shingles import Ints, kernel
from paberki.stage import Read

_FOREIGN: Final = {"dup_elsewhere": "archive.key", "dup_corpus": "elsewhere.corpus"}
_PAGES_AT_ONCE: Final = 10_000
Longer = Callable[[slice], pa.ListArray]
"""Keys of longer pages, for some of the pages."""
Pairs = Iterable[tuple[Ints, Ints]]
"""Portions of pairs, by two numbers each, the smaller one first."""


def component_heads(texts: int, pairs: Pairs) -> Ints:
    """Head of the component of each text: its member with the smallest number."""
    heads = np.arange(texts)
    for left, right in pairs:
        kernel().unite(heads, left, right)
    return heads


def star_heads(texts: int, pairs: Pairs) -> Ints:
    """Head of each text, from pairs in order: at low thresholds components would chain through half of the corpus.

    A text that no head has taken when its turn comes becomes a head and takes all neighbours that are still free.
    """
    heads = np.full(texts, -1, np.int64)
    for left, right in pairs:
        kernel().stars(heads, left, right)
    return np.where(heads < 0, np.arange(texts), heads)


class Clusters:
    """Pages that have copies, with a few numbers about each, in the order of pages."""

    def __init__(self, pages: Ints) -> None:
        self.pages = pages
        self.heads = np.arange(len(pages))
        """Place of the page that names the cluster."""
        self.best = np.zeros(len(pages), np.float32)
        """The largest resemblance with another page."""
        self.elsewhere = np.zeros(len(pages), np.int64)
        """Number of the most alike page of another corpus, which is negative; 0 where there is none."""
        self._how_alike = np.zeros(len(pages), np.float32)

    def places(self, pages: Ints) -> Ints:
        """Where pages are among these."""
        return np.searchsorted(self.pages, pages)

    def unite(self, left: Ints, right: Ints, alike: npt.NDArray[np.float32]) -> None:
        """Pages, given by their places, that belong together."""
        kernel().unite(self.heads, left, right)
        self.at_least(left, alike)
        self.at_least(right, alike)

    def at_least(self, which: Ints, alike: npt.NDArray[Any]) -> None:
        """Pages that resemble another one so much."""
        np.maximum.at(self.best, which, alike)

    def meet(self, other: Ints, mine: Ints, alike: npt.NDArray[np.float32]) -> None:
        """Pages that resemble pages of other corpora: the most alike counts, then the first."""
        self.at_least(mine, alike)
        order = np.lexsort((other, -alike, mine))
        mine, first = np.unique(mine[order], return_index=True)
        other, alike = other[order][first], alike[order][first]
        best_so_far = self._how_alike[mine]
        closer = (alike > best_so_far) | ((alike == best_so_far) & (other < self.elsewhere[mine]))
        self.elsewhere[mine[closer]], self._how_alike[mine[closer]] = other[closer], alike[closer]

    def tables(self, read: Read, longer: Longer | None = None) -> Iterator[pa.Table]:
        """Decisions: the cluster of each page is named by the key of its head; a page alone has none."""
        sizes = np.bincount(self.heads, minlength=len(self.pages))
        cluster_pages = np.flatnonzero(sizes > 1)
        keys = strings_of(self.pages[cluster_pages], read, "archive.key")
        others = distinct([self.elsewhere])
        others = others[others < 0]
        foreign = {name: strings_of(others, read, full) for name, full in _FOREIGN.items()}
        for first in range(0, max(len(self.pages), 1), _PAGES_AT_ONCE):
            mine = slice(first, first + _PAGES_AT_ONCE)
            heads, elsewhere = self.heads[mine], self.elsewhere[mine]
            table: dict[str, pa.Array] = {
                "page": pa.array(self.pages[mine], pa.int64()),
                "dup_cluster": _some(keys, np.searchsorted(cluster_pages, heads), sizes[heads] > 1),
                "dup_size": pa.array(sizes[heads], pa.int32()),
                "dup_similarity": pa.array(self.best[mine], pa.float32()),
                "dup_longer": longer(mine) if longer else pa.nulls(len(heads), pa.list_(pa.string())),
            }
            for name, strings in foreign.items():
                table[name] = _some(strings, np.searchsorted(others, elsewhere), elsewhere < 0)
            yield pa.table(table)


def strings_of(pages: Ints, read: Read, column: str) -> StringFile:
    """A column of pages, given in order."""
    strings = StringFile()
    for batch in read(pages, (column,)) if len(pages) else ():
        strings.append(batch.arrow(column))
    return strings


def _some(strings: StringFile, which: Ints, there: npt.NDArray[np.bool_]) -> pa.StringArray:
    """One string for each place where there is one, else null."""
    present_strings = strings.take(which[there])
    places = np.cumsum(there) - 1
    return present_strings.take(pa.array(places, pa.int64(), mask=~there))
