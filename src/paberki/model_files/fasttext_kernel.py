# mypy: ignore-errors
"""The hidden layer of fastText for many texts, compiled: see :mod:`paberki.model_files.fasttext_file`."""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel, part
from paberki.kernels.byte_names import BLANK, CARRIAGE_RETURN, CONTINUATION, CONTINUATION_MASK, LAST_ASCII, TAB
from paberki.kernels.hash_constants import FNV_PRIME as WIDE_FNV_PRIME
from paberki.kernels.hash_constants import FNV_START
from paberki.kernels.kernel_types import reads, types, writes

FNV_OFFSET: Final = np.uint32(2166136261)
FNV_PRIME: Final = np.uint32(16777619)
WIDE_OFFSET: Final = np.uint64(FNV_START)
WIDE_PRIME: Final = np.uint64(WIDE_FNV_PRIME)
MOST_NGRAMS: Final = 16
"""Words of the longest n-gram that is read."""
_STEP: Final = np.uint64(116049371)
_LESS: Final = 60
_MORE: Final = 62


@part
def _hash_step(hash_, byte):
    """FNV-1a as fastText has it: bytes count as signed."""
    wide = np.uint32(byte)
    if byte > LAST_ASCII:
        wide |= np.uint32(0xFFFFFF00)
    return np.uint32((hash_ ^ wide) * FNV_PRIME)


@part
def _byte(data, first, last, at):
    """Byte of a word between its brackets; 0 is ``<``."""
    if at == 0:
        return _LESS
    if at > last - first:
        return _MORE
    return np.int64(data[first + at - 1])


@kernel(
    reads(types.uint8), reads(types.int64), writes(types.uint64), writes(types.int32),
    returns=types.void,
)  # fmt: skip
def fill(data, edges, keys, numbers):
    """Put words into the table that :func:`_find` looks in; the first of two with the same key stays."""
    for word in range(len(edges) - 1):
        key = WIDE_OFFSET
        for at in range(edges[word], edges[word + 1]):
            key = (key ^ np.uint64(data[at])) * WIDE_PRIME
        slot = np.int64(key & np.uint64(len(keys) - 1))
        while numbers[slot] >= 0 and keys[slot] != key:
            slot = (slot + 1) & (len(keys) - 1)
        if numbers[slot] < 0:
            keys[slot] = key
            numbers[slot] = word


@part
def _find(key, keys, numbers):
    slot = np.int64(key & np.uint64(len(keys) - 1))
    while numbers[slot] >= 0:
        if keys[slot] == key:
            return numbers[slot]
        slot = (slot + 1) & (len(keys) - 1)
    return -1


@part
def _add(row, matrix, layer):
    if 0 <= row < matrix.shape[0]:
        for place in range(matrix.shape[1]):
            layer[place] += matrix[row, place]
        return 1
    return 0


@part
def _add_bucket(bucket, words, prune_table, matrix, layer):
    """A hashed n-gram; ``prune_table`` maps buckets to the rows that are left, if some are gone."""
    if len(prune_table) > 0:
        bucket = np.int64(prune_table[bucket])
        if bucket < 0:
            return 0
    return _add(words + bucket, matrix, layer)


@part
def _add_pieces(data, first, last, shortest, longest, buckets, words, prune_table, matrix, layer):
    """N-grams of the characters of a word."""
    count = 0
    length = last - first + 2
    for begin in range(length):
        if _byte(data, first, last, begin) & CONTINUATION_MASK == CONTINUATION:
            continue
        hash_ = FNV_OFFSET
        at = begin
        size = 1
        while at < length and size <= longest:
            hash_ = _hash_step(hash_, _byte(data, first, last, at))
            at += 1
            while at < length and _byte(data, first, last, at) & CONTINUATION_MASK == CONTINUATION:
                hash_ = _hash_step(hash_, _byte(data, first, last, at))
                at += 1
            if size >= shortest and not (size == 1 and (begin == 0 or at == length)):
                count += _add_bucket(np.int64(hash_) % buckets, words, prune_table, matrix, layer)
            size += 1
    return count


@kernel(
    reads(types.uint8), reads(types.int32), reads(types.uint64), reads(types.int32), types.int64, types.int64,
    types.int64, types.int64, types.int64, types.int64, types.int64, reads(types.int32), reads(types.float32, 2),
    writes(types.int64), writes(types.float32, 2),
    returns=types.void, slices=True,
)  # fmt: skip
def hidden_layer(
    data, offsets, keys, numbers, words, end_word, end_hash, ngrams, shortest, longest, buckets, prune_table, matrix,
    ring, out,
):  # fmt: skip
    """Mean of the rows of all words, pieces of words and n-grams of each text, a line end after it."""
    for text in range(len(offsets) - 1):
        layer = out[text]
        first = np.int64(offsets[text])
        end = np.int64(offsets[text + 1])
        row_count = 0
        word_count = 0
        at = first
        going = True
        while going:
            while at < end and (data[at] == BLANK or TAB <= data[at] <= CARRIAGE_RETURN or data[at] == 0):
                at += 1
            begin = at
            small = FNV_OFFSET
            key = WIDE_OFFSET
            while at < end and not (data[at] == BLANK or TAB <= data[at] <= CARRIAGE_RETURN or data[at] == 0):
                small = _hash_step(small, np.int64(data[at]))
                key = (key ^ np.uint64(data[at])) * WIDE_PRIME
                at += 1
            if at > begin:
                word = np.int64(_find(key, keys, numbers))
                hash_ = np.int64(np.int32(small))
            else:
                word = end_word
                hash_ = end_hash
                going = False
            if word >= words:
                continue  # a label
            if word >= 0:
                row_count += _add(word, matrix, layer)
            if longest > 0 and going:
                row_count += _add_pieces(data, begin, at, shortest, longest, buckets, words, prune_table, matrix, layer)
            if ngrams > 1 and buckets > 0:
                ring[word_count % MOST_NGRAMS] = hash_
                word_count += 1
                # n-grams that end here: their hash goes from the first word to the last
                for size in range(2, min(ngrams, word_count) + 1):
                    chain = np.uint64(ring[(word_count - size) % MOST_NGRAMS])
                    for step in range(word_count - size + 1, word_count):
                        chain = chain * _STEP + np.uint64(ring[step % MOST_NGRAMS])
                    row_count += _add_bucket(np.int64(chain % np.uint64(buckets)), words, prune_table, matrix, layer)
        if row_count > 0:
            for place in range(matrix.shape[1]):
                layer[place] /= row_count
