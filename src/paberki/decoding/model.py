"""Which encoding explains the bytes of a page best: the model's answer.

Every byte with a byte above 0x7F at its place or among the two before it costs −log P under each candidate, a language
in an encoding (:mod:`tables`). What a page declares and the language that is expected are worth a few nats: enough
where the bytes leave it open, too little against clear evidence. The idea of byte n-gram models per language is
chared's (P3 §3); here one set of letter counts per language serves all its encodings.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from paberki.decoding.charsets import MULTI_BYTE, SAME_AS
from paberki.decoding.counts import Array
from paberki.decoding.labels import single_byte_table
from paberki.decoding.tables import CLASS_OF, CLASSES, STEPS, Tables

DECLARED_NATS: Final = 8.0
LANGUAGE_NATS: Final = 4.0
_INVALID_NATS: Final = 8.0
_CLOSE_NATS: Final = 16.0
_HIGH_PLACES: Final = 256
_ASCII_PLACES: Final = 128
_DIFFERING_PLACES: Final = 64
_PLAIN_NATS: Final = 2.3
"""What an ASCII letter costs in running text."""
_REPEATS: Final = 4
"""The same three bytes count at most so often: a page may hold a sign a thousand times."""
_RUN_SHARE: Final = 4
"""One high byte in so many must stand beside another, different one in scripts other than Latin."""
_CHECKED_BYTES: Final = 3000
_IMPOSSIBLE: Final = 1e9
_ONES: Final = np.ones(_HIGH_PLACES + _ASCII_PLACES, np.float32)
_HIGH: Final = re.compile(rb"[\x80-\xff]")


@dataclass(frozen=True, slots=True)
class Guess:
    """The best candidate."""

    encoding: str
    language: str
    margin: float
    """Lead over the next encoding, in nats."""
    high_count: int
    """Bytes above 0x7F in the sample."""
    strangeness: float
    """What such a byte costs on average, in nats: 2 to 4 in running text, 10 and more in noise."""


def guess(
    sample: bytes, whole: bytes, tables: Tables, *, declared: Collection[str] = (), language: str | None = None
) -> Guess:
    """Judge a page by a sample of it that holds at least one byte above 0x7F."""
    values = np.frombuffer(b"  %b " % sample, np.uint8)
    high = values > 0x7F
    near = high[2:] | high[1:-1]
    near |= high[:-2]
    rows, high_rows = _rows(values, near, tables)
    costs = tables.costs.take(rows, axis=0).astype(np.float32)
    scores = tables.prior - _ONES[: len(rows)] @ costs
    for encoding in declared:
        scores[tables.columns_of(encoding)] += DECLARED_NATS * STEPS
    if language:
        for name in SAME_AS.get(language.partition("-")[0], (language.partition("-")[0],)):
            scores[tables.columns_in(name)] += LANGUAGE_NATS * STEPS
    if not _in_runs(values, high):
        scores[tables.runs] -= _IMPOSSIBLE
    first, margin = _best(scores, whole, tables)
    high_count = int(np.count_nonzero(high))
    highs = max(high_rows * high_count / np.count_nonzero(near), 1.0)
    strangeness = (float(costs[:high_rows, first].sum()) / STEPS - _PLAIN_NATS * (high_rows - highs)) / highs
    return Guess(tables.encodings[first], tables.languages[first], margin / STEPS, high_count, strangeness)


def _rows(values: Array, near: Array, tables: Tables) -> tuple[Array, int]:
    """Rows of the table: first those of places with a high byte, whose number is returned, then some of the others."""
    places = _thinned(near.nonzero()[0], _HIGH_PLACES)
    count = len(places)
    places = np.concatenate((places, _thinned((~near).nonzero()[0], _ASCII_PLACES)))
    rows, pairs = _rows_at(values, places, tables)
    among_high = rows[:count]
    np.copyto(among_high, pairs[:count], where=among_high == 0)
    among_high.sort()
    fresh = among_high[_REPEATS:] != among_high[:-_REPEATS]
    if fresh.all():
        return rows, count
    kept = np.concatenate((among_high[:_REPEATS], among_high[_REPEATS:][fresh]))
    return np.concatenate((kept, rows[count:])), len(kept)


def _rows_at(values: Array, places: Array, tables: Tables) -> tuple[Array, Array]:
    """Rows of the triples that begin at these places, 0 where there is none; and rows of their last two bytes."""
    first, second, third = (CLASS_OF.take(values.take(places + step)) for step in range(3))
    return tables.row_of.take(tables.block_of.take(first * CLASSES + second) + third), second * CLASSES + third


def _thinned(places: Array, limit: int) -> Array:
    return places[:: len(places) // limit + 1] if len(places) > limit else places


def _in_runs(values: Array, high: Array) -> bool:
    beside = high[1:] & high[:-1]
    beside &= values[1:] != values[:-1]
    return bool(np.count_nonzero(beside) * _RUN_SHARE >= np.count_nonzero(high))


def _best(scores: Array, whole: bytes, tables: Tables) -> tuple[int, float]:
    """The best candidate whose bytes are also well formed, and its lead in steps."""
    first = int(scores.argmax())
    checked: set[str] = set()
    while tables.encodings[first] in MULTI_BYTE and tables.encodings[first] not in checked:
        encoding = tables.encodings[first]
        checked.add(encoding)
        scores[tables.columns_of(encoding)] -= _INVALID_NATS * STEPS * _invalid_count(whole, encoding)
        first = int(scores.argmax())
    lead = float(scores[first])
    scores[tables.columns_of(tables.encodings[first])] -= 2 * _IMPOSSIBLE
    second = int(scores.argmax())
    margin = lead - float(scores[second])
    if margin < _CLOSE_NATS * STEPS and not MULTI_BYTE.intersection((tables.encodings[first], tables.encodings[second])):
        margin += _where_they_differ(whole, first, second, tables)
    return (first, margin) if margin >= 0 else (second, -margin)


def _where_they_differ(whole: bytes, first: int, second: int, tables: Tables) -> float:
    """By how many steps the first of two close candidates wins on the bytes that they read differently."""
    values = np.frombuffer(b"  " + whole, np.uint8)
    places = _differing(tables.encodings[first], tables.encodings[second])[values].nonzero()[0]
    if not len(places):
        return 0.0
    places = _thinned(places, _DIFFERING_PLACES)
    rows, pairs = _rows_at(values, places - 2, tables)
    costs = tables.costs.take(np.where(rows, rows, pairs), axis=0)
    return float(costs[:, second].sum(dtype=np.int64) - costs[:, first].sum(dtype=np.int64))


@lru_cache(maxsize=256)
def _differing(one: str, other: str) -> Array:
    return np.array([a != b for a, b in zip(single_byte_table(one), single_byte_table(other), strict=True)])


def _invalid_count(whole: bytes, encoding: str) -> int:
    """Malformed sequences in a part of the page; one in a hundred characters is damage, not another encoding."""
    found = _HIGH.search(whole)
    start = found.start() if found else 0
    part = whole[start : start + _CHECKED_BYTES]
    text = part.decode(encoding, "replace")
    invalid = text.count("\ufffd", 0, -2 if len(part) == _CHECKED_BYTES else len(text))
    return invalid if invalid * 100 > len(text) else 0
