"""Words that a block shares with the other blocks of its page: an article is about one thing, its furniture about others.

No list of words is needed. What matters is whether a word also stands in other blocks that look like prose, or in others
that do not, or nowhere else.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from paberki.extraction.learned.feature_characters import classes, small_letters
from paberki.kernels import load

SHARED_WORDS: Final = (
    "shared_weight", "shared_weight_long", "shared_nowhere", "shared_prose", "shared_prose_long", "shared_other",
)  # fmt: skip
"""Of the words of a block: mean weight p / (p + o + .5), p and o being the numbers of other blocks of prose and of other
blocks that have the word; shares of words that no other block, other prose and other blocks have. ``long``: only words of
:data:`LONG` or more letters, -1 where there are none."""
LONG: Final = 5
MOST_WORDS: Final = 1 << 17
"""Words of a page that are looked at."""


class HarvestText(NamedTuple):
    """The text of the blocks of a harvest, where each block's ends, and what characters are."""

    data: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.int32]
    classes: npt.NDArray[np.uint8]
    small: npt.NDArray[np.uint16]


class WordRoom(NamedTuple):
    """Scratch space: a hash table of words, the words of the page in order, and in which blocks each word is."""

    slots: npt.NDArray[np.int32]
    keys: npt.NDArray[np.int64]
    words: npt.NDArray[np.int32]
    """Twice the number of the word, one more if it is long."""
    word_ends: npt.NDArray[np.int32]
    """Words up to and including each block."""
    prose_blocks: npt.NDArray[np.int32]
    other_blocks: npt.NDArray[np.int32]
    last_block: npt.NDArray[np.int32]


def page_words(data: npt.NDArray[np.uint8], ends: npt.NDArray[np.int32]) -> HarvestText:
    """The text of the blocks of a harvest."""
    return HarvestText(data, ends, classes(), small_letters())


def word_room(most_bytes: int, most_blocks: int) -> WordRoom:
    """Room for pages of so much text and so many blocks."""
    most = min(most_bytes, MOST_WORDS) + 1
    slots = 1 << (2 * most).bit_length()
    ints = (np.empty(size, np.int32) for size in (most, most_blocks + 1, most, most, most))
    return WordRoom(np.empty(slots, np.int32), np.empty(slots, np.int64), *ints)


def add_shared_words(
    words: HarvestText,
    blocks: npt.NDArray[np.int64],
    prose: npt.NDArray[np.float64],
    room: WordRoom,
    table: npt.NDArray[np.float32],
    column: int,
) -> None:
    """Fill six columns of the features of a page; ``blocks``: its first block and the one behind its last."""
    _kernel().shared_words(words, blocks, prose, room, table, column)


@lru_cache(maxsize=1)
def _kernel() -> Any:
    return load("paberki.extraction.learned.shared_words_kernel")
