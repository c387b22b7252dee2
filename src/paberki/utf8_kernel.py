# mypy: ignore-errors
"""Characters of UTF-8 text, for compiled loops."""

from __future__ import annotations

import numpy as np

from paberki.kernels import part


@part
def character(data, at, end):
    """Character at an offset and the offset after it; texts come from Arrow, so that they are whole."""
    byte = np.int64(data[at])
    if byte < 0x80:
        return byte, at + 1
    if byte < 0xE0 and at + 2 <= end:
        return ((byte & 0x1F) << 6) | (np.int64(data[at + 1]) & 0x3F), at + 2
    if byte < 0xF0 and at + 3 <= end:
        low = ((np.int64(data[at + 1]) & 0x3F) << 6) | (np.int64(data[at + 2]) & 0x3F)
        return ((byte & 0x0F) << 12) | low, at + 3
    if at + 4 <= end:
        low = ((np.int64(data[at + 2]) & 0x3F) << 6) | (np.int64(data[at + 3]) & 0x3F)
        return ((byte & 0x07) << 18) | ((np.int64(data[at + 1]) & 0x3F) << 12) | low, at + 4
    return np.int64(0xFFFD), end
