"""Texts that somebody gives us to compare: once all of them in order, later some of them again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

import numpy as np

from paberki.dedup.near.spool import Spool
from paberki.dedup.signatures.shingles import BATCH_BYTES, Ints
from paberki.errors import ConfigError

T = TypeVar("T")
_SIGNATURE: Final = 1_000
"""Bytes that even the shortest text takes while it is looked at."""


def batches(items: Iterable[T], text: Callable[[T], str]) -> Iterator[list[T]]:
    """Lists of items with about :data:`~paberki.dedup.signatures.shingles.BATCH_BYTES` of text each."""
    some: list[T] = []
    size = 0
    for item in items:
        some.append(item)
        size += 2 * len(text(item)) + _SIGNATURE
        if size > BATCH_BYTES:
            yield some
            some, size = [], 0
    if some:
        yield some


class GivenTexts:
    """Texts of a sequence stay in the sequence; texts of an iterator are stored on disk, so that they need no memory."""

    def __init__(self, texts: Iterable[str]) -> None:
        if isinstance(texts, str):
            raise ConfigError("texts is one string; give a list of texts, or anything else that yields them")
        self._source = texts
        self._sequence = texts if isinstance(texts, Sequence) else None
        self._away = Spool()
        self._ends: list[Ints] = [np.zeros(1, np.int64)]

    def batches(self) -> Iterator[list[str]]:
        """All of them, some at a time; to be called once and first."""
        for some in batches(self._strings(), str):
            if self._sequence is None:
                utf8_texts = [text.encode("utf-8", "surrogatepass") for text in some]
                sizes = np.fromiter(map(len, utf8_texts), np.int64, len(utf8_texts))
                self._ends.append(np.cumsum(sizes) + self._away.size)
                self._away.append(b"".join(utf8_texts))
            yield some
        self._ends = [np.concatenate(self._ends)]

    def _strings(self) -> Iterator[str]:
        for number, text in enumerate(self._source):
            if not isinstance(text, str):
                raise ConfigError(f"text {number} is of type {type(text).__name__}, not a string")
            yield text

    def __getitem__(self, number: int) -> str:
        if self._sequence is not None:
            text: str = self._sequence[number]
            return text
        start, end = int(self._ends[0][number]), int(self._ends[0][number + 1])
        return self._away.read(start, end - start).decode("utf-8", "surrogatepass")

    def some(self, numbers: Ints) -> Iterator[list[str]]:
        """Some of them again, some at a time."""
        return batches((self[number] for number in numbers.tolist()), str)
