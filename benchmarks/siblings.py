"""Bosnian, Croatian and Serbian told apart: ``python benchmarks/siblings.py``.

The model in the package beside its parts, on the same splits of the DSL Corpus Collection in ``PABERKI_DATA`` (default
``../shared/data``): each year scored by what the other years teach, and the same for three parts drawn at random. Words
are those of LM1 (P3), runs are characters alone; the weights of both are learnt together. Figures are accuracies of sentences and of documents of ten sentences in
per cent, and the expected calibration error of both; factors are found within the texts that are learnt from.
"""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from charset_model import data_directory
from identify import joined

from paberki.identification.methods.general import MEMBERS
from paberki.identification.training.calibration import KNOTS, calibration_error
from paberki.identification.training.sibling_training import scores_of, train_siblings

Text = tuple[str, str]
TEN = 10
PARTS = 3


def sentences() -> dict[str, list[Text]]:
    """Language and text of the sentences of each year."""
    texts: dict[str, list[Text]] = {}
    for name in ("hbs_train", "hbs_dev"):
        with lzma.open(data_directory() / f"langid/{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                texts.setdefault(row["set"], []).append((row["lang"], row["text"]))
    return texts


def splits(years: dict[str, list[Text]]) -> Iterator[tuple[str, list[Text], list[Text]]]:
    """Name, texts to learn from and texts to score."""
    for year, held_back in years.items():
        yield year, [pair for other in years for pair in years[other] if other != year], held_back
    every = [pair for texts in years.values() for pair in texts]
    part = random.Random(5)
    where = [part.randrange(PARTS) for _ in every]
    for number in range(PARTS):
        rest = [pair for pair, place in zip(every, where, strict=True) if place != number]
        yield f"part {number + 1}", rest, [pair for pair, place in zip(every, where, strict=True) if place == number]


def accuracy(scores: npt.NDArray[np.float64], answers: npt.NDArray[np.int64]) -> float:
    return 100.0 * float((scores[:, :3].argmax(axis=1) == answers).mean())


def error(
    scores: npt.NDArray[np.float64], counts: npt.NDArray[np.int32], values: list[float], answers: object
) -> float:
    """Calibration error under the factors that the model would carry."""
    hot = scores[:, :3] * np.interp(np.log(np.maximum(counts, 1)), KNOTS, values)[:, None]
    shares = np.exp(hot - hot.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return calibration_error(shares.max(axis=1).tolist(), (shares.argmax(axis=1) == answers).tolist())


def main() -> None:
    print(f"{'':<12} {'words':^13} {'runs':^13} {'both':^13} {'error':^13}")
    rows = []
    for name, learnt, held_back in splits(sentences()):
        model = train_siblings([learnt])
        row: list[list[float]] = [[], [], [], []]
        for size in (1, TEN):
            texts = joined(held_back, size)
            words, runs, counts = scores_of([text for _, text in texts], model.weights)
            answers = np.array([MEMBERS.index(lang) for lang, _ in texts])
            both = words + runs
            for place, scores in enumerate((words, runs, both)):
                row[place].append(accuracy(scores, answers))
            row[3].append(error(both, counts, model.values[1], answers))
        rows.append(row)
        print(line(name, np.array(row)), flush=True)
    print(line("mean", np.array(rows).mean(axis=0)))


def line(name: str, row: npt.NDArray[np.float64]) -> str:
    figures = " ".join(f"{one:6.1f} {ten:6.1f}" for one, ten in row[:3])
    return f"{name:<12} {figures} {row[3, 0]:6.3f} {row[3, 1]:6.3f}"


if __name__ == "__main__":
    main()
