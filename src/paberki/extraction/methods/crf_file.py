"""Is a file one that CRFsuite may read? The library trusts every offset and size in it.

A model has a head, features, labels and attributes in constant databases (CQDB), and for each label and attribute the
numbers of its features; see ``crf1d_model.c`` and ``cqdb.c`` of CRFsuite. All is little-endian.
"""

from __future__ import annotations

import struct
from typing import Any, Final

import numpy as np
import numpy.typing as npt

_HEAD: Final = struct.Struct("<4sI4sIIIIIIIII")
_CHUNK: Final = struct.Struct("<4sII")
_DATABASE: Final = struct.Struct("<4sIIIII")
_TABLES: Final = 256
_BYTE_ORDER: Final = 0x62445371
_FEATURE: Final = np.dtype([("type", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])
_MOST_LABELS: Final = 10_000

Numbers = npt.NDArray[np.uint32]


def check_crf(data: bytes) -> None:
    """ValueError says what is wrong."""
    if len(data) < _HEAD.size:
        raise ValueError("it ends too soon")
    magic, size, kind, version, _, labels, attributes, *offsets = _HEAD.unpack_from(data)
    if magic != b"lCRF" or kind != b"FOMC" or version != 100 or size > len(data):
        raise ValueError("it does not begin like one, or is cut")
    if not 0 < labels <= _MOST_LABELS:
        raise ValueError(f"{labels} labels")
    features = _features(data, offsets[0], labels, attributes)
    _database(data, offsets[1], labels)
    _database(data, offsets[2], attributes)
    _references(data, offsets[3], b"LFRF", labels, len(features))
    _references(data, offsets[4], b"AFRF", attributes, len(features))


def _numbers(data: bytes, at: int, count: int) -> Numbers:
    if at < 0 or count < 0 or at + 4 * count > len(data):
        raise ValueError("an offset beyond its end")
    return np.frombuffer(data, "<u4", count, at)


def _chunk(data: bytes, at: int, name: bytes) -> int:
    if at + _CHUNK.size > len(data):
        raise ValueError("an offset beyond its end")
    magic, _, count = _CHUNK.unpack_from(data, at)
    if magic != name:
        raise ValueError(f"no part {name.decode()} where one should be")
    return int(count)


def _features(data: bytes, at: int, labels: int, attributes: int) -> npt.NDArray[Any]:
    count = _chunk(data, at, b"FEAT")
    if at + _CHUNK.size + count * _FEATURE.itemsize > len(data):
        raise ValueError("its features end too soon")
    records = np.frombuffer(data, _FEATURE, count, at + _CHUNK.size)
    sources = np.where(records["type"] == 0, attributes, labels)
    if (
        (records["source"] >= sources).any()
        or (records["target"] >= labels).any()
        or not np.isfinite(records["weight"]).all()
    ):
        raise ValueError("a feature of no label or attribute")
    return records


def _references(data: bytes, at: int, name: bytes, least: int, features: int) -> None:
    """The features of each label or attribute."""
    count = _chunk(data, at, name)
    if count < least:
        raise ValueError(f"too few references in {name.decode()}")
    total = 0
    for place in _numbers(data, at + _CHUNK.size, count).tolist():
        if place == 0 and count > least:  # room for the edges of a sequence, which this kind of model leaves empty
            continue
        size = int(_numbers(data, place, 1)[0])
        total += size
        own = _numbers(data, place + 4, size)
        if total > 4 * len(data) or (size and int(own.max()) >= features):
            raise ValueError(f"a reference in {name.decode()} to no feature")


def _database(data: bytes, at: int, count: int) -> None:
    """A constant database: 256 tables of hashes, records with a number and a word, and the records by number."""
    if at + _DATABASE.size > len(data):
        raise ValueError("an offset beyond its end")
    name, size, _, order, words, back = _DATABASE.unpack_from(data, at)
    if name != b"CQDB" or order != _BYTE_ORDER or at + size > len(data) or words < count:
        raise ValueError("a list of words that is damaged")
    chunk = data[at : at + size]
    tables = _numbers(chunk, _DATABASE.size, 2 * _TABLES).reshape(-1, 2)
    for offset, buckets in tables.tolist():
        if buckets:
            places = _numbers(chunk, offset, 2 * buckets).reshape(-1, 2)[:, 1]
            if places.all():
                raise ValueError("a table of words without an empty place")  # the library would search forever
            _records(chunk, places[places > 0], words)
    _records(chunk, _numbers(chunk, back, words)[:count], words)


def _records(chunk: bytes, places: Numbers, words: int) -> None:
    for place in places.tolist():
        number, length = _numbers(chunk, place, 2).tolist()
        if number >= words or length < 1 or place + 8 + length > len(chunk) or chunk[place + 7 + length] != 0:
            raise ValueError("a word that is damaged")
