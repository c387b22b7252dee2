# mypy: ignore-errors
"""The compiled half of :mod:`paberki.extraction.learned.features`: numbers about every block of a page, in a few linear passes.

Kernels get all arrays they write to. A page is given by the range of its blocks and that of its elements. The columns of
the table of features follow the order of :data:`features.NAMES`, which says what they are; each writer below puts its
features one after the other and returns the next column.
"""

from __future__ import annotations

from math import log1p
from typing import Final

import numpy as np
from numba import types

from paberki.extraction.compiled.bits_kernel import zeros_below
from paberki.extraction.compiled.kernel_layout import (
    CHARS,
    ELEMENT,
    ELEMENT_PATH,
    ELEMENT_TAG,
    FIRST_BLOCK,
    LINK_CHARS,
    MARK,
    PARENT,
    TAG,
    TAG_COUNT,
    TEXT_END,
)
from paberki.extraction.learned.feature_characters import (
    BRACKET,
    CASELESS,
    COMMA,
    COUNTS,
    DASH,
    DIGIT,
    LOWER,
    LOWER_START,
    SENTENCE_END,
    SEPARATOR,
    SPACE,
    STOP,
    SYMBOL,
    UNSPACED,
    UPPER,
    UPPER_START,
)
from paberki.kernels import inner, kernel, part
from paberki.kernels.byte_names import (
    CONTINUATION,
    CONTINUATION_MASK,
    DOT,
    GREATER,
    LOWER_A,
    LOWER_Z,
    NUMBER_SIGN,
    UPPER_A,
)
from paberki.kernels.characters_kernel import is_digit
from paberki.kernels.hash_constants import FNV_PRIME, FNV_START_SIGNED
from paberki.kernels.utf8_kernel import basic_character

# Rows of the numbers about elements, blocks and groups of blocks, all of them scratch space.
E_END, E_DEPTH, E_SENSE, E_WORDS, E_OWN, E_MARKS, E_KEY = range(7)
E_FIRST, E_COPIES, E_COPIES_LENGTH, E_MOST_COPIES, E_OUTER, E_UP, E_DOWN, E_COMMON = range(7, 15)
ELEMENT_NUMBERS: Final = 15
LENGTH, LINK, WORD_COUNT, SENTENCES, PROSE, FREE, LOG_LENGTH, KIND, HEADING, DEPTH = range(10)
BLOCK_NUMBERS: Final = 10
SUM_LENGTH, SUM_FREE, SUM_PROSE, SUM_PROSE_BLOCKS, SUM_WEIGHTED = range(5)
SUMS: Final = 5
G_LENGTH, G_FREE, G_PROSE, G_COUNT, G_FIRST = range(5)
GROUP_NUMBERS: Final = 5
BY_PATH, BY_TAGS = range(2)

# Rows of the facts about tags.
TAG_KIND, TAG_SENSE, TAG_HEADING = range(3)
SENSES: Final = 14
WORD_GROUPS: Final = 18
MARK_BITS: Final = 11
LEVELS: Final = 5
TITLE_WORDS: Final = 64
WIDE: Final = 2.0
"""A letter of a script without spaces says as much as so many more letters of others: lengths count what is said."""
REPEATED: Final = 3
"""So many elements of a kind under one parent are a list."""
DATE_CHARS, DATE_DIGITS, DATE_SHARE = 60, 3, 0.12
"""A short block with some digits counts as a date, whatever the language."""
SIDE_BY_SIDE: Final = 64
"""Rows that are evaluated together."""
NODES_AT_ONCE: Final = 3
_ALL_LEAVES: Final = np.uint32(0xFFFFFFFF)


_BYTES = types.Array(types.uint8, 1, "C")
_WORDS = types.Array(types.uint32, 1, "C")
_SHORTS_2 = types.Array(types.int16, 2, "C")
_HALVES = types.Array(types.uint16, 1, "C")
_INTS = types.Array(types.int32, 1, "C")
_INTS_2 = types.Array(types.int32, 2, "C")
_LONGS = types.Array(types.int64, 1, "C")
_LONGS_2 = types.Array(types.int64, 2, "C")
_FLOATS = types.Array(types.float32, 1, "C")
_FLOATS_2 = types.Array(types.float32, 2, "C")
_DOUBLES_2 = types.Array(types.float64, 2, "C")


@kernel(_BYTES, _INTS_2, types.int64, _BYTES, _INTS_2, _LONGS, returns=types.void)
def count_characters(text, blocks, block_count, classes, counts, keys):
    """Characters of each class and events of each block, and a hash of its text."""
    begin = np.int64(0)
    for number in range(block_count):
        end = np.int64(blocks[TEXT_END, number])
        for k in range(COUNTS):
            counts[number, k] = 0
        key = np.int64(FNV_START_SIGNED)
        before = before_stop = np.int64(SPACE)
        after_stop = False
        at = begin
        while at < end:
            char, at = basic_character(text, at, end)
            what = np.int64(classes[char])
            counts[number, what] += 1
            key = (key ^ char) * FNV_PRIME
            if before == SPACE:
                if what == LOWER or what == CASELESS:
                    counts[number, LOWER_START] += 1
                elif what == UPPER:
                    counts[number, UPPER_START] += 1
            if after_stop and (what == SPACE or what == BRACKET or what == UNSPACED):
                counts[number, SENTENCE_END] += 1
            after_stop = what == STOP and (
                before == LOWER or before == CASELESS or before == UNSPACED or before == BRACKET or before == DIGIT
            )
            before_stop = before
            before = what
        if after_stop and before_stop != DIGIT:
            counts[number, SENTENCE_END] += 1
        keys[number] = key
        begin = end


