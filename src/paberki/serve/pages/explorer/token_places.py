"""The tokens of a page: where each stands in its bytes, and which of them are hits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import PaberkiError

if TYPE_CHECKING:
    from paberki.serve.library import Edition
    from paberki.serve.pages.ask import Ask
    from paberki.serve.pages.visit import Visit
    from paberki.serve.server_settings import ServerSettings

__all__ = ["MARK_STYLE", "PageHits", "byte_span", "own_hit", "page_hits", "token_bytes"]

MARK_STYLE: Final = "background:#ffd76e;color:#000;outline:2px solid #b26a00;scroll-margin:30vh"
"""How hits look in frames, which have no style sheet of ours."""


@dataclass(frozen=True, slots=True)
class PageHits:
    """Hits of a query on one page, in token positions of the index."""

    first: int
    """Position of the first token of the page."""
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def token_bytes(edition: Edition, page: int) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """First byte and end of every token of a page; None where it is not annotated."""
    from paberki.store.layer import CHUNK, SHARD, LayerFile

    if "annotate" not in edition.layout.layers:
        return None
    shard, row = divmod(page, SHARD)
    group, place = divmod(row, CHUNK)
    try:
        with LayerFile(edition.pages.directory.layer("annotate", shard)) as file:
            columns = file.read(group, ["tok_byte_start", "tok_byte_end"])
        starts, ends = (columns[name][place].values for name in ("tok_byte_start", "tok_byte_end"))
    except (OSError, IndexError, KeyError, PaberkiError):
        return None
    if starts is None or ends is None:
        return None
    return np.asarray(starts, np.int64), np.asarray(ends, np.int64)


def byte_span(edition: Edition, page: int, start: int, end: int) -> tuple[int, int] | None:
    """The bytes of some tokens, given by positions of the index, which must lie on the page."""
    places: Any = edition.concordancer._places
    if edition.token_bytes is None or not 0 <= start < end <= edition.index.tokens:
        return None
    number = int(places.locate(np.array([start], np.int64))[0])
    first, last = int(places.starts[number]), int(places.edges[number + 1])
    return edition.token_bytes.span(page, start - first, end - first, last - first)


def page_hits(edition: Edition, page: int, ask: Ask, settings: ServerSettings) -> PageHits:
    """Hits of a query on a page of the index, whatever set it is in."""
    from paberki.query import Budget

    places: Any = edition.concordancer._places
    low, high = int(places.starts[page]), int(places.edges[page + 1])
    if not ask.q:
        return PageHits(low, np.zeros(0, np.int64), np.zeros(0, np.int64))
    text = str(ask.query(edition).text)
    budget = Budget(settings.search_seconds, settings.table_hits, settings.search_memory_bytes)
    hits = edition.concordancer.query(text, strategy=ask.strategy, dialect=ask.dialect, set="all", budget=budget)
    table = hits.search.all()
    inside = (table.starts >= low) & (table.ends <= high)
    return PageHits(low, table.starts[inside], table.ends[inside])


def own_hit(visit: Visit, hits: PageHits) -> int:
    """Which hit of a page the address asks for: the one that begins at the token ``hit``; else the first."""
    [own] = np.flatnonzero(hits.starts == visit.number("hit", -1, -1))[:1].tolist() or [0]
    return int(own)
