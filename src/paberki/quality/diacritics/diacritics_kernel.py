# mypy: ignore-errors
"""Which diacritic a bare letter had, learnt and decided letter by letter, compiled: see
:mod:`paberki.quality.diacritics.restoration`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel, part
from paberki.kernels.characters_kernel import is_letter
from paberki.kernels.kernel_types import reads, types, writes
from paberki.kernels.utf8_kernel import character
from paberki.quality.rules.rule_characters import DIACRITIC, LETTER

VARIANTS: Final = 4
"""Forms that a bare letter can have, itself included."""
FEATURES: Final = 18
SPACE: Final = 32
BASE: Final = np.uint64(0xD6E8FEB86659FD93)
_MIX: Final = np.uint64(0xFF51AFD7ED558CCD)
_SALT: Final = np.uint64(0x9E3779B97F4A7C15)
_ONE: Final = np.uint64(1)
_THREE: Final = np.uint64(3)


@kernel(reads(types.uint16), writes(types.uint64), returns=types.void)
def accumulate(codes, sums):
    """Hashes of the text up to each place."""
    for at in range(len(codes)):
        sums[at + 1] = sums[at] * BASE + np.uint64(codes[at]) + _ONE


@kernel(reads(types.uint8), reads(types.int32), reads(types.uint16), writes(types.int64, 2), returns=types.void)
def count_letters(data, offsets, classes, counts):
    """Letters of each text, and those with a diacritic; letters beyond the first plane do not count."""
    for text in range(len(offsets) - 1):
        at = np.int64(offsets[text])
        end = np.int64(offsets[text + 1])
        letters = 0
        diacritic_count = 0
        while at < end:
            char, at = character(data, at, end)
            if char < 0x80:
                letters += is_letter(char)
            elif char < len(classes):
                letters += classes[char] & LETTER != 0
                diacritic_count += classes[char] & DIACRITIC != 0
        counts[text, 0] = letters
        counts[text, 1] = diacritic_count


@part
def _span(sums, powers, first, last):
    """Hash of the characters from ``first`` to before ``last``, cut to the text."""
    first = max(first, 0)
    last = max(first, min(last, len(sums) - 1, first + len(powers) - 1))
    return sums[last] - sums[first] * powers[last - first]


@part
def _slot(key, number, shift):
    return np.int64(((key + np.uint64(number) * _SALT) * _MIX) >> shift)


@part
def _word_before(bare, first):
    """Where the word before begins; at most 40 characters back."""
    at = first - 1
    least = max(0, first - 40)
    while at > least and bare[at - 1] == SPACE:
        at -= 1
    while at > least and bare[at - 1] != SPACE:
        at -= 1
    return max(at, 0)


@part
def _word_after(bare, last):
    """Where the word after ends."""
    at = last
    most = min(len(bare), last + 40)
    while at < most and bare[at] == SPACE:
        at += 1
    while at < most and bare[at] != SPACE:
        at += 1
    return at


@part
def _features(bare, sums, powers, at, first, last, before, after, shift, slots):
    """Places of what is known about a letter: what stands around it, its word, the words beside it."""
    letter = np.uint64(bare[at])
    number = 0
    for left, right in (
        (1, 1),
        (2, 0),
        (0, 2),
        (2, 1),
        (1, 2),
        (2, 2),
        (3, 1),
        (1, 3),
        (3, 3),
        (4, 0),
        (0, 4),
        (4, 2),
        (2, 4),
        (5, 5),
    ):
        key = _span(sums, powers, at - left, at + right + 1) * _THREE + letter
        slots[number] = _slot(key, number + 1, shift)
        number += 1
    inside = np.uint64(at - first)
    word = _span(sums, powers, first, last) * _THREE + inside
    slots[number] = _slot(word, 40, shift)
    slots[number + 1] = _slot(word + _span(sums, powers, before, first) * BASE, 41, shift)
    slots[number + 2] = _slot(word + _span(sums, powers, last, after) * BASE, 42, shift)
    ending = _span(sums, powers, max(first, last - 3), last) * _THREE + np.uint64(last - at)
    slots[number + 3] = _slot(ending + _span(sums, powers, max(before, first - 4), first) * BASE, 43, shift)


@part
def _best(weights, slots, choices, totals):
    for variant in range(choices):
        totals[variant] = 0
    for place in range(FEATURES):
        for variant in range(choices):
            totals[variant] += weights[slots[place], variant]
    best = 0
    for variant in range(1, choices):
        if totals[variant] > totals[best]:
            best = variant
    return best


@kernel(
    reads(types.uint16), reads(types.int8), reads(types.int8), reads(types.uint64), reads(types.uint64),
    types.uint64, types.int64, types.int64, writes(types.int64), writes(types.int64), writes(types.int32, 2),
    writes(types.int64, 2),
    returns=types.void,
)  # fmt: skip
def train(bare, gold, choices, sums, powers, shift, passes, margin, slots, totals, weights, history):
    """A perceptron over hashed features; ``history`` sums up changes by the time they were made, for the mean."""
    clock = np.int64(1)
    for _ in range(passes):
        at = 0
        while at < len(bare):
            if bare[at] == SPACE:
                at += 1
                continue
            first = at
            while at < len(bare) and bare[at] != SPACE:
                at += 1
            last = at
            before = _word_before(bare, first)
            after = _word_after(bare, last)
            for letter in range(first, last):
                count = choices[bare[letter]]
                if count < 2 or gold[letter] < 0:
                    continue
                _features(bare, sums, powers, letter, first, last, before, after, shift, slots)
                best = _best(weights, slots, count, totals)
                right = np.int64(gold[letter])
                rival = best
                if best == right:
                    rival = -1
                    for variant in range(count):
                        if variant != right and (rival < 0 or totals[variant] > totals[rival]):
                            rival = variant
                    if totals[right] - totals[rival] >= margin:
                        rival = -1
                if rival >= 0:
                    for place in range(FEATURES):
                        weights[slots[place], right] += 1
                        weights[slots[place], rival] -= 1
                        history[slots[place], right] += clock
                        history[slots[place], rival] -= clock
                clock += 1


@kernel(
    reads(types.uint16), reads(types.int8), reads(types.uint64), reads(types.uint64), types.uint64,
    writes(types.int64), writes(types.int64), reads(types.int32, 2), writes(types.int8),
    returns=types.void,
)  # fmt: skip
def decide(bare, choices, sums, powers, shift, slots, totals, weights, answers):
    """The form of every letter that has several."""
    at = 0
    while at < len(bare):
        if bare[at] == SPACE:
            at += 1
            continue
        first = at
        while at < len(bare) and bare[at] != SPACE:
            at += 1
        before = _word_before(bare, first)
        after = _word_after(bare, at)
        for letter in range(first, at):
            count = choices[bare[letter]]
            if count >= 2:
                _features(bare, sums, powers, letter, first, at, before, after, shift, slots)
                answers[letter] = _best(weights, slots, count, totals)