@kernel(_BYTES, _LONGS, types.int64, _SHORTS_2, _LONGS, _LONGS, _LONGS, returns=types.void)
def read_paths(path_bytes, path_ends, path_count, moves, groups, words, keys):
    """Word groups in the last step of each path, and a hash of the path without its digits."""
    for number in range(path_count):
        begin, end = path_ends[number], path_ends[number + 1]
        key = np.int64(FNV_START_SIGNED)
        step = begin
        for i in range(begin, end):
            byte = path_bytes[i]
            if byte == GREATER:
                step = i + 1
            if not is_digit(byte):
                key = (key ^ np.int64(byte)) * FNV_PRIME
        keys[number] = key
        while step < end and path_bytes[step] != NUMBER_SIGN and path_bytes[step] != DOT:
            step += 1
        path_groups = np.int64(0)
        state = np.int64(moves[0, 0])
        for i in range(step, end):
            byte = path_bytes[i] | 32
            symbol = np.int64(byte) - 96 if LOWER_A <= byte <= LOWER_Z and path_bytes[i] >= UPPER_A else 0
            state = np.int64(moves[state, symbol])
            path_groups |= groups[state]
        words[number] = path_groups | groups[np.int64(moves[state, 0])]


@part
def _read_elements(elements, e0, e1, b1, tag_facts, path_words, tree):
    """What the elements of a page are and which blocks they hold."""
    for e in range(e0, e1):
        parent = np.int64(elements[PARENT, e])
        path = elements[ELEMENT_PATH, e]
        tag = elements[ELEMENT_TAG, e]
        own = path_words[path]
        sense = tag_facts[tag, TAG_SENSE]
        marks = np.int64(elements[MARK, e])
        tree[E_OWN, e] = own
        tree[E_END, e] = elements[FIRST_BLOCK, e]
        if parent == e:
            tree[E_DEPTH, e] = 0
            tree[E_SENSE, e], tree[E_WORDS, e], tree[E_MARKS, e] = sense, own, marks
            tree[E_KEY, e] = FNV_START_SIGNED
        else:
            tree[E_DEPTH, e] = tree[E_DEPTH, parent] + 1
            tree[E_SENSE, e] = tree[E_SENSE, parent] | sense
            tree[E_WORDS, e] = tree[E_WORDS, parent] | own
            tree[E_MARKS, e] = tree[E_MARKS, parent] | marks
            tree[E_KEY, e] = (tree[E_KEY, parent] ^ np.int64(tag)) * FNV_PRIME


@part
def _find_ends(blocks, elements, b0, b1, e0, e1, tree):
    for b in range(b0, b1):
        tree[E_END, np.int64(blocks[ELEMENT, b])] = b + 1
    for k in range(e1 - e0 - 1):
        e = e1 - 1 - k
        parent = np.int64(elements[PARENT, e])
        if tree[E_END, e] > tree[E_END, parent]:
            tree[E_END, parent] = tree[E_END, e]


@part
def _read_blocks(blocks, counts, b0, b1, tag_facts, tree, base, sums):
    """Length, links, words and prose of each block, and their sums up to each block."""
    for k in range(SUMS):
        sums[k, 0] = 0.0
    for b in range(b0, b1):
        i = b - b0
        chars = np.float64(blocks[CHARS, b])
        length = chars + WIDE * counts[b, UNSPACED]
        link = min(blocks[LINK_CHARS, b] / chars, 1.0)
        words = counts[b, SPACE] + 1 + 0.6 * counts[b, UNSPACED]
        sentences = np.float64(counts[b, SENTENCE_END])
        free = length * (1.0 - link)
        prose = link < 0.4 and (sentences > 0 or words > 18)
        mass = length if prose else 0.0
        element = np.int64(blocks[ELEMENT, b])
        tag = np.int64(blocks[TAG, b])
        base[LENGTH, i], base[LINK, i], base[WORD_COUNT, i], base[SENTENCES, i] = length, link, words, sentences
        base[PROSE, i], base[FREE, i], base[LOG_LENGTH, i] = mass, free, log1p(length)
        base[KIND, i], base[HEADING, i] = tag_facts[tag, TAG_KIND], tag_facts[tag, TAG_HEADING]
        base[DEPTH, i] = tree[E_DEPTH, element]
        sums[SUM_LENGTH, i + 1] = sums[SUM_LENGTH, i] + length
        sums[SUM_FREE, i + 1] = sums[SUM_FREE, i] + free
        sums[SUM_PROSE, i + 1] = sums[SUM_PROSE, i] + mass
        sums[SUM_PROSE_BLOCKS, i + 1] = sums[SUM_PROSE_BLOCKS, i] + (1.0 if prose else 0.0)
        sums[SUM_WEIGHTED, i + 1] = sums[SUM_WEIGHTED, i] + mass - 0.6 * (length - mass)


@part
def _clear_slots(slots, count):
    """Make a hash table with room for so many keys; its size."""
    size = np.int64(16)
    while size < 2 * count:
        size *= 2
    for k in range(size):
        slots[k] = -1
    return size


