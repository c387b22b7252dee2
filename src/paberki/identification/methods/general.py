"""The default method: weights of hashed character runs and words, learnt for all languages of a script at once.

Croatian, Serbian and Bosnian are one language to the first model; a second one, counted from words (LM1 of P3) and
character runs, tells them apart. Probabilities are calibrated by length on texts that were held back in learning.
"""

from __future__ import annotations

import math
import threading
import unicodedata
from collections.abc import Callable, Mapping, Sequence
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
from paberki.identification.language_model_file import BROKEN, LanguageModelFile, damaged, numbers, read_model
from paberki.identification.language_records import (
    GROUP_COLUMN,
    NO_LANGUAGE_COLUMN,
    RUN_BITS,
    RUNS,
    UNUSED,
    WORD_BITS,
    Bytes,
    Counts,
    FeatureReader,
    Floats,
    Ints,
    LanguageEvidence,
    LanguageTables,
    SiblingTables,
    Texts,
    Workspace,
    workspace,
)
from paberki.identification.scripts import NAMES
from paberki.kernels import bound, load
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
_CODES: Final = {NO_LANGUAGE: NO_LANGUAGE_COLUMN, GROUP: GROUP_COLUMN}
_ALONE: Final = {"Grek": "el", "Hebr": "he", "Armn": "hy", "Geor": "ka", "Thai": "th"}
_SCRIPT_NAMES: Final = {"Hira": "Jpan", "Kana": "Jpan", "Hang": "Kore"}
_CLASS_NAMES: Final = ("Zyyy", *(_SCRIPT_NAMES.get(name, name) for name in NAMES), "Jpan")

_ALL: Final = np.zeros(0, np.int32)
"""Limits of texts that are looked at as a whole."""


