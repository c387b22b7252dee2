"""Pages and hosts of a corpus: which tokens lie on which page, which page belongs to which host.

A page is a region of ``doc``; corpora without it have ``text`` or ``file``, or each segment is one page. Tokens between
two pages count as a page of their own without a host, so that every token is on a page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.kernels import load
from paberki.nearest import nearest

if TYPE_CHECKING:
    from paberki.query.index.reader import Index
    from paberki.query.index.segment import Segment

__all__ = ["NO_REGION", "PagePlaces", "locate", "partition"]

NO_REGION: Final = -1
"""The region of a page that lies outside all regions."""
_HOST: Final = re.compile(r"^[a-z][a-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]+)", re.IGNORECASE)


@dataclass
class PagePlaces:
    """All pages of an index in corpus order, without gaps."""

    index: Index

    @cached_property
    def structure(self) -> str | None:
        """The structure whose regions are pages."""
        return self.index.page_structure

    @cached_property
    def _pages(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        parts = [_pages_of(segment, self.structure) for segment in self.index.segments]
        begins, regions, segments = [], [], []
        for number, (segment, (starts, numbers)) in enumerate(zip(self.index.segments, parts, strict=True)):
            begins.append(starts + segment.base)
            regions.append(numbers)
            segments.append(np.full(len(starts), number))
        if not begins:
            return (np.zeros(1, np.int64), np.full(1, NO_REGION, np.int64), np.zeros(1, np.int64))
        return np.concatenate(begins), np.concatenate(regions), np.concatenate(segments)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Global position of the first token of every page."""
        return self._pages[0]

    @property
    def regions(self) -> NDArray[np.int64]:
        """Number of the region in its segment, :data:`NO_REGION` for tokens between pages."""
        return self._pages[1]

    @property
    def segments(self) -> NDArray[np.int64]:
        """Number of the segment of every page."""
        return self._pages[2]

    @cached_property
    def edges(self) -> NDArray[np.int64]:
        """Starts of all pages and the end of the last one."""
        return np.append(self.starts, self.index.tokens)

    @property
    def size(self) -> int:
        """How many pages there are."""
        return len(self.starts)

    def locate(self, positions: NDArray[np.int64]) -> NDArray[np.uint32]:
        """The page of every position, in any order."""
        return locate(positions, self.starts)

    @cached_property
    def _hosts(self) -> tuple[NDArray[np.int32], list[str]]:
        numbers: dict[str, int] = {}
        hosts = np.full(self.size, -1, np.int32)
        for number, segment in enumerate(self.index.segments):
            mine = np.flatnonzero((self.segments == number) & (self.regions >= 0))
            if not len(mine) or self.structure is None or not (values := _host_values(segment, self.structure)):
                continue
            ids, names = values
            table = np.array(
                [numbers.setdefault(name, len(numbers)) if name else -1 for name in names] or [-1], np.int32
            )
            hosts[mine] = table[ids[self.regions[mine]]]
        return hosts, list(numbers)

    @property
    def hosts(self) -> NDArray[np.int32]:
        """Number of the host of every page, −1 where it has none."""
        return self._hosts[0]

    @property
    def host_names(self) -> list[str]:
        """Names of hosts by number."""
        return self._hosts[1]

    def attribute(self, name: str) -> tuple[NDArray[np.int64], list[str | None]]:
        """An attribute of pages: the number of its value for every page, −1 for none, and the values."""
        numbers: dict[str | None, int] = {}
        column = np.full(self.size, -1, np.int64)
        for number, segment in enumerate(self.index.segments):
            mine = np.flatnonzero((self.segments == number) & (self.regions >= 0))
            if self.structure is None or not len(mine) or name not in segment.structure(self.structure).attributes:
                continue
            ids, values = _column(segment, self.structure, name)
            table = np.array([numbers.setdefault(value, len(numbers)) for value in values] or [-1], np.int64)
            value_ids = ids[self.regions[mine]]
            column[mine] = np.where(value_ids < 0, -1, table[np.maximum(value_ids, 0)])
        return column, list(numbers)


def _pages_of(segment: Segment, structure: str | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Starts of pages, gaps among them, and their regions."""
    whole = (np.zeros(1, np.int64), np.full(1, NO_REGION, np.int64))
    if structure is None or segment.tokens == 0:
        return whole if segment.tokens else (np.zeros(0, np.int64), np.zeros(0, np.int64))
    regions = segment.structure(structure)
    starts, ends = np.asarray(regions.starts, np.int64), np.asarray(regions.ends, np.int64)
    if not len(starts):
        return whole
    real = np.flatnonzero(ends > starts)
    gaps = np.append(0, np.maximum.accumulate(ends)) < np.append(starts, segment.tokens)
    gap_starts = np.append(0, np.maximum.accumulate(ends))[gaps]
    begins = np.concatenate([starts[real], gap_starts])
    numbers = np.concatenate([real, np.full(len(gap_starts), NO_REGION)])
    order = np.argsort(begins, kind="stable")
    return begins[order], numbers[order]


def locate(positions: NDArray[np.int64], starts: NDArray[np.int64]) -> NDArray[np.uint32]:
    """The number of the last start that is not behind each position; 0 for a position before all of them."""
    numbers = np.empty(len(positions), np.uint32)
    if len(positions):
        _kernel().locate(np.ascontiguousarray(positions, np.int64), np.ascontiguousarray(starts), numbers)
    return numbers


def partition(index: Index, structure: str) -> NDArray[np.int64]:
    """Edges of all regions of a structure and of the gaps between them, from 0 to the end of the index."""
    if structure not in index.structures:
        raise QueryError(f"no structure {structure!r}{nearest(structure, index.structures)}")
    memory: dict[str, NDArray[np.int64]] = index.__dict__.setdefault("_partitions", {})
    if structure not in memory:
        parts = [_pages_of(segment, structure)[0] + segment.base for segment in index.segments]
        memory[structure] = np.concatenate([*parts, np.full(1, index.tokens, np.int64)])
    return memory[structure]


def _host_values(segment: Segment, structure: str) -> tuple[NDArray[np.int64], list[str | None]] | None:
    """The host of every region: the attribute ``host``, or what ``url`` says."""
    attributes = segment.structure(structure).attributes
    if "host" in attributes:
        return _column(segment, structure, "host")
    if "url" in attributes:
        ids, urls = _column(segment, structure, "url")
        return ids, [match[1].lower() if url and (match := _HOST.match(url)) else None for url in urls]
    return None


def _column(segment: Segment, structure: str, name: str) -> tuple[NDArray[np.int64], list[str | None]]:
    attribute: Any = segment.structure(structure).attribute(name)
    return np.asarray(attribute.ids, np.int64), attribute.strings.to_pylist()


def _kernel() -> Any:
    return load("paberki.query.counting.counting_kernel")