@part
def _slot_of(key, size):
    return (key ^ (key >> 29) ^ (key >> 47)) & (size - 1)


@part
def _seat_of(key, size, slots, slot_keys):
    """The slot of a key in a table, or the free one that is for it, which then has the key."""
    slot = _slot_of(key, size)
    while slots[slot] >= 0 and slot_keys[slot] != key:
        slot = (slot + 1) & (size - 1)
    slot_keys[slot] = key
    return slot


@part
def _group(keys_of, count, slots, slot_keys, groups, which):
    """Number the groups of blocks with the same key in order of appearance; how many there are."""
    size = _clear_slots(slots, count)
    group_count = 0
    for i in range(count):
        slot = _seat_of(keys_of[i], size, slots, slot_keys)
        if slots[slot] < 0:
            slots[slot] = group_count
            group_count += 1
        groups[which, i] = slots[slot]
    return group_count


@part
def _sum_groups(base, count, group_count, groups, which, group_sums):
    for k in range(GROUP_NUMBERS):
        for g in range(group_count):
            group_sums[k, g] = 0.0
    for i in range(count):
        g = groups[which, i]
        if group_sums[G_COUNT, g] == 0.0:
            group_sums[G_FIRST, g] = i
        group_sums[G_LENGTH, g] += base[LENGTH, i]
        group_sums[G_FREE, g] += base[FREE, i]
        group_sums[G_PROSE, g] += base[PROSE, i]
        group_sums[G_COUNT, g] += 1.0


@part
def _hash_words(text, begin, end, classes, small, hashes, most):
    """Hashes of the words of a text, small letters or not; how many, at most ``most``."""
    count = 0
    key = np.int64(FNV_START_SIGNED)
    open_word = False
    at = begin
    while at < end:
        char, at = basic_character(text, at, end)
        what = classes[char]
        if what == LOWER or what == UPPER or what == CASELESS or what == DIGIT or what == UNSPACED:
            key = (key ^ np.int64(small[char])) * FNV_PRIME
            open_word = what != UNSPACED
            if open_word:
                continue
        elif not open_word:
            continue
        if count < most:
            hashes[count] = key
            count += 1
        key = np.int64(FNV_START_SIGNED)
        open_word = False
    if open_word and count < most:
        hashes[count] = key
        count += 1
    return count


@part
def _overlap(words, count, others, other_count, sieve):
    """How many of the first words are among the others, each counted once."""
    matches = np.int64(0)
    hits = 0
    for i in range(count):
        key = words[i]
        if not (sieve >> (_slot_of(key, 64))) & 1:
            continue
        for k in range(other_count):
            if others[k] == key:
                if not (matches >> k) & 1:
                    matches |= np.int64(1) << k
                    hits += 1
                break
    return hits


@part
def _sieve(words, count):
    bits = np.int64(0)
    for i in range(count):
        bits |= np.int64(1) << _slot_of(words[i], 64)
    return bits


@part
def _put_text_features(blocks, counts, b0, count, base, table, c):
    for i in range(count):
        b = b0 + i
        x = table[i]
        chars, words = np.float64(blocks[CHARS, b]), base[WORD_COUNT, i]
        small = np.float64(counts[b, LOWER])
        capital = np.float64(counts[b, UPPER])
        letters = small + capital + counts[b, CASELESS] + counts[b, UNSPACED]
        x[c] = base[LOG_LENGTH, i]
        x[c + 1] = words
        x[c + 2] = base[LINK, i]
        x[c + 3] = blocks[TAG_COUNT, b] / words
        x[c + 4] = letters / words
        x[c + 5] = base[SENTENCES, i]
        x[c + 6] = base[SENTENCES, i] / words
        x[c + 7] = counts[b, COMMA] / words
        x[c + 8] = counts[b, DIGIT] / chars
        x[c + 9] = capital / max(letters, 1.0)
        x[c + 10] = counts[b, SEPARATOR] / words
        x[c + 11] = counts[b, SYMBOL] / words
        x[c + 12] = counts[b, UNSPACED] / chars
        x[c + 13] = counts[b, LOWER_START] / words
        x[c + 14] = counts[b, UPPER_START] / words
        x[c + 15] = (counts[b, BRACKET] + counts[b, DASH]) / words
        x[c + 16] = base[KIND, i]
        x[c + 17] = base[DEPTH, i]
    return c + 18


@part
def _put_ends(text, blocks, b0, count, classes, table, c):
    """How blocks begin and end."""
    for i in range(count):
        b = b0 + i
        begin = np.int64(blocks[TEXT_END, b - 1]) if b > 0 else np.int64(0)
        end = np.int64(blocks[TEXT_END, b])
        first, _ = basic_character(text, begin, end)
        at = end - 1
        while at > begin and (text[at] & CONTINUATION_MASK) == CONTINUATION:
            at -= 1
        char, _ = basic_character(text, at, end)
        last = classes[char]
        table[i, c] = 1.0 if last == STOP or last == BRACKET else 0.0
        table[i, c + 1] = 1.0 if last == COMMA else 0.0
        table[i, c + 2] = 1.0 if classes[first] == UPPER else 0.0
        table[i, c + 3] = 0.0
        for k in range(begin, end - 1):
            if text[k] == 0xC2 and text[k + 1] == 0xA9:  # the copyright sign
                table[i, c + 3] = 1.0
                break
    return c + 4


