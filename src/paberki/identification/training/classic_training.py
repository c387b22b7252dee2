"""Counts the model of the methods ``markov`` and ``ngram`` from texts with known languages."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.identification.methods.classic import (
    FUNCTION_WORDS,
    LONGEST,
    PROFILE,
    distance,
    letters_only,
    profile_of,
    words_of,
)
from paberki.identification.methods.general import EAST_ASIAN, alone_languages
from paberki.identification.training.calibration import KNOTS, calibrated
from paberki.identification.training.general_training import (
    FEWEST_TEXTS,
    LanguageLearner,
    Text,
    code_of,
    is_held,
    script_of,
)
from paberki.kernels.hash_constants import GOLDEN, MIXER
from paberki.languages.transliteration import to_cyrillic

BITS: Final = 16
_CHARS: Final = 150_000
_STEP: Final = 0.08
"""Nats per unit of a rounded weight."""
_MIDDLE: Final = -6.0
_FEWEST_SEEN: Final = 5
_ADDED: Final = 0.05
_MULTIPLIER: Final = np.uint64(GOLDEN)
_MIXER: Final = np.uint64(MIXER)


def train_classic(
    files: Iterable[Sequence[Text]], sources: Sequence[str]
) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Header and arrays of a model."""
    pools, held_back = _pools([(code_of(name), text) for file in files for name, text in file])
    homes = sorted({script for _, script in pools}, reverse=True)
    columns = [sorted(name for name, script in pools if script == home) for home in homes]
    learner = LanguageLearner(homes, columns, BITS, lengths=(3, 3), words=False)
    weights = np.zeros((1 << BITS, learner.width), np.int8)
    chains = [
        [letters_only(" ".join(pools[name, home])) for name in names]
        for home, names in zip(homes, columns, strict=True)
    ]
    _add_chains(weights, chains)
    examples = [
        (name, homes.index(script), text) for (name, script), texts in held_back.items() for text in _lengths(texts)
    ]
    whole = {name: " ".join(text for one in homes for text in pools.get((name, one), ())) for name, _ in pools}
    profiles = {name: _profile(text) for name, text in sorted(whole.items())}
    about = {
        "kind": "classic", "sources": list(sources), "bits": BITS, "fewest": 3, "most": 3, "words": False,
        "homes": homes, "columns": columns,
        "alone": {script: name for script, name in alone_languages().items() if script not in homes},
        "knots": KNOTS.tolist(), "values": learner.calibrate(weights, _STEP, examples), "scales": [0.0, 0.0, _STEP],
        "sibling_values": [[1.0] * len(KNOTS)] * 2, "profiles": profiles,
        "ngram_values": _ngram_values(profiles, [(name, text) for name, _, text in examples[::10]]),
        "function_words": {name: _frequent(text) for name, text in sorted(whole.items())},
    }  # fmt: skip
    return about, {"weights": weights}


def _pools(texts: Iterable[Text]) -> tuple[dict[tuple[str, str], list[str]], dict[tuple[str, str], list[str]]]:
    """Texts by language and script, to count and to calibrate with."""
    pools: dict[tuple[str, str], list[str]] = {}
    held_back: dict[tuple[str, str], list[str]] = {}
    for name, text in texts:
        script = script_of(text)
        if script not in ("Latn", "Cyrl") or name in EAST_ASIAN:
            continue
        for form, letters in ((script, text), *((("Cyrl", to_cyrillic(text)),) if name == "sr" else ())):
            (held_back if is_held(text) else pools).setdefault((name, form), []).append(letters)
    pools = {key: texts for key, texts in sorted(pools.items()) if len(texts) >= FEWEST_TEXTS}
    return pools, {key: texts for key, texts in sorted(held_back.items()) if key in pools}


def _lengths(texts: Sequence[str]) -> list[str]:
    return [*texts, *(" ".join(texts[at : at + 3]) for at in range(0, len(texts) - 2, 3))]


