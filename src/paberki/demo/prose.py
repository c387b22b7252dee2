"""Composes articles, threads and product texts from a pool, the same ones on every machine.

Randomness comes from ``random.Random`` seeded with the page's identity (a string, which Python hashes
with SHA-512), so no page depends on another page, on the order of generation or on PYTHONHASHSEED.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from paberki.demo.pool import Pool

_SLOT = re.compile(r"\{([\w.]+)(?::(\d+)-(\d+))?\}")
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_CAST = 5


@dataclass(frozen=True)
class ProseBlock:
    """A piece of wanted text: ``p``, ``h2`` or ``quote``."""

    kind: str
    text: str


class Writer:
    """Writes one page. A page has a small cast (a few people and places), as real articles do."""

    def __init__(self, pool: Pool, identity: str) -> None:
        self.pool = pool
        self.rng = random.Random(f"{pool.language}/{identity}")  # noqa: S311 - reproducible, not secret
        self._cast: dict[str, list[int]] = {}

    def fill(self, template: str) -> str:
        """Choose the alternatives, then the slots, and start with a capital letter."""
        text = _CHOICE.sub(lambda match: self.rng.choice(match.group(1).split("|")), template)
        text = _SLOT.sub(self._slot, text)
        return text[:1].upper() + text[1:]

    def _slot(self, match: re.Match[str]) -> str:
        name, low, high = match.groups()
        if low:
            return str(self._number(int(low), int(high)))
        fillers = self.pool.slots[name]
        return fillers[self.rng.choice(self._members(name, len(fillers)))]

    def _number(self, low: int, high: int) -> int:
        """A number whose last digit asks for the genitive plural in Slavic languages."""
        return self.rng.choice([n for n in range(low, high + 1) if n % 10 in {0, 5, 6, 7, 8, 9}])

    def _members(self, name: str, size: int) -> list[int]:
        """Indexes of this page's cast; all cases of a slot share them."""
        group = name.partition(".")[0]
        if group not in self._cast:
            self._cast[group] = self.rng.sample(range(size), min(size, _CAST))
        return self._cast[group]

    def title(self, topic: str) -> str:
        return self.fill(self.rng.choice(self.pool.topics[topic].titles))

    def sentences(self, topic: str, *, general: bool = True) -> Iterator[str]:
        """Endless sentences on ``topic``; a template returns only when all others have been used."""
        own = list(self.pool.topics[topic].sentences)
        common = self.pool.topics["general"].sentences if general else []
        second = self.rng.choice([key for key in self.pool.subjects if key != topic])
        while True:
            deck = own + self.rng.sample(common, len(common) * 2 // 3)
            self.rng.shuffle(deck)
            yield from map(self.fill, deck)
            if general:
                yield from map(self.fill, self.rng.sample(self.pool.topics[second].sentences, 5))

    def paragraph(self, sentences: Iterator[str], low: int = 2, high: int = 6) -> str:
        count = min(self.rng.randint(low, high), self.rng.randint(low, high))
        return self.pool.joiner.join(next(sentences) for _ in range(count))

    def article(self, topic: str, paragraphs: int | None = None) -> tuple[ProseBlock, ...]:
        """A text of 4 to 14 paragraphs, the longer ones with subheadings."""
        count = paragraphs or min(self.rng.randint(4, 14), self.rng.randint(4, 14))
        source = self.sentences(topic)
        subheads = list(self.pool.topics[topic].subheads)
        self.rng.shuffle(subheads)
        blocks: list[ProseBlock] = []
        for number in range(count):
            if count >= 7 and number and number % 4 == 0 and subheads:
                blocks.append(ProseBlock("h2", self.fill(subheads.pop())))
            blocks.append(ProseBlock("p", self.paragraph(source)))
        return tuple(blocks)

    def posts(self, topic: str, count: int, low: int = 1, high: int = 4) -> tuple[str, ...]:
        """Short texts by different hands: forum posts and comments."""
        source = self.sentences(topic, general=False)
        return tuple(self.paragraph(source, low, high) for _ in range(count))

    def salad(self, words: int) -> str:
        """Keywords without grammar, as on pages made for search engines."""
        return " ".join(self.rng.choice(self.pool.slots["tag"]) for _ in range(words))
