"""The default method: weights of hashed character runs and words, learnt for all languages of a script at once.

Croatian, Serbian and Bosnian are one language to the first model; a second one, counted from words (LM1 of P3) and
character runs, tells them apart. Probabilities are calibrated by length on texts that were held back in learning.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from paberki.corpus_file import shipped
from paberki.errors import ConfigError
from paberki.identification import alphabet
from paberki.identification.answer import LEAST_SHARE, NOTHING, ONLY_NAMED, Identification, answer, choice
from paberki.identification.language_model_file import BROKEN, ModelFile, damaged, numbers, read_model
from paberki.identification.scripts import NAMES
from paberki.kernels import load
from paberki.kernels.preparation import prepared
from paberki.lexicon import buffers, small_letters

if TYPE_CHECKING:
    import pyarrow as pa

MODEL: Final = "identification/general.model"
SHIPPED: Final = shipped(MODEL)
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

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
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
        kernel = load("paberki.identification.language_kernel")
        self._work, self._collect, self._decide = kernel.work, int(kernel.COLLECT), int(kernel.DECIDE)
        self._longest = int(kernel.LONGEST_RUN)
        self.about = about
        _check_form(about, arrays, self._longest, int(kernel.BLOCK), int(kernel.ROW_BITS))
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
        self._knots = numbers(about["knots"], len(about["knots"]))
        if not len(self._knots) or (np.diff(self._knots) <= 0).any():
            raise ValueError("knots that do not rise")
        self._values = numbers(about["values"], len(self._homes), len(self._knots))
        self._sibling_values = numbers(about["sibling_values"], 2, len(self._knots))
        self._scales = numbers(about["scales"], 3)
        shapes = ((1 << WORD_BITS, 4), (1 << RUN_BITS, 4))
        if group and (
            (self._words.shape, self._runs.shape) != shapes or {self._words.dtype, self._runs.dtype} != {_INT8}
        ):
            raise ValueError("weights of close languages of another size")
        self._constants = {
            "scripts": alphabet.script_classes(), "letters": small_letters(), "seconds": alphabet.no_seconds(),
            "homes": alphabet.homes_of(self._homes), "form": np.array(form, np.int64), "weights": self._weights,
            "columns": self._columns, "scales": self._scales, **dict(zip(_SIBLING_TABLES, alphabet.latinised(), strict=True)),
            "sibling_form": np.array([WORD_BITS, *RUNS, RUN_BITS] if group else [], np.int64),
            "sibling_words": self._words, "sibling_runs": self._runs, "home_of_class": self._home_of_class,
            "alone": self._alone, "east_asian": self._east_asian, "members": self._members, "knots": self._knots,
            "values": self._values, "sibling_values": self._sibling_values,
        }  # fmt: skip
        self._sizes = {
            "rows": len(self._weights), "width": self._weights.shape[1], "home_count": len(self._homes),
            "sibling_form_size": 4 if group else 0, "sibling_words_rows": len(self._words),
            "sibling_runs_rows": len(self._runs), "room_size": _ROOM, "classes": alphabet.CLASS_COUNT,
            "languages": len(self.languages), "knot_count": len(self._knots),
        }  # fmt: skip
        self._place_of = {name: number for number, name in enumerate(PLACES)}
        self._template = self._numbered({**self._sizes, **self._constants}, np.zeros(len(PLACES), np.int64))
        self._allowed_cache: dict[frozenset[str] | None, npt.NDArray[np.uint8]] = {}
        self._choices: dict[tuple[str, ...], frozenset[str]] = {}
        self._spare = threading.local()

    def _numbered(self, said: Mapping[str, Any], numbers: Ints) -> Ints:
        """Numbers for the kernel, with sizes and the addresses of arrays put in."""
        for name, value in said.items():
            numbers[self._place_of[name]] = value if isinstance(value, int) else value.ctypes.data
        return numbers

    def _column_table(self, columns: Sequence[Sequence[str]]) -> Counts:
        table = np.full((len(columns), self._weights.shape[1]), -1, np.int32)
        for home, names in enumerate(columns):
            for column, name in enumerate(names):
                table[home, column] = _CODES[name] if name in _CODES else self._place[name]
        return table

    def _allowed(self, chosen: frozenset[str] | None) -> Bytes:
        if chosen not in self._allowed_cache:
            known = [name not in ONLY_NAMED if chosen is None else name in chosen for name in self.languages]
            self._allowed_cache[chosen] = np.array(known, np.uint8)
        return self._allowed_cache[chosen]

    def evidence(
        self,
        data: Bytes,
        offsets: Counts,
        limits: Counts | None = None,
        *,
        pages: Ints | None = None,
        always: bool = False,
    ) -> Evidence:
        """Look at every letter, word and run of some texts, given as UTF-8, or at about ``limits`` features of each.

        ``pages``: the number of the page that each text is part of; what is said twice on a page says nothing more about
        close languages. ``always``: look for signs of close languages even in texts that are in none of them.
        """
        data, offsets = np.ascontiguousarray(data), np.ascontiguousarray(offsets)
        found = self._empty(len(offsets) - 1)
        last, room = np.empty(self._longest, np.int64), np.empty(_ROOM, np.int32)
        groups = 1 + np.arange(len(offsets) - 1, dtype=np.int32) if pages is None else (1 + pages).astype(np.int32)
        seen_words, seen_runs = self._unseen()
        said = {
            "data": data, "data_size": len(data), "offsets": offsets, "texts": len(offsets) - 1, "always": int(always),
            "limits": 0 if limits is None else limits, "last": last, "room": room,
            **dict(zip(_EVIDENCE, found.parts(), strict=True)), "what": self._collect, "groups": groups,
            "seen_words": seen_words, "seen_runs": seen_runs,
        }  # fmt: skip
        self._work(self._numbered(said, self._template.copy()))
        return found

    def _unseen(self) -> tuple[Counts, Counts]:
        """Room for the number of the page in which each word and each run was last met."""
        return np.zeros(len(self._words), np.int32), np.zeros(len(self._runs), np.int32)

    def _empty(self, count: int) -> Evidence:
        homes, width = len(self._homes), self._weights.shape[1]
        shapes = (
            (count, alphabet.CLASS_COUNT), (count, homes, width), (count, homes), (count, 1, 4), (count, 1, 4), (count, 1),
        )  # fmt: skip
        return Evidence(*(np.zeros(shape, np.int32) for shape in shapes))

    def posteriors(self, found: Evidence, chosen: frozenset[str] | None) -> tuple[Floats, Counts]:
        """Probability of each of :attr:`languages` and, last, of none; and the class of the main script."""
        count = len(found.letters)
        shares, scripts = np.zeros((count, len(self.languages) + 1)), np.zeros(count, np.int32)
        parts = [np.ascontiguousarray(part) for part in found.parts()]
        said = {
            "texts": count, "allowed": self._allowed(chosen), "nothing_allowed": int(chosen is None), "shares": shares,
            "main_scripts": scripts, **dict(zip(_EVIDENCE, parts, strict=True)), "what": self._decide,
        }  # fmt: skip
        self._work(self._numbered(said, self._template.copy()))
        return shares, scripts

    def _one(self, encoded: bytes, chosen: frozenset[str] | None) -> Identification:
        """The same for one short text, in room that is kept for the next."""
        spare = self._spare
        if not hasattr(spare, "numbers"):
            self._make_room()
        spare.view[: len(encoded)] = encoded
        spare.offsets[1] = len(encoded)
        numbers, place = spare.numbers, self._place_of
        if spare.chosen is not chosen:
            numbers[place["always"]] = chosen is not None
            numbers[place["allowed"]] = self._allowed(chosen).ctypes.data
            numbers[place["nothing_allowed"]] = chosen is None
            spare.chosen = chosen
        spare.block.fill(0)
        spare.group[0] += 1
        if spare.group[0] > _MOST_GROUPS:
            spare.group[0] = 1
            for seen in spare.seen:
                seen.fill(0)
        self._work(numbers)
        return self._answer(spare.shares.tolist(), int(spare.scripts[0]))

    def _make_room(self) -> None:
        """Everything that has to be cleared before a text lies in one block."""
        spare, sizes = self._spare, [part.size for part in self._empty(1).parts()]
        languages = len(self.languages) + 1
        spare.data, spare.offsets = np.zeros(_SHORT, np.uint8), np.zeros(2, np.int32)
        spare.view = memoryview(spare.data)
        spare.block = np.zeros(2 * languages + 1 + sum(sizes), np.int32)
        spare.shares = spare.block[: 2 * languages].view(np.float64)
        spare.scripts, *parts = np.split(spare.block[2 * languages :], np.cumsum([1, *sizes[:-1]]))
        spare.last, spare.room = np.empty(self._longest, np.int64), np.empty(_ROOM, np.int32)
        spare.group, spare.seen = np.zeros(1, np.int32), self._unseen()
        said = {
            "groups": spare.group, "seen_words": spare.seen[0], "seen_runs": spare.seen[1], "data": spare.data, "data_size": _SHORT, "offsets": spare.offsets, "texts": 1, "last": spare.last,
            "room": spare.room, "shares": spare.shares, "main_scripts": spare.scripts,
            **dict(zip(_EVIDENCE, parts, strict=True)), "what": self._collect | self._decide,
        }  # fmt: skip
        spare.numbers = self._numbered(said, self._template.copy())
        spare.chosen = _NOT_YET

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
        names = self.languages
        listed = [(names[place], share) for place, share in enumerate(row) if share >= LEAST_SHARE]
        return answer(listed, script_name(script))

    def identify(self, texts: Sequence[str], languages: Sequence[str] | None = None) -> list[Identification]:
        """Language of each text."""
        chosen = None if languages is None else self._choice(tuple(languages))
        encoded = [_encoded(text) for text in texts]
        if len(encoded) == 1 and len(encoded[0]) <= _SHORT:
            return [self._one(encoded[0], chosen)]
        offsets = np.array([0, *accumulate(map(len, encoded))], np.int32)
        data = np.frombuffer(b"".join(encoded) or b" ", np.uint8)
        return self.answers(*self.posteriors(self.evidence(data, offsets, always=chosen is not None), chosen))

    def _choice(self, languages: tuple[str, ...]) -> frozenset[str]:
        """The same choice is the same object, so that it is prepared once."""
        if languages not in self._choices:
            if len(self._choices) >= _MOST_CHOICES:
                raise ConfigError(f"more than {_MOST_CHOICES} different choices of languages")
            self._choices[languages] = choice(languages, self.languages) or frozenset()
        return self._choices[languages]

    def identify_arrow(
        self, texts: pa.StringArray, limits: Counts | None = None, pages: Ints | None = None
    ) -> Evidence:
        """Evidence of the texts of an Arrow array, which stay where they are."""
        return self.evidence(*buffers(texts), limits, pages=pages)


PLACES: Final = (
    "data", "data_size", "offsets", "texts", "scripts", "letters", "seconds", "homes", "form", "weights", "rows", "width",
    "columns", "home_count", "scales", "sibling_letters", "sibling_seconds", "sibling_homes", "sibling_form",
    "sibling_form_size", "sibling_words", "sibling_words_rows", "sibling_runs", "sibling_runs_rows", "always", "limits",
    "last", "room", "room_size", "letter_counts", "sums", "counts", "words", "runs", "run_counts", "classes",
    "home_of_class", "alone", "east_asian", "members", "allowed", "languages", "nothing_allowed", "knots", "knot_count",
    "values", "sibling_values", "shares", "main_scripts", "what",
    "groups", "seen_words", "seen_runs",
)  # fmt: skip
"""What the numbers are that the kernels are given: addresses, sizes and switches."""
_SHORT: Final = 1 << 16
"""Bytes of a text for which room is kept."""
_MOST_CHOICES: Final = 10_000
_MOST_GROUPS: Final = (1 << 31) - 2
"""Texts after which it is forgotten what was seen in which."""
_NOT_YET: Final = frozenset({"nothing yet"})
_EVIDENCE: Final = ("letter_counts", "sums", "counts", "words", "runs", "run_counts")
_SIBLING_TABLES: Final = ("sibling_letters", "sibling_seconds", "sibling_homes")
_NO_WEIGHTS: Final = np.zeros((1, 4), np.int8)
_INT8: Final = np.dtype(np.int8)
_MOST_HOMES: Final = 16
_NOT_A_LANGUAGE: Final = 0.5
"""Texts that are in no language with a larger probability get none."""
_ROOM: Final = 4096
"""Features that are looked up at a time: what fits into the nearest cache."""


def _encoded(text: str) -> bytes:
    """UTF-8 with letters and marks composed; lone surrogates become question marks."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return text.encode("utf-8", "replace")


