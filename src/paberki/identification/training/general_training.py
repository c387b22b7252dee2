"""Learns the model of the method ``general`` from texts with known languages.

Every language of a script has as many examples as any other: whole texts, pieces of a few words, several texts joined,
and the same without marks on letters, which is how many people write. Noise in no language (random letters,
shuffled words, identifiers) is a class of its own. One text in twenty is held back to calibrate the probabilities.
The same texts and seed give the same bytes.
"""

from __future__ import annotations

import random
import unicodedata
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.errors import ConfigError
from paberki.identification import alphabet
from paberki.identification.language_records import (
    FeatureReader,
    Texts,
    TrainingAnswers,
    TrainingState,
    utf8_texts,
    whole_texts,
    workspace,
)
from paberki.identification.methods.general import EAST_ASIAN, GROUP, MEMBERS, NO_LANGUAGE, alone_languages
from paberki.identification.scripts import NAMES
from paberki.identification.training.calibration import KNOTS, calibrated
from paberki.identification.training.sibling_training import train_siblings
from paberki.kernels import load
from paberki.languages.transliteration import to_cyrillic
from paberki.lexicon import small_letters

Text = tuple[str, str]
"""Language and text."""
Log = Callable[[str], None]

FEWEST_TEXTS: Final = 50
FEWEST: Final = 1
MOST: Final = 4
_HELD_BACK: Final = 20
_LEAST_SHARE: Final = 0.05
"""A language is in a script if so many of its texts are: fewer are lines of addresses and names."""
_RATE: Final = 0.5
_PIECES: Final = 0.4
_JOINED: Final = 0.15
_BARE: Final = 0.25
_LETTERS: Final = {
    "Latn": "abcdefghijklmnopqrstuvwxyz",
    "Cyrl": "абвгдежзийклмнопрстуфхцчшщъыьэюя",
}
_MARKLESS: Final = str.maketrans("đĐłŁøØßæÆıħĦ", "dDlLoOsaAihH")


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How a model is learnt."""

    bits: int = 17
    """The model has 2 to the power of ``bits`` rows."""
    rounds: int = 4
    examples: int = 6000
    """Examples per language and script."""
    seed: int = 0


def without_marks(text: str) -> str:
    """A text as written on a keyboard that has no č, ř or đ."""
    parts = unicodedata.normalize("NFD", text.translate(_MARKLESS))
    return "".join(char for char in parts if not unicodedata.combining(char))


def train(
    files: Iterable[Sequence[Text]], sources: Sequence[str], settings: TrainingSettings, log: Log
) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Header and arrays of a model, learnt from files of texts (all texts of a file come from one source)."""
    coded_files = [[(code_of(name), text) for name, text in file] for file in files]
    pools = _pools([pair for file in coded_files for pair in file])
    homes, alone = _homes(pools)
    if not homes:
        raise ConfigError(f"two languages of one script with {FEWEST_TEXTS} texts each are needed to learn from")
    rng = random.Random(settings.seed)  # noqa: S311 - examples, no secrets
    columns = [[NO_LANGUAGE, *sorted(name for name, script in pools if script == home)] for home in homes]
    learner = LanguageLearner(homes, columns, settings.bits)
    weights = learner.learn(_examples(pools, homes, settings.examples, rng, held_back=False), settings, log)
    scale = float(np.abs(weights).max()) / 127.0 or 1.0
    rounded = np.clip(np.rint(weights / scale), -127, 127).astype(np.int8)
    log("calibrating")
    values = learner.calibrate(rounded, scale, _held_back(pools, homes, rng))
    siblings = train_siblings([[pair for pair in file if pair[0] in MEMBERS] for file in coded_files])
    about = {
        "kind": "general", "sources": list(sources), "seed": settings.seed, "bits": settings.bits, "fewest": FEWEST,
        "most": MOST, "homes": homes, "columns": columns, "alone": alone, "knots": KNOTS.tolist(), "values": values,
        "sibling_values": siblings.values, "scales": [*siblings.weights.scales, scale],
        "texts": dict(sorted(Counter(name for file in coded_files for name, _ in file).items())),
    }  # fmt: skip
    arrays = {"weights": rounded}
    if any(GROUP in names for names in columns):
        arrays |= {"sibling_words": siblings.weights.words, "sibling_runs": siblings.weights.runs}
    return about, arrays


