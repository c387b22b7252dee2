"""Pages that resemble a better one of the same list (TSUBAKI's ``filter_simpages`` [69f]).

A page is left out if a better one has its address but for spelling, belongs to the same cluster of near-copies, or stands
just before it with the same title and a score that differs by less than .05.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

NEAR_SCORE: Final = 0.05
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*://(?:www\d*\.)?", re.IGNORECASE)
_ENDING: Final = re.compile(r"(?:/|/(?:index|default|home)\.\w{2,5})+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SimilarityFacts:
    """What is compared of a page."""

    score: float
    url: str
    title: str | None
    cluster: str | None

    @classmethod
    def of(cls, score: float, about: Mapping[str, Any]) -> SimilarityFacts:
        """The facts of a page of the index."""
        return cls(score, plain_address(about.get("url") or ""), about.get("title"), about.get("cluster"))


def plain_address(url: str) -> str:
    """An address without what does not matter: scheme, www, index page, last slash, fragment, case."""
    return _ENDING.sub("", _SCHEME.sub("", url.partition("#")[0])).lower()


def dissimilar(pages: Sequence[SimilarityFacts]) -> list[int]:
    """Places of the pages that stay."""
    stay: list[int] = []
    addresses: set[str] = set()
    clusters: set[str] = set()
    before: SimilarityFacts | None = None
    for at, page in enumerate(pages):
        neighbour = before is not None and page.title and page.title == before.title
        near = neighbour and before is not None and abs(before.score - page.score) < NEAR_SCORE
        if page.url not in addresses and page.cluster not in clusters and not near:
            stay.append(at)
        addresses.add(page.url)
        if page.cluster:
            clusters.add(page.cluster)
        before = page
    return stay
