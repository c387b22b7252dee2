"""What segmentation finds in a page: blocks of text, links, and what the head says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from paberki.extraction.repair.edits import Edit

TAG_CHARS: Final = 20
"""What an inline tag with its attributes takes on average, for methods that weigh text against markup."""

_CHARS_LOOKED_AT: Final = 4_000_000


@dataclass(slots=True)
class Block:
    """A stretch of text between two block-level tags.

    ``start`` and ``end`` frame the source from the first to the last character that is not white space. Methods see the
    text as the page has it; it is repaired after them (:mod:`paberki.extraction.repair.repaired_text`).
    ``label``, ``score``, ``kept`` and ``reason`` are empty until an extraction method fills them.
    """

    text: str
    start: int
    end: int
    path: str
    tag: str
    link_chars: int
    tag_count: int
    label: str = ""
    score: float = 0.0
    kept: bool = False
    reason: str = ""
    source: str | None = None
    """What the page has in place of the text; None where there was nothing to repair."""
    markup: float = 0.0
    """Characters of tags, comments and scripts inside the block, and half of those between it and either neighbour."""
    lines_once: tuple[Edit, ...] = ()
    """Edits that remove repeated lines from the text."""

    @property
    def link_density(self) -> float:
        """Share of the characters that belong to links."""
        return self.link_chars / len(self.text) if self.text else 0.0


def beginnings(blocks: Sequence[Block]) -> list[str]:
    """Texts for methods that read words: whole blocks of usual pages, beginnings of blocks of gigantic ones."""
    limit = _CHARS_LOOKED_AT // max(len(blocks), 1)
    return [block.text[:limit] for block in blocks]


@dataclass(slots=True)
class PlacedText:
    """Text with the place in the source that holds it."""

    text: str
    start: int
    end: int


@dataclass(slots=True)
class Link:
    """An anchor: its text, its target as written (references resolved, not joined with the base), its rel."""

    text: str
    target: str
    rel: str
    start: int
    end: int


@dataclass(slots=True)
class Segmented:
    """A page in pieces; offsets count characters of the decoded page."""

    blocks: list[Block] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    title: PlacedText | None = None
    keywords: PlacedText | None = None
    description: PlacedText | None = None
    declared_language: str | None = None
    canonical: str | None = None
    base: str | None = None
    doctype: str | None = None
