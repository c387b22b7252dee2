"""The default method: weights of hashed character runs and words, learnt for all languages of a script at once.

Croatian, Serbian and Bosnian are one language to the first model; a second one, counted from words (LM1 of P3) and
character runs, tells them apart. Probabilities are calibrated by length on texts that were held back in learning.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from paberki.identification import alphabet
from paberki.identification.answer import LEAST_SHARE, NOTHING, ONLY_NAMED, Identification, answer, choice
from paberki.identification.modelfile import ModelFile, read_model
from paberki.identification.scripts import NAMES
from paberki.kernels import load
from paberki.lexicon import buffers, small_letters

if TYPE_CHECKING:
    import pyarrow as pa

SHIPPED: Final = Path(__file__).with_name("general.model")
EAST_ASIAN: Final = ("ja", "zh", "ko")
GROUP: Final = "hbs"
MEMBERS: Final = ("bs", "hr", "sr")
NO_LANGUAGE: Final = "und"
WORD_BITS: Final = 17
RUN_BITS: Final = 18
RUNS: Final = (2, 5)
"""Lengths of the character runs by which close languages are told apart."""
_CODES: Final = {NO_LANGUAGE: -2, GROUP: -3}
_ALONE: Final = {"Grek": "el", "Hebr": "he", "Armn": "hy", "Geor": "ka", "Thai": "th"}
_SCRIPT_NAMES: Final = {"Hira": "Jpan", "Kana": "Jpan", "Hang": "Kore"}
_CLASS_NAMES: Final = ("Zyyy", *(_SCRIPT_NAMES.get(name, name) for name in NAMES), "Jpan")

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Evidence:
    """For each text: letters per script, sums and number of features per home, and the same for close languages."""

    letters: Counts
    sums: Counts
    counts: Counts
    words: Counts
    runs: Counts
    run_counts: Counts

    def of_groups(self, edges: npt.NDArray[np.int64]) -> Evidence:
        """The same for groups of texts that lie next to each other, such as the blocks of pages."""
        return Evidence(*(_summed(part, edges) for part in self.parts()))

    def take(self, rows: npt.NDArray[np.int64]) -> Evidence:
        """The same for some of the texts."""
        return Evidence(*(part[rows] for part in self.parts()))

    def parts(self) -> tuple[Counts, ...]:
        """All arrays."""
        return self.letters, self.sums, self.counts, self.words, self.runs, self.run_counts


def _summed(rows: Counts, edges: npt.NDArray[np.int64]) -> Counts:
    upto = np.zeros((len(rows) + 1, *rows.shape[1:]), np.int64)
    np.cumsum(rows, axis=0, out=upto[1:])
    return (upto[edges[1:]] - upto[edges[:-1]]).astype(np.int32)


class General:
    """A loaded model. Safe to share: nothing in it changes but room that a call works in."""

    def __init__(self, file: ModelFile) -> None:
        about, arrays = file.about, file.arrays
        kernel = load("paberki.identification.kernel")
        self._collect, self._posteriors = kernel.collect, kernel.posteriors
        self._longest = int(kernel.LONGEST_RUN)
        self.about = about
        self._weights = np.asarray(arrays["weights"])
        self._words, self._runs = (np.asarray(arrays.get(f"sibling_{name}", _NO_WEIGHTS)) for name in ("words", "runs"))
        form = [about["fewest"], about["most"], int(about.get("words", True)), about["bits"]]
        self._homes = tuple(about["homes"])
        trained = [name for columns in about["columns"] for name in columns if name not in _CODES]
        group = MEMBERS if any(GROUP in columns for columns in about["columns"]) else ()
        names = {*trained, *group, *about["alone"].values(), *EAST_ASIAN}
        self.languages: tuple[str, ...] = tuple(sorted(names))
        self._place = {name: number for number, name in enumerate(self.languages)}
        self._columns = self._column_table(about["columns"])
        self._alone = np.array(
            [self._place.get(about["alone"].get(name, ""), -1) for name in ("", *NAMES, "")], np.int32
        )
        self._home_of_class = np.array(
            [self._homes.index(name) if name in self._homes else -1 for name in ("", *NAMES, "")], np.int8
        )
        self._east_asian = np.array([self._place[name] for name in EAST_ASIAN], np.int32)
        self._members = np.array([self._place.get(name, 0) for name in MEMBERS], np.int32)
        self.near_columns = self._members if group else self._members[:0]
        """Places of close languages among :attr:`languages`."""
        self._knots = np.array(about["knots"], np.float64)
        self._values = np.array(about["values"], np.float64)
        self._sibling_values = np.array(about["sibling_values"], np.float64)
        self._scales = np.array(about["scales"], np.float64)
        self._tables = (
            alphabet.script_classes(), small_letters(), alphabet.no_seconds(), alphabet.homes_of(self._homes),
            np.array(form, np.int64), self._weights, self._columns, float(self._scales[2]), *alphabet.latinised(),
            np.array([WORD_BITS, *RUNS, RUN_BITS] if group else [], np.int64), self._words, self._runs,
        )  # fmt: skip
        self._allowed_cache: dict[frozenset[str] | None, npt.NDArray[np.bool_]] = {}

    def _column_table(self, columns: Sequence[Sequence[str]]) -> Counts:
        table = np.full((len(columns), self._weights.shape[1]), -1, np.int32)
        for home, names in enumerate(columns):
            for column, name in enumerate(names):
                table[home, column] = _CODES[name] if name in _CODES else self._place[name]
        return table

    def _allowed(self, chosen: frozenset[str] | None) -> npt.NDArray[np.bool_]:
        if chosen not in self._allowed_cache:
            known = [name not in ONLY_NAMED if chosen is None else name in chosen for name in self.languages]
            if len(self._allowed_cache) > 64:
                self._allowed_cache.clear()
            self._allowed_cache[chosen] = np.array(known)
        return self._allowed_cache[chosen]

    def evidence(
        self, data: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int32], limit: int = 0, *, always: bool = False
    ) -> Evidence:
        """Look at every letter, word and run of some texts, given as UTF-8; at most about ``limit`` features each.

        ``always``: look for signs of close languages even in texts that are in none of them.
        """
        count, homes, width = len(offsets) - 1, len(self._homes), self._weights.shape[1]
        found = Evidence(
            np.zeros((count, alphabet.CLASS_COUNT), np.int32), np.zeros((count, homes, width), np.int32),
            np.zeros((count, homes), np.int32), np.zeros((count, 1, 4), np.int32), np.zeros((count, 1, 4), np.int32),
            np.zeros((count, 1), np.int32),
        )  # fmt: skip
        self._collect(
            data, offsets, *self._tables, always, limit, np.empty(self._longest, np.int64),
            np.empty(_ROOM, np.int32), *found.parts(),
        )  # fmt: skip
        return found

    def posteriors(self, found: Evidence, chosen: frozenset[str] | None) -> tuple[Floats, Counts]:
        """Probability of each of :attr:`languages` and, last, of none; and the class of the main script."""
        shares = np.zeros((len(found.letters), len(self.languages) + 1))
        scripts = np.zeros(len(found.letters), np.int32)
        self._posteriors(
            found.letters, found.sums, found.counts, found.words, found.runs, found.run_counts, self._home_of_class,
            self._columns, self._alone, self._east_asian, self._members, self._allowed(chosen), chosen is None,
            self._knots, self._values, self._sibling_values, self._scales, shares, scripts,
        )  # fmt: skip
        return shares, scripts

    def answers(self, shares: Floats, scripts: Counts) -> list[Identification]:
        """Probabilities as answers."""
        return list(map(self._answer, shares.tolist(), scripts.tolist()))

    def _answer(self, row: list[float], script: int) -> Identification:
        if script == 0:
            return NOTHING
        nothing = row.pop()
        best = max(row)
        if not best or nothing > _NOT_A_LANGUAGE:
            return Identification(None, {}, script_name(script))
        if best > 1.0 - LEAST_SHARE:
            language = self.languages[row.index(best)]
            return Identification(language, {language: 1.0}, script_name(script))
        return answer(zip(self.languages, row, strict=True), script_name(script))

    def identify(self, texts: Sequence[str], languages: Sequence[str] | None = None) -> list[Identification]:
        """Language of each text."""
        chosen = choice(languages, self.languages)
        encoded = [_encoded(text) for text in texts]
        offsets = np.array([0, *accumulate(map(len, encoded))], np.int32)
        data = np.frombuffer(b"".join(encoded) or b" ", np.uint8)
        return self.answers(*self.posteriors(self.evidence(data, offsets, always=chosen is not None), chosen))

    def identify_arrow(self, texts: pa.StringArray, limit: int = 0) -> Evidence:
        """Evidence of the texts of an Arrow array, which stay where they are."""
        return self.evidence(*buffers(texts), limit)


_NO_WEIGHTS: Final = np.zeros((1, 4), np.int8)
_NOT_A_LANGUAGE: Final = 0.5
"""Texts that are in no language with a larger probability get none."""
_ROOM: Final = 4096
"""Features that are looked up at a time: what fits into the nearest cache."""


def _encoded(text: str) -> bytes:
    """UTF-8 with letters and marks composed; lone surrogates become question marks."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return text.encode("utf-8", "replace")


@lru_cache(maxsize=4)
def load_general(path: Path = SHIPPED) -> General:
    """The model in the package, or another one."""
    file = read_model(path)
    if file.about.get("kind") != "general":
        from paberki.errors import ConfigError

        raise ConfigError(f"{path}: not a model of the method 'general'")
    return General(file)


def script_name(number: int) -> str:
    """ISO 15924 name of a class of letters."""
    return _CLASS_NAMES[number]


def alone_languages() -> dict[str, Any]:
    """Scripts that one language writes, as far as a model does not know better."""
    return dict(_ALONE)
