"""Texts -> hashes of their runs of words (shingles), and signatures of these (P5 §3.4).

A word is a run of letters, digits and underscores, in small letters; characters of scripts that do not mark words (East
Asian, Thai, Lao, Burmese, Khmer) are a word each.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki import lexicon
from paberki.dedup.signatures.spelling_folds import fold_letters
from paberki.kernels import load
from paberki.kernels.array_cache import derived

WIDTH: Final = 5
"""Words in a shingle (P5)."""
BATCH_BYTES: Final = 8 << 20
"""Text that is looked at in one go: what bounds the memory beside the texts themselves."""

TURN: Final = 6364136223846793005
SECOND_TURN: Final = 2862933555777941757
"""The draws of signatures for low resemblances, and of the sketches behind them."""

Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
Signatures = npt.NDArray[np.uint32]

UNDIVIDED: Final = (
    *((0x3040, 0x3100), (0x3400, 0xA000), (0xAC00, 0xD7B0), (0xF900, 0xFB00), (0x20000, 0x32000)),  # East Asian
    *((0x0E00, 0x0F00), (0x1000, 0x10A0), (0x1780, 0x1800)),  # Thai, Lao, Burmese, Khmer
)
"""Scripts that do not mark words: each character is one, so that shingles are runs of characters."""


@lru_cache(maxsize=1)
def kernel() -> Any:
    """The compiled part, loaded when it is first needed: numba is slow to import."""
    return load("paberki.dedup.signatures.shingle_kernel")


@dataclass(frozen=True, slots=True)
class TextShingles:
    """Shingles of some texts one after the other, where those of each text begin and end, and digests of their words."""

    values: Hashes
    offsets: Ints
    digests: Hashes


def shingle(texts: Sequence[str] | pa.StringArray, width: int = WIDTH, *, fold: bool = False) -> TextShingles:
    """Shingles of a few texts; a text of fewer words is one shingle, one without words none.

    ``fold``: without diacritics and with Serbian Cyrillic as Latin (:func:`paberki.dedup.signatures.spelling_folds.fold_letters`).
    """
    if fold:
        texts = [fold_letters(text) for text in (texts.to_pylist() if isinstance(texts, pa.StringArray) else texts)]
    data, offsets = utf8_bytes(texts)
    lengths = np.diff(offsets)
    tokens = np.empty(int(lengths.max(initial=0)) // 2 + 2, np.uint64)
    values = np.empty(int(lengths.sum()) // 2 + 2 * len(lengths) + 2, np.uint64)
    ends, digests = np.empty(len(lengths), np.int64), np.empty((len(lengths), 2), np.uint64)
    kernel().shingle(data, offsets, small(), classes(), width, tokens, values, ends, digests)
    return TextShingles(values[: ends[-1] if len(ends) else 0], np.r_[0, ends], digests)


def some_of(shingles: TextShingles, texts: Ints) -> TextShingles:
    """Shingles of some of the texts."""
    sizes = np.diff(shingles.offsets)[texts]
    offsets = np.r_[0, np.cumsum(sizes)]
    places = np.repeat(shingles.offsets[texts] - offsets[:-1], sizes) + np.arange(offsets[-1])
    return TextShingles(shingles.values[places], offsets, shingles.digests[texts])


def utf8_bytes(texts: Sequence[str] | pa.StringArray) -> tuple[npt.NDArray[np.uint8], Ints]:
    """The bytes of the texts and where each begins; those of an Arrow array stay where they are."""
    if isinstance(texts, pa.StringArray):
        data, places = lexicon.buffers(texts)
        return data, places.astype(np.int64)
    utf8_texts = [text.encode("utf-8", "replace") for text in texts]
    lengths = np.fromiter(map(len, utf8_texts), np.int64, len(utf8_texts))
    return np.frombuffer(b"".join(utf8_texts) or b"\0", np.uint8), np.r_[0, np.cumsum(lengths)]


def sign_once(shingles: TextShingles, count: int, turn: int = 1) -> Signatures:
    """One permutation hashing: the cost hardly grows with ``count``; ``turn``, an odd number, makes another draw.

    Estimates scatter less than those of ``count`` independent functions, since no shingle is drawn twice.
    """
    signatures = np.empty((len(shingles.offsets) - 1, count), np.uint32)
    kernel().sign_once(shingles.values, shingles.offsets, turn, signatures, np.empty(count, np.uint32))
    return signatures


def make_sets(shingles: TextShingles) -> Ints:
    """Make a sorted set of the shingles of each text, in place; how large each is."""
    sizes = np.empty(len(shingles.offsets) - 1, np.int64)
    kernel().make_sets(shingles.values, shingles.offsets, np.empty(128, np.int64), sizes)
    return sizes


def small() -> npt.NDArray[np.uint16]:
    """The small letter of every character of the first plane; other characters as they are."""
    table: npt.NDArray[np.uint16] = _characters()["small"]
    return table


def classes() -> npt.NDArray[np.uint8]:
    """Class of every character; in words is what regular expressions call ``\\w``."""
    table: npt.NDArray[np.uint8] = _characters()["classes"]
    return table


@lru_cache(maxsize=1)
def _characters() -> dict[str, npt.NDArray[Any]]:
    """Tables of characters, kept on disk: to make them takes longer than to look at a hundred pages."""
    sources = (Path(__file__), Path(lexicon.__file__), Path(__file__).with_name("shingle_kernel.py"))
    return derived(f"shingles-unicode-{unicodedata.unidata_version}", sources, _make_characters)


def _make_characters() -> dict[str, npt.NDArray[Any]]:
    letters = lexicon.small_letters()
    everything = "".join("\0" if 0xD800 <= code < 0xE000 else chr(code) for code in range(0x110000))
    table = np.zeros(0x110000, np.uint8)
    for match in re.finditer(r"\w+", everything):
        table[match.start() : match.end()] = kernel().WORD
    for first, last in UNDIVIDED:
        table[first:last] = np.where(table[first:last], kernel().ALONE, 0)
    return {"small": np.where(letters == 0, np.arange(0x10000, dtype=np.uint16), letters), "classes": table}
