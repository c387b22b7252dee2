"""Escapes of single bytes, in all strings of a column at once: in UTF-8 no sign of ASCII is part of another character."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.export.words.string_columns import KERNEL, Bytes, Ints, arrow_strings
from paberki.kernels import load


@dataclass(frozen=True, slots=True)
class Escapes:
    """What stands for each byte in the output."""

    words: Bytes
    edges: Ints

    def apply(self, values: pa.StringArray) -> pa.StringArray:
        """The values escaped; null stays null."""
        strings = arrow_strings(values)
        if not len(values):
            return values
        kernels: Any = load(KERNEL)
        begins, ends = np.ascontiguousarray(strings.begins), np.ascontiguousarray(strings.ends)
        lengths = np.empty(len(values), np.int64)
        kernels.escaped_lengths(strings.data, begins, ends, self.edges, lengths)
        edges: Ints = np.r_[0, np.cumsum(lengths)]
        if edges[-1] == ends[-1] - begins[0]:  # escapes are longer than what they stand for
            return values
        out = np.empty(int(edges[-1]), np.uint8)
        kernels.put_escaped(strings.data, begins, ends, self.words, self.edges, out)
        buffers = [None, pa.py_buffer(edges), pa.py_buffer(out)]
        texts = pa.Array.from_buffers(pa.large_string(), len(values), buffers).cast(pa.string())
        return pc.if_else(values.is_valid(), texts, None) if values.null_count else texts


def escapes(changes: Mapping[str, str]) -> Escapes:
    """Escapes of some signs of ASCII; all other bytes are written as they are."""
    words = [bytes([byte]) for byte in range(256)]
    for sign, escape in changes.items():
        words[ord(sign)] = escape.encode()
    edges: Ints = np.cumsum([0, *map(len, words)], dtype=np.int64)
    return Escapes(np.frombuffer(b"".join(words), np.uint8), edges)


MARKUP: Final = escapes({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
ATTRIBUTE: Final = escapes({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})
