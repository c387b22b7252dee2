"""Profiles of function words and the badness of texts against them (P5 §3.3), in three variants.

2012, the paper: relative frequencies; B(d) = Σ max((μ − f) ÷ σ, 0), connected up to 10. 2013, as texrex went on:
logarithms of frequencies, each term at most 5, 5 for a word that is missing, connected up to 35. ``contrast``, the
default: as 2012 with σ at least half of μ, for texts of other kinds vary more than those that were learnt from; plus the
nats by which the common words of another language explain the text better (:mod:`paberki.quality.connected.common_words`), for ten
function words do not tell Czech from Slovak. A language that is written in several scripts has a profile for each, and
a text in both is measured against both. Words are runs of letters; characters of scripts without spaces count as
words, so that Japanese and Chinese have profiles too. ``python benchmarks/quality.py badness`` compares the variants.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.errors import ConfigError
from paberki.identification.alphabet import script_classes
from paberki.identification.scripts import NAMES
from paberki.lexicon import Lexicon, buffers, texts_of
from paberki.quality.connected.common_words import Rivals

Variant = Literal["contrast", "2012", "2013"]
LIMITS: Final[Mapping[str, float]] = {"contrast": 10.0, "2012": 10.0, "2013": 35.0}
"""Badness up to which a text counts as connected, with ten words in the profile."""
TYPES: Final = 10
STEADIEST: Final = 0.5
"""No word counts as steadier than this: its standard deviation is at least so much of its mean (``contrast``)."""
CLAMP: Final = 5.0
"""No word adds more than this in the variant of 2013; a missing one adds it."""
_UNSPACED: Final = r"([\x{0e00}-\x{0eff}\x{1000}-\x{109f}\x{1780}-\x{17ff}\x{3040}-\x{30ff}\x{3400}-\x{9fff}])"
_LEADS: Final = np.isin(np.arange(256), [0xE0, 0xE1, *range(0xE3, 0xEA)])
"""First bytes in UTF-8 of the characters of these scripts, and of few others."""
_MOST_LINES: Final = 100_000

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ProfileWord:
    """A frequent word with mean and standard deviation of its relative frequency, and of its logarithm."""

    word: str
    mean: float
    deviation: float
    log_mean: float
    log_deviation: float
    script: str = ""
    """Script of the texts that it was learnt from, ISO 15924; empty where a language has one profile for all."""


def spaced(texts: pa.StringArray) -> pa.StringArray:
    """Texts with spaces around the characters of scripts that have none; others stay as they are."""
    data, offsets = buffers(texts)
    # A look at every byte takes a fortieth of the time of the expression.
    non_empty = np.flatnonzero(np.diff(np.searchsorted(np.flatnonzero(_LEADS[data]), offsets)))
    if not len(non_empty):
        return texts
    apart = pc.replace_substring_regex(texts.take(pa.array(non_empty)), _UNSPACED, r" \1 ")
    places = np.arange(len(texts))
    places[non_empty] = len(texts) + np.arange(len(non_empty))
    return pa.concat_arrays([texts, apart]).take(pa.array(places))


def words_in(texts: pa.StringArray) -> pa.ListArray:
    """The words of each text in small letters; for learning, scoring has :class:`Profiles`."""
    small_letters = pc.utf8_lower(spaced(texts.fill_null("")))
    apart = pc.utf8_trim(pc.replace_substring_regex(small_letters, r"[^\pL\pM]+", " "), " ")
    return pc.split_pattern(apart, " ")


def limit_of(variant: Variant, types: int = TYPES) -> float:
    """Badness up to which a text counts as connected; more words in a profile add up to more."""
    return LIMITS[variant] * types / TYPES


def learn(texts: Sequence[str], *, types: int = 100) -> list[ProfileWord]:
    """The most frequent words of some texts, the first of them their profile; means weighted by length (P5 §3.3)."""
    return profile_of(texts_of(texts), types)


def profile_of(texts: pa.StringArray, types: int, script: str = "") -> list[ProfileWord]:
    """The same from an Arrow array; with ``script`` of the words in that script, as if the texts had no others."""
    lists = words_in(texts)
    dictionary_array = lists.flatten().dictionary_encode()
    numbers, words = dictionary_array.indices.to_numpy(), dictionary_array.dictionary
    owners = np.repeat(np.arange(len(texts)), lists.value_lengths().to_numpy())
    counts = np.bincount(numbers, minlength=len(words))
    counts[~_countable(words, script)] = 0
    sizes = np.bincount(owners[counts[numbers] > 0], minlength=len(texts)).astype(np.float64)
    frequent = _most_frequent(words, counts, types)
    columns = np.full(len(words), len(frequent))
    columns[frequent] = np.arange(len(frequent))
    table = np.bincount(owners * (len(frequent) + 1) + columns[numbers], minlength=len(texts) * (len(frequent) + 1))
    by_text = table.reshape(len(texts), len(frequent) + 1)
    return [
        _profile_word(words[place].as_py(), int(counts[place]), by_text[:, column], sizes, script)
        for column, place in enumerate(frequent)
    ]


def _countable(words: pa.StringArray, script: str) -> npt.NDArray[np.bool_]:
    """Words in a script, or in any; not the empty one that an empty text is split into."""
    if script not in NAMES:
        countable: npt.NDArray[np.bool_] = pc.not_equal(words, "").to_numpy(zero_copy_only=False)
        return countable
    classes, script_class = script_classes(), NAMES.index(script) + 1
    firsts = (ord(word[0]) if word else 0 for word in words.to_pylist())
    return np.array([code < len(classes) and classes[code] == script_class for code in firsts], bool)


def _most_frequent(words: pa.StringArray, counts: npt.NDArray[np.int64], most: int) -> list[int]:
    """Places of the most frequent words; of equally frequent ones the first in the alphabet."""
    least = np.partition(counts, -most)[-most] if most < len(counts) else 0
    places: list[int] = np.flatnonzero(counts >= max(least, 1)).tolist()
    return sorted(places, key=lambda place: (-counts[place], words[place].as_py()))[:most]


def _profile_word(word: str, count: int, counts: npt.NDArray[np.int64], sizes: Floats, script: str) -> ProfileWord:
    there = counts > 0
    counts, weights, total = counts[there], sizes[there], sizes.sum()
    mean, shares = count / total, counts / weights
    deviation = math.sqrt(max(float((counts * shares).sum()) / total - mean * mean, 0.0))
    logs, weight = np.log10(shares), weights.sum()
    log_mean = float((weights * logs).sum()) / weight
    log_deviation = math.sqrt(max(float((weights * logs * logs).sum()) / weight - log_mean * log_mean, 0.0))
    return ProfileWord(word, float(mean), deviation, log_mean, log_deviation, script)


def read_profile(path: Path) -> list[ProfileWord]:
    """A profile as texprof writes it: ``DIE|-1.562|0.194|5``, a word with mean and deviation of its log frequency."""
    words = []
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: no profile can be read from it ({error})") from error
    for number, line in enumerate(lines[:_MOST_LINES], 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            word, mean, deviation = line.split("|")[:3]
            log_mean, log_deviation = float(mean), float(deviation)
            share = 10.0**log_mean
        except (ValueError, OverflowError) as error:
            raise ConfigError(
                f"{path}, line {number}: should be WORD|mean|deviation|limit, is {line[:60]!r}"
            ) from error
        # A profile in logarithms says no more about plain frequencies than this, to the first order.
        words.append(ProfileWord(word.lower(), share, share * math.log(10) * log_deviation, log_mean, log_deviation))
    return words


class Profiles:
    """Profiles of several languages, looked up in one pass."""

    def __init__(self, by_language: Mapping[str, Sequence[ProfileWord]], *, types: int = TYPES) -> None:
        """The first ``types`` words of a language in each script are its profile there, all of them function words."""
        names = list(dict.fromkeys(one.word for words in by_language.values() for one in words))
        places = {word: column for column, word in enumerate(names)}
        weights = {word: [(column, 1)] for word, column in places.items()}
        self._shares = {lang: shares_of(words) for lang, words in by_language.items()}
        self._rivals = Rivals(self._shares, len(names))
        for word, scores in self._rivals.weights.items():
            weights.setdefault(word, []).extend(scores)
        self._lexicon = Lexicon(weights, len(names) + self._rivals.width, apart=True)
        self._types = types
        self._scripts = {lang: _by_script(words, places, types) for lang, words in by_language.items()}

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages that have a profile, in order."""
        return tuple(sorted(self._scripts))

    def scripts(self, language: str) -> frozenset[str]:
        """Scripts in which a language has a profile; an empty name stands for all of them."""
        return frozenset(self._scripts[language])

    def shares(self, language: str) -> dict[str, float]:
        """The most frequent words of a language with their mean frequencies, of all scripts."""
        return self._shares[language]

    def known_as(self, language: str) -> str:
        """The language itself, or one that is much alike and whose common words come with the package; else empty."""
        return self._rivals.known_as(language)

    def look_up(self, texts: pa.StringArray) -> TextCounts:
        """Count the words of the profiles in each text."""
        matches = self._lexicon.look_up(texts)
        return TextCounts(self, matches.scores, matches.words)

    def badness(self, texts: Sequence[str], language: str, variant: Variant = "contrast") -> list[float]:
        """Badness of each text against the profile of one language; infinite for texts without words."""
        text_counts = self.look_up(texts_of(texts))
        scores = text_counts.badness(language, variant)
        return [float(score) for score in np.where(text_counts.words > 0, scores, np.inf)]

    def connected(self, texts: Sequence[str], language: str, variant: Variant = "contrast") -> list[bool]:
        """Whether the badness of each text is within the limit of the variant."""
        return [score <= limit_of(variant, self._types) for score in self.badness(texts, language, variant)]


