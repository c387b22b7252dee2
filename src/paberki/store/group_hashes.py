"""Hashes of strings as 64-bit groups: the same on every machine and in every process, unlike ``hash()``."""

from __future__ import annotations

import hashlib

import numpy as np
import pyarrow as pa


def hashes(values: pa.Array) -> pa.Array:
    """One uint64 for each string; null stays null."""
    data = b"".join(
        bytes(8) if text is None else hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        for text in values.to_pylist()
    )
    numbers = np.frombuffer(data, "<u8")
    return pa.array(numbers, pa.uint64(), mask=values.is_null().to_numpy(zero_copy_only=False))