class General:
    """A loaded model. Safe to share between threads: only the work space changes, and each thread has its own."""

    def __init__(self, file: LanguageModelFile) -> None:
        about, arrays = file.about, file.arrays
        self._kernel = load("paberki.identification.language_kernel")
        self.about = about
        _check_form(about, arrays, self._kernel.LONGEST_RUN, self._kernel.BLOCK, self._kernel.ROW_BITS)
        learnt_languages = [name for columns in about["columns"] for name in columns if name not in _CODES]
        group = MEMBERS if any(GROUP in columns for columns in about["columns"]) else ()
        names = {*learnt_languages, *group, *about["alone"].values(), *EAST_ASIAN}
        self.languages: tuple[str, ...] = tuple(sorted(names))
        self._homes = tuple(about["homes"])
        self._reader = FeatureReader(
            letters=small_letters(), seconds=alphabet.no_seconds(), homes=alphabet.homes_of(self._homes),
            fewest=about["fewest"], most=about["most"], words=bool(about.get("words", True)), bits=about["bits"],
        )  # fmt: skip
        self._tables = self._language_tables(about, np.asarray(arrays["weights"]))
        self._siblings = _sibling_tables(arrays, bool(group))
        self.near_columns = self._tables.members if group else self._tables.members[:0]
        """Places of close languages among :attr:`languages`."""
        self._width = self._tables.columns.shape[1]
        self._allowed_cache: dict[frozenset[str] | None, Bytes] = {}
        self._choices: dict[tuple[str, ...], frozenset[str]] = {}
        self._spare = threading.local()

    def _language_tables(self, about: Mapping[str, Any], weights: npt.NDArray[np.int8]) -> LanguageTables:
        """What the header says, as arrays; ValueError where it does not fit together."""
        knots = numbers(about["knots"], len(about["knots"]))
        if not len(knots) or (np.diff(knots) <= 0).any():
            raise ValueError("knots that do not rise")
        place = {name: number for number, name in enumerate(self.languages)}
        classes, homes = ("", *NAMES, ""), self._homes
        return LanguageTables(
            scripts=alphabet.script_classes(),
            weights=weights.view(np.uint64),
            columns=self._column_table(about["columns"], weights.shape[1]),
            home_of_class=np.array([homes.index(name) if name in homes else -1 for name in classes], np.int8),
            alone=np.array([place.get(about["alone"].get(name, ""), -1) for name in classes], np.int32),
            east_asian=np.array([place[name] for name in EAST_ASIAN], np.int32),
            members=np.array([place.get(name, 0) for name in MEMBERS], np.int32),
            knots=knots,
            values=numbers(about["values"], len(homes), len(knots)),
            sibling_values=numbers(about["sibling_values"], 2, len(knots)),
            scales=numbers(about["scales"], 3),
        )

    def _column_table(self, columns: Sequence[Sequence[str]], width: int) -> Counts:
        table = np.full((len(columns), width), UNUSED, np.int32)
        for home, names in enumerate(columns):
            for column, name in enumerate(names):
                table[home, column] = _CODES[name] if name in _CODES else self.languages.index(name)
        return table

    def _allowed(self, choices: frozenset[str] | None) -> Bytes:
        if choices not in self._allowed_cache:
            flags = [name not in ONLY_NAMED if choices is None else name in choices for name in self.languages]
            self._allowed_cache[choices] = np.array(flags, np.uint8)
        return self._allowed_cache[choices]

    def evidence(
        self,
        data: Bytes,
        offsets: Counts,
        limits: Counts | None = None,
        *,
        pages: Ints | None = None,
        always: bool = False,
    ) -> LanguageEvidence:
        """Look at every letter, word and run of some texts, given as UTF-8, or at about ``limits`` features of each.

        ``pages``: the number of the page that each text is part of; what a page says twice counts once between
        close languages. ``always``: look for signs of close languages even in texts that are in none of them.
        """
        count = len(offsets) - 1
        numbers_of_pages = np.arange(count) if pages is None else pages
        texts = Texts(
            data=np.ascontiguousarray(data),
            offsets=np.ascontiguousarray(offsets),
            limits=_ALL if limits is None else np.ascontiguousarray(limits),
            pages=(1 + numbers_of_pages).astype(np.int32),
        )
        evidence = self._no_evidence(count)
        self._kernel.collect(texts, self._reader, self._tables, self._siblings, evidence, self._workspace(), always)
        return evidence

    def _workspace(self) -> Workspace:
        return workspace(self._kernel.LONGEST_RUN, len(self._siblings.words), len(self._siblings.runs))

    def _no_evidence(self, count: int) -> LanguageEvidence:
        return LanguageEvidence(*(np.zeros(shape, np.int32) for shape in self._shapes(count)))

    def _shapes(self, count: int) -> tuple[tuple[int, ...], ...]:
        """Shapes of the arrays of :class:`LanguageEvidence` about so many texts, in its order."""
        homes = len(self._homes)
        letters, sums, counts = (count, alphabet.CLASS_COUNT), (count, homes, self._width), (count, homes)
        words = runs = (count, 1, 4)
        return letters, sums, counts, words, runs, (count, 1)

    def posteriors(self, evidence: LanguageEvidence, choices: frozenset[str] | None) -> tuple[Floats, Counts]:
        """Probability of each of :attr:`languages` and, last, of none; and the class of the main script."""
        count = len(evidence.letters)
        shares, scripts = np.zeros((count, len(self.languages) + 1)), np.zeros(count, np.int32)
        evidence = LanguageEvidence(*map(np.ascontiguousarray, evidence))
        self._kernel.decide(evidence, self._tables, self._allowed(choices), choices is None, shares, scripts)
        return shares, scripts

    def _one(self, utf8: bytes, choices: frozenset[str] | None) -> Identification:
        """The same for one short text, in room that is kept for the next one of this thread."""
        room: _Room | None = getattr(self._spare, "room", None)
        if room is None:
            room = self._spare.room = _Room(self._shapes(1), len(self.languages), self._workspace())
        if room.choices is not choices:
            self._bind(room, choices)
        room.put(utf8)
        room.collect()
        room.decide()
        return self._answer(room.shares[0].tolist(), int(room.scripts[0]))

    def _bind(self, room: _Room, choices: frozenset[str] | None) -> None:
        """Prepare the calls that identify the text in ``room`` among these languages."""
        kernel, always = self._kernel, choices is not None
        room.collect = bound(
            kernel.collect,
            room.texts,
            self._reader,
            self._tables,
            self._siblings,
            room.evidence,
            room.workspace,
            always,
        )
        room.decide = bound(
            kernel.decide, room.evidence, self._tables, self._allowed(choices), not always, room.shares, room.scripts
        )
        room.choices = choices

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
        name_shares = [(names[place], share) for place, share in enumerate(row) if share >= LEAST_SHARE]
        return answer(name_shares, script_name(script))

    def identify(self, texts: Sequence[str], languages: Sequence[str] | None = None) -> list[Identification]:
        """Language of each text."""
        choices = None if languages is None else self._choice(tuple(languages))
        utf8 = [_encode(text) for text in texts]
        if len(utf8) == 1 and len(utf8[0]) <= _SHORT:
            return [self._one(utf8[0], choices)]
        offsets = np.array([0, *accumulate(map(len, utf8))], np.int32)
        data = np.frombuffer(b"".join(utf8) or b" ", np.uint8)
        return self.answers(*self.posteriors(self.evidence(data, offsets, always=choices is not None), choices))

    def _choice(self, languages: tuple[str, ...]) -> frozenset[str]:
        """The same choice is the same object, so that it is prepared once."""
        if languages not in self._choices:
            if len(self._choices) >= _MOST_CHOICES:
                raise ConfigError(f"more than {_MOST_CHOICES} different choices of languages")
            self._choices[languages] = choice(languages, self.languages) or frozenset()
        return self._choices[languages]

    def identify_arrow(
        self, texts: pa.StringArray, limits: Counts | None = None, pages: Ints | None = None
    ) -> LanguageEvidence:
        """Evidence of the texts of an Arrow array, which stay where they are."""
        return self.evidence(*buffers(texts), limits, pages=pages)


