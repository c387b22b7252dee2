# mypy: ignore-errors
"""Tokens of many blocks, copied one after the other with spaces between them, compiled.

Invariants: as in :mod:`paberki.query.sources.words_kernel`; ``joined`` has room for all bytes of the tokens and one more each.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from paberki.kernels import kernel
from paberki.kernels.kernel_types import reads, types, writes
from paberki.kernels.utf8_kernel import forward

_SPACE: Final = np.uint8(32)
_INNER: Final = np.uint8(31)
_FIRST_WHITE: Final = np.uint8(9)
_LAST_WHITE: Final = np.uint8(13)


@kernel(
    reads(types.uint8), reads(types.int32), reads(types.int64), reads(types.int32), reads(types.int32),
    writes(types.uint8), writes(types.int64),
    returns=types.void,
)  # fmt: skip
def join_tokens(data, edges, blocks, starts, ends, text_bytes, places):
    """Copy every token, and a space behind it; ``places`` says where each ends, its space included."""
    block, character, at, out = np.int64(-1), np.int64(0), np.int64(0), np.int64(0)
    for token in range(len(blocks)):
        if blocks[token] != block or starts[token] < character:
            block = np.int64(blocks[token])
            character, at = np.int64(0), np.int64(edges[block])
        end = np.int64(edges[block + 1])
        at = forward(data, at, end, starts[token] - character)
        last = forward(data, at, end, ends[token] - starts[token])
        while at < last:
            byte = data[np.uint64(at)]
            if byte == _SPACE or (byte >= _FIRST_WHITE and byte <= _LAST_WHITE):
                byte = _INNER
            text_bytes[np.uint64(out)] = byte
            out += 1
            at += 1
        text_bytes[np.uint64(out)] = _SPACE
        out += 1
        places[token] = out
        character = np.int64(max(ends[token], starts[token]))
