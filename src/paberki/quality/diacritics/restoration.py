"""Words written without diacritics: leave them, drop these words, or restore them (P2 §5).

A letter at a time: a perceptron weighs what stands around it, its word, and the words beside it. Whole words as features
make it a word list with context where the word is known; runs of letters decide the others. It is learnt in seconds
from any text of the language that has its diacritics, the corpus itself for one.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.kernels import load
from paberki.kernels.basic_plane import SIZE, table_of
from paberki.lexicon import buffers, texts_of
from paberki.quality.rules.rule_characters import carries_diacritic, classes

BITS: Final = 21
"""Places of weights, as a power of two; some half a million of them are used and saved, in 6 MB."""
PASSES: Final = 5
MARGIN: Final = 12
SCALE: Final = 64
"""Steps per unit of a mean weight."""
_SPACE: Final = 32
_STROKES: Final = {"đ": "d", "ł": "l", "ø": "o", "ħ": "h", "ŧ": "t", "ı": "i"}
_LEAST_USUAL: Final = 4e-3
"""Share of letters with a diacritic below which a language has them in foreign words alone."""
_LEAST_SHARE: Final = 1e-3
"""Forms of a letter that are rarer than this are foreign words."""

Codes = npt.NDArray[np.uint16]
Counts = npt.NDArray[np.int64]
Sums = npt.NDArray[np.uint64]
Breakpoints = list[tuple[int, int]]


def bare(text: str) -> str:
    """The text without diacritics, character by character: as long as the text when that is composed."""
    if text.isascii():
        return text
    return text.translate(_bare_table())


class _Bare(dict[int, str]):
    """The bare form of each character, found when first asked for."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        small = _STROKES.get(char.lower())
        if small:
            self[code] = small if char.islower() else small.upper()
        elif carries_diacritic(char):
            base = unicodedata.normalize("NFD", char)[0]
            self[code] = base if base.isalpha() else char
        else:
            self[code] = char
        return self[code]


@lru_cache(maxsize=1)
def _bare_table() -> _Bare:
    return _Bare()


@dataclass(frozen=True, slots=True)
class Restorer:
    """Weights of one language."""

    forms: Mapping[str, str]
    """For each bare letter its forms: ``c`` → ``cčć``."""
    slots: npt.NDArray[np.uint32]
    values: npt.NDArray[np.int16]
    """Weights of the slots that have any, a row of four each."""
    usual: float
    """Share of letters with a diacritic in the text that it was learnt from."""
    bits: int = BITS
    """Places of weights, as a power of two."""
    _dense: list[Any] = field(default_factory=list)

    def restore(self, text: str) -> str:
        """The text with diacritics where they are missing; letters that have one keep it."""
        if len(text) < 2 or not any(form in self.forms for form in set(text.lower())):
            return text
        codes = _codes(text)
        kernel = _kernel()
        chosen_forms = np.zeros(len(codes), np.int8)
        weights = self._weights()
        sums, powers = _sums(codes)
        room = np.zeros(kernel.FEATURES, np.int64), np.zeros(kernel.VARIANTS, np.int64)
        kernel.decide(
            codes, _choices(self.forms), sums, powers, np.uint64(64 - self.bits), *room, weights, chosen_forms
        )
        characters = list(text)
        for place in np.flatnonzero(chosen_forms).tolist():
            char = text[place]
            if not carries_diacritic(char):
                form = self.forms[char.lower()][chosen_forms[place]]
                characters[place] = form if char.islower() else form.upper()
        return "".join(characters)

    def _weights(self) -> npt.NDArray[np.int32]:
        if not self._dense:
            dense = np.zeros((1 << self.bits, _kernel().VARIANTS), np.int32)
            dense[self.slots] = self.values
            self._dense.append(dense)
        weights: npt.NDArray[np.int32] = self._dense[0]
        return weights

    def is_bare(self, text: str, *, share: float = 0.25, least_letters: int = 300) -> bool:
        """Whether the text seems to be written without diacritics: a quarter or less of what is usual."""
        return bool(self.bare_among(count_letters(texts_of([text])), share=share, least_letters=least_letters)[0])

    def bare_among(self, letters: Counts, *, share: float = 0.25, least_letters: int = 300) -> npt.NDArray[np.bool_]:
        """The same for many texts, given the counts of their letters."""
        is_bare: npt.NDArray[np.bool_] = letters[:, 1] < share * self.usual * letters[:, 0]
        return is_bare & (letters[:, 0] >= least_letters)


def count_letters(texts: pa.StringArray) -> Counts:
    """Letters of each text, and those with a diacritic."""
    counts = np.zeros((len(texts), 2), np.int64)
    _kernel().count_letters(*buffers(texts), classes(), counts)
    return counts


def learn(texts: Iterable[str]) -> Restorer:
    """Learn from texts that have their diacritics."""
    text = unicodedata.normalize("NFC", "\n".join(texts)).lower()
    forms = _forms(text)
    codes = _codes(text)
    gold = _gold(text, forms)
    kernel = _kernel()
    bits = min(BITS, max(10, len(codes).bit_length()))
    weights = np.zeros((1 << bits, kernel.VARIANTS), np.int32)
    history = np.zeros((1 << bits, kernel.VARIANTS), np.int64)
    sums, powers = _sums(codes)
    room = np.zeros(kernel.FEATURES, np.int64), np.zeros(kernel.VARIANTS, np.int64)
    choices = _choices(forms)
    kernel.train(codes, gold, choices, sums, powers, np.uint64(64 - bits), PASSES, MARGIN, *room, weights, history)
    clock = 1 + PASSES * int((choices[codes] > 1).sum())
    mean = np.rint((weights - history / clock) * SCALE)
    nonzero_features = np.flatnonzero(np.abs(mean).max(axis=1) > 0)
    letters, diacritic_count = count_letters(texts_of([text]))[0].tolist()
    values = np.clip(mean[nonzero_features], -32768, 32767).astype(np.int16)
    return Restorer(forms, nonzero_features.astype(np.uint32), values, diacritic_count / max(1, letters), bits)


