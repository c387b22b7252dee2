"""Counts the model that tells Bosnian, Croatian and Serbian apart: words as in LM1 (P3 §5), and runs of characters.

Weights are logarithms of P(feature | language), smoothed, less their mean over the languages. The model of the three is
counted from sources that have texts in all of them, so that it learns languages and not sources; the
model for Croatian and Serbian alone is the mean of that one and of one counted from all sources with texts in both
languages, which are more but less alike. What a text says twice counts once, in learning as in identifying. ``python benchmarks/siblings.py`` compares this
mixture with its parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.identification import alphabet
from paberki.identification.language_records import (
    RUN_BITS,
    RUNS,
    WORD_BITS,
    FeatureReader,
    utf8_texts,
    whole_texts,
    workspace,
)
from paberki.identification.methods.general import MEMBERS
from paberki.identification.training.calibration import KNOTS, calibrated
from paberki.kernels import load

WORD_SCALE: Final = 0.06
RUN_SCALE: Final = 0.03
RUN_SHARE: Final = 0.2
"""Weight of a run relative to a word: runs overlap, so each tells less."""
WORD_SMOOTHING: Final = 1.0
"""Added to every count, as P3 does."""
RUN_SMOOTHING: Final = 0.3
"""The same for runs; less, since most of them are frequent."""
FOLDS: Final = 3

Text = tuple[str, str]
Weights = npt.NDArray[np.int8]
Counts = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SiblingWeights:
    """Weights with columns for the three languages and for Croatian less Serbian; factors for two and for three."""

    words: Weights
    runs: Weights
    values: list[list[float]]
    scales: tuple[float, float] = (WORD_SCALE, RUN_SCALE * RUN_SHARE)


def count_siblings(files: Sequence[Sequence[Text]]) -> SiblingWeights:
    """Count all texts, and calibrate on folds of them."""
    three = [pair for file in files if {name for name, _ in file} >= set(MEMBERS) for pair in file]
    two = [pair for file in files if {name for name, _ in file} >= {"hr", "sr"} for pair in file if pair[0] != "bs"]
    words, runs = weights_of(three, two)
    return SiblingWeights(words, runs, [_calibrate(two, pair=True), _calibrate(three, pair=False)])


def weights_of(three: Sequence[Text], two: Sequence[Text]) -> tuple[Weights, Weights]:
    """Weights of words and of runs."""
    return (
        _table(
            _count_features(three, (1, 0), True, WORD_BITS),
            _count_features(two, (1, 0), True, WORD_BITS),
            WORD_SMOOTHING,
            WORD_SCALE,
        ),
        _table(
            _count_features(three, RUNS, False, RUN_BITS),
            _count_features(two, RUNS, False, RUN_BITS),
            RUN_SMOOTHING,
            RUN_SCALE,
        ),
    )


def _table(three: Counts, two: Counts, smoothing: float, scale: float) -> Weights:
    table = np.zeros((len(three), 4))
    table[:, :3] = _log_shares(three, smoothing)
    pair = _log_shares(two[:, 1:], smoothing)
    table[:, 3] = (pair[:, 0] - pair[:, 1] + table[:, 1] - table[:, 2]) / 2
    return np.clip(np.rint(table / scale), -127, 127).astype(np.int8)


def _log_shares(counts: Counts, smoothing: float) -> Floats:
    has_count = counts.sum(axis=1) > 0
    totals = np.maximum(counts.sum(axis=0) + smoothing * float(has_count.sum()), smoothing)
    shares: Floats = np.log((counts + smoothing) / totals)
    shares -= shares.mean(axis=1, keepdims=True)
    shares[~has_count] = 0.0
    return shares


def _count_features(texts: Sequence[Text], lengths: tuple[int, int], words: bool, bits: int) -> Counts:
    kernel = load("paberki.identification.language_kernel")
    counts = np.zeros((1 << bits, 3), np.int32)
    columns = np.array([MEMBERS.index(name) for name, _ in texts], np.int32)
    kernel.count_features(
        whole_texts(*utf8_texts([text for _, text in texts])),
        FeatureReader(*alphabet.latinised(), *lengths, words=words, bits=bits),
        columns,
        workspace(kernel.LONGEST_RUN),
        np.zeros(1 << bits, np.int32),
        counts,
    )
    return counts


def scores_of(texts: Sequence[str], words: Weights, runs: Weights) -> tuple[Floats, Floats, Counts]:
    """What words and what runs say of each text, in nats, and how many runs count."""
    kernel = load("paberki.identification.language_kernel")
    batch, letters, room = whole_texts(*utf8_texts(texts)), alphabet.latinised(), workspace(kernel.LONGEST_RUN)
    word_reader = FeatureReader(*letters, fewest=1, most=0, words=True, bits=WORD_BITS)
    run_reader = FeatureReader(*letters, *RUNS, words=False, bits=RUN_BITS)
    sums = np.zeros((2, len(texts), 1, 4), np.int32)
    counts = np.zeros((2, len(texts)), np.int32)
    for number, (reader, weights) in enumerate(((word_reader, words), (run_reader, runs))):
        pages = np.zeros(len(weights), np.int32)
        kernel.add_up_siblings(batch, reader, weights, room, pages, sums[number], counts[number])
    scores = sums[:, :, 0].astype(np.float64)
    return WORD_SCALE * scores[0], RUN_SCALE * scores[1], counts[1]


def _calibrate(texts: Sequence[Text], *, pair: bool) -> list[float]:
    """Factors found on folds, each scored by what the other folds teach; texts of a fold also joined by threes and tens.

    One set of folds are whole stretches of the sources, which shows how far other years and papers can be trusted; the
    other takes every third text, which shows the same for more of what was learnt from. New texts lie between the two.
    """
    count = len(texts)
    stretches = np.arange(count) * FOLDS // max(count, 1)
    turns = np.arange(count) // 10 % FOLDS
    folds = [
        _fold(texts, where == fold, pair=pair)
        for where in ((turns,) if pair else (stretches, turns))
        for fold in range(FOLDS)
    ]
    if not all(len(answers) for _, _, answers in folds):
        return [1.0] * len(KNOTS)
    scores, counts, answers = (np.concatenate(parts) for parts in zip(*folds, strict=True))
    return calibrated(scores, counts, answers)


def _fold(texts: Sequence[Text], mine: npt.NDArray[np.bool_], *, pair: bool) -> tuple[Any, Any, Any]:
    """Scores, numbers of features and answers of the texts of one fold."""
    others = [text for text, is_held in zip(texts, mine.tolist(), strict=True) if not is_held]
    held_back = _with_joined([text for text, is_held in zip(texts, mine.tolist(), strict=True) if is_held])
    if not held_back or not others:
        return np.zeros((0, 2 if pair else 3)), np.zeros(0), np.zeros(0, np.int64)
    words, runs, counts = scores_of([text for _, text in held_back], *weights_of(others, others))
    sums = words + RUN_SHARE * runs
    lead = sums[:, 3]
    scores = np.stack([lead / 2, -lead / 2], axis=1) if pair else sums[:, :3]
    return scores, counts, np.array([MEMBERS.index(name) - pair for name, _ in held_back])


def _with_joined(texts: Sequence[Text]) -> list[Text]:
    joined_texts = list(texts)
    for member in MEMBERS:
        own = [text for name, text in texts if name == member]
        for size in (3, 10):
            joined_texts += [(member, " ".join(own[at : at + size])) for at in range(0, len(own) - size + 1, size)]
    return joined_texts
