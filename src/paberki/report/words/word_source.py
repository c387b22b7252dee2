"""The tokens that measures are taken from: an index, or the kept part of it, read some tokens at a time.

Own corpora have an index; foreign files get one for the time of a comparison. So each measure is written once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from paberki.query.counting.token_scope import TokenScope
from paberki.query.counting.values import AttributeValues, values_of
from paberki.query.statistics.wordlist import counts_in

Ints = NDArray[np.int64]
_PIECE: Final = 1 << 18
UPOS: Final = frozenset(
    ("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM",
     "VERB", "X")
)  # fmt: skip
_LETTERS: Final = {
    "N": "NOUN", "V": "VERB", "A": "ADJ", "P": "PRON", "R": "ADV", "S": "ADP", "C": "CCONJ", "M": "NUM", "Q": "PART",
    "I": "INTJ", "Y": "X", "X": "X", "Z": "PUNCT",
}  # fmt: skip
"""First letters of MULTEXT-East tags (P1 §2.3, P3 §4)."""


class TokenPiece(NamedTuple):
    """Some tokens in a row: where each is in the index, how many came before, and the values of attributes."""

    positions: Ints
    before: int
    ids: dict[str, NDArray[np.uint32]]


@dataclass
class WordSource:
    """The tokens of one corpus."""

    name: str
    scope: TokenScope
    skipped: int = 0
    """Lines of a foreign file that could not be read."""
    skipped_lines: Sequence[int] = ()
    """Numbers of the first of them."""
    lang: str | None = None
    kind: str = "corpus"
    memory: dict[str, Any] = field(default_factory=dict)
    """What has been counted already."""

    @property
    def tokens(self) -> int:
        """How many tokens there are."""
        return self.scope.tokens

    def has(self, attribute: str) -> bool:
        """Whether tokens have this attribute."""
        index = self.scope.places.index
        return index.aliases.get(attribute, attribute) in index.attributes

    def values(self, attribute: str = "word") -> AttributeValues:
        """The values of an attribute."""
        return values_of(self.scope.places.index, attribute)

    def counts(self, attribute: str = "word") -> Ints:
        """How often each value occurs."""
        return counts_in(self.scope, self.values(attribute))

    @cached_property
    def is_word(self) -> NDArray[np.bool_]:
        """Which values of ``word`` are words: they have a letter."""
        return np.asarray(pc.match_substring_regex(self.values().strings, r"\p{L}").to_numpy(zero_copy_only=False))

    @cached_property
    def word_tokens(self) -> int:
        """Tokens that are words."""
        return int(self.counts()[self.is_word].sum())

    def most_frequent(self, count: int) -> Ints:
        """Numbers of the most frequent words, ties in the order of their letters."""
        counts = np.where(self.is_word, self.counts(), 0)
        count = min(count, int((counts > 0).sum()))
        if not count:
            return np.zeros(0, np.int64)
        least = np.partition(counts, -count)[-count]
        candidates = np.flatnonzero(counts >= max(least, 1))
        strings = self.values().strings.take(pa.array(candidates)).to_pylist()
        order = sorted(range(len(candidates)), key=lambda at: (-int(counts[candidates[at]]), strings[at]))
        return candidates[order[:count]].astype(np.int64)

    def pieces(self, *attributes: str) -> Iterator[TokenPiece]:
        """All tokens in order, about 260,000 at a time."""
        values = {name: self.values(name) for name in attributes}
        before = 0
        for tokens in self.scope.pieces(values[attributes[0]], _PIECE):
            last = int(tokens.stops[-1])
            ids = {attributes[0]: tokens.ids}
            ids |= {name: values[name].between(tokens.first, last) for name in attributes[1:]}
            positions = np.arange(tokens.first, last, dtype=np.int64)
            inside = _inside(tokens.begins - tokens.first, tokens.stops - tokens.first, len(positions))
            if inside is not None:
                positions = positions[inside]
                ids = {name: one[inside] for name, one in ids.items()}
            yield TokenPiece(positions, before, ids)
            before += len(positions)

    @cached_property
    def pages(self) -> Ints:
        """Edges of pages, in positions of the index."""
        return np.asarray(self.scope.places.edges, np.int64)

    @cached_property
    def sentence_starts(self) -> Ints | None:
        """Where sentences begin, counted within the scope; None for a corpus without sentences."""
        index = self.scope.places.index
        if "s" not in index.structures:
            return None
        parts = [
            np.asarray(segment.structure("s").starts, np.int64) + segment.base
            for segment in index.segments
            if segment.tokens
        ]
        starts = np.concatenate([np.zeros(0, np.int64), *parts])
        return self.scope.offsets(starts[self.scope.holds(starts, starts + 1)])

    @cached_property
    def pos(self) -> tuple[str, list[str]] | None:
        """The attribute with parts of speech and the class of each of its values; None where there are none."""
        for name in ("upos", "tag", "xpos", "pos"):
            if self.has(name):
                tags = [str(tag) for tag in self.values(name).strings.to_pylist()]
                counts = self.counts(name)
                tags_in_use = {tag for tag, count in zip(tags, counts.tolist(), strict=True) if count}
                if tags_in_use - {"", "_"}:
                    return name, [part_of_speech(tag, tags_in_use) for tag in tags]
        return None


def part_of_speech(tag: str, tags_in_use: set[str]) -> str:
    """The universal part of speech of a tag: itself, or by the first letter of a MULTEXT-East tag; else the tag's own."""
    if tag in UPOS:
        return tag
    if not tag or tag == "_":
        return "X"
    letters = {one[0] for one in tags_in_use if one and one != "_"}
    positional = any(len(one) >= 15 for one in tags_in_use)  # Prague tags, whose letters mean something else
    if letters <= _LETTERS.keys() and not positional:
        return _LETTERS[tag[0]]
    return tag[0] if positional or len(tags_in_use) > 60 else tag


def _inside(begins: Ints, stops: Ints, size: int) -> NDArray[np.bool_] | None:
    """Which tokens lie in one of the runs; None where all do."""
    if int((stops - begins).sum()) == size:
        return None
    steps = np.zeros(size + 1, np.int32)
    steps[begins] += 1
    np.subtract.at(steps, stops, 1)
    return np.asarray(np.cumsum(steps[:-1]) > 0)
