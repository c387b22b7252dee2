# mypy: ignore-errors
"""Which blocks deserve a closer look before they get a view: one pass over the characters of a batch, compiled.

:mod:`paberki.extraction.repair.repaired_text` says what is looked for, as bits of every character of the basic plane. A block that is not pointed at has no
view; one that is may have none either.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from paberki.extraction.compiled.kernel_layout import TEXT_END
from paberki.extraction.repair.repair_signs import (
    ALONE,
    CLOSER,
    FIRST_OF,
    HYPHEN,
    LETTER,
    PAIRED,
    PAIRED_RUN,
    SECOND_OF,
    SIGN,
    SPACE,
    STOP,
    UPPER,
)
from paberki.kernels import kernel, part
from paberki.kernels.utf8_kernel import basic_character

_BYTES = types.Array(types.uint8, 1, "C")
_FLAGS = types.Array(types.boolean, 1, "C")
_INTS_2 = types.Array(types.int32, 2, "C")
_WORDS = types.Array(types.uint32, 1, "C")

_NONE: Final = np.int64(-1)


@part
def _suspect(text, begin, end, signs, longest):
    """Whether something that is looked for stands in a block."""
    before_bits = bits = np.int64(0)
    last = _NONE
    run = pairs = 0
    after_stop = False
    at = begin
    while at < end:
        char, at = basic_character(text, at, end)
        sign = np.int64(signs[char])
        if sign & ALONE or (bits & FIRST_OF) & (sign >> SECOND_OF):
            return True
        run = run + 1 if char == last else 1
        pairs = pairs + 1 if sign & PAIRED else 0
        if (sign & SIGN and run > longest) or pairs >= PAIRED_RUN:
            return True
        if sign & SPACE and bits & HYPHEN and before_bits & LETTER:
            return True
        if after_stop and sign & UPPER:
            return True
        after_stop = (sign & STOP) != 0 or (after_stop and (sign & CLOSER) != 0)
        before_bits, bits, last = bits, sign, char
    return False


@kernel(_BYTES, _INTS_2, types.int64, _WORDS, types.int64, _FLAGS, returns=types.void)
def find_suspects(text, blocks, block_count, signs, longest, suspects):
    """Flags the blocks of a harvest; ``longest`` is the longest run of one sign that is left as it is."""
    begin = np.int64(0)
    for number in range(block_count):
        end = np.int64(blocks[TEXT_END, number])
        suspects[number] = _suspect(text, begin, end, signs, longest)
        begin = end
