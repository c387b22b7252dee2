"""One page of an index: its place, its text, its sentences with all that is known of their tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paberki.query.counting.places import PagePlaces, partition
from paberki.query.counting.token_scope import whole
from paberki.query.counting.values import values_of
from paberki.query.hits.lines import TokenTexts, joined_text
from paberki.query.statistics.relation_pairs import heads_at

if TYPE_CHECKING:
    from paberki.query.index.selection import Selection

__all__ = ["IndexedPage", "find_page", "indexed_page", "page_name"]

_ID, _KEY = "id", "key"


@dataclass(frozen=True)
class IndexedPage:
    """Tokens ``start`` to before ``end`` are those of the page with this number in corpus order."""

    places: PagePlaces
    number: int
    start: int
    end: int

    @property
    def facts(self) -> dict[str, str]:
        """Attributes of the page; empty ones are left out."""
        index, structure = self.places.index, self.places.structure
        region = int(self.places.regions[self.number])
        if structure is None or region < 0:
            return {}
        regions = index.segments[int(self.places.segments[self.number])].structure(structure)
        values = {name: regions.attribute(name) for name in regions.attributes}
        return {name: text for name, one in values.items() if (text := str(one.value(int(one.ids[region]))))}

    def edges(self, structure: str) -> NDArray[np.int64]:
        """Where regions of a structure begin on the page, and the end of the page; the page itself without any."""
        if structure not in self.places.index.structures:
            return np.array([self.start, self.end])
        all_edges = partition(self.places.index, structure)
        inner = all_edges[np.searchsorted(all_edges, self.start, "right") : np.searchsorted(all_edges, self.end)]
        return np.concatenate([[self.start], inner, [self.end]])

    def texts(self, structure: str) -> list[str]:
        """The text of each region of a structure."""
        edges = self.edges(structure)
        words = TokenTexts(self.places.index, self.places.index.default).between(edges[:-1], edges[1:])
        return [joined_text(run) for run in words]

    def tokens(self, start: int | None = None, end: int | None = None) -> list[dict[str, Any]]:
        """Tokens with all their attributes, the position of their head (null for a root) and whether a space is before them."""
        low, high = self.start if start is None else start, self.end if end is None else end
        index, positions = self.places.index, np.arange(low, high)
        columns = {name: values_of(index, name) for name in index.attributes}
        texts = {name: one.texts(one.at(positions)) for name, one in columns.items()}
        heads = heads_at(whole(self.places), positions) if "deprel" in index.attributes else None
        words = TokenTexts(index, index.default).between(np.array([low]), np.array([max(low, high)]))[0]
        rows: list[dict[str, Any]] = []
        for at, position in enumerate(positions.tolist()):
            row: dict[str, Any] = {
                "position": position,
                **{name: texts[name][at] for name in texts},
                "glued": words[at][1],
            }
            if heads is not None:
                row["head"] = position + int(heads[at]) if heads[at] else None
            rows.append(row)
        return rows


def find_page(places: PagePlaces, name: str) -> int | None:
    """The number of the page with this id or key (or, where pages have none, with this number); None if there is none."""
    attributes = places.index.structures.get(places.structure or "", ())
    if _ID not in attributes:
        return int(name) if name.isascii() and name.isdigit() and len(name) < 10 and int(name) < places.size else None
    for attribute in (one for one in (_ID, _KEY) if one in attributes):
        for number, segment in enumerate(places.index.segments):
            column = segment.structure(places.structure or "").attribute(attribute)
            value = column.id_of(name)
            regions = np.flatnonzero(np.asarray(column.ids) == value)
            if value >= 0 and len(regions):
                pages = np.flatnonzero((places.segments == number) & (places.regions == regions[0]))
                return int(pages[0]) if len(pages) else None
    return None


def indexed_page(places: PagePlaces, name: str, selection: Selection | None) -> IndexedPage | None:
    """The page with this id, unless a selection (what was not taken down) hides all of it."""
    number = find_page(places, name)
    if number is None:
        return None
    start, end = int(places.edges[number]), int(places.edges[number + 1])
    if selection is not None:
        segment = places.index.segments[int(places.segments[number])]
        span = np.array([start - segment.base]), np.array([end - segment.base])
        if not selection.contains(segment, *span)[0]:
            return None
    return IndexedPage(places, number, start, end)


def page_name(page: int, reference: dict[str, str]) -> str:
    """The id under which a page can be found again."""
    return reference.get(_ID) or str(page)