@dataclass(frozen=True, slots=True)
class _InOneScript:
    """The profile of a language in one script: its words, and the columns of these and of all function words."""

    words: Sequence[ProfileWord]
    columns: npt.NDArray[np.int64]
    function_columns: npt.NDArray[np.int64]
    share: float
    """Share of the function words among all words of a text."""


def _by_script(words: Sequence[ProfileWord], places: Mapping[str, int], types: int) -> dict[str, _InOneScript]:
    profiles: dict[str, _InOneScript] = {}
    for script in sorted({one.script for one in words}):
        mine = [one for one in words if one.script == script]
        columns = np.array([places[one.word] for one in mine], np.int64)
        profiles[script] = _InOneScript(mine[:types], columns[:types], columns, sum(one.mean for one in mine))
    return profiles


@dataclass(frozen=True, slots=True)
class TextCounts:
    """How often each text has the words of the profiles."""

    profiles: Profiles
    counts: npt.NDArray[np.int64]
    words: npt.NDArray[np.int64]

    def badness(self, language: str, variant: Variant, rows: Any = slice(None)) -> Floats:
        """B(d) of some texts against the profile of a language; for texts in two scripts the mean of both parts."""
        counts, words = self.counts[rows], self.words[rows]
        scores = np.zeros(len(counts))
        for script, part in self._parts(language, counts).items():
            profile = self.profiles._scripts[language][script]
            shares = counts[:, profile.columns] / np.maximum(words * part, 1e-9)[:, None]
            scores += part * _BADNESS[variant](shares, profile.words)
        if variant == "contrast":
            scores += np.maximum(self.lead(language, rows)[0], 0.0)
        return scores

    def _parts(self, language: str, counts: npt.NDArray[np.int64]) -> dict[str, Floats]:
        """The share of each text that is in each script, as far as its function words tell.

        A text without any is measured against the first profile, where all its words are missing, as they would be in
        every other.
        """
        profiles = self.profiles._scripts[language]
        if len(profiles) == 1:
            return dict.fromkeys(profiles, np.ones(len(counts)))
        amounts = np.array(
            [counts[:, one.function_columns].sum(axis=1) / max(one.share, 1e-9) for one in profiles.values()]
        )
        amounts[0, amounts.sum(axis=0) == 0] = 1.0
        return dict(zip(profiles, amounts / amounts.sum(axis=0), strict=True))

    def lead(self, language: str, rows: Any = slice(None)) -> tuple[Floats, list[str]]:
        """Nats by which the common words of another language explain each text better, and which language that is."""
        return self.profiles._rivals.lead(self.counts[rows], language)

    def function_words(self, language: str, rows: Any = slice(None)) -> tuple[Floats, Floats]:
        """Types and tokens of a language's function words in some texts (the rule of WaCky, P5 §3.3)."""
        profiles = self.profiles._scripts[language].values()
        counts = self.counts[rows][:, np.unique(np.concatenate([one.function_columns for one in profiles]))]
        return (counts > 0).sum(axis=1), counts.sum(axis=1)


