# mypy: ignore-errors
"""Lines from columns of strings, compiled: every string is copied once, to its place in the output.

Invariants: ``places`` has the place of the next byte of each row, and moves on with every column; the rows have room for all
columns, since their lengths were added up before.
"""

from __future__ import annotations

import numpy as np

from paberki.kernels import kernel
from paberki.kernels.kernel_types import reads, types, writes


@kernel(
    reads(types.uint8), reads(types.int32), reads(types.int64), reads(types.int64), writes(types.int64), writes(types.uint8),
    returns=types.void,
)  # fmt: skip
def put_strings(data, codes, begins, ends, places, out):
    """Copy the string of each row: that from ``begins`` to ``ends`` of its code."""
    for row in range(len(codes)):
        code = np.int64(codes[row])
        at = places[row]
        for byte in range(begins[code], ends[code]):
            out[at] = data[byte]
            at += 1
        places[row] = at


@kernel(reads(types.int64), reads(types.int64), writes(types.int64), writes(types.uint8), returns=types.void)
def put_numbers(values, lengths, places, out):
    """Write numbers that are not negative in decimal; ``lengths`` are their digits."""
    for row in range(len(values)):
        value = values[row]
        at = places[row] + lengths[row]
        places[row] = at
        for _ in range(lengths[row]):
            at -= 1
            out[at] = np.uint8(48 + value % 10)
            value //= 10


@kernel(
    reads(types.uint8), reads(types.int64), reads(types.int64), reads(types.int64), writes(types.int64),
    returns=types.void,
)  # fmt: skip
def escaped_lengths(data, begins, ends, edges, lengths):
    """Bytes of each string after escaping; the escape of a byte stands between two ``edges``."""
    for row in range(len(begins)):
        length = np.int64(0)
        for at in range(begins[row], ends[row]):
            byte = data[at]
            length += edges[np.int64(byte) + 1] - edges[byte]
        lengths[row] = length


@kernel(
    reads(types.uint8), reads(types.int64), reads(types.int64), reads(types.uint8), reads(types.int64),
    writes(types.uint8),
    returns=types.void,
)  # fmt: skip
def put_escaped(data, begins, ends, escapes, edges, out):
    """Copy strings one after the other, with the escape of each byte, never empty, in its place."""
    place = np.int64(0)
    for row in range(len(begins)):
        for at in range(begins[row], ends[row]):
            byte = data[at]
            out[place] = escapes[edges[byte]]
            place += 1
            for part in range(edges[byte] + 1, edges[np.int64(byte) + 1]):
                out[place] = escapes[part]
                place += 1
