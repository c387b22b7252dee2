# mypy: ignore-errors
"""The compiled half of :mod:`paberki.extraction.learned.shared_words`: the words of a page, numbered, and what blocks share.

Invariants, which the caller keeps: the text of block n lies between the ends of n - 1 and n, inside the data; classes and
small letters have an entry for every character of the basic plane; the hash table has more than twice as many slots, a
power of two, as there is room for words. No more words are read than there is room for.
"""

from __future__ import annotations

import numpy as np

from paberki.extraction.learned.feature_characters import CASELESS, DIGIT, LOWER, UNSPACED, UPPER
from paberki.extraction.learned.shared_words import LONG, HarvestText, WordRoom
from paberki.kernels import kernel, part
from paberki.kernels.hash_constants import FNV_PRIME, FNV_START_SIGNED
from paberki.kernels.kernel_types import INT, reads, record, types, writes
from paberki.kernels.utf8_kernel import basic_character

WORDS = record(
    HarvestText, data=reads(types.uint8), ends=reads(types.int32), classes=reads(types.uint8), small=reads(types.uint16)
)
ROOM = record(
    WordRoom, slots=writes(types.int32), keys=writes(types.int64), words=writes(types.int32),
    word_ends=writes(types.int32), prose_blocks=writes(types.int32), other_blocks=writes(types.int32),
    last_block=writes(types.int32),
)  # fmt: skip
_SPREAD, _SPREAD_FURTHER = 29, 47


@part
def _next_word(text, at, end):
    """Hash and length of the next word, and the offset behind it; the length is 0 where there is none."""
    key = np.int64(FNV_START_SIGNED)
    length = np.int64(0)
    while at < end:
        char, after = basic_character(text.data, at, end)
        what = text.classes[char]
        if what == UNSPACED and length == 0:
            return (key ^ np.int64(text.small[char])) * FNV_PRIME, np.int64(1), after
        if what == LOWER or what == UPPER or what == CASELESS or what == DIGIT:
            key = (key ^ np.int64(text.small[char])) * FNV_PRIME
            length += 1
        elif length > 0:
            return key, length, at
        at = after
    return key, length, at


@part
def _number_of(key, room, size, word_count):
    """The number of a word, which is ``word_count`` if it is new."""
    slot = (key ^ (key >> _SPREAD) ^ (key >> _SPREAD_FURTHER)) & (size - 1)
    while room.slots[slot] >= 0 and room.keys[slot] != key:
        slot = (slot + 1) & (size - 1)
    if room.slots[slot] < 0:
        room.slots[slot], room.keys[slot] = word_count, key
        room.prose_blocks[word_count] = room.other_blocks[word_count] = 0
        room.last_block[word_count] = -1
    return np.int64(room.slots[slot])


@part
def _slots_for(byte_count, room):
    """An empty hash table for the words of so many bytes of text; its size."""
    size = np.int64(2)
    while size < 2 * byte_count and size < len(room.slots):
        size *= 2
    for slot in range(size):
        room.slots[slot] = -1
    return size


@part
def _read_words(text, blocks, prose, room):
    """Number the words of a page, and count the blocks that have them."""
    begin = np.int64(text.ends[blocks[0] - 1]) if blocks[0] > 0 else np.int64(0)
    size = _slots_for(np.int64(text.ends[blocks[1] - 1]) - begin, room)
    count = word_count = np.int64(0)
    at = begin
    for block in range(blocks[1] - blocks[0]):
        end = np.int64(text.ends[blocks[0] + block])
        while count < len(room.words):
            key, length, at = _next_word(text, at, end)
            if length == 0:
                break
            word = _number_of(key, room, size, word_count)
            word_count = max(word_count, word + 1)
            room.words[count] = 2 * word + (1 if length >= LONG else 0)
            count += 1
            if room.last_block[word] != block:
                room.last_block[word] = block
                if prose[block] > 0:
                    room.prose_blocks[word] += 1
                else:
                    room.other_blocks[word] += 1
        at = end
        room.word_ends[block] = count


@part
def _put_shares(room, first, end, is_prose, row, column):
    """The features of a block from its words."""
    weight = weight_long = 0.0
    nowhere = in_prose = in_prose_long = in_other = longs = 0
    for k in range(first, end):
        word = room.words[k] >> 1
        is_long = room.words[k] & 1
        prose = room.prose_blocks[word] - (1 if is_prose else 0)
        other = room.other_blocks[word] - (0 if is_prose else 1)
        share = prose / (prose + other + 0.5)
        weight += share
        nowhere += 1 if prose + other == 0 else 0
        in_prose += 1 if prose > 0 else 0
        in_other += 1 if other > 0 else 0
        if is_long:
            longs += 1
            weight_long += share
            in_prose_long += 1 if prose > 0 else 0
    count = max(end - first, 1)
    row[column] = weight / count
    row[column + 1] = weight_long / longs if longs else -1.0
    row[column + 2] = nowhere / count
    row[column + 3] = in_prose / count
    row[column + 4] = in_prose_long / longs if longs else -1.0
    row[column + 5] = in_other / count


@kernel(WORDS, reads(types.int64), reads(types.float64), ROOM, writes(types.float32, 2), INT, returns=types.void)
def shared_words(text, blocks, prose, room, table, column):
    """Six features of each block of a page, from a column of its table on; ``prose`` is above 0 for blocks of prose."""
    if blocks[1] <= blocks[0]:
        return
    _read_words(text, blocks, prose, room)
    first = np.int64(0)
    for block in range(blocks[1] - blocks[0]):
        end = np.int64(room.word_ends[block])
        _put_shares(room, first, end, prose[block] > 0, table[block], column)
        first = end
