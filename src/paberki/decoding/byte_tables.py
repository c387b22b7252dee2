"""Tables over bytes, derived from the counts of letters: what a byte costs after the two before it, per candidate.

For every language P(c | a b) is interpolated with P(c | b) and P(c), as Witten and Bell do it; a candidate (a language
in an encoding) gets the cost −log P of the characters its bytes stand for. All candidates lie side by side in one
array of bytes, so that one look-up gives the costs of a place in a text under all of them.

Bytes are put into 157 classes: the 29 symbols of ASCII (see :mod:`paberki.decoding.letter_counts`) and each byte above 0x7F. A row of the table
is either a pair of classes (costs of the second) or a triple that was seen in some language (costs of the third).
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np

from paberki.decoding.charsets import LANGUAGE_PRIOR, LANGUAGES, PRIOR
from paberki.decoding.encoding_labels import single_byte_table
from paberki.decoding.letter_counts import (
    ASCII_SYMBOLS,
    DIGIT,
    SHIPPED,
    Alphabetic,
    Array,
    Counts,
    Ideographic,
    ascii_symbols,
    read_counts,
)
from paberki.errors import ConfigError
from paberki.kernels.array_cache import derived
from paberki.kernels.preparation import prepared

CLASSES: Final = ASCII_SYMBOLS + 128
PAIRS: Final = CLASSES * CLASSES
STEPS: Final = 16.0
"""Steps of a stored cost per nat."""

_DEAREST: Final = 255
_FLOOR: Final = 10.0
_UNKNOWN_LETTER, _UNKNOWN_SIGN, _CONTROL = 14.0, 13.0, 14.9
_RARE_NATS: Final = 1.0
_OPEN_AFTER_LETTER, _OPEN_AFTER_SIGN = 0.05, 0.5
"""Smallest probability of an unseen symbol in a known context: an ending may be missing, a sign may come anywhere."""
_AFTER_UNKNOWN: Final = 1.0
_CJK_FLOOR: Final = 12.0
_ASCII_BESIDE: Final = 0.01
"""How often each symbol of ASCII stands beside an ideograph."""
_SINGLE_SMOOTHING: Final = 0.05
_TRIPLE_SMOOTHING: Final = 8
_ASCII_WEIGHT: Final = 0.3
"""Weight of triples of ASCII letters: they tell the language, not the encoding."""
_ASCII_TRIPLES: Final = 700
_OTHER_SCRIPT: Final = 0.3
"""Nats by which a Latin word is less likely in a language of another script than in English."""


@dataclass(frozen=True, slots=True)
class ByteTables:
    """Costs of all candidates; column ``i`` belongs to ``languages[i]`` in ``encodings[i]``."""

    languages: tuple[str, ...]
    encodings: tuple[str, ...]
    encoding_of: Array  # the same as numbers
    block_of: Array  # of a pair of classes: where its triples begin in ``row_of``
    row_of: Array  # of a triple, at the block of its first two classes plus the third; 0 where it has no row
    first_ascii_row: int  # from here on rows belong to triples of ASCII letters
    costs: Array  # uint8: rows x candidates, in steps
    prior: Array  # per candidate, in steps
    runs: Array  # candidates whose scripts are written in runs of high bytes
    by_encoding: dict[str, Array]
    by_language: dict[str, Array]

    def columns_of(self, encoding: str) -> Array:
        """Candidates in an encoding."""
        return self.by_encoding.get(encoding, _NONE)

    def columns_in(self, language: str) -> Array:
        """Candidates in a language."""
        return self.by_language.get(language, _NONE)


_NONE: Final[Array] = np.zeros(0, np.int64)


CLASS_OF: Final[Array] = np.concatenate(
    (ascii_symbols().astype(np.intp), np.arange(ASCII_SYMBOLS, CLASSES, dtype=np.intp))
)
"""Class of each of the 256 byte values."""


@lru_cache(maxsize=2)
@prepared
def load_tables(path: Path = SHIPPED) -> ByteTables:
    """Tables of a model file; those of the shipped one are made once per machine: half a second, forty megabytes."""
    arrays = _shipped_arrays() if path == SHIPPED else _own_arrays(path)
    languages, encodings = (tuple(arrays.pop(name).tolist()) for name in ("languages", "encodings"))
    return ByteTables(
        languages=languages,
        encodings=encodings,
        encoding_of=np.array([encodings.index(name) for name in encodings], np.int64),
        first_ascii_row=int(arrays.pop("first_ascii_row")[0]),
        by_encoding=_places(encodings),
        by_language=_places(languages),
        **{name: np.asarray(array) for name, array in arrays.items()},  # mapped files are slow to copy
    )


def _shipped_arrays() -> dict[str, Array]:
    sources = [SHIPPED, *sorted(Path(__file__).parent.glob("*.py"))]
    return derived("charset", sources, lambda: _arrays(read_counts(SHIPPED)))


def _own_arrays(path: Path) -> dict[str, Array]:
    counts = read_counts(path)
    try:
        return _arrays(counts)
    except (LookupError, ValueError, TypeError, OverflowError) as error:
        raise ConfigError(
            f"{path} is no model of encodings (languages or letters that do not fit: {error}); "
            "make one with: paberki train charset"
        ) from error


def _arrays(counts: Counts) -> dict[str, Array]:
    """Lay out the candidates of all languages that were counted."""
    columns = _columns(counts)
    chains = {language: _Chain(one) for language, one in counts.alphabetic.items()}
    pairs = np.zeros((PAIRS, len(columns)), np.uint8)
    unseen = np.zeros((PAIRS, len(columns)), np.uint8)
    triples: list[tuple[int, Array, Array]] = []
    for number, (language, encoding, usual) in enumerate(columns):
        if language in counts.ideographic:
            pairs[:, number] = _ideographic_pairs(counts.ideographic[language], encoding)
            continue
        chain, view = chains[language], _View(counts.alphabetic[language].letters, encoding)
        pairs[:, number] = chain.pair_costs[view.symbols[:, None], view.symbols].reshape(-1)
        if not usual:  # judged by pairs, that is more mildly; and signs say nothing where most bytes are some sign
            pairs[:, number] += int(_RARE_NATS * STEPS)
            pairs.reshape(CLASSES, CLASSES, -1)[:, view.signs, number] = int(_UNKNOWN_SIGN * STEPS)
        else:
            unseen[:, number] = chain.unseen_costs[view.symbols[:, None], view.symbols].reshape(-1)
            triples.append((number, *view.triples(chain)))
    pairs[0] = 0
    codes, rows = _triple_rows(pairs, unseen, triples)
    ascii_codes, ascii_rows = _ascii_rows(columns, chains)
    block_of, row_of = _index(np.concatenate((codes, ascii_codes)))
    return {
        "languages": np.array([language for language, _, _ in columns]),
        "encodings": np.array([encoding for _, encoding, _ in columns]),
        "block_of": block_of,
        "row_of": row_of,
        "first_ascii_row": np.array([PAIRS + len(codes)]),
        "costs": np.concatenate((pairs, rows, ascii_rows)),
        "prior": np.array([_prior(language, encoding) for language, encoding, _ in columns], np.float32),
        "runs": np.array([not LANGUAGES[language].latin for language, _, _ in columns]),
    }


def _prior(language: str, encoding: str) -> float:
    return (PRIOR.get(encoding, 0.0) + LANGUAGE_PRIOR.get(language, 0.0)) * STEPS


def _index(codes: Array) -> tuple[Array, Array]:
    """Index of the rows of triples; pairs that begin no triple share an empty block."""
    beginnings = np.unique(codes // CLASSES)
    block_of = np.zeros(PAIRS, np.intp)
    block_of[beginnings] = CLASSES * np.arange(1, len(beginnings) + 1)
    row_of = np.zeros(CLASSES * (len(beginnings) + 1), np.int32)
    row_of[block_of[codes // CLASSES] + codes % CLASSES] = PAIRS + np.arange(len(codes))
    return block_of, row_of


def _places(names: tuple[str, ...]) -> dict[str, Array]:
    table = np.array(names)
    return {name: np.flatnonzero(table == name) for name in names}


def _columns(counts: Counts) -> list[tuple[str, str, bool]]:
    return [
        (language, encoding, encoding in charsets.usual)
        for language, charsets in LANGUAGES.items()
        if language in counts.alphabetic or language in counts.ideographic
        for encoding in (*charsets.usual, *charsets.rare)
    ]


class _Chain:
    """Costs of symbols of one language; three more symbols stand for letters, signs and controls it does not have."""

    def __init__(self, alphabet_counts: Alphabetic) -> None:
        size = len(alphabet_counts.singles)
        pairs = np.zeros((size, size))
        pairs[alphabet_counts.pair_keys >> 8, alphabet_counts.pair_keys & 0xFF] = alphabet_counts.pair_counts
        letters = np.array([*[True] * ASCII_SYMBOLS, *(char.isalpha() for char in alphabet_counts.letters)])
        self.openness = np.where(letters, _OPEN_AFTER_LETTER, _OPEN_AFTER_SIGN)
        self.single, double = _conditional(alphabet_counts.singles.astype(float), pairs, self.openness)
        self.pair_counts = pairs
        self.pair_probabilities = double
        self.pair_costs = self._pad(_steps(double), _steps(self.single))
        weight = _weight(pairs, self.openness)
        unseen = np.zeros((size + 3, size + 3), np.uint8)
        unseen[:size, :size] = np.minimum(np.log((pairs + weight) / weight) * STEPS, _DEAREST)
        self.unseen_costs = unseen
        self.keys, self.counts = alphabet_counts.triple_keys, alphabet_counts.triple_counts

    def _pad(self, frequent: Array, alone: Array) -> Array:
        size = len(alone)
        costs = np.empty((size + 3, size + 3), np.uint8)
        costs[:size, :size] = frequent
        costs[size:, :size] = alone + _AFTER_UNKNOWN * STEPS
        costs[:, size:] = np.array([_UNKNOWN_LETTER, _UNKNOWN_SIGN, _CONTROL]) * STEPS
        return costs

    def triple_costs(self, keys: Array) -> Array:
        """Costs of the third symbol, in steps."""
        first, second, third = keys >> 16, (keys >> 8) & 0xFF, keys & 0xFF
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        count = np.where(self.keys[place] == keys, self.counts[place], 0)
        context = self.pair_counts[first, second]
        weight = _weight(context, self.openness[second])
        return _steps((count + weight * self.pair_probabilities[second, third]) / (np.maximum(context, count) + weight))


def _weight(context: Array, openness: Array) -> Array:
    """Weight of pairs after a context seen so often."""
    weight: Array = np.minimum(context, _TRIPLE_SMOOTHING) + 1.0 + context * openness
    return weight


def _conditional(singles: Array, pairs: Array, openness: Array) -> tuple[Array, Array]:
    """P(c) and P(c | b)."""
    alone = (singles + _SINGLE_SMOOTHING) / (singles + _SINGLE_SMOOTHING).sum()
    counts = pairs.sum(axis=1)
    types = ((pairs > 0).sum(axis=1) + 1.0 + counts * openness)[:, None]
    return alone, (pairs + types * alone) / (counts[:, None] + types)


def _steps(probabilities: Array, floor: float = _FLOOR) -> Array:
    return np.minimum(-np.log(probabilities), floor) * STEPS


class _View:
    """A language seen through an encoding: classes of bytes as its symbols, and its symbols as classes."""

    def __init__(self, letters: str, encoding: str) -> None:
        size = ASCII_SYMBOLS + len(letters)
        number_of = {char: ASCII_SYMBOLS + number for number, char in enumerate(letters)}
        high = [number_of.get(char, size + _strange(char)) for char in single_byte_table(encoding)[128:]]
        self.symbols = np.array([*range(ASCII_SYMBOLS), *high])
        self.signs = np.array(
            [*[False] * ASCII_SYMBOLS, *(_strange(char) > 0 for char in single_byte_table(encoding)[128:])]
        )
        self.classes = np.full(size, -1)
        in_alphabet = self.symbols < size
        self.classes[self.symbols[in_alphabet]] = np.flatnonzero(in_alphabet)

    def triples(self, chain: _Chain) -> tuple[Array, Array]:
        """Codes and costs of the triples that hold a high byte."""
        keys = chain.keys
        codes = [self.classes[(keys >> shift) & 0xFF] for shift in (16, 8, 0)]
        lowest, highest = np.minimum.reduce(codes), np.maximum.reduce(codes)
        relevant = (lowest >= 0) & (highest >= ASCII_SYMBOLS)
        code = (codes[0] * CLASSES + codes[1]) * CLASSES + codes[2]
        return code[relevant], chain.triple_costs(keys[relevant])


def _strange(char: str) -> int:
    """Which of the three further symbols of a chain a character is: letter, sign, control."""
    category = unicodedata.category(char)
    return 0 if category[0] == "L" else 2 if category[0] == "C" else 1


def _triple_rows(pairs: Array, unseen: Array, triples: list[tuple[int, Array, Array]]) -> tuple[Array, Array]:
    """Rows of all triples: backed off to pairs, then overwritten where a candidate knows the triple."""
    codes = np.unique(np.concatenate([codes_of_one for _, codes_of_one, _ in triples]))
    backed_off = pairs[codes % PAIRS]
    rows = np.minimum(backed_off.astype(np.uint16) + unseen[codes // CLASSES], int(_FLOOR * STEPS)).astype(np.uint8)
    rows = np.maximum(rows, backed_off)  # what is beyond the floor stays there
    for number, codes_of_one, costs in triples:
        rows[np.searchsorted(codes, codes_of_one), number] = costs
    return codes, rows


def _ascii_rows(columns: list[tuple[str, str, bool]], chains: dict[str, _Chain]) -> tuple[Array, Array]:
    """Rows of the usual triples of ASCII letters."""
    usual = []
    for language, chain in chains.items():
        if LANGUAGES[language].latin:
            letters = np.maximum.reduce([(chain.keys >> shift) & 0xFF for shift in (16, 8, 0)]) < DIGIT
            letters &= chain.keys > 0
            order = np.argsort(-chain.counts[letters], kind="stable")[:_ASCII_TRIPLES]
            usual.append(chain.keys[letters][order])
    keys = np.unique(np.concatenate(usual)) if usual else np.zeros(0, np.int64)
    english = chains.get("en")
    foreign = english.triple_costs(keys) + _OTHER_SCRIPT * STEPS if english else np.full(len(keys), 4 * STEPS)
    by_language = {name: chain.triple_costs(keys) for name, chain in chains.items() if LANGUAGES[name].latin}
    rows = np.stack([by_language.get(language, foreign) for language, _, _ in columns], axis=1) * _ASCII_WEIGHT
    return ((keys >> 16) * CLASSES + ((keys >> 8) & 0xFF)) * CLASSES + (keys & 0xFF), rows.astype(np.uint8)


def _ideographic_pairs(counts: Ideographic, encoding: str) -> Array:
    """Costs of pairs of bytes in a multi-byte encoding, from counts of characters alone."""
    pairs = np.zeros((CLASSES, CLASSES))
    lead, trail = np.zeros(CLASSES), np.zeros(CLASSES)
    for char, count in zip(counts.letters, counts.singles.tolist(), strict=True):
        code = [int(CLASS_OF[value]) for value in char.encode(encoding, "ignore")]
        for before, after in pairwise(code):
            pairs[before, after] += count
        if code:
            lead[code[0]] += count
            trail[code[-1]] += count
    total = max(lead.sum(), 1.0)
    singles = lead + trail
    singles[:ASCII_SYMBOLS] += total * _ASCII_BESIDE
    pairs += np.outer(trail, lead) / total
    pairs[:ASCII_SYMBOLS] += _ASCII_BESIDE * lead
    pairs[:, :ASCII_SYMBOLS] += _ASCII_BESIDE * trail[:, None]
    return _steps(_conditional(singles, pairs, np.zeros(CLASSES))[1], _CJK_FLOOR).astype(np.uint8).reshape(-1)
