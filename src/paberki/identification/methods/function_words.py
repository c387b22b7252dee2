"""The method ``words``: function words weighted by how few languages share them, letters a language has or lacks, and
scripts. It needs no model. Function words as a filter for paragraphs are P1's (§2.3); the word lists are our own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from operator import itemgetter
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.identification.answer import NOTHING, Identification, choice, only
from paberki.identification.scripts import NAMES, script_totals
from paberki.identification.word_evidence import ALL_LANGUAGES, COLUMNS, LANGUAGES, WordEvidence, evidence
from paberki.lexicon import texts_of

FloatArray = npt.NDArray[np.float64]

_FEWEST_LETTERS: Final = 3
_LEAST_EVIDENCE: Final = 0.5
_LEAST_SHARE: Final = 0.002
_EAST_ASIAN: Final = ("Hira", "Kana", "Hani", "Hang")
_ONE_LANGUAGE: Final = {"Grek": "el", "Hebr": "he", "Armn": "hy", "Geor": "ka", "Thai": "th"}
_KANA_SHARE: Final = 0.05
_SHORT_HAN: Final = 20


_share: Final = itemgetter(0)
# Which columns belong to a script: row 0 none, then the scripts of LANGUAGES.
_SCRIPT_ROW: Final = {script: row for row, script in enumerate(LANGUAGES, 1)}
_OF_SCRIPT: Final = np.zeros((len(LANGUAGES) + 1, len(ALL_LANGUAGES)), bool)
for _script, (_first, _last) in COLUMNS.items():
    _OF_SCRIPT[_SCRIPT_ROW[_script], _first:_last] = True


class FunctionWords:
    """The method as an object like the others."""

    languages = tuple(sorted({*ALL_LANGUAGES, *_ONE_LANGUAGE.values(), "ja", "zh", "ko"}))

    def identify(self, texts: Sequence[str], languages: Sequence[str] | None = None) -> list[Identification]:
        """Language of each text."""
        choices = choice(languages, (*self.languages, *languages)) if languages is not None else None
        return identify_evidence(evidence(texts_of(texts)), languages=choices)


def identify_evidence(
    blocks: WordEvidence, *, languages: Collection[str] | None = None, lean: FloatArray | float = 0.0
) -> list[Identification]:
    """The same for many texts at once; ``lean`` is added to the scores, for what is known from elsewhere."""
    totals = script_totals(blocks.classes)
    main = [NAMES[index] for index in totals.argmax(axis=1).tolist()]
    choices = None if languages is None else frozenset(languages)
    probs = _probabilities(blocks.scores() + lean, main, choices)
    rows = zip(main, totals.tolist(), probs.argmax(axis=1).tolist(), probs, strict=True)
    return [_decide(script, letters, best, row, choices) for script, letters, best, row in rows]


def _probabilities(scores: FloatArray, main: list[str], choices: frozenset[str] | None) -> FloatArray:
    """Softmax over the languages of each text's script, rounded to nothing below :data:`_LEAST_SHARE`.

    Rows without enough evidence are all zero.
    """
    is_choice = np.array([[True] * scores.shape[1]])
    if choices is not None:
        is_choice = np.array([[name in choices for name in ALL_LANGUAGES]])
    possible = is_choice & _OF_SCRIPT[[_SCRIPT_ROW.get(script, 0) for script in main]]
    scores = np.where(possible, scores, -np.inf)
    best = scores.max(axis=1, keepdims=True)
    enough = best >= _LEAST_EVIDENCE
    powers = np.exp(np.where(enough & possible, scores - np.where(enough, best, 0.0), -np.inf))
    powers[powers < _LEAST_SHARE] = 0.0
    shares: FloatArray = powers / np.maximum(powers.sum(axis=1, keepdims=True), _LEAST_SHARE)
    return shares


def _decide(
    script: str, letters: list[float], best: int, probs: FloatArray, choices: frozenset[str] | None
) -> Identification:
    if max(letters) < _FEWEST_LETTERS:
        return NOTHING
    if script in LANGUAGES:
        if not probs[best]:
            return Identification(None, {}, script)
        if probs[best] == 1.0:
            return Identification(ALL_LANGUAGES[best], {ALL_LANGUAGES[best]: 1.0}, script)
        shares = [(float(probs[column]), ALL_LANGUAGES[column]) for column in np.flatnonzero(probs)]
        shares.sort(key=_share, reverse=True)
        return Identification(shares[0][1], {name: share for share, name in shares}, script)
    if script in _EAST_ASIAN:
        return _east_asian(dict(zip(NAMES, letters, strict=True)), choices)
    if script in _ONE_LANGUAGE:
        return only(_ONE_LANGUAGE[script], script, choices)
    return Identification(None, {}, script)


def _east_asian(letters: dict[str, float], choices: frozenset[str] | None) -> Identification:
    """Kana is Japanese, Hangul is Korean, Han alone is Chinese, though a short headline may be Japanese."""
    kana, han, hangul = letters["Hira"] + letters["Kana"], letters["Hani"], letters["Hang"]
    if hangul > kana + han:
        return only("ko", "Kore", choices)
    if kana > _KANA_SHARE * (kana + han):
        return only("ja", "Jpan", choices)
    if choices is not None and "zh" not in choices:
        return only("ja", "Jpan", choices)
    if han < _SHORT_HAN and (choices is None or "ja" in choices):
        return Identification("zh", {"zh": 0.6, "ja": 0.4}, "Hani")
    return only("zh", "Hani", choices)