class _Room:
    """Room for one short text, and the kernel calls that are prepared for it."""

    collect: Callable[[], None]
    decide: Callable[[], None]

    def __init__(self, shapes: Sequence[tuple[int, ...]], languages: int, space: Workspace) -> None:
        """Everything that has to be cleared before a text lies in one block: shares, script, evidence."""
        sizes = [math.prod(shape) for shape in shapes]
        share_size = 2 * (languages + 1)
        self._block = np.zeros(share_size + 1 + sum(sizes), np.int32)
        self.shares = self._block[:share_size].view(np.float64).reshape(1, -1)
        self.scripts, *parts = np.split(self._block[share_size:], np.cumsum([1, *sizes[:-1]]))
        self.evidence = LanguageEvidence(*(part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)))
        self.texts = Texts(np.zeros(_SHORT, np.uint8), np.zeros(2, np.int32), _ALL, np.zeros(1, np.int32))
        self._view = self.texts.data.data
        self.workspace = space
        self.choices: frozenset[str] | None = _NOT_YET

    def put(self, utf8: bytes) -> None:
        """Make this the text, and a page of its own."""
        self._view[: len(utf8)] = utf8
        _, offsets, _, pages = self.texts
        offsets[1] = len(utf8)
        self._block.fill(0)
        pages[0] += 1
        if pages[0] > _MOST_PAGES:
            pages[0] = 1
            self.workspace.word_pages.fill(0)
            self.workspace.run_pages.fill(0)


_SHORT: Final = 1 << 16
"""Bytes of a text for which room is kept."""
_MOST_CHOICES: Final = 10_000
_MOST_PAGES: Final = (1 << 31) - 2
"""Texts after which the pages of words and runs are cleared, as their numbers begin again."""
_NOT_YET: Final = frozenset({"nothing yet"})
_NO_WEIGHTS: Final = np.zeros((1, 4), np.int8)
_INT8: Final = np.dtype(np.int8)
_MOST_HOMES: Final = 16
_NOT_A_LANGUAGE: Final = 0.5
"""Texts that are in no language with a larger probability get none."""


def _encode(text: str) -> bytes:
    """UTF-8 with letters and marks composed; lone surrogates become question marks."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return text.encode("utf-8", "replace")


def _sibling_tables(arrays: Mapping[str, npt.NDArray[Any]], group: bool) -> SiblingTables:
    """Weights of close languages; ValueError where a model that knows them has others than the kernel reads."""
    words, runs = (np.asarray(arrays.get(f"sibling_{name}", _NO_WEIGHTS)) for name in ("words", "runs"))
    shapes = ((1 << WORD_BITS, 4), (1 << RUN_BITS, 4))
    if not group:
        words = runs = _NO_WEIGHTS
    elif (words.shape, runs.shape) != shapes or {words.dtype, runs.dtype} != {_INT8}:
        raise ValueError("weights of close languages of another size")
    letters = alphabet.latinised()
    return SiblingTables(
        FeatureReader(*letters, fewest=1, most=0, words=True, bits=WORD_BITS),
        FeatureReader(*letters, *RUNS, words=False, bits=RUN_BITS),
        words,
        runs,
    )


def _check_form(
    about: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], longest: int, block: int, row_bits: int
) -> None:
    """ValueError where a model's sizes do not fit together: the kernel trusts them."""
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
    return _load(path)


@lru_cache(maxsize=4)
@prepared
def _load(path: Path) -> General:
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
    """Scripts with one language, unless the model knows more of them."""
    return dict(_ALONE)