@part
def _put_place(base, sums, count, group_count, group_sums, table, c):
    """Where in the page, and what the page is like."""
    total, free, prose = sums[SUM_LENGTH, count], sums[SUM_FREE, count] + 1.0, sums[SUM_PROSE, count] + 1.0
    longest = best = heads = list_items = 0.0
    for i in range(count):
        longest = max(longest, base[LOG_LENGTH, i])
        heads += 1.0 if base[HEADING, i] > 0 else 0.0
        list_items += 1.0 if base[KIND, i] == 3 else 0.0
    for g in range(group_count):
        best = max(best, group_sums[G_PROSE, g])
    for i in range(count):
        x = table[i]
        x[c] = i / count
        x[c + 1] = (sums[SUM_LENGTH, i] + sums[SUM_LENGTH, i + 1]) / 2 / total
        x[c + 2] = (sums[SUM_PROSE, i] + sums[SUM_PROSE, i + 1]) / 2 / prose
        x[c + 3] = base[LENGTH, i] / total
        x[c + 4] = base[PROSE, i] / prose
        x[c + 5] = log1p(i)
        x[c + 6] = log1p(count - 1 - i)
        x[c + 7] = log1p(count)
        x[c + 8] = log1p(total)
        x[c + 9] = 1.0 - free / total
        x[c + 10] = prose / total
        x[c + 11] = longest
        x[c + 12] = best / prose
        x[c + 13] = log1p(sums[SUM_PROSE_BLOCKS, count])
        x[c + 14] = heads / count
        x[c + 15] = list_items / count
    return c + 16


@part
def _put_group(sums, count, groups, which, group_sums, table, c):
    """The group of blocks with the same path: P1's idea, as a feature."""
    free, prose = sums[SUM_FREE, count] + 1.0, sums[SUM_PROSE, count] + 1.0
    for i in range(count):
        x = table[i]
        g = groups[which, i]
        length, number = max(group_sums[G_LENGTH, g], 1.0), group_sums[G_COUNT, g]
        x[c] = group_sums[G_FREE, g] / free
        x[c + 1] = group_sums[G_PROSE, g] / prose
        x[c + 2] = 1.0 - group_sums[G_FREE, g] / length
        x[c + 3] = log1p(number)
        x[c + 4] = log1p(length / number)
        x[c + 5] = group_sums[G_PROSE, g] / length
        x[c + 6] = group_sums[G_FIRST, g] / count
    return c + 7


@part
def _put_ancestors(blocks, elements, b0, count, tree, sums, table, c):
    """The element of a block and the next larger ones around it, by what they hold."""
    prose = sums[SUM_PROSE, count] + 1.0
    for i in range(count):
        e = np.int64(blocks[ELEMENT, b0 + i])
        at = c
        for _ in range(LEVELS):
            first, end = np.int64(elements[FIRST_BLOCK, e]) - b0, tree[E_END, e] - b0
            length = max(sums[SUM_LENGTH, end] - sums[SUM_LENGTH, first], 1.0)
            mass = sums[SUM_PROSE, end] - sums[SUM_PROSE, first]
            table[i, at] = mass / prose
            table[i, at + 1] = 1.0 - (sums[SUM_FREE, end] - sums[SUM_FREE, first]) / length
            table[i, at + 2] = mass / length
            table[i, at + 3] = log1p(end - first)
            table[i, at + 4] = log1p(length)
            at += 5
            block_count = end - first
            while tree[E_DEPTH, e] > 0:
                e = np.int64(elements[PARENT, e])
                if tree[E_END, e] - elements[FIRST_BLOCK, e] > block_count:
                    break
    return c + 5 * LEVELS


@part
def _put_best(elements, b0, count, e0, e1, tree, sums, penalty, table, c):
    """The element with the most prose and the least of all else."""
    best = -1.0e18
    first = end = np.int64(0)
    mass = 0.0
    for e in range(e0, e1):
        begin, stop = np.int64(elements[FIRST_BLOCK, e]) - b0, tree[E_END, e] - b0
        prose = sums[SUM_PROSE, stop] - sums[SUM_PROSE, begin]
        score = prose - penalty * (sums[SUM_LENGTH, stop] - sums[SUM_LENGTH, begin] - prose)
        if score > best:
            best, first, end, mass = score, begin, stop, prose
    for i in range(count):
        table[i, c] = 1.0 if first <= i < end else 0.0
        table[i, c + 1] = mass / (sums[SUM_PROSE, count] + 1.0)
        distance = 0
        if i < first:
            distance = i - first
        elif i >= end:
            distance = i - end + 1
        table[i, c + 2] = distance / count
    return c + 3


@part
def _put_window(count, sums, table, c):
    """The stretch of blocks with the most prose (BTE), and where a block is as seen from it."""
    best = low = -1.0e18
    least = sums[SUM_WEIGHTED, 0]
    at = first = last = 0
    for i in range(count):
        if sums[SUM_WEIGHTED, i] < least:
            least, at = sums[SUM_WEIGHTED, i], i
        low = sums[SUM_WEIGHTED, i + 1] - least
        if low > best:
            best, first, last = low, at, i
    for i in range(count):
        table[i, c] = (i - first) / count
        table[i, c + 1] = (i - last) / count
        table[i, c + 2] = 1.0 if first <= i <= last else 0.0
    return c + 3