def _add_chains(weights: npt.NDArray[np.int8], texts: Sequence[Sequence[str]]) -> None:
    """log P(c | a b) of every trigram that any language of a script has, for all of them.

    Where two trigrams fall into one row, it is the more frequent one's.
    """
    counts = [[[Counter(_grams(text, size)) for size in (1, 2, 3)] for text in home] for home in texts]
    grams: list[tuple[int, str, int]] = []
    for number, home in enumerate(counts):
        total: Counter[str] = Counter()
        for _, _, threes in home:
            total.update(threes)
        grams += [(count, gram, number) for gram, count in total.items() if count >= _FEWEST_SEEN]
    owner: dict[int, tuple[str, int]] = {}
    grams.sort()
    rows = _rows(np.array([[ord(char) for char in gram] for _, gram, _ in grams], np.uint64).reshape(-1, 3))
    for row, (_, gram, number) in zip(rows.tolist(), grams, strict=True):
        owner[row] = gram, number
    for number, home in enumerate(counts):
        mine = {row: gram for row, (gram, one) in owner.items() if one == number}
        for column, parts in enumerate(home):
            logs = np.array(_logs(list(mine.values()), *parts))
            weights[list(mine), column] = np.clip(np.rint((logs - _MIDDLE) / _STEP), -127, 127)


def _logs(grams: Sequence[str], ones: Counter[str], twos: Counter[str], threes: Counter[str]) -> list[float]:
    before, pairs, letters = _contexts(twos), _contexts(threes), sum(ones.values())
    logs = []
    for gram in grams:
        first = (ones[gram[2]] + _ADDED) / (letters + _ADDED * 1000)
        second = _mix(twos[gram[1:]], before.get(gram[1]), first)
        logs.append(math.log(_mix(threes[gram], pairs.get(gram[:2]), second)))
    return logs


def _grams(text: str, size: int) -> Iterable[str]:
    return map("".join, zip(*(text[at:] for at in range(size)), strict=False))


def _contexts(counts: Counter[str]) -> dict[str, tuple[int, int]]:
    """How often each context occurs, and how many letters follow it."""
    contexts: dict[str, tuple[int, int]] = {}
    for gram, count in counts.items():
        total, kinds = contexts.get(gram[:-1], (0, 0))
        contexts[gram[:-1]] = total + count, kinds + 1
    return contexts


def _mix(count: int, context: tuple[int, int] | None, shorter: float) -> float:
    return shorter if context is None else (count + context[1] * shorter) / (context[0] + context[1])


def _rows(codes: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Row of each run of characters, as the kernel computes it."""
    hashed = np.zeros(len(codes), np.uint64)
    for place in range(codes.shape[1] - 1, -1, -1):
        hashed = (hashed ^ codes[:, place]) * _MULTIPLIER
        hashed ^= hashed >> np.uint64(32)
    hashed += np.uint64(codes.shape[1])
    hashed ^= hashed >> np.uint64(29)
    hashed *= _MIXER
    return (hashed >> np.uint64(64 - BITS)).astype(np.int64)


def _profile(text: str) -> list[str]:
    letters = letters_only(text[:_CHARS])
    counts: Counter[str] = Counter()
    for length in range(1, LONGEST + 1):
        counts.update(_grams(letters, length))
    counts.pop(" ", None)
    return [gram for gram, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:PROFILE]]


def _frequent(text: str) -> list[str]:
    counts = Counter(words_of(text))
    return [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:FUNCTION_WORDS]]


def _ngram_values(profiles: dict[str, list[str]], texts: Sequence[Text]) -> list[float]:
    ranks = {name: {gram: rank for rank, gram in enumerate(grams)} for name, grams in profiles.items()}
    names = list(ranks)
    grams = [profile_of(text) for _, text in texts]
    scores = np.array([[-distance(one, ranks[name]) for name in names] for one in grams])
    lengths = np.array([len(text) for _, text in texts])
    return calibrated(scores, lengths, np.array([names.index(name) for name, _ in texts]))