def shares_of(words: Sequence[ProfileWord]) -> dict[str, float]:
    """Mean frequency of each word of a profile."""
    return {one.word: one.mean for one in words}


def _badness_2012(shares: Floats, words: Sequence[ProfileWord], steadiest: float = 0.0) -> Floats:
    """Σ max((μ − f) ÷ σ, 0)."""
    mean = np.array([one.mean for one in words])
    deviation = np.maximum(np.array([one.deviation for one in words]), steadiest * mean)
    steady = deviation > 0
    scores: Floats = np.maximum((mean - shares)[:, steady] / deviation[steady], 0.0).sum(axis=1)
    return scores


def _badness_2013(shares: Floats, words: Sequence[ProfileWord]) -> Floats:
    mean, deviation = np.array([one.log_mean for one in words]), np.array([one.log_deviation for one in words])
    logs = np.log10(np.maximum(shares, 1e-12))
    short = (mean - logs) / np.maximum(deviation, 1e-6)
    scores: Floats = np.where(shares > 0, np.clip(short, 0.0, CLAMP), CLAMP).sum(axis=1)
    return scores


_BADNESS: Final[Mapping[str, Callable[[Floats, Sequence[ProfileWord]], Floats]]] = {
    "contrast": partial(_badness_2012, steadiest=STEADIEST),
    "2012": _badness_2012,
    "2013": _badness_2013,
}