@part
def _put_neighbours(base, groups, count, table, c):
    for i in range(count):
        at = c
        for k in range(4):
            j = i + (-1 if k == 0 else 1 if k == 1 else -2 if k == 2 else 2)
            inside = 0 <= j < count
            table[i, at] = base[LOG_LENGTH, j] if inside else 0.0
            table[i, at + 1] = base[LINK, j] if inside else 0.0
            table[i, at + 2] = 1.0 if inside and base[PROSE, j] > 0 else 0.0
            at += 3
            if k < 2:
                table[i, at] = base[KIND, j] if inside else 0.0
                table[i, at + 1] = base[DEPTH, j] - base[DEPTH, i] if inside else 0.0
                table[i, at + 2] = 1.0 if inside and groups[BY_PATH, j] == groups[BY_PATH, i] else 0.0
                at += 3
    return c + 18


@part
def _put_surroundings(base, sums, count, table, c):
    """Windows around a block, distance to prose and to headings."""
    last = -1000
    heading, level = -1000, 0.0
    first_title = -1
    for i in range(count):
        if base[HEADING, i] == 1 and first_title < 0:
            first_title = i
    for i in range(count):
        at = c
        for width in (3, 8, 20):
            low, high = max(i - width, 0), min(i + width + 1, count)
            length = sums[SUM_LENGTH, high] - sums[SUM_LENGTH, low] + 1.0
            table[i, at] = (sums[SUM_PROSE, high] - sums[SUM_PROSE, low]) / length
            table[i, at + 1] = 1.0 - (sums[SUM_FREE, high] - sums[SUM_FREE, low]) / length
            at += 2
        if base[PROSE, i] > 0:
            last = i
        table[i, at] = min(i - last, 50)
        if base[HEADING, i] > 0:
            heading, level = i, base[HEADING, i]
        table[i, at + 2] = min(i - heading, 50)
        table[i, at + 3] = level
        table[i, at + 4] = (i - first_title) / count if first_title >= 0 else -2.0
    following = count + 1000
    next_heading = count + 1000
    for k in range(count):
        i = count - 1 - k
        if base[PROSE, i] > 0:
            following = i
        if base[HEADING, i] > 0:
            next_heading = i
        table[i, c + 7] = min(following - i, 50)
        table[i, c + 11] = min(next_heading - i, 50)
    return c + 12


@part
def _put_senses(blocks, elements, b0, count, tree, table, c):
    """Tags, words in class and id, roles of the elements around a block."""
    for i in range(count):
        e = np.int64(blocks[ELEMENT, b0 + i])
        at = c
        for k in range(SENSES):
            table[i, at] = (tree[E_SENSE, e] >> k) & 1
            at += 1
        for k in range(WORD_GROUPS):
            table[i, at] = (tree[E_WORDS, e] >> k) & 1
            at += 1
        parent = np.int64(elements[PARENT, e])
        own = tree[E_OWN, e] | tree[E_OWN, parent]
        for k in range(WORD_GROUPS):
            table[i, at] = (own >> k) & 1
            at += 1
        for k in range(MARK_BITS):
            table[i, at] = (tree[E_MARKS, e] >> k) & 1
            at += 1
    return c + SENSES + 2 * WORD_GROUPS + MARK_BITS


@part
def _put_title(text, blocks, b0, count, head_bytes, head, base, classes, small, hashes, title, description, table, c):
    """Words shared with the title and with the description that the head gives."""
    titles = spoken = 0
    if head[0] >= 0:
        titles = _hash_words(head_bytes, head[0], head[1], classes, small, title, 60)
    if head[2] >= 0:
        spoken = _hash_words(head_bytes, head[2], head[3], classes, small, description, 60)
    title_sieve, description_sieve = _sieve(title, titles), _sieve(description, spoken)
    best, at = 0.4, 0
    for i in range(count):
        b = b0 + i
        x = table[i]
        x[c] = x[c + 2] = x[c + 3] = 0.0
        if base[LENGTH, i] <= 8 or base[LENGTH, i] > 1500 or titles + spoken == 0:
            continue
        begin = np.int64(blocks[TEXT_END, b - 1]) if b > 0 else np.int64(0)
        words = _hash_words(text, begin, np.int64(blocks[TEXT_END, b]), classes, small, hashes, len(hashes))
        if words == 0:
            continue
        if titles and words < 3 * titles + 6:
            hits = _overlap(hashes, words, title, titles, title_sieve)
            if hits > 1 or hits == titles:
                x[c] = hits / max(titles, words)
        if spoken > 3:
            hits = _overlap(hashes, words, description, spoken, description_sieve)
            x[c + 2] = hits / spoken
            x[c + 3] = hits / max(spoken, words)
        if x[c] > best:
            best, at = np.float64(x[c]), i
    for i in range(count):
        table[i, c + 1] = (i - at) / count
    return c + 4


@part
def _put_copies(groups, count, group_count, sizes, table, c):
    """Whether the same text occurs elsewhere in the page."""
    for g in range(group_count):
        sizes[0, g] = 0.0
    for i in range(count):
        sizes[0, groups[BY_TAGS, i]] += 1.0
    for i in range(count):
        table[i, c] = 1.0 if sizes[0, groups[BY_TAGS, i]] > 1.0 else 0.0
    return c + 1


