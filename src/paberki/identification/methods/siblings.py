"""The method ``siblings``: close languages only, two or more of them.

Without a model of your own the part of ``general`` that knows Bosnian, Croatian and Serbian decides; with one that
``paberki train siblings`` made, LM1 does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.errors import ConfigError
from paberki.identification.answer import Identification, answer, choice
from paberki.identification.language_model_file import (
    BROKEN,
    LanguageModelFile,
    damaged,
    numbers,
    read_model,
    write_model,
)
from paberki.identification.language_records import utf8_texts
from paberki.identification.methods.general import MEMBERS, General, load_general
from paberki.identification.methods.lm1 import BITS, LM1, learn, words_in
from paberki.identification.training.calibration import KNOTS, calibrated
from paberki.kernels.preparation import prepared

_FOLDS: Final = 5


class SiblingModel:
    """LM1 from a file; probabilities by factors that were found on texts held back."""

    def __init__(self, file: LanguageModelFile) -> None:
        self.languages = tuple(map(str, file.about["languages"]))
        words, own = np.asarray(file.arrays["words"]), np.asarray(file.arrays["counts"])
        if not self.languages or own.shape != (len(words), len(self.languages)) or (own < 0).any():
            raise ValueError("counts that do not fit the languages")
        if len(words) and not 0 <= int(words.min()) <= int(words.max()) < 1 << BITS:
            raise ValueError("words of no number")
        counts = np.zeros((1 << BITS, len(self.languages)), np.int64)
        counts[words] = own
        self._lm1 = LM1(self.languages, counts)
        self._values = numbers(file.about["values"], len(KNOTS))

    def identify(self, texts: Sequence[str], languages: Sequence[str] | None = None) -> list[Identification]:
        """Language of each text, among those that the model knows."""
        choices = choice(languages, self.languages) or frozenset(self.languages)
        is_choice = np.array([name in choices for name in self.languages])
        words, edges = words_in(*utf8_texts(texts))
        scores = np.where(is_choice, self._lm1.score(words, edges), -np.inf)
        scripts = [one.script for one in load_general().identify(texts)]
        rows = zip(scores, np.diff(edges).tolist(), scripts, strict=True)
        return [self._answer(row, count, script) for row, count, script in rows]

    def _answer(self, scores: npt.NDArray[Any], count: int, script: str) -> Identification:
        if not count:
            return Identification(None, {}, script)
        heat = np.interp(np.log(count), KNOTS, self._values)
        shares = np.exp((scores - scores.max()) * heat)
        return answer(zip(self.languages, (shares / shares.sum()).tolist(), strict=True), script)


class OfGeneral:
    """What the model of ``general`` knows about close languages."""

    def __init__(self, model: General) -> None:
        self._model = model

    def identify(self, texts: Sequence[str], languages: Sequence[str] | None = None) -> list[Identification]:
        """Language of each text, one of the close ones."""
        return self._model.identify(texts, MEMBERS if languages is None else languages)


def learn_siblings(texts: Sequence[tuple[str, str]], sources: Sequence[str], output: Path) -> None:
    """Count words, find the factors on folds, and write the model."""
    model = learn(texts)
    rows = np.flatnonzero(model.counts.sum(axis=1))
    about = {
        "kind": "siblings", "languages": list(model.languages), "sources": list(sources),
        "values": _factors(texts, model.languages),
    }  # fmt: skip
    write_model(output, about, {"words": rows.astype(np.int32), "counts": model.counts[rows].astype(np.int32)})


def _factors(texts: Sequence[tuple[str, str]], languages: Sequence[str]) -> list[float]:
    scores, counts, answers = [], [], []
    for fold in range(_FOLDS):
        mine = [pair for number, pair in enumerate(texts) if number % _FOLDS == fold]
        model = learn([pair for number, pair in enumerate(texts) if number % _FOLDS != fold])
        mine = [pair for pair in mine if pair[0] in model.languages]
        if model.languages != tuple(languages) or not mine:
            return [1.0] * len(KNOTS)
        words, edges = words_in(*utf8_texts([text for _, text in mine]))
        scores.append(model.score(words, edges))
        counts.append(np.diff(edges))
        answers.append(np.array([model.languages.index(name) for name, _ in mine]))
    return calibrated(np.concatenate(scores), np.concatenate(counts), np.concatenate(answers))


@lru_cache(maxsize=4)
@prepared
def load_siblings(path: Path | None) -> SiblingModel | OfGeneral:
    """The model in a file, or the one in the package."""
    if path is None:
        return OfGeneral(load_general())
    file = read_model(path)
    if file.about.get("kind") != "siblings":
        raise ConfigError(f"{path}: not a model made by 'paberki train siblings'")
    try:
        return SiblingModel(file)
    except BROKEN as error:
        raise damaged(path, error) from error
