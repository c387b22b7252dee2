"""Which encoding explains the bytes of a page best: the model's answer.

Every byte with a byte above 0x7F at its place or among the two before it costs −log P under each candidate, a language
in an encoding (:mod:`paberki.decoding.byte_tables`). What a page declares and the language that is expected are worth a few nats: enough
where the bytes leave it open, too little against clear evidence. The idea of byte n-gram models per language is
chared's (P3 §3); here one set of letter counts per language serves all its encodings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import lru_cache
from types import ModuleType
from typing import Final, NamedTuple

import numpy as np

from paberki.decoding.byte_tables import CLASS_OF, CLASSES, PAIRS, STEPS, ByteTables
from paberki.decoding.charsets import MULTI_BYTE, SAME_AS
from paberki.decoding.encoding_labels import single_byte_table
from paberki.decoding.letter_counts import Array
from paberki.kernels import cached, load

DECLARED_NATS: Final = 8.0
LANGUAGE_NATS: Final = 4.0
_INVALID_NATS: Final = 8.0
_CLOSE_NATS: Final = 16.0
_CLEAR_NATS: Final = 24.0
"""With such a lead the letters of ASCII, which tell the language, are not looked at."""
_HIGH_PLACES: Final = 48
_ASCII_PLACES: Final = 96
_DIFFERING_PLACES: Final = 64
_MANY: Final = 24
_REPEATS: Final = 4
"""The same three bytes count at most so often: a page may hold a sign a thousand times."""
_RUN_SHARE: Final = 4
"""One high byte in so many must stand beside another, different one in scripts other than Latin."""
_RUN_PLACES: Final = 4000
_CHECKED_BYTES: Final = 3000
_IMPOSSIBLE: Final = float(1 << 24)

_ONES: Final = np.ones(3 * _HIGH_PLACES + _ASCII_PLACES, np.float32)
_AROUND: Final = np.arange(-2, 3)[:, None]
"""A high byte, the two bytes before and the two after it."""
_LETTERS_AROUND: Final = np.array(
    [[start + step] for turn in range(_ASCII_PLACES) for start in (-5 - 3 * turn, 3 + 3 * turn) for step in range(3)]
)
"""Triples of bytes on both sides of it, the nearest first."""
_HIGH: Final = re.compile(rb"[\x80-\xff]")


FIRST, SECOND, HIGH_COUNT, COUNTED = range(4)
"""What the kernel answers, by place in its scratch space; behind it are rows of the tables, then places in the page."""
ROWS_AT: Final = 4
PLACES_AT: Final = ROWS_AT + 3 * _HIGH_PLACES
BLOCKS_AT: Final = 256
ENCODINGS_AT: Final = BLOCKS_AT + PAIRS
"""Where things begin in the table that the kernel looks up."""


class EncodingGuess(NamedTuple):
    """The best candidate."""

    encoding: str
    language: str
    margin: float
    """Lead over the next encoding, in nats."""
    high_count: int
    """Bytes above 0x7F in the sample."""
    strangeness: float
    """What such a byte and the two after it cost on average, in nats: 2 to 4 in running text, 8 and more in noise."""


class Weighing(NamedTuple):
    """What the bytes say."""

    first: int
    second: int
    """The best candidate, and the best one in another encoding."""
    lead: float
    """Of the first over the second, in steps."""
    high_count: int
    strangeness: float


_Method = Callable[[Array, Array, ByteTables], Weighing]
_PAGES_BEFORE_COMPILING: Final = 4
_KERNEL: Final = "paberki.decoding.charset_kernel"
_page_count = 0


def guess(
    data: bytes, tables: ByteTables, *, declared: Collection[str] = (), language: str | None = None
) -> EncodingGuess:
    """Judge a page that holds at least one byte above 0x7F."""
    values = np.frombuffer(data, np.uint8)
    scores = tables.prior.copy()
    for encoding in declared:
        scores[tables.columns_of(encoding)] += DECLARED_NATS * STEPS
    if language:
        for name in SAME_AS.get(language, (language.partition("-")[0],)):
            scores[tables.columns_in(name)] += LANGUAGE_NATS * STEPS
    weighing = _method()(values, scores, tables)
    first, margin = _best(scores, weighing, values, data, tables)
    strangeness = weighing.strangeness if first == weighing.first else _strangeness(values, first, tables)
    return EncodingGuess(
        tables.encodings[first], tables.languages[first], margin / STEPS, weighing.high_count, strangeness
    )


def _method() -> _Method:
    """The compiled method, or the one in numpy for the first few pages where nothing is compiled yet: compiling takes seconds."""
    if _page_count < _PAGES_BEFORE_COMPILING and not _is_compiled():
        _count_page()
        return weigh
    return _fastest()


@lru_cache(maxsize=1)
def _is_compiled() -> bool:
    return cached([_KERNEL])


def _count_page() -> None:
    global _page_count
    _page_count += 1


@lru_cache(maxsize=1)
def _fastest() -> _Method:
    return _compiled_method(load(_KERNEL))


def _compiled_method(kernel: ModuleType) -> _Method:
    scratch = np.zeros(PLACES_AT + _HIGH_PLACES, np.int64)
    prepared_tables: list[tuple[ByteTables, Array, Array, Array]] = []

    def weigh_compiled(values: Array, scores: Array, tables: ByteTables) -> Weighing:
        if not prepared_tables or prepared_tables[0][0] is not tables:
            prepared_tables[:] = [(tables, *_flat(tables))]
        _, lookup, costs, both = prepared_tables[0]
        count = len(scores)
        both[:count] = scores
        lead = kernel.weigh(values, lookup, tables.row_of, costs, tables.first_ascii_row, count, both, scratch)
        scores[:] = both[:count]
        first, second, high_count, letter_count = scratch[:ROWS_AT].tolist()
        return Weighing(first, second, lead, high_count, float(both[count + first]) / STEPS / letter_count)

    return weigh_compiled


def _flat(tables: ByteTables) -> tuple[Array, Array, Array]:
    """The tables as the kernel takes them, and room for scores."""
    lookup = np.concatenate([CLASS_OF, tables.block_of, tables.encoding_of, tables.runs]).astype(np.int64)
    return lookup, tables.costs.reshape(-1), np.zeros(2 * len(tables.prior), np.float32)


def weigh(values: Array, scores: Array, tables: ByteTables) -> Weighing:
    """Take the costs of what stands in the page off the scores of the candidates."""
    high = _high_places(values)
    places = _thin_out(high, _HIGH_PLACES)
    rows, letter_count = _rows(values, places, tables)
    costs = tables.costs.take(rows, axis=0).astype(np.float32)
    scores -= _ONES[: len(rows)] @ costs
    first, second, lead = _leaders(scores, tables)
    if lead < _CLEAR_NATS * STEPS:
        scores -= _language_costs(values, places, tables)
        first, second, lead = _leaders(scores, tables)
    if (tables.runs[first] or tables.runs[second]) and not _in_runs(values, high):
        scores[tables.runs] -= _IMPOSSIBLE
        first, second, lead = _leaders(scores, tables)
    return Weighing(first, second, lead, len(high), float(costs[:, first].sum()) / STEPS / letter_count)


def _strangeness(values: Array, column: int, tables: ByteTables) -> float:
    rows, letter_count = _rows(values, _thin_out(_high_places(values), _HIGH_PLACES), tables)
    return float(tables.costs[rows, column].sum(dtype=np.int64)) / STEPS / letter_count


def _high_places(values: Array) -> Array:
    return (values > 0x7F).nonzero()[0]


def _rows(values: Array, places: Array, tables: ByteTables) -> tuple[Array, int]:
    """Rows for the high bytes at these places and for ASCII bytes up to two after them; how many they are.

    Places that do not count get row 0, which costs nothing; removing them would take longer.
    """
    around = values.take(places + _AROUND, mode="wrap")
    classes = CLASS_OF.take(around)
    pairs = classes[:4] * CLASSES
    pairs += classes[1:]
    rows = tables.row_of.take(tables.block_of.take(pairs[:3]) + classes[2:])
    rows = np.where(rows, rows, pairs[1:])
    after = around[3:] < 0x80
    after[1] &= after[0]
    rows[1:] *= after
    rows = rows.ravel()
    if len(rows) > _MANY:
        rows.sort()
        rows[_REPEATS:] *= rows[_REPEATS:] != rows[:-_REPEATS]
    return rows, max(int(np.count_nonzero(rows)), 1)


def _language_costs(values: Array, places: Array, tables: ByteTables) -> Array:
    """Costs of ASCII letters around the high bytes, which tell the language."""
    count = max(2, min(_ASCII_PLACES, len(values) // 2) // len(places))
    classes = CLASS_OF.take(values.take(places + _LETTERS_AROUND[: 3 * count], mode="wrap"))
    triples = classes.reshape(count, 3, -1)
    rows = tables.row_of.take(tables.block_of.take(triples[:, 0] * CLASSES + triples[:, 1]) + triples[:, 2]).ravel()
    rows *= rows >= tables.first_ascii_row
    costs: Array = _ONES[: len(rows)] @ tables.costs.take(rows, axis=0).astype(np.float32)
    return costs


def _thin_out(places: Array, limit: int) -> Array:
    return places[:: len(places) // limit + 1] if len(places) > limit else places


def _in_runs(values: Array, high: Array) -> bool:
    high = high[:_RUN_PLACES]
    letters = values.take(high)
    beside = (high[1:] - high[:-1] == 1) & (letters[1:] != letters[:-1])
    return bool(np.count_nonzero(beside) * _RUN_SHARE >= len(high))


def _best(scores: Array, weighing: Weighing, values: Array, whole: bytes, tables: ByteTables) -> tuple[int, float]:
    """The best candidate in whose encoding the bytes are valid, and its lead in steps."""
    first, second, margin = weighing[:3]
    checked_encodings: set[str] = set()
    while tables.encodings[first] in MULTI_BYTE and tables.encodings[first] not in checked_encodings:
        encoding = tables.encodings[first]
        checked_encodings.add(encoding)
        scores[tables.columns_of(encoding)] -= _INVALID_NATS * STEPS * _invalid_count(whole, encoding)
        first, second, margin = _leaders(scores, tables)
    close = margin < _CLOSE_NATS * STEPS and weighing.high_count > _HIGH_PLACES  # else every byte was looked at already
    if close and not MULTI_BYTE.intersection((tables.encodings[first], tables.encodings[second])):
        margin += _where_they_differ(values, _high_places(values), first, second, tables)
    return (first, margin) if margin >= 0 else (second, -margin)


def _leaders(scores: Array, tables: ByteTables) -> tuple[int, int, float]:
    """The best candidate, the best one in another encoding, and the distance."""
    first = int(scores.argmax())
    rest = scores.copy()
    rest[tables.columns_of(tables.encodings[first])] = -2 * _IMPOSSIBLE
    second = int(rest.argmax())
    return first, second, float(scores[first] - scores[second])


def _where_they_differ(values: Array, high: Array, first: int, second: int, tables: ByteTables) -> float:
    """By how many steps the first of two close candidates wins on the bytes that they read differently."""
    places = high[_differing(tables.encodings[first], tables.encodings[second]).take(values.take(high))]
    if not len(places):
        return 0.0
    classes = CLASS_OF.take(values.take(_thin_out(places, _DIFFERING_PLACES) + _AROUND[:3], mode="wrap"))
    pairs = classes[1] * CLASSES + classes[2]
    rows = tables.row_of.take(tables.block_of.take(classes[0] * CLASSES + classes[1]) + classes[2])
    costs = tables.costs.take(np.where(rows, rows, pairs), axis=0)
    return float(costs[:, second].sum(dtype=np.int64) - costs[:, first].sum(dtype=np.int64))


@lru_cache(maxsize=256)
def _differing(one: str, other: str) -> Array:
    return np.array([a != b for a, b in zip(single_byte_table(one), single_byte_table(other), strict=True)])


def _invalid_count(whole: bytes, encoding: str) -> int:
    """Malformed sequences in a part of the page; one in a hundred characters is damage, not another encoding."""
    first_high = _HIGH.search(whole)
    start = first_high.start() if first_high else 0
    part = whole[start : start + _CHECKED_BYTES]
    text = part.decode(encoding, "replace")
    invalid = text.count("\ufffd", 0, -2 if len(part) == _CHECKED_BYTES else len(text))
    return invalid if invalid * 100 > len(text) else 0
