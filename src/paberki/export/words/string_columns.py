"""Columns of strings, one for each line of an export, and the lines that are made of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.kernels import load

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
KERNEL: Final = "paberki.export.words.lines_kernel"
_POWERS: Final = 10 ** np.arange(1, 19, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Strings:
    """A string for each line: that of its code, which is a stretch of bytes."""

    codes: npt.NDArray[np.int32]
    begins: Ints
    ends: Ints
    data: Bytes

    def lengths(self) -> Ints:
        """Bytes of each string."""
        return (self.ends - self.begins)[self.codes]


@dataclass(frozen=True, slots=True)
class Numbers:
    """A number for each line, not negative."""

    values: Ints

    def lengths(self) -> Ints:
        """Digits of each number."""
        return np.searchsorted(_POWERS, self.values, side="right") + 1


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """A string for each token, by its number in a list of different strings."""

    codes: npt.NDArray[np.int32]
    words: Sequence[str] | pa.StringArray

    def strings(self, change: Callable[[str], str] | None = None) -> Strings:
        """The strings, each changed once."""
        if change is None and isinstance(self.words, pa.Array):
            return arrow_strings(self.words, self.codes)
        words = self.distinct_strings() if change is None else [change(word) for word in self.distinct_strings()]
        data = [word.encode("utf-8", "replace") for word in words]
        edges: Ints = np.cumsum([0, *map(len, data)], dtype=np.int64)
        joined_data = np.frombuffer(b"".join(data) or b"\0", np.uint8)
        return Strings(np.ascontiguousarray(self.codes, np.int32), edges[:-1], edges[1:], joined_data)

    def distinct_strings(self) -> Sequence[str]:
        """The different strings."""
        return self.words.to_pylist() if isinstance(self.words, pa.Array) else self.words

    def array(self) -> pa.StringArray:
        """The same for Arrow."""
        return self.words if isinstance(self.words, pa.Array) else pa.array(self.words, pa.string())

    def is_nothing(self) -> bool:
        """No token has a value."""
        return bool(pc.all(pc.equal(self.array(), "_")).as_py())

    def where(self, test: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
        """For which tokens something is true."""
        flags: npt.NDArray[np.bool_] = np.array([test(word) for word in self.distinct_strings()], np.bool_)[self.codes]
        return flags

    def equal(self, word: str) -> npt.NDArray[np.bool_]:
        """Which tokens have this string."""
        flags: npt.NDArray[np.bool_] = pc.equal(self.array(), word).to_numpy(zero_copy_only=False)
        return flags[self.codes]


def arrow_strings(words: pa.Array, codes: npt.NDArray[Any] | None = None) -> Strings:
    """Strings of Arrow, which are not copied; without codes one for each line."""
    if codes is None:
        codes = np.arange(len(words), dtype=np.int32)
    words = words.cast(pa.large_string())
    _, offsets, content = words.buffers()
    edges = np.frombuffer(offsets, np.int64, len(words) + 1, words.offset * 8) if len(words) else np.zeros(1, np.int64)
    data = np.frombuffer(content, np.uint8) if content is not None and content.size else np.zeros(1, np.uint8)
    return Strings(np.ascontiguousarray(codes, np.int32), edges[:-1], edges[1:], data)


def arrow_bytes(words: pa.Array) -> bytes:
    """The bytes of all strings, one after the other."""
    strings = arrow_strings(words)
    return strings.data[strings.begins[0] : strings.ends[-1]].tobytes() if len(words) else b""


def constant(word: str, count: int) -> Strings:
    """The same string for each line."""
    return CodedColumn(np.zeros(count, np.int32), [word]).strings()


def lines(columns: Sequence[Strings | Numbers]) -> memoryview:
    """The strings of all columns, line by line."""
    return rows(columns)[0].data


def rows(columns: Sequence[Strings | Numbers]) -> tuple[Bytes, Ints]:
    """The same as an array, and where each line ends."""
    all_lengths: list[Ints] = [column.lengths() for column in columns]
    if not columns or not len(all_lengths[0]):
        return np.zeros(0, np.uint8), np.zeros(0, np.int64)
    total = all_lengths[0].copy()
    for own in all_lengths[1:]:
        total += own
    ends: Ints = np.cumsum(total)
    places = ends - total
    out = np.empty(int(ends[-1]), np.uint8)
    kernels: Any = load(KERNEL)
    for column, own in zip(columns, all_lengths, strict=True):
        if isinstance(column, Numbers):
            kernels.put_numbers(np.ascontiguousarray(column.values, np.int64), own, places, out)
        else:
            kernels.put_strings(
                column.data,
                column.codes,
                np.ascontiguousarray(column.begins),
                np.ascontiguousarray(column.ends),
                places,
                out,
            )
    return out, ends


def joined_strings(columns: Sequence[Strings | Numbers]) -> pa.StringArray:
    """The same as strings of Arrow."""
    data, ends = rows(columns)
    edges = pa.py_buffer(np.r_[0, ends].astype(np.int64))
    return pa.Array.from_buffers(pa.large_string(), len(ends), [None, edges, pa.py_buffer(data)]).cast(pa.string())
