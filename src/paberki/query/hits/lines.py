"""Concordance lines: a hit with the text before and behind it.

Context stops at the edges of the page, or at those of the sentence. Spaces are those of the text where the corpus has
glue, otherwise one between two tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.query.counting.places import PagePlaces, partition
from paberki.query.counting.values import values_of

if TYPE_CHECKING:
    from paberki.query.index.reader import Index
    from paberki.query.matching import HitTable

__all__ = ["CONTEXT", "LONGEST", "REFERENCES", "Line", "lines_of", "reference_names"]

CONTEXT: Final = 25
"""Tokens on each side of a hit."""
REFERENCES: Final = ("id", "url", "host", "title", "date", "year")
"""Attributes of pages that lines carry where the corpus has them."""
LONGEST: Final = 2000
"""Tokens of a hit that are shown; of a longer one its beginning and its end."""
_BATCH: Final = 1000
_BATCH_TOKENS: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Line:
    """One line: texts, the token positions of the hit, what is known of the page."""

    left: str
    node: str
    right: str
    start: int
    end: int
    page: int
    reference: dict[str, str] = field(default_factory=dict)
    labels: dict[str, tuple[int, int]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.left} [{self.node}] {self.right}".strip()


def reference_names(places: PagePlaces) -> list[str]:
    """Names of the attributes of pages that lines carry."""
    attributes = places.index.structures.get(places.structure or "", ())
    return [name for name in REFERENCES if name in attributes]


def lines_of(
    places: PagePlaces,
    hits: HitTable,
    *,
    context: int | str = CONTEXT,
    references: Sequence[str] | None = None,
    attribute: str | None = None,
    longest: int = LONGEST,
) -> Iterator[Line]:
    """Lines of hits in the order they have; ``context`` is a number of tokens or the name of a structure.

    A hit of more than ``longest`` tokens is its beginning and its end with an ellipsis between them.
    """
    names = reference_names(places) if references is None else list(references)
    totals = np.cumsum(np.minimum(hits.ends - hits.starts, longest))
    low = 0
    while low < len(totals):
        room = (totals[low - 1] if low else 0) + _BATCH_TOKENS
        high = min(low + _BATCH, max(low + 1, int(np.searchsorted(totals, room))))
        yield from _batch(places, hits.take(np.arange(low, high)), context, names, attribute, longest)
        low = high


def _batch(
    places: PagePlaces, hits: HitTable, context: int | str, names: list[str], attribute: str | None, longest: int
) -> Iterator[Line]:
    lows, highs = limits_of(places, hits, context)
    is_long, half = hits.ends - hits.starts > longest, max(longest // 2, 1)
    cuts = np.where(is_long, hits.starts + half, hits.ends), np.where(is_long, hits.ends - half, hits.ends)
    texts = TokenTexts(places.index, attribute or places.index.default)
    pages = places.locate(hits.starts)
    references = _references(places, pages, names)
    labels = label_spans(hits)
    tokens = texts.between(np.stack([lows, cuts[1]], 1).ravel(), np.stack([cuts[0], highs], 1).ravel())
    for number, (start, end, low) in enumerate(
        zip(hits.starts.tolist(), hits.ends.tolist(), lows.tolist(), strict=True)
    ):
        before, behind = tokens[2 * number : 2 * number + 2]
        node, last = joined_text(before[start - low :]), end - int(cuts[1][number])
        if last:
            node = f"{node} … {joined_text(behind[:last])}"
        yield Line(
            joined_text(before[: start - low]),
            node,
            joined_text(behind[last:]),
            start,
            end,
            int(pages[number]),
            references[number],
            labels[number],
        )


def limits_of(places: PagePlaces, hits: HitTable, context: int | str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First token and end of every line."""
    if isinstance(context, str):
        edges = partition(places.index, context)
        lows = edges[np.searchsorted(edges, hits.starts, "right") - 1]
        return lows, edges[np.searchsorted(edges, hits.ends - 1, "right")]
    pages, edges = places.locate(hits.starts), places.edges
    lows = np.maximum(hits.starts - context, edges[pages])
    return lows, np.maximum(np.minimum(hits.ends + context, edges[1:][pages]), hits.ends)


GluedWord = tuple[str, bool]
"""A word, and whether it follows the one before it without a space."""


def joined_text(tokens: Sequence[GluedWord]) -> str:
    """Words with spaces between them where the text has some."""
    return "".join([word if glued else f" {word}" for word, glued in tokens]).removeprefix(
        "" if tokens and tokens[0][1] else " "
    )


class TokenTexts:
    """Words of runs of tokens, with glue."""

    def __init__(self, index: Index, attribute: str) -> None:
        self.index, self.values = index, values_of(index, attribute)

    def between(self, lows: NDArray[np.int64], highs: NDArray[np.int64]) -> list[list[GluedWord]]:
        """The tokens of each run."""
        lengths = highs - lows
        total = int(lengths.sum())
        positions = np.repeat(lows - np.cumsum(lengths) + lengths, lengths) + np.arange(total)
        distinct, places = np.unique(self.values.at(positions), return_inverse=True)
        words = self.values.texts(distinct)
        glue = self._glue(positions).tolist()
        tokens = [(words[place], glued) for place, glued in zip(places.tolist(), glue, strict=True)]
        edges = np.append(0, np.cumsum(lengths)).tolist()
        return [tokens[low:high] for low, high in pairwise(edges)]

    def _glue(self, positions: NDArray[np.int64]) -> NDArray[np.bool_]:
        bits = np.zeros(len(positions), np.bool_)
        for segment in self.index.segments:
            mine = (positions >= segment.base) & (positions < segment.base + segment.tokens)
            bits[mine] = segment.glue.at(positions[mine] - segment.base)
        return bits


def _references(places: PagePlaces, pages: NDArray[np.uint32], names: list[str]) -> list[dict[str, str]]:
    """What is known of the page of every line; looked up page by page, as few pages are shown at a time."""
    known_pages = {page: _reference(places, page, names) for page in set(pages.tolist())}
    return [known_pages[page] for page in pages.tolist()]


def _reference(places: PagePlaces, page: int, names: list[str]) -> dict[str, str]:
    region, segment = int(places.regions[page]), places.index.segments[int(places.segments[page])]
    if region < 0 or places.structure is None:
        return {}
    structure: Any = segment.structure(places.structure)
    reference = {}
    for name in names:
        if name in structure.attributes:
            attribute = structure.attribute(name)
            reference[name] = str(attribute.value(int(attribute.ids[region])))
    return reference


def label_spans(hits: HitTable) -> list[dict[str, tuple[int, int]]]:
    """Start and end of every label of every hit; labels that are not set are left out."""
    spans: list[dict[str, tuple[int, int]]] = [{} for _ in range(len(hits.starts))]
    for name, starts in hits.labels.items():
        ends = hits.label_ends.get(name, starts + 1)
        for span, start, end in zip(spans, starts.tolist(), ends.tolist(), strict=True):
            if start >= 0:
                span[name] = (start, end)
    return spans
