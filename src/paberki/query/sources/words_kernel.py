# mypy: ignore-errors
"""Where tokens are in the bytes of their blocks, compiled: layers count characters, texts are UTF-8.

Invariants: ``edges`` has one more entry than there are blocks; tokens of one block come in order, and their places lie
within the text of the block, else they are cut off at its end.
"""

from __future__ import annotations

import numpy as np

from paberki.kernels import kernel
from paberki.kernels.kernel_types import reads, types, writes
from paberki.kernels.utf8_kernel import forward


@kernel(
    reads(types.uint8), reads(types.int32), reads(types.int32), reads(types.int32), reads(types.int32),
    writes(types.int32), writes(types.int32), writes(types.uint8),
    returns=types.void,
)  # fmt: skip
def place_tokens(data, edges, blocks, starts, ends, byte_starts, byte_ends, glue):
    """Bytes of every token, which is in a block from one character to another; whether it follows without a space."""
    block, character, at, last_end = np.int64(-1), np.int64(0), np.int64(0), np.int64(-1)
    for token in range(len(blocks)):
        if blocks[token] != block or starts[token] < character:
            last_end = last_end if blocks[token] == block else np.int64(-1)
            block = np.int64(blocks[token])
            character, at = np.int64(0), np.int64(edges[block])
        end = np.int64(edges[block + 1])
        at = forward(data, at, end, starts[token] - character)
        byte_starts[token] = at
        glue[token] = starts[token] == last_end
        at = forward(data, at, end, ends[token] - starts[token])
        byte_ends[token] = at
        character = np.int64(max(ends[token], starts[token]))
        last_end = np.int64(ends[token])
