"""Put Parquet files with the same columns one after the other, without unpacking them.

A shard is built in parts of one row group each. Reading them and writing them again in one file takes longer than
parsing the pages did; but the bytes of a row group may lie anywhere in a file, only the footer says where. So the row
groups are copied as they are and the footer is made from those of the parts. No library offers this (pyarrow can merge
footers, but not move them), and a footer is a small Thrift structure: a dozen kinds of values, read and written here.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from paberki.errors import StoreError
from paberki.store.files import replacing

MAGIC: Final = b"PAR1"
_COPY_BYTES: Final = 1 << 20
_OPEN_FILES: Final = 16

# Kinds of values in Thrift's compact protocol.
_STOP, _TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(13)
_INTEGERS: Final = (_I16, _I32, _I64)

# Fields of the structures of parquet.thrift that have to change.
_ROW_COUNT, _ROW_GROUPS, _SAID = 3, 4, 5  # FileMetaData
_COLUMNS, _GROUP_ROWS, _GROUP_OFFSET, _ORDINAL = 1, 3, 5, 7  # RowGroup
_CHUNK_OFFSETS = (2, 4, 6)  # ColumnChunk: the column itself, offset index, column index
_COLUMN_META = 3
_PAGE_OFFSETS = (9, 10, 11, 14)  # ColumnMetaData: data, index and dictionary pages, bloom filter
_PACKED = 7  # ColumnMetaData: bytes of its pages
_SAID_KEY, _SAID_VALUE = 1, 2  # KeyValue

Struct = dict[int, tuple[int, Any]]
"""Field number -> kind and value; a list is a pair of the kind of its items and the items."""


@dataclass(frozen=True, slots=True)
class RowGroup:
    """One row group of a file."""

    path: Path
    number: int


def splice(path: Path, parts: Sequence[Path | RowGroup], metadata: Mapping[str, str]) -> None:
    """Write the row groups of all parts, whole files or single groups, into one file, atomically, with ``metadata`` in its
    footer."""
    with replacing(path) as beside, beside.open("wb") as out, _Sources() as sources:
        out.write(MAGIC)
        footer: Struct = {}
        groups: list[Struct] = []
        for part in parts:
            own, some, source, (begin, end) = sources.open(part)
            shift = out.tell() - begin
            _copy(source, begin, end, out)
            footer = footer or own
            groups += [_move_group(group, shift) for group in some]
        rows = sum(group[_GROUP_ROWS][1] for group in groups)
        for number, group in enumerate(groups):
            if _ORDINAL in group:
                group[_ORDINAL] = (_I16, number)
        footer[_ROW_COUNT] = (_I64, rows)
        footer[_ROW_GROUPS] = (_LIST, (_STRUCT, groups))
        footer[_SAID] = (_LIST, (_STRUCT, _sayings(footer, metadata)))
        footer_bytes = bytearray()
        _put_struct(footer_bytes, dict(sorted(footer.items())))
        out.write(footer_bytes)
        out.write(struct.pack("<I", len(footer_bytes)) + MAGIC)


class _Sources:
    """Files that row groups are taken from; the last ones stay open, since many groups may be from one file."""

    def __init__(self) -> None:
        self._open_files: dict[Path, tuple[BinaryIO, Struct, int]] = {}
        self._files = ExitStack()

    def __enter__(self) -> _Sources:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        self._files.close()
        self._open_files.clear()

    def open(self, part: Path | RowGroup) -> tuple[Struct, list[Struct], BinaryIO, tuple[int, int]]:
        """The footer of its file, its row groups, the file, and where in it they lie."""
        path = part if isinstance(part, Path) else part.path
        if path not in self._open_files:
            if len(self._open_files) >= _OPEN_FILES:
                self._close()
            source: BinaryIO = self._files.enter_context(path.open("rb"))
            self._open_files[path] = (source, *_footer(source, path))
        source, own, end = self._open_files[path]
        groups = own[_ROW_GROUPS][1][1]
        if isinstance(part, Path):
            return own, groups, source, (len(MAGIC), end)
        group = groups[part.number]
        return own, [group], source, _extent(group)


def _extent(group: Struct) -> tuple[int, int]:
    """Where the pages of a row group begin and end."""
    columns = [column[_COLUMN_META][1] for column in group[_COLUMNS][1][1]]
    begins = [min(meta[at][1] for at in _PAGE_OFFSETS[:3] if meta.get(at, (_I64, 0))[1] > 0) for meta in columns]
    ends = [begin + meta[_PACKED][1] for begin, meta in zip(begins, columns, strict=True)]
    return min(begins), max(ends)


def _footer(source: BinaryIO, path: Path) -> tuple[Struct, int]:
    """The footer of a Parquet file, and where it begins."""
    size = source.seek(0, os.SEEK_END)
    source.seek(max(size - 8, 0))
    tail = source.read(8)
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != MAGIC or length > size - 12:
        raise StoreError(f"{path}: damaged part; remove it and run 'paberki build' to make it again")
    source.seek(size - 8 - length)
    return _ThriftReader(source.read(length)).struct(), size - 8 - length


def _copy(source: BinaryIO, begin: int, end: int, out: BinaryIO) -> None:
    source.seek(begin)
    while begin < end:
        data = source.read(min(_COPY_BYTES, end - begin))
        out.write(data)
        begin += len(data)


def _move_group(group: Struct, shift: int) -> Struct:
    """A row group whose pages lie ``shift`` bytes further on."""
    _move(group, (_GROUP_OFFSET,), shift)
    for column in group[_COLUMNS][1][1]:
        _move(column, _CHUNK_OFFSETS, shift)
        _move(column[_COLUMN_META][1], _PAGE_OFFSETS, shift)
    return group


def _move(fields: Struct, numbers: Sequence[int], shift: int) -> None:
    for number in numbers:
        kind, offset = fields.get(number, (_I64, 0))
        if offset > 0:  # some writers leave offsets that nobody reads at zero
            fields[number] = (kind, offset + shift)


def _sayings(footer: Struct, metadata: Mapping[str, str]) -> list[Struct]:
    """Key-value metadata of the footer: ``metadata``, then that of the part about its columns."""
    own = {key.encode(): value.encode() for key, value in metadata.items()}
    old_items = [item for item in footer.get(_SAID, (_LIST, (_STRUCT, [])))[1][1] if item[_SAID_KEY][1] not in own]
    return [{_SAID_KEY: (_BINARY, key), _SAID_VALUE: (_BINARY, value)} for key, value in own.items()] + old_items


class _ThriftReader:
    """Reads Thrift's compact protocol."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def struct(self) -> Struct:
        fields: Struct = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._integer()
            fields[number] = (head & 15, self._value(head & 15))
        return fields

    def _value(self, kind: int) -> Any:
        if kind in _INTEGERS:
            return self._integer()
        if kind == _BINARY:
            return self._bytes(self._varint())
        if kind == _STRUCT:
            return self.struct()
        if kind in (_LIST, _SET):
            head = self._byte()
            length = head >> 4 if head >> 4 < 15 else self._varint()
            inner = head & 15
            item = self._byte if inner in (_TRUE, _FALSE) else lambda: self._value(inner)
            return inner, [item() for _ in range(length)]
        if kind in (_TRUE, _FALSE):
            return None
        if kind == _BYTE:
            return self._byte()
        if kind == _DOUBLE:
            return self._bytes(8)
        raise StoreError("a part has a footer that this version cannot read")

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _bytes(self, length: int) -> bytes:
        self.at += length
        return self.data[self.at - length : self.at]

    def _varint(self) -> int:
        value = shift = 0
        while (byte := self._byte()) > 127:
            value |= (byte & 127) << shift
            shift += 7
        return value | byte << shift

    def _integer(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)


def _put_struct(out: bytearray, fields: Struct) -> None:
    last = 0
    for number, (kind, value) in fields.items():
        if 0 < number - last < 16:
            out.append((number - last) << 4 | kind)
        else:
            out.append(kind)
            _put_integer(out, number)
        last = number
        _put(out, kind, value)
    out.append(_STOP)


def _put(out: bytearray, kind: int, value: Any) -> None:
    if kind in _INTEGERS:
        _put_integer(out, value)
    elif kind == _BINARY:
        _put_varint(out, len(value))
        out += value
    elif kind == _STRUCT:
        _put_struct(out, value)
    elif kind in (_LIST, _SET):
        inner, items = value
        out.append(min(len(items), 15) << 4 | inner)
        if len(items) >= 15:
            _put_varint(out, len(items))
        for item in items:
            if inner in (_TRUE, _FALSE):
                out.append(item)
            else:
                _put(out, inner, item)
    elif kind == _BYTE:
        out.append(value)
    elif kind == _DOUBLE:
        out += value


def _put_integer(out: bytearray, value: int) -> None:
    _put_varint(out, value << 1 if value >= 0 else ((-value) << 1) - 1)


def _put_varint(out: bytearray, value: int) -> None:
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
