"""Learns the model that tells Bosnian, Croatian and Serbian apart: words as in LM1 (P3 §5), and runs of characters.

Weights are those of a logistic regression (:mod:`paberki.identification.training.logistic_regression`). The model of the three is
learnt from sources that have texts in all of them, so that it learns languages and not sources; the model for Croatian and
Serbian alone from all sources with texts in both. What a text says twice counts once, in learning as in identifying.
``python benchmarks/siblings.py`` shows what words and runs bring alone.
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
from paberki.identification.training.logistic_regression import FeatureSets, class_weights
from paberki.kernels import load

FOLDS: Final = 3
_LARGEST: Final = 127
_CLIPPED: Final = 1e-4
"""Share of weights that are larger than a byte of the model can say."""

Text = tuple[str, str]
Weights = npt.NDArray[np.int8]
Counts = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SiblingWeights:
    """Weights with columns for the three languages and for Croatian less Serbian, and what one unit of them is worth."""

    words: Weights
    runs: Weights
    scales: tuple[float, float]


@dataclass(frozen=True, slots=True)
class TrainedSiblings:
    """Weights, and factors for two and for three languages."""

    weights: SiblingWeights
    values: list[list[float]]


def train_siblings(files: Sequence[Sequence[Text]]) -> TrainedSiblings:
    """Learn from all texts, and calibrate on folds of them."""
    three = [pair for file in files if {name for name, _ in file} >= set(MEMBERS) for pair in file]
    two = [pair for file in files if {name for name, _ in file} >= {"hr", "sr"} for pair in file if pair[0] != "bs"]
    return TrainedSiblings(weights_of(three, two), [_calibrate(two, pair=True), _calibrate(three, pair=False)])


def weights_of(three: Sequence[Text], two: Sequence[Text]) -> SiblingWeights:
    """Weights learnt from texts in three languages, and from those in two of them."""
    weights = np.zeros(((1 << WORD_BITS) + (1 << RUN_BITS), 4))
    if three:
        weights[:, :3] = _weights(three, MEMBERS)
    if two:
        croatian, serbian = _weights(two, MEMBERS[1:]).T
        weights[:, 3] = croatian - serbian
    words, runs = weights[: 1 << WORD_BITS], weights[1 << WORD_BITS :]
    scales = _scale(words), _scale(runs)
    return SiblingWeights(_in_bytes(words, scales[0]), _in_bytes(runs, scales[1]), scales)


def _weights(texts: Sequence[Text], languages: Sequence[str]) -> Floats:
    answers = np.array([languages.index(name) for name, _ in texts], np.int64)
    return class_weights(_features([text for _, text in texts]), answers, len(languages))


def _scale(weights: Floats) -> float:
    sizes = np.abs(weights)
    largest = float(np.quantile(sizes[sizes.any(axis=1)], 1 - _CLIPPED)) if sizes.any() else 0.0
    return round(largest / _LARGEST, 9) or 1.0


def _in_bytes(weights: Floats, scale: float) -> Weights:
    return np.clip(np.rint(weights / scale), -_LARGEST, _LARGEST).astype(np.int8)


def _features(texts: Sequence[str]) -> FeatureSets:
    """Words of each text, and behind them in number its runs of characters, each once."""
    batch, letters = whole_texts(*utf8_texts(texts)), alphabet.latinised()
    word_reader = FeatureReader(*letters, fewest=1, most=0, words=True, bits=WORD_BITS)
    run_reader = FeatureReader(*letters, *RUNS, words=False, bits=RUN_BITS)
    kernel = load("paberki.identification.language_kernel")
    numbers, features = [], []
    for reader, first in ((word_reader, 0), (run_reader, 1 << WORD_BITS)):
        per_character = max(1, reader.most)
        out = np.empty(per_character * (len(batch.data) + 2 * len(texts) + 2), np.int32)
        edges = np.zeros(len(texts) + 1, np.int64)
        count = kernel.list_features(batch, reader, workspace(kernel.LONGEST_RUN), out, edges)
        own = np.repeat(np.arange(len(texts)), np.diff(edges))
        pairs = np.unique(own << kernel.ROW_BITS | out[:count])
        numbers.append(pairs >> kernel.ROW_BITS)
        features.append((pairs & ((1 << kernel.ROW_BITS) - 1)) + first)
    size = (1 << WORD_BITS) + (1 << RUN_BITS)
    return FeatureSets(np.concatenate(numbers), np.concatenate(features), len(texts), size)


def scores_of(texts: Sequence[str], weights: SiblingWeights) -> tuple[Floats, Floats, Counts]:
    """What words and what runs say of each text, and how many runs count."""
    kernel = load("paberki.identification.language_kernel")
    batch, letters, room = whole_texts(*utf8_texts(texts)), alphabet.latinised(), workspace(kernel.LONGEST_RUN)
    word_reader = FeatureReader(*letters, fewest=1, most=0, words=True, bits=WORD_BITS)
    run_reader = FeatureReader(*letters, *RUNS, words=False, bits=RUN_BITS)
    sums = np.zeros((2, len(texts), 1, 4), np.int32)
    counts = np.zeros((2, len(texts)), np.int32)
    for number, (reader, table) in enumerate(((word_reader, weights.words), (run_reader, weights.runs))):
        pages = np.zeros(len(table), np.int32)
        kernel.add_up_siblings(batch, reader, table, room, pages, sums[number], counts[number])
    scores = sums[:, :, 0].astype(np.float64)
    return weights.scales[0] * scores[0], weights.scales[1] * scores[1], counts[1]


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
    weights = weights_of((), others) if pair else weights_of(others, ())
    words, runs, counts = scores_of([text for _, text in held_back], weights)
    sums = words + runs
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