def _forms(text: str) -> dict[str, str]:
    """Bare letters and the forms that they have in a text, the bare one first, then by frequency."""
    counts = Counter(text)
    forms_of: dict[str, list[tuple[int, str]]] = {}
    for char, count in counts.items():
        plain = bare(char)
        if plain != char and len(plain) == 1 and char < "\uffff":
            forms_of.setdefault(plain, []).append((count, char))
    most = _kernel().VARIANTS
    forms = {}
    for plain, others in sorted(forms_of.items()):
        least = _LEAST_SHARE * (counts[plain] + sum(count for count, _ in others))
        frequent = [char for count, char in sorted(others, key=lambda one: (-one[0], one[1])) if count > least]
        if frequent:
            forms[plain] = plain + "".join(frequent[: most - 1])
    return forms


def _codes(text: str) -> Codes:
    """Bare small letters as numbers; all that is no letter is a space, digits apart."""
    plain = np.frombuffer(bare(text).encode("utf-32-le", "surrogatepass"), np.uint32)
    return _fold_table()[np.minimum(plain, 0xFFFF)]


@lru_cache(maxsize=1)
def _fold_table() -> Codes:
    """What each character of the first plane counts as."""
    return table_of(_fold, np.uint16)


def _fold(char: str) -> int:
    if char.isalpha():
        small = bare(char.lower())
        return ord(small if len(small) == 1 else char)
    return ord("0") if char.isdigit() else _SPACE


def _gold(text: str, forms: Mapping[str, str]) -> npt.NDArray[np.int8]:
    table = np.full(SIZE, -1, np.int8)
    for variants in forms.values():
        for number, char in enumerate(variants):
            table[ord(char)] = number
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return table[np.minimum(codes, 0xFFFF)]


def _choices(forms: Mapping[str, str]) -> npt.NDArray[np.int8]:
    table = np.zeros(SIZE, np.int8)
    for plain, variants in forms.items():
        table[ord(plain)] = len(variants)
    return table


def _sums(codes: Codes) -> tuple[Sums, Sums]:
    """Hashes of the text up to each place, and powers to take them apart with."""
    base = int(_kernel().BASE)
    sums, powers = np.zeros(len(codes) + 1, np.uint64), np.ones(256, np.uint64)
    with np.errstate(over="ignore"):
        powers[1:] = np.cumprod(np.full(255, base, np.uint64))
    _kernel().accumulate(codes, sums)
    return sums, powers


def without_words(text: str, restored_text: str) -> tuple[str, Breakpoints, int]:
    """The text without the words that differ from the restored one, which has them in the same places.

    Also where characters of what is left begin to correspond to those of the text one to one, and how many words went.

    >>> without_words("zena ide kuci", "žena ide kući")
    ('ide ', [(0, 5)], 2)
    """
    parts, breaks, at, size, count = [], [(0, 0)], 0, 0, 0
    for first, last in _words(text):
        if text[first:last] == restored_text[first:last]:
            continue
        parts.append(text[at:first])
        size += first - at
        at = last + (text[last : last + 1] == " ")
        if breaks[-1][0] == size:
            breaks.pop()
        breaks.append((size, at))
        count += 1
    parts.append(text[at:])
    view = "".join(parts)
    return view, [one for one in breaks if one[0] < len(view)] or [(0, 0)], count


def having_diacritics(texts: Sequence[str]) -> list[str]:
    """The texts that are written with diacritics, among some in one language; none for a language that has none.

    One text in ten is taken to have all of its own; whatever has less than a third as many is not learnt from.
    """
    letters = count_letters(texts_of(texts))
    shares = letters[:, 1] / np.maximum(letters[:, 0], 1)
    usual = float(np.quantile(shares, 0.9)) if len(shares) else 0.0
    if usual < _LEAST_USUAL:
        return []
    return [text for text, share in zip(texts, shares.tolist(), strict=True) if share >= usual / 3]


def changed_words(text: str, view: str) -> int:
    """Words that differ."""
    return sum(one != other for one, other in zip(text.split(), view.split(), strict=True))


def accuracy(restorer: Restorer, texts: Sequence[str]) -> tuple[float, float]:
    """Share of words that are right when left bare, and when restored."""
    words = bare_count = restored_count = 0
    for text in texts:
        text = unicodedata.normalize("NFC", text)
        again = restorer.restore(bare(text))
        for first, last in _words(text):
            words += 1
            bare_count += bare(text[first:last]) == text[first:last]
            restored_count += again[first:last] == text[first:last]
    return bare_count / max(1, words), restored_count / max(1, words)


def _words(text: str) -> list[tuple[int, int]]:
    words, first = [], -1
    for at, char in enumerate(f"{text} "):
        if char.isalpha():
            first = at if first < 0 else first
        elif first >= 0:
            words.append((first, at))
            first = -1
    return words


@lru_cache(maxsize=1)
def _kernel() -> Any:
    return load("paberki.quality.diacritics.diacritics_kernel")