@part
def _read_copies(elements, e0, e1, b0, path_keys, tree, sums, slots, slot_keys):
    """Elements of the same kind under one parent: how many there are, how much text they hold, what lists they are in."""
    size = _clear_slots(slots, e1 - e0)
    for e in range(e0, e1):
        key = (path_keys[elements[ELEMENT_PATH, e]] ^ np.int64(elements[PARENT, e])) * FNV_PRIME
        slot = _seat_of(key, size, slots, slot_keys)
        if slots[slot] < 0:
            slots[slot] = e
            tree[E_COPIES, e] = tree[E_COPIES_LENGTH, e] = 0
        first = np.int64(slots[slot])
        tree[E_FIRST, e] = first
        tree[E_COPIES, first] += 1
        begin, end = np.int64(elements[FIRST_BLOCK, e]) - b0, tree[E_END, e] - b0
        tree[E_COPIES_LENGTH, first] += np.int64(sums[SUM_LENGTH, end] - sums[SUM_LENGTH, begin])
    tree[E_MOST_COPIES, e0], tree[E_OUTER, e0] = 0, -1
    for e in range(e0 + 1, e1):
        parent = np.int64(elements[PARENT, e])
        first = tree[E_FIRST, e]
        copies = tree[E_COPIES, first]
        tree[E_COPIES, e] = copies
        tree[E_COPIES_LENGTH, e] = tree[E_COPIES_LENGTH, first]
        tree[E_MOST_COPIES, e] = max(tree[E_MOST_COPIES, parent], copies)
        outer = tree[E_OUTER, parent]
        tree[E_OUTER, e] = e if outer < 0 and copies >= REPEATED else outer


@part
def _put_copies_of_elements(blocks, elements, b0, count, tree, sums, table, c):
    """How many elements there are like that of a block, and the outermost list that the block is in."""
    for i in range(count):
        x = table[i]
        e = np.int64(blocks[ELEMENT, b0 + i])
        parent = np.int64(elements[PARENT, e])
        outer = tree[E_OUTER, parent]
        x[c] = log1p(tree[E_COPIES, e])
        x[c + 1] = log1p(tree[E_MOST_COPIES, parent])
        x[c + 2] = x[c + 3] = x[c + 4] = 0.0
        if outer >= 0:
            length = np.float64(tree[E_COPIES_LENGTH, outer])
            x[c + 2] = log1p(tree[E_COPIES, outer])
            x[c + 3] = log1p(length / tree[E_COPIES, outer])
            x[c + 4] = length / sums[SUM_LENGTH, count]
    return c + 5


@part
def _title_block(base, count, table, title):
    """The block that repeats the title, a heading if there is a choice; else the first heading of the page, or -1."""
    best, place = 0.0, -1
    for i in range(count):
        match = np.float64(table[i, title])
        if match > 0.4 and match + (0.15 if base[HEADING, i] > 0 else 0.0) > best:
            best, place = match + (0.15 if base[HEADING, i] > 0 else 0.0), i
    if place < 0:
        for i in range(count):
            if base[HEADING, i] == 1:
                return i
    return place


@part
def _relate(elements, e0, e1, block_element, tree):
    """The smallest element that holds both each element and a given one, and how far up it is from both."""
    for e in range(e0, e1):
        tree[E_UP, e] = -1
    e = block_element
    steps = 0
    while True:
        tree[E_UP, e], tree[E_DOWN, e] = 0, steps
        if tree[E_DEPTH, e] == 0:
            break
        e = np.int64(elements[PARENT, e])
        steps += 1
    for e in range(e0, e1):
        if tree[E_UP, e] == 0:
            tree[E_COMMON, e] = e
        else:
            parent = np.int64(elements[PARENT, e])
            tree[E_UP, e] = tree[E_UP, parent] + 1
            tree[E_COMMON, e] = tree[E_COMMON, parent]


@part
def _put_relation(blocks, elements, page, other, tree, sums, table, c):
    """How near a block is, in the tree, to another one of the page."""
    b0, count = page[0], page[1] - page[0]
    prose = sums[SUM_PROSE, count] + 1.0
    if other >= 0:
        _relate(elements, page[2], page[3], np.int64(blocks[ELEMENT, b0 + other]), tree)
    for i in range(count):
        x = table[i]
        x[c] = x[c + 1] = x[c + 2] = -1.0
        if other >= 0:
            e = np.int64(blocks[ELEMENT, b0 + i])
            common = tree[E_COMMON, e]
            first, end = np.int64(elements[FIRST_BLOCK, common]) - b0, tree[E_END, common] - b0
            x[c] = tree[E_UP, e]
            x[c + 1] = tree[E_DOWN, common]
            x[c + 2] = (sums[SUM_PROSE, end] - sums[SUM_PROSE, first]) / prose
    return c + 3


@part
def _put_since_title(base, count, title, sums, table, c):
    """What stands between the title and a block."""
    prose = sums[SUM_PROSE, count] + 1.0
    for i in range(count):
        x = table[i]
        x[c], x[c + 1], x[c + 2] = -2.0, -1.0, -50.0
        if title >= 0:
            low, high = min(i, title), max(i, title)
            length = sums[SUM_LENGTH, high] - sums[SUM_LENGTH, low]
            free = sums[SUM_FREE, high] - sums[SUM_FREE, low]
            between = (sums[SUM_PROSE, high] - sums[SUM_PROSE, low]) / prose
            x[c] = between if i >= title else -between
            x[c + 1] = (length - free) / max(length, 1.0)
            x[c + 2] = base[DEPTH, i] - base[DEPTH, title]
    return c + 3


