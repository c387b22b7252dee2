"""Words of many texts, looked up in one pass over the bytes of an Arrow array.

Counting function words in Python takes longer than parsing the page they come from: every text becomes a string, every
word another one. Here the words never become objects; a compiled loop (:mod:`paberki.lexicon.lexicon_kernel`) hashes them where
they lie, a hundred times as fast. Scores are whole numbers, so that sums are the same in whatever order they are made.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from paberki.kernels import load
from paberki.kernels.basic_plane import table_of
from paberki.kernels.hash_constants import fnv

if TYPE_CHECKING:  # slow to import, and words may be wanted without it
    import pyarrow as pa

__all__ = ["Lexicon", "LookupSums", "buffers", "small_letters", "sums_of", "texts_of"]

Ints = npt.NDArray[np.int64]
Weights = Iterable[tuple[int, int]]
"""Pairs of column and weight."""

_NO_CLASSES: Final = np.zeros(0x10000, np.uint8)


@dataclass(frozen=True, slots=True)
class LookupSums:
    """What was found in each text: scores per column, characters per class, number of words."""

    scores: Ints
    classes: Ints
    words: Ints


class Lexicon:
    """Words, and stems of five or seven letters, with the weights that they add to columns of the score."""

    def __init__(
        self,
        words: Mapping[str, Weights],
        columns: int,
        *,
        stems: Mapping[str, Weights] | None = None,
        classes: npt.NDArray[np.uint8] | None = None,
        apart: bool = False,
    ) -> None:
        """``classes``: the class of each character of the first plane; they are counted too.

        ``apart``: letters of scripts without spaces, such as kana and Han, are words by themselves.
        """
        kernel = _kernel()
        weights_of = {_key(word): list(weights) for word, weights in words.items()}
        weights_of |= {_key(stem) ^ kernel.STEM: list(weights) for stem, weights in (stems or {}).items()}
        self._keys, self._firsts, self._columns, self._weights = _table(weights_of)
        self._counts_classes, self._stems, self._apart, self._width = classes is not None, bool(stems), apart, columns
        self._classes = _NO_CLASSES if classes is None else classes
        self._class_count = int(self._classes.max()) + 1

    def look_up(self, texts: pa.StringArray) -> LookupSums:
        """Look up the words of every text; nulls are empty."""
        count = len(texts)
        sums = LookupSums(
            *(np.zeros(shape, np.int64) for shape in ((count, self._width), (count, self._class_count), count))
        )
        data, offsets = buffers(texts)
        _kernel().look_up(
            data, offsets, small_letters(), self._classes, self._keys, self._firsts, self._columns, self._weights,
            self._counts_classes, self._stems, self._apart, sums.scores, sums.classes, sums.words,
        )  # fmt: skip
        return sums


def texts_of(strings: Sequence[str]) -> pa.StringArray:
    """Strings as an Arrow array; lone surrogates, which UTF-8 cannot hold, become question marks."""
    import pyarrow as pa

    return pa.array([string.encode("utf-8", "replace") for string in strings], pa.binary()).cast(pa.string())


def sums_of(rows: Ints, edges: Ints) -> Ints:
    """Rows added up from each edge to the next: of the blocks of pages, say. Whole numbers, so the order does not matter."""
    upto = np.vstack([np.zeros((1, rows.shape[1]), np.int64), np.cumsum(rows, axis=0)])
    sums: Ints = upto[edges[1:]] - upto[edges[:-1]]
    return sums


@lru_cache(maxsize=1)
def _kernel() -> Any:
    """The compiled part, loaded when the first text comes: numba is slow to import."""
    return load("paberki.lexicon.lexicon_kernel")


def _key(word: str) -> int:
    """Under which number the kernel looks up a word."""
    return fnv(map(ord, word))


def _table(weights_of: Mapping[int, Sequence[tuple[int, int]]]) -> tuple[Any, Any, Any, Any]:
    """Open addressing: a key is in the first free slot from its place on; weights lie in the order of the slots."""
    size = 1 << max(3, (4 * len(weights_of)).bit_length())
    slots: list[int | None] = [None] * size
    for key in weights_of:
        slot = (key ^ (key >> 32)) & (size - 1)
        while slots[slot] is not None:
            slot = (slot + 1) & (size - 1)
        slots[slot] = key
    items = [weights_of[key] if key is not None else () for key in slots]
    pairs = [pair for weights in items for pair in weights]
    return (
        np.array([key or 0 for key in slots], np.int64),
        np.cumsum([0, *map(len, items)], dtype=np.int32),
        np.array([column for column, _ in pairs], np.int32),
        np.array([weight for _, weight in pairs], np.int64),
    )


@lru_cache(maxsize=1)
def small_letters() -> npt.NDArray[np.uint16]:
    """The small letter of every letter of the first plane, marks on letters included; 0 for all else."""
    return table_of(_small_letter, np.uint16)


def _small_letter(char: str) -> int:
    small = char.lower()
    in_words = char.isalpha() or unicodedata.category(char).startswith("M")
    return ord(small if len(small) == 1 else char) if in_words else 0


def buffers(texts: pa.StringArray) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """Bytes and offsets of the texts, which stay where they are."""
    _, places, data = texts.buffers()
    if not len(texts) or data is None or not data.size:
        return np.zeros(1, np.uint8), np.zeros(len(texts) + 1, np.int32)
    offsets = np.frombuffer(places, np.int32, len(texts) + 1, texts.offset * 4)
    return np.frombuffer(data, np.uint8), offsets