def languages_in(about: dict[str, Any]) -> list[str]:
    """The languages that a model can answer, by its header: learnt ones, and those that have a script to themselves."""
    names = {name for columns in about["columns"] for name in columns} | set(about["alone"].values())
    group = {name for name in MEMBERS if name in about.get("texts", ())} if GROUP in names else set()
    return sorted((names | group | set(EAST_ASIAN)) - {GROUP, NO_LANGUAGE})


def code_of(name: str) -> str:
    """The code that we use for a language."""
    return {"sr-Latn": "sr", "sr-Cyrl": "sr", "no": "nb"}.get(name, name)


def script_of(text: str) -> str | None:
    """The script that most letters of a text are in."""
    classes = alphabet.script_classes()
    counts = Counter(int(classes[ord(char)]) for char in text[:200] if ord(char) < 0x10000)
    counts.pop(0, None)
    best = max(counts, key=lambda number: (counts[number], -number), default=0)
    return None if best == 0 or best == alphabet.PARTICLE_CLASS else NAMES[best - 1]


def _pools(texts: Iterable[Text]) -> dict[tuple[str, str], list[str]]:
    """Texts by language (close ones as one) and script; Serbian in Latin letters is there in Cyrillic ones too."""
    pools: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, text in texts:
        script = script_of(text)
        if script is None or name in EAST_ASIAN:
            continue
        column = GROUP if name in MEMBERS else name
        pools[column, script].append(text)
        if name == "sr" and script == "Latn":
            pools[column, "Cyrl"].append(to_cyrillic(text))
    sizes: Counter[str] = Counter()
    for (name, _), pool in pools.items():
        sizes[name] += len(pool)
    return {
        key: pool for key, pool in sorted(pools.items()) if len(pool) >= max(FEWEST_TEXTS, _LEAST_SHARE * sizes[key[0]])
    }


def _homes(pools: Iterable[tuple[str, str]]) -> tuple[list[str], dict[str, str]]:
    """Scripts in which languages have to be told apart, and the others with their only language."""
    by_script: dict[str, list[str]] = defaultdict(list)
    for name, script in pools:
        by_script[script].append(name)
    homes = sorted((script for script, names in by_script.items() if len(names) > 1 or GROUP in names), reverse=True)
    alone = {script: names[0] for script, names in by_script.items() if script not in homes}
    return homes, {**{script: name for script, name in alone_languages().items() if script not in homes}, **alone}


def is_held(text: str) -> bool:
    """Whether a text is held back from learning, to calibrate with."""
    return zlib.crc32(text.encode("utf-8", "replace")) % _HELD_BACK == 0


Example = tuple[str, int, str]
"""Column, home, text."""
_CLOSE: Final = {"id": 3, "ms": 3}
"""Languages that share most of their words have so many times as many examples."""