@part
def _put_dates(counts, b0, count, base, table, c):
    """How many blocks of the page look like dates: comments and teasers have one each."""
    dates = 0
    for i in range(count):
        digits = np.float64(counts[b0 + i, DIGIT])
        if base[LENGTH, i] < DATE_CHARS and digits >= DATE_DIGITS and digits > DATE_SHARE * base[LENGTH, i]:
            dates += 1
    for i in range(count):
        table[i, c] = log1p(dates)
    return c + 1


@kernel(
    _BYTES, _INTS_2, _INTS_2, _LONGS, _BYTES, _LONGS,  # text, blocks, elements, range, head bytes, title and description
    _BYTES, _HALVES, _LONGS_2,  # classes, small letters, facts about tags
    _INTS_2, _LONGS, _LONGS, _LONGS,  # counts and keys of blocks, words and keys of paths
    _LONGS_2, _DOUBLES_2, _DOUBLES_2, _INTS, _LONGS, _LONGS_2, _DOUBLES_2, _LONGS_2,  # scratch space
    _FLOATS_2,
    returns=types.int64,
)  # fmt: skip
def page_features(
    text, blocks, elements, page, head_bytes, head, classes, small, tag_facts, counts, text_keys, path_words, path_keys,
    tree, base, sums, slots, slot_keys, groups, group_sums, words, table,
):  # fmt: skip
    """Fill the table with the features of all blocks of a page; how many features there are.

    ``page`` is the range of its blocks and of its elements; ``words`` has room for those of a block, of the title and of
    the description.
    """
    b0, b1, e0, e1 = page[0], page[1], page[2], page[3]
    count = b1 - b0
    _read_elements(elements, e0, e1, b1, tag_facts, path_words, tree)
    _find_ends(blocks, elements, b0, b1, e0, e1, tree)
    _read_blocks(blocks, counts, b0, b1, tag_facts, tree, base, sums)
    c = _put_text_features(blocks, counts, b0, count, base, table, np.int64(0))
    c = _put_ends(text, blocks, b0, count, classes, table, c)
    keys = groups[2]
    for i in range(count):
        keys[i] = tree[E_KEY, np.int64(blocks[ELEMENT, b0 + i])]
    group_count = _group(keys, count, slots, slot_keys, groups, BY_TAGS)
    _sum_groups(base, count, group_count, groups, BY_TAGS, group_sums)
    c = _put_group(sums, count, groups, BY_TAGS, group_sums, table, c)
    for i in range(count):
        keys[i] = text_keys[b0 + i]
    group_count = _group(keys, count, slots, slot_keys, groups, BY_TAGS)
    c = _put_copies(groups, count, group_count, group_sums, table, c)
    for i in range(count):
        keys[i] = path_keys[np.int64(elements[ELEMENT_PATH, np.int64(blocks[ELEMENT, b0 + i])])]
    group_count = _group(keys, count, slots, slot_keys, groups, BY_PATH)
    _sum_groups(base, count, group_count, groups, BY_PATH, group_sums)
    c = _put_group(sums, count, groups, BY_PATH, group_sums, table, c)
    c = _put_place(base, sums, count, group_count, group_sums, table, c)
    c = _put_ancestors(blocks, elements, b0, count, tree, sums, table, c)
    c = _put_best(elements, b0, count, e0, e1, tree, sums, 1.0, table, c)
    c = _put_best(elements, b0, count, e0, e1, tree, sums, 0.3, table, c)
    c = _put_window(count, sums, table, c)
    c = _put_neighbours(base, groups, count, table, c)
    c = _put_surroundings(base, sums, count, table, c)
    c = _put_senses(blocks, elements, b0, count, tree, table, c)
    title_column = c
    c = _put_title(
        text, blocks, b0, count, head_bytes, head, base, classes, small, words[0], words[1], words[2], table, c
    )  # fmt: skip
    _read_copies(elements, e0, e1, b0, path_keys, tree, sums, slots, slot_keys)
    c = _put_copies_of_elements(blocks, elements, b0, count, tree, sums, table, c)
    title = _title_block(base, count, table, title_column)
    c = _put_relation(blocks, elements, page, title, tree, sums, table, c)
    c = _put_since_title(base, count, title, sums, table, c)
    longest = 0 if count else -1
    for i in range(count):
        if base[PROSE, i] > base[PROSE, longest]:
            longest = i
    c = _put_relation(blocks, elements, page, longest, tree, sums, table, c)
    return _put_dates(counts, b0, count, base, table, c)


@part
def _share(sums, row, low, high):
    """Mean probability between two blocks, weighted by length."""
    return (sums[row, high] - sums[row, low]) / max(sums[SUM_LENGTH, high] - sums[SUM_LENGTH, low], 1.0)


