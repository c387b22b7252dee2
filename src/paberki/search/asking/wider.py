"""Searches that find more, for people whose search found nothing: other forms, any of the words, pages that were left out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from paberki.errors import PaberkiError

if TYPE_CHECKING:
    from paberki.search.searching import DocumentSearch, SearchRequest

__all__ = ["WiderSearch", "wider_searches"]

Way = Literal["forms", "any", "all"]


@dataclass(frozen=True, slots=True)
class WiderSearch:
    """One change of a search, and the number of pages that it finds."""

    way: Way
    """forms: words in all their forms; any: one of the words is enough; all: also pages that were left out."""
    total: int


def wider_searches(documents: DocumentSearch, words: str, request: SearchRequest) -> list[WiderSearch]:
    """The changes that find something, in the order in which people would try them."""
    request = replace(request, first=1, size=0, snippets=False)
    changes: list[tuple[Way, SearchRequest]] = []
    if not request.base_forms:
        changes.append(("forms", replace(request, base_forms=True)))
    if request.operator == "AND" and len(words.split()) > 1:
        changes.append(("any", replace(request, operator="OR")))
    if request.set == "kept":
        changes.append(("all", replace(request, set="all")))
    return [one for one in (WiderSearch(way, _total(documents, words, change)) for way, change in changes) if one.total]


def _total(documents: DocumentSearch, words: str, request: SearchRequest) -> int:
    try:
        return documents.search(words, request).total
    except PaberkiError:  # a hint that cannot be computed is no reason to fail
        return 0