def _examples(
    pools: dict[tuple[str, str], list[str]], homes: Sequence[str], count: int, rng: random.Random, *, held_back: bool
) -> list[Example]:
    examples: list[Example] = []
    for (name, script), pool in pools.items():
        if script not in homes:
            continue
        pool = [text for text in pool if is_held(text) == held_back] or pool
        own = count * _CLOSE.get(name, 1)
        for _ in range(-(-own // len(pool))):
            order = rng.sample(pool, len(pool))
            examples += [(name, homes.index(script), _vary(text, pool, script, rng)) for text in order]
        del examples[len(examples) - (-own % len(pool)) :]
    for home, script in enumerate(homes):
        words = [
            word for (_, one), pool in pools.items() if one == script for text in pool[:300] for word in text.split()
        ]
        examples += [(NO_LANGUAGE, home, _noise(words, script, rng)) for _ in range(count)]
    return examples


def _vary(text: str, pool: Sequence[str], script: str, rng: random.Random) -> str:
    form = rng.random()
    if form < _PIECES:
        text = _piece(text, rng)
    elif form < _PIECES + _JOINED:
        text = " ".join([text, *rng.choices(pool, k=rng.randrange(1, 4))])
    return without_marks(text) if script == "Latn" and rng.random() < _BARE else text


def _piece(text: str, rng: random.Random) -> str:
    words = text.split()
    length = rng.randrange(1, 9)
    start = rng.randrange(max(1, len(words) - length + 1))
    return " ".join(words[start : start + length])


def _noise(words: Sequence[str], script: str, rng: random.Random) -> str:
    letters = _LETTERS.get(script, _LETTERS["Latn"])
    kind = rng.randrange(4)
    pieces = []
    for _ in range(rng.randrange(1, 12)):
        if kind == 0:
            word = rng.choice(words)
            pieces.append("".join(rng.sample(word, len(word))))
        elif kind == 1:
            pieces.append("".join(rng.choices(letters, k=rng.randrange(3, 14))))
        elif kind == 2:
            pieces.append(
                "".join(rng.choices([one for one in letters if one not in "aeiouаеиоу"], k=rng.randrange(2, 10)))
            )
        else:
            pieces.append("".join(rng.choices(letters + letters.upper() + "0123456789_-", k=rng.randrange(6, 30))))
    return " ".join(pieces)


def _held_back(pools: dict[tuple[str, str], list[str]], homes: Sequence[str], rng: random.Random) -> list[Example]:
    """Texts that were not learnt from, as pieces, as they are, and joined by threes and tens."""
    examples: list[Example] = []
    for (name, script), pool in pools.items():
        if script not in homes:
            continue
        texts, home = [text for text in pool if is_held(text)], homes.index(script)
        examples += [(name, home, _piece(text, rng)) for text in texts]
        examples += [(name, home, text) for text in texts]
        examples += [
            (name, home, " ".join(texts[at : at + size]))
            for size in (3, 10)
            for at in range(0, len(texts) - size + 1, size)
        ]
    return examples


class LanguageLearner:
    """Learns weights, and holds the arrays that this takes."""

    def __init__(
        self,
        homes: Sequence[str],
        columns: Sequence[Sequence[str]],
        bits: int,
        *,
        lengths: tuple[int, int] = (FEWEST, MOST),
        words: bool = True,
    ) -> None:
        self.columns, self.bits = columns, bits
        self.kernel, self.teacher = (
            load("paberki.identification.language_kernel"),
            load("paberki.identification.training.general_training_kernel"),
        )
        fewest, most = lengths
        self.reader = FeatureReader(
            small_letters(), alphabet.no_seconds(), alphabet.homes_of(tuple(homes)), fewest, most, words, bits
        )
        self.width = -(-max(map(len, columns)) // self.kernel.BLOCK) * self.kernel.BLOCK
        self.workspace = workspace(self.kernel.LONGEST_RUN)

    def _pack(self, examples: Sequence[Example]) -> tuple[Texts, TrainingAnswers]:
        texts = whole_texts(*utf8_texts([text for _, _, text in examples]))
        columns = [self.columns[home].index(name) for name, home, _ in examples]
        homes = [home for _, home, _ in examples]
        return texts, TrainingAnswers(np.array(columns, np.int32), np.array(homes, np.int8))

    def learn(self, examples: Sequence[Example], settings: TrainingSettings, log: Log) -> npt.NDArray[np.float32]:
        """Weights after all rounds."""
        weights = np.zeros((1 << self.bits, self.width), np.float32)
        squares, scores = np.zeros_like(weights), np.zeros(self.width, np.float32)
        widths = np.array([len(names) for names in self.columns], np.int32)
        texts, answers = self._pack(examples)
        rng = np.random.default_rng(settings.seed)
        for number in range(settings.rounds):
            order, rate = rng.permutation(len(answers.columns)), _RATE / (1 + 0.5 * number)
            state = TrainingState(weights, squares, scores, widths)
            loss = self.teacher.one_round(texts, self.reader, answers, order, state, self.workspace, rate)
            log(f"round {number + 1} of {settings.rounds}: {len(examples)} examples, loss {loss:.4f}")
        return weights

    def calibrate(self, weights: npt.NDArray[np.int8], scale: float, examples: Sequence[Example]) -> list[list[float]]:
        """Values at the knots for each home."""
        texts, answers = self._pack(examples)
        sums = np.zeros((len(examples), len(self.columns), self.width), np.int32)
        counts = np.zeros((len(examples), len(self.columns)), np.int32)
        self.kernel.add_up(texts, self.reader, weights.view(np.uint64), self.workspace, sums, counts)
        values = []
        for home, names in enumerate(self.columns):
            mine = (answers.homes == home) & (counts[:, home] > 0)
            scores = sums[mine, home, : len(names)] * scale / np.sqrt(counts[mine, home] + 1.0)[:, None]
            values.append(calibrated(scores, counts[mine, home], answers.columns[mine]))
        return values