@kernel(
    _INTS_2, _INTS_2, _LONGS, _FLOATS, _FLOATS_2, _INTS,  # blocks, elements, range, probabilities, features, chosen ones
    _LONGS_2, _DOUBLES_2, _DOUBLES_2, _LONGS_2, _DOUBLES_2,  # what page_features left
    _FLOATS_2,
    returns=types.int64,
)  # fmt: skip
def context_features(
    blocks, elements, page, chances, features, columns, tree, base, sums, groups, group_sums, table
):  # fmt: skip
    """Features of the second stage: what the first thought of a block, of its neighbours, ancestors and its path.

    Must follow :func:`page_features` of the same page, whose scratch space it reads.
    """
    b0, b1 = page[0], page[1]
    count = b1 - b0
    row = SUM_WEIGHTED
    sums[row, 0] = 0.0
    highest = 0.0
    for i in range(count):
        sums[row, i + 1] = sums[row, i] + base[LENGTH, i] * chances[i]
        highest = max(highest, chances[i])
        group_sums[G_FREE, i] = group_sums[G_PROSE, i] = 0.0
    for i in range(count):
        g = groups[BY_PATH, i]
        group_sums[G_FREE, g] += base[LENGTH, i] * chances[i]
        group_sums[G_PROSE, g] += base[LENGTH, i]
    total, mass = max(sums[SUM_LENGTH, count], 1.0), sums[row, count]
    c = np.int64(0)
    for i in range(count):
        x = table[i]
        x[0] = chances[i]
        c = np.int64(1)
        for k in (-3, -2, -1, 1, 2, 3):
            x[c] = chances[i + k] if 0 <= i + k < count else 0.0
            c += 1
        g = groups[BY_PATH, i]
        x[c] = group_sums[G_FREE, g] / max(group_sums[G_PROSE, g], 1.0)
        x[c + 1] = log1p(group_sums[G_PROSE, g])
        c += 2
        e = np.int64(blocks[ELEMENT, b0 + i])
        for _ in range(LEVELS + 1):
            first, end = np.int64(elements[FIRST_BLOCK, e]) - b0, tree[E_END, e] - b0
            x[c] = _share(sums, row, first, end)
            x[c + 1] = log1p(sums[SUM_LENGTH, end] - sums[SUM_LENGTH, first])
            c += 2
            block_count = end - first
            while tree[E_DEPTH, e] > 0:
                e = np.int64(elements[PARENT, e])
                if tree[E_END, e] - elements[FIRST_BLOCK, e] > block_count:
                    break
        for width in (3, 8, 20):
            x[c] = _share(sums, row, max(i - width, 0), min(i + width + 1, count))
            c += 1
        x[c] = sums[row, i] / max(mass, 1.0)
        x[c + 1] = (mass - sums[row, i + 1]) / max(mass, 1.0)
        x[c + 2] = mass / total
        x[c + 3] = log1p(mass)
        x[c + 4] = highest
        c += 5
        for k in range(len(columns)):
            x[c] = features[i, columns[k]]
            c += 1
    return c


@part
def _lay_side_by_side(table, first, count, columns):
    """Up to :data:`SIDE_BY_SIDE` rows of a table, feature by feature; the last one again where rows end."""
    for feature in range(table.shape[1]):
        for k in range(SIDE_BY_SIDE):
            columns[feature, k] = table[min(first + k, count - 1), feature]


@inner
def _ask_nodes(columns, features, limits, masks, node, open_leaves):
    """Ask :data:`NODES_AT_ONCE` nodes of a tree, from ``node`` on: what is open is read and written once for all of them."""
    x1, x2, x3 = columns[features[node]], columns[features[node + 1]], columns[features[node + 2]]
    limit1, limit2, limit3 = limits[node], limits[node + 1], limits[node + 2]
    mask1, mask2, mask3 = masks[node], masks[node + 1], masks[node + 2]
    for k in range(SIDE_BY_SIDE):
        stay1 = mask1 if x1[k] > limit1 else _ALL_LEAVES
        stay2 = mask2 if x2[k] > limit2 else _ALL_LEAVES
        stay3 = mask3 if x3[k] > limit3 else _ALL_LEAVES
        open_leaves[k] &= stay1 & stay2 & stay3


@kernel(
    _FLOATS_2, types.int64, _INTS, _INTS, _FLOATS, _WORDS, _FLOATS_2, _FLOATS_2, _WORDS, _FLOATS, returns=types.void
)
def evaluate_trees(table, count, roots, features, limits, masks, leaves, columns, open_leaves, scores):
    """Sum of what all trees say of each row of a table.

    Every node of a tree is asked, for 64 rows at once: that is what processors are quick at, quicker than going from
    node to node. A row whose feature is above a node's limit cannot end in the leaves on its left; the first leaf that
    no node has ruled out is the one (Lucchese et al. 2015, QuickScorer). A bit of ``masks`` is a leaf that stays possible.
    """
    for first in range(0, count, SIDE_BY_SIDE):
        _lay_side_by_side(table, first, count, columns)
        last = min(first + SIDE_BY_SIDE, count)
        for i in range(first, last):
            scores[i] = np.float32(0.0)
        for tree in range(len(roots) - 1):
            for k in range(SIDE_BY_SIDE):
                open_leaves[k] = _ALL_LEAVES
            node = np.int64(roots[tree])
            while node + NODES_AT_ONCE <= roots[tree + 1]:
                _ask_nodes(columns, features, limits, masks, node, open_leaves)
                node += NODES_AT_ONCE
            while node < roots[tree + 1]:
                x, limit, mask = columns[features[node]], limits[node], masks[node]
                for k in range(SIDE_BY_SIDE):
                    open_leaves[k] &= mask if x[k] > limit else _ALL_LEAVES
                node += 1
            for i in range(first, last):
                scores[i] += leaves[tree, zeros_below(np.uint64(open_leaves[i - first]))]
