"""Counts the model that tells Bosnian, Croatian and Serbian apart: words as in LM1 (P3 §4), and runs of characters.

Weights are logarithms of P(feature | language), add-one smoothed, less their mean over the languages. The model of the
three is counted from sources that have texts in all of them, so that it learns languages and not sources; a second one
of Croatian and Serbian alone is counted from those that have texts in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.identification import alphabet
from paberki.identification.calibration import KNOTS, calibrated
from paberki.identification.general import MEMBERS, RUN_BITS, RUNS, WORD_BITS
from paberki.kernels import load

WORD_SCALE: Final = 0.06
RUN_SCALE: Final = 0.03
RUN_SHARE: Final = 0.3
"""What a run counts beside a word: runs overlap, so that each says less."""
_FOLDS: Final = 4

Text = tuple[str, str]
Weights = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Siblings:
    """Weights with columns for the three languages and for Croatian less Serbian; factors for two and for three."""

    words: Weights
    runs: Weights
    values: list[list[float]]
    scales: tuple[float, float] = (WORD_SCALE, RUN_SCALE * RUN_SHARE)


def count_siblings(files: Sequence[Sequence[Text]]) -> Siblings:
    """Count all texts, and calibrate on folds of them."""
    three = [pair for file in files if {name for name, _ in file} >= set(MEMBERS) for pair in file]
    two = [pair for file in files if {name for name, _ in file} >= {"hr", "sr"} for pair in file if pair[0] != "bs"]
    words, runs = _weights(three, two)
    return Siblings(words, runs, [_calibrated(two, pair=True), _calibrated(three, pair=False)])


def _weights(three: Sequence[Text], two: Sequence[Text]) -> tuple[Weights, Weights]:
    return (
        _table(three, two, (1, 0), True, WORD_BITS, WORD_SCALE),
        _table(three, two, RUNS, False, RUN_BITS, RUN_SCALE),
    )


def _table(
    three: Sequence[Text], two: Sequence[Text], lengths: tuple[int, int], words: bool, bits: int, scale: float
) -> Weights:
    made = np.zeros((1 << bits, 4))
    made[:, :3] = _log_shares(_counted(three, lengths, words, bits))
    pair = _log_shares(_counted(two, lengths, words, bits)[:, 1:])
    made[:, 3] = pair[:, 0] - pair[:, 1]
    return np.clip(np.rint(made / scale), -127, 127).astype(np.int8)


def _log_shares(counts: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    seen = counts.sum(axis=1) > 0
    shares: npt.NDArray[np.float64] = np.log((counts + 1.0) / np.maximum(counts.sum(axis=0) + float(seen.sum()), 1.0))
    shares -= shares.mean(axis=1, keepdims=True)
    shares[~seen] = 0.0
    return shares


def _counted(texts: Sequence[Text], lengths: tuple[int, int], words: bool, bits: int) -> npt.NDArray[np.int32]:
    from paberki.identification.training import packed

    kernel = load("paberki.identification.kernel")
    counts = np.zeros((1 << bits, 3), np.int32)
    data, offsets = packed([text for _, text in texts])
    columns = np.array([MEMBERS.index(name) for name, _ in texts], np.int32)
    kernel.count_features(data, offsets, *alphabet.latinised(), *lengths, words, bits, columns, *_room(kernel), counts)
    return counts


def _room(kernel: Any) -> tuple[Any, Any]:
    return np.zeros(kernel.LONGEST_RUN, np.int64), np.zeros(4096, np.int32)


def _scores(texts: Sequence[str], words: Weights, runs: Weights) -> tuple[Any, Any]:
    from paberki.identification.training import packed

    kernel = load("paberki.identification.kernel")
    data, offsets = packed(texts)
    found = [np.zeros((len(texts), 1, 4), np.int32) for _ in range(2)]
    counts = [np.zeros(len(texts), np.int32) for _ in range(2)]
    tables, room = alphabet.latinised(), _room(kernel)
    kernel.add_up_siblings(data, offsets, *tables, 1, 0, True, WORD_BITS, words, *room, found[0], counts[0])
    kernel.add_up_siblings(data, offsets, *tables, *RUNS, False, RUN_BITS, runs, *room, found[1], counts[1])
    return WORD_SCALE * found[0][:, 0] + RUN_SCALE * RUN_SHARE * found[1][:, 0], counts[1]


def _calibrated(texts: Sequence[Text], *, pair: bool) -> list[float]:
    """Factors found on folds, each scored by what the other folds teach; texts of a fold also joined by tens.

    The folds of the three are whole stretches of the sources, so that factors are right for other years and papers too.
    """
    scores, counts, answers = [], [], []
    for fold in range(_FOLDS):
        where = [number // 10 % _FOLDS if pair else number * _FOLDS // len(texts) for number in range(len(texts))]
        others = [one for one, place in zip(texts, where, strict=True) if place != fold]
        mine = _joined([one for one, place in zip(texts, where, strict=True) if place == fold])
        if not mine or not others:
            return [1.0] * len(KNOTS)
        found, count = _scores([text for _, text in mine], *_weights(others, others))
        lead = found[:, 3]
        scores.append(np.stack([lead / 2, -lead / 2], axis=1) if pair else found[:, :3])
        counts.append(count)
        answers.append(np.array([MEMBERS.index(name) - pair for name, _ in mine]))
    return calibrated(np.concatenate(scores), np.concatenate(counts), np.concatenate(answers))


def _joined(texts: Sequence[Text]) -> list[Text]:
    made = list(texts)
    for member in MEMBERS:
        own = [text for name, text in texts if name == member]
        for size in (3, 10):
            made += [(member, " ".join(own[at : at + size])) for at in range(0, len(own) - size + 1, size)]
    return made
