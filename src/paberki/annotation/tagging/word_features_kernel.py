# mypy: ignore-errors
"""What a word type looks like to a model, compiled: hashed pieces of words, and the tags a word may have.

Running text brings new words all the time; each has a dozen pieces to hash and six endings to look up, which in Python
took longer than to tag it. :mod:`paberki.annotation.tagging.string_hashes` and :mod:`paberki.annotation.tagging.tag_lexicon` call this.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel, part
from paberki.kernels.hash_constants import FNV_PRIME, FNV_START, GOLDEN
from paberki.kernels.kernel_types import reads, types, writes

HASH: Final = -1
"""Instead of a kind: 64 bits for looking up, not a column of a model."""
CLASS_HASH: Final = -2
"""The same, with the class of the word in front."""
NOTHING: Final = 1000
"""Length of the ending that every word has."""
_SPREAD: Final = np.uint64(GOLDEN)
_PRIME: Final = np.uint64(FNV_PRIME)
_OFFSET: Final = np.uint64(FNV_START)
_ONES: Final = np.uint64(0xFFFFFFFF)
_BYTE: Final = np.uint64(0xFF)
_KIND: Final = np.uint64(0x01000193)
_ONE: Final = np.uint64(1)
_EIGHT: Final = np.uint64(8)
_THIRTY_ONE: Final = np.uint64(31)
_THIRTY_TWO: Final = np.uint64(32)
_CONTINUED: Final = 0x80
_HEAD: Final = 0xC0


@part
def _byte(crc, value, table):
    return table[(crc ^ value) & _BYTE] ^ (crc >> _EIGHT)


@part
def _seed(kind):
    return ((np.uint64(kind) * _KIND) & _ONES) ^ _ONES


@part
def _finish(crc, kind):
    mixed = ((crc ^ _ONES) + (np.uint64(kind) << _THIRTY_TWO) + _ONE) * _SPREAD
    return mixed ^ (mixed >> _THIRTY_ONE)


@part
def _back(text, begin, end, length):
    """Where the last so many characters begin."""
    while length > 0 and end > begin:
        end -= 1
        while end > begin and text[end] & _HEAD == _CONTINUED:
            end -= 1
        length -= 1
    return end


@part
def _forth(text, begin, end, length):
    """Where the first so many characters end."""
    while length > 0 and begin < end:
        begin += 1
        while begin < end and text[begin] & _HEAD == _CONTINUED:
            begin += 1
        length -= 1
    return begin


@kernel(
    reads(types.uint8),  # text
    reads(types.int64),  # edges
    reads(types.uint8),  # classes
    reads(types.int64, 2),  # columns
    reads(types.uint64),  # table
    writes(types.uint64, 2),  # out
    returns=types.int64,
)
def keys(text, edges, classes, columns, table, out):
    """Hash pieces of words: a column has a kind and a length (ending; below 0 beginning; 0 the whole word)."""
    for w in range(edges.shape[0] - 1):
        for c in range(columns.shape[0]):
            kind = columns[c, 0]
            length = columns[c, 1]
            first = edges[w]
            last = edges[w + 1]
            if length == NOTHING:
                first = last
            elif length > 0:
                first = _back(text, first, last, length)
            elif length < 0:
                last = _forth(text, first, last, -length)
            if kind >= 0:
                crc = _seed(kind)
                for at in range(first, last):
                    crc = _byte(crc, np.uint64(text[at]), table)
                out[w, c] = _finish(crc, kind)
            else:
                value = _OFFSET
                if kind == CLASS_HASH:
                    value = (value ^ np.uint64(classes[w])) * _PRIME
                for at in range(first, last):
                    value = (value ^ np.uint64(text[at])) * _PRIME
                value = (value ^ (value >> _THIRTY_TWO)) * _SPREAD
                out[w, c] = value ^ (value >> _THIRTY_ONE)
    return 0


@part
def _guess(i, lengths, endings, ending_edges, ending_tags, stamps, tick, guesses, most, enough):
    """Tags of words with the same rule, then of those that end alike, longest ending first; how many there are."""
    count = 0
    for k in range(endings.shape[1]):
        length = endings.shape[1] - 1 - k
        if 0 < k and length > lengths[i]:
            continue
        row = endings[i, k]
        if row >= 0:
            for t in range(ending_edges[row], ending_edges[row + 1]):
                tag = ending_tags[t]
                if stamps[0, tag] != tick:
                    stamps[0, tag] = tick
                    guesses[count] = tag
                    count += 1
        if k > 0 and count >= (enough if length >= 3 else most):
            break
    if count == 0:
        guesses[0] = 0
        return 1
    return min(count, most)


@part
def _tags_key(choices, first, last, kind, table):
    """The first four tags as a column: their numbers, written out with spaces between them."""
    crc = _seed(kind)
    for at in range(first, min(last, first + 4)):
        if at > first:
            crc = _byte(crc, np.uint64(32), table)
        scale = 1
        while choices[at] // scale >= 10:
            scale *= 10
        while scale > 0:
            crc = _byte(crc, np.uint64(48 + choices[at] // scale % 10), table)
            scale //= 10
    return _finish(crc, kind)


@kernel(
    reads(types.int32),  # rows
    reads(types.int32),  # lengths
    reads(types.int32, 2),  # endings
    reads(types.uint8),  # word_counts
    reads(types.int64),  # word_edges
    reads(types.uint16),  # word_tags
    reads(types.int64),  # ending_edges
    reads(types.uint16),  # ending_tags
    reads(types.int32),  # coarse
    writes(types.int64, 2),  # stamps
    writes(types.int64),  # kinds
    writes(types.int32),  # guesses
    types.int64,  # frequent
    types.int64,  # most
    types.int64,  # most_more
    types.int64,  # enough
    types.int64,  # kind
    reads(types.uint64),  # table
    writes(types.int32),  # choices
    writes(types.int64),  # edges
    writes(types.uint64),  # keys
    returns=types.int64,
)
def choose(
    rows,
    lengths,
    endings,
    word_counts,
    word_edges,
    word_tags,
    ending_edges,
    ending_tags,
    coarse,
    stamps,
    kinds,
    guesses,
    frequent,
    most,
    most_more,
    enough,
    kind,
    table,
    choices,
    edges,
    tag_keys,
):
    """The tags that each word may have: those it was seen with; if that was not often, those of words that end alike."""
    at = 0
    for i in range(rows.shape[0]):
        first = at
        row = rows[i]
        tick = i + 1
        if row < 0:
            count = _guess(i, lengths, endings, ending_edges, ending_tags, stamps, tick, guesses, most, enough)
            for k in range(count):
                choices[at] = guesses[k]
                at += 1
        else:
            for t in range(word_edges[row], word_edges[row + 1]):
                tag = word_tags[t]
                choices[at] = tag
                at += 1
                stamps[1, tag] = tick
                kinds[coarse[tag]] = tick
            if word_counts[row] < frequent:
                count = _guess(i, lengths, endings, ending_edges, ending_tags, stamps, tick, guesses, most_more, enough)
                for k in range(count):
                    tag = guesses[k]
                    if stamps[1, tag] != tick and kinds[coarse[tag]] == tick:
                        choices[at] = tag
                        at += 1
        edges[i + 1] = at
        tag_keys[i] = _tags_key(choices, first, at, kind, table)
    return at
