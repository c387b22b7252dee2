"""Records that identification hands to its kernels: every array and every number has a name on both sides.

They are named tuples, so that :mod:`paberki.identification.language_kernel` can take them as they are. No kernel keeps
a record; all arrays are in C order.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int32]
Codes = npt.NDArray[np.uint16]
Homes = npt.NDArray[np.int8]

UNUSED: Final = -1
NO_LANGUAGE_COLUMN: Final = -2
GROUP_COLUMN: Final = -3
"""Codes of columns of weights that belong to no single language: :attr:`LanguageTables.columns`."""
WORD_BITS: Final = 17
RUN_BITS: Final = 18
RUNS: Final = (2, 5)
"""Lengths of the character runs by which close languages are told apart."""
ROOM: Final = 4096
"""Features that are looked up at a time: what fits into the nearest cache."""


class Texts(NamedTuple):
    """Texts one after the other in UTF-8."""

    data: Bytes
    offsets: Counts
    """Where each text begins, and where the last one ends; within ``data``."""
    limits: Counts
    """About how many features of each text are looked at; empty for all of them."""
    pages: Counts
    """The number of the page that each text belongs to, from 1 on."""


class FeatureReader(NamedTuple):
    """Which letters a text is read as, and which features are made of them."""

    letters: Codes
    """Small letter of each character of the first plane, 0 for all else."""
    seconds: Codes
    """A letter that follows it: љ becomes lj."""
    homes: Homes
    """Home of each character, −1 for none."""
    fewest: int
    most: int
    """Lengths of character runs; a ``most`` of 0 means no runs."""
    words: bool
    """Whether whole words are features too."""
    bits: int
    """Features are hashed to 2 to the power of ``bits`` rows."""


class LanguageTables(NamedTuple):
    """The model of the method ``general``, as arrays."""

    scripts: Bytes
    """Class of letters of each character of the first plane."""
    weights: npt.NDArray[np.uint64]
    """Eight weights of one byte in each number."""
    columns: Counts
    """Language of each column of a home, or one of the codes above."""
    home_of_class: Homes
    """Home of a class of letters, −1 for none."""
    alone: Counts
    """The only language of a class of letters, −1 where there are several."""
    east_asian: Counts
    """Japanese, Chinese, Korean."""
    members: Counts
    """Bosnian, Croatian, Serbian."""
    knots: Floats
    """Logarithms of the numbers of features between which ``values`` are interpolated."""
    values: Floats
    """Calibration factors at the knots, a row for each home."""
    sibling_values: Floats
    """The same for two close languages and for three."""
    scales: Floats
    """Nats of one unit of the weights of close languages' words, of their runs, and of all others."""


class SiblingTables(NamedTuple):
    """What tells close languages apart: how words and runs are read, and four weights for each."""

    word_reader: FeatureReader
    run_reader: FeatureReader
    words: Homes
    runs: Homes


class LanguageEvidence(NamedTuple):
    """For each text: letters per script, sums and number of features per home, and the same for close languages."""

    letters: Counts
    sums: Counts
    counts: Counts
    words: Counts
    runs: Counts
    run_counts: Counts

    def of_groups(self, edges: Ints) -> LanguageEvidence:
        """The same for groups of texts that lie next to each other, such as the blocks of pages."""
        return LanguageEvidence(*(_sum_groups(part, edges) for part in self))

    def take(self, rows: Ints) -> LanguageEvidence:
        """The same for some of the texts."""
        return LanguageEvidence(*(part[rows] for part in self))


class Workspace(NamedTuple):
    """Room that a kernel works in."""

    last: Ints
    """The last letters of a text."""
    rows: Counts
    """Features that are looked up together."""
    word_pages: Counts
    run_pages: Counts
    """The page in which each word and each run was last met, 0 for none."""


class TrainingAnswers(NamedTuple):
    """The column and the home of the language of each text that is learnt from."""

    columns: Counts
    homes: Homes


class TrainingState(NamedTuple):
    """What a round of learning changes: weights, their squared steps, room for scores; and the columns of each home."""

    weights: npt.NDArray[np.float32]
    squares: npt.NDArray[np.float32]
    scores: npt.NDArray[np.float32]
    widths: Counts


def whole_texts(data: Bytes, offsets: Counts) -> Texts:
    """Texts that are looked at as a whole, each a page of its own."""
    return Texts(data, offsets, np.zeros(0, np.int32), np.zeros(0, np.int32))


def utf8_texts(texts: Sequence[str]) -> tuple[Bytes, Counts]:
    """Texts as UTF-8, one after the other, and where each begins."""
    utf8 = [unicodedata.normalize("NFC", text).encode("utf-8", "replace") for text in texts]
    offsets = np.zeros(len(texts) + 1, np.int32)
    offsets[1:] = np.cumsum([len(one) for one in utf8])
    return np.frombuffer(b"".join(utf8) or b" ", np.uint8), offsets


def workspace(longest_run: int, words: int = 0, runs: int = 0) -> Workspace:
    """Room for features of at most so many letters, and for so many words and runs of close languages."""
    return Workspace(
        last=np.zeros(longest_run, np.int64),
        rows=np.zeros(ROOM, np.int32),
        word_pages=np.zeros(words, np.int32),
        run_pages=np.zeros(runs, np.int32),
    )


def _sum_groups(rows: Counts, edges: Ints) -> Counts:
    totals = np.zeros((len(rows) + 1, *rows.shape[1:]), np.int64)
    np.cumsum(rows, axis=0, out=totals[1:])
    return (totals[edges[1:]] - totals[edges[:-1]]).astype(np.int32)
