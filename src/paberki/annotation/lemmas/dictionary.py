"""The dictionaries of the library simplemma as arrays: a form by its hash, its lemma by number.

The library loads each dictionary as some sixty megabytes of Python objects, which takes half a second in every process. Here
it is converted once, cached beside the compiled code and memory-mapped, so that all processes share one copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from paberki.annotation.lemmas.ending_rules import EndingRule, rule_of
from paberki.annotation.tagging.string_hashes import HashedStrings, Ints, Keys, values_of
from paberki.kernels import digest
from paberki.kernels.array_cache import derived
from paberki.kernels.preparation import prepared

_SHARED: Final = {"hr": "hbs", "sr": "hbs", "bs": "hbs"}
_MAGIC: Final = 0x3179616D6D656C
"""First number of a cached file; then the numbers of forms, lemmas and bytes of lemmas."""
_HEAD: Final = 4 * 8
_CONTENT: Final = "content"


class Dictionary:
    """Forms of a language with their lemmas."""

    def __init__(self, content: npt.NDArray[np.uint8]) -> None:
        magic, forms, lemmas, size = np.frombuffer(content[:_HEAD], np.int64).tolist()
        if magic != _MAGIC or len(content) != _HEAD + 12 * forms + 8 * (lemmas + 1) + size:
            raise ValueError("not a dictionary")
        at = _HEAD + 8 * forms
        self._hashes: Keys = content[_HEAD:at].view(np.uint64)
        self._edges = content[at : at + 8 * (lemmas + 1)].view(np.int64)
        at += 8 * (lemmas + 1)
        self._lemmas: Ints = content[at : at + 4 * forms].view(np.int32)
        self._bytes = content[at + 4 * forms :].data

    def look_up(self, forms: Sequence[str]) -> list[str | None]:
        """The lemma of each form: looked up as written, then with the other case of its first letter, then in lower case."""
        numbers = self._numbers(forms)
        others = [(at, variant) for at in np.flatnonzero(numbers < 0).tolist() for variant in _other_cases(forms[at])]
        for (at, _), number in zip(others, self._numbers([variant for _, variant in others]).tolist(), strict=True):
            if numbers[at] < 0:
                numbers[at] = number
        begins, ends = self._edges[numbers].tolist(), self._edges[numbers + 1].tolist()
        return [
            bytes(self._bytes[begin:end]).decode() if number >= 0 else None
            for number, begin, end in zip(numbers.tolist(), begins, ends, strict=True)
        ]

    def _numbers(self, forms: Sequence[str]) -> Ints:
        return values_of(self._hashes, self._lemmas, HashedStrings(forms).hashes())


def _other_cases(form: str) -> list[str]:
    lower, capital = form.lower(), form.capitalize()
    variants = (lower, capital) if form[:1].isupper() else (capital, lower)
    return [other for other in variants if other != form]


class DictionaryEntry(NamedTuple):
    """The dictionary's entry for a word; empty strings if there is none.

    It knows no tags, but much follows: *rozhodli* that becomes *rozhodnout* is a verb in the past.
    """

    rule: str = ""
    """How the lemma is made of the word."""
    lemma: str = ""


_UNLISTED: Final = DictionaryEntry()


def dictionary_entries(lang: str, lowers: Sequence[str]) -> list[DictionaryEntry]:
    """Rule and lemma of words in lower case."""
    lexicon = dictionary(lang)
    if lexicon is None:
        return [_UNLISTED] * len(lowers)
    return [
        DictionaryEntry(_rule_text(rule_of(lower, lemma)), lemma) if lemma else _UNLISTED
        for lower, lemma in zip(lowers, lexicon.look_up(lowers), strict=True)
    ]


@lru_cache(maxsize=1 << 12)
def _rule_text(rule: EndingRule) -> str:
    return f"{rule.cut}|{rule.case}|{rule.add}"


@lru_cache(maxsize=4)
@prepared
def dictionary(lang: str) -> Dictionary | None:
    """The dictionary of a language, if there is one."""
    name = _SHARED.get(lang, lang)
    arrays = derived(f"dictionary-{name}-{version('simplemma')}-{digest(__name__)}", [], lambda: _unpack(name))
    return Dictionary(arrays[_CONTENT]) if arrays else None


def _unpack(lang: str) -> dict[str, npt.NDArray[np.uint8]]:
    """The library's dictionary as bytes for the cache; empty if the library lacks the language."""
    from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

    try:
        pairs: Any = DefaultDictionaryFactory().get_dictionary(lang)
    except ValueError:
        return {}
    forms, lemmas = list(pairs), list(pairs.values())
    hashes = HashedStrings(forms).hashes()
    order = np.argsort(hashes, kind="stable")
    numbers: dict[str, int] = {}
    lemma_numbers = np.array([numbers.setdefault(lemma, len(numbers)) for lemma in lemmas], np.int32)
    text = HashedStrings(list(numbers))
    content = text.text[: text.edges[-1]]
    head = np.array([_MAGIC, len(forms), len(numbers), len(content)], np.int64)
    blob = b"".join(part.tobytes() for part in (head, hashes[order], text.edges, lemma_numbers[order], content))
    return {_CONTENT: np.frombuffer(blob, np.uint8)}