def _check_form(
    about: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], longest: int, block: int, row_bits: int
) -> None:
    """ValueError where a model's sizes do not fit together: the kernel is given addresses, and trusts them."""
    bits, fewest, most, homes, columns = (about[name] for name in ("bits", "fewest", "most", "homes", "columns"))
    weights = arrays["weights"]
    if not all(isinstance(number, int) for number in (bits, fewest, most)) or not 1 <= bits < row_bits:
        raise ValueError("settings that are no numbers")
    if not 1 <= fewest <= most <= longest:
        raise ValueError("runs of characters of no length")
    if weights.dtype != _INT8 or weights.ndim != 2 or weights.shape[0] != 1 << bits or weights.shape[1] % block:
        raise ValueError("weights of another size than the header says")
    if not isinstance(homes, list) or not 0 < len(homes) <= _MOST_HOMES or len(set(homes)) != len(homes):
        raise ValueError("no scripts, or too many")
    if len(columns) != len(homes) or any(not 0 < len(names) <= weights.shape[1] for names in columns):
        raise ValueError("languages without weights")
    if not all(isinstance(name, str) for names in (*columns, about["alone"].values()) for name in names):
        raise ValueError("languages without names")


def load_general(path: Path = SHIPPED) -> General:
    """The model in the package, or another one; loaded once."""
    return _loaded(path)


@lru_cache(maxsize=4)
@prepared
def _loaded(path: Path) -> General:
    file = read_model(path)
    if file.about.get("kind") != "general":
        raise ConfigError(f"{path}: not a model of the method 'general'")
    try:
        return General(file)
    except BROKEN as error:
        raise damaged(path, error) from error


def script_name(number: int) -> str:
    """ISO 15924 name of a class of letters."""
    return _CLASS_NAMES[number]


def alone_languages() -> dict[str, Any]:
    """Scripts that one language writes, as far as a model does not know better."""
    return dict(_ALONE)
