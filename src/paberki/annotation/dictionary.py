"""The dictionaries of the library simplemma as arrays: a form by its hash, its lemma by number.

As the library has them, each is some sixty megabytes of Python objects that take half a second to unpack, in every
process. Here they are unpacked once, kept beside the compiled code, and mapped: all processes share one copy.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from paberki.annotation.hashing import Ints, Keys, Strings, found_in
from paberki.annotation.rules import rule_of
from paberki.kernels import cache_directory, digest

_SHARED: Final = {"hr": "hbs", "sr": "hbs", "bs": "hbs"}
_MAGIC: Final = 0x3179616D6D656C
"""First number of a kept file; then how many forms, lemmas and bytes of lemmas."""
_HEAD: Final = 4 * 8


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
        self._text = content[at + 4 * forms :]

    def look_up(self, forms: Sequence[str]) -> list[str | None]:
        """The lemma of each form as it is written, else with the other case of its first letter, else in lower case."""
        found: list[str | None] = [None] * len(forms)
        open_ = list(range(len(forms)))
        for variant in (str, _other_case, str.lower, str.capitalize):
            tried = {at: made for at in open_ if (made := variant(forms[at])) != forms[at] or variant is str}
            numbers = self._numbers(list(tried.values())) if tried else ()
            for at, number in zip(tried, numbers, strict=True):
                if number >= 0:
                    found[at] = bytes(self._text[self._edges[number] : self._edges[number + 1]]).decode()
            open_ = [at for at in open_ if found[at] is None]
        return found

    def _numbers(self, forms: Sequence[str]) -> list[int]:
        return found_in(self._hashes, self._lemmas, Strings(forms).hashes()).tolist()  # type: ignore[no-any-return]


def _other_case(form: str) -> str:
    return form.lower() if form[:1].isupper() else form.capitalize()


class Listed(NamedTuple):
    """What the dictionary of a language says about a word; empty strings if it does not have it.

    It knows no tags, but much follows: *rozhodli* that becomes *rozhodnout* is a verb in the past.
    """

    rule: str = ""
    """How the lemma is made of the word."""
    lemma: str = ""


def listed(lang: str, lowers: Sequence[str]) -> list[Listed]:
    """Rule and lemma of words in lower case."""
    known = dictionary(lang)
    if known is None:
        return [Listed()] * len(lowers)
    return [
        Listed("{0.cut}|{0.case}|{0.add}".format(rule_of(lower, lemma)), lemma) if lemma else Listed()
        for lower, lemma in zip(lowers, known.look_up(lowers), strict=True)
    ]


@lru_cache(maxsize=4)
def dictionary(lang: str) -> Dictionary | None:
    """The dictionary of a language, if there is one."""
    name = _SHARED.get(lang, lang)
    kept = cache_directory() / f"dictionary-{name}-{version('simplemma')}-{digest(__name__)}"
    with contextlib.suppress(OSError, ValueError):
        return Dictionary(np.memmap(kept, np.uint8, "r"))
    content = _unpacked(name)
    if content is None:
        return None
    _keep(kept, content)
    return Dictionary(np.frombuffer(content, np.uint8))


def _unpacked(lang: str) -> bytes | None:
    """The library's dictionary as it is kept; ``None`` if it has none of this language."""
    from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

    try:
        pairs: Any = DefaultDictionaryFactory().get_dictionary(lang)
    except ValueError:
        return None
    forms, lemmas = list(pairs), list(pairs.values())
    hashes = Strings(forms).hashes()
    order = np.argsort(hashes, kind="stable")
    numbers: dict[str, int] = {}
    used = np.array([numbers.setdefault(lemma, len(numbers)) for lemma in lemmas], np.int32)
    text = Strings(list(numbers))
    content = text.text[: text.edges[-1]]
    head = np.array([_MAGIC, len(forms), len(numbers), len(content)], np.int64)
    return b"".join(part.tobytes() for part in (head, hashes[order], text.edges, used[order], content))


def _keep(path: Path, content: bytes) -> None:
    """Whole or not at all; what cannot be kept is unpacked again next time."""
    with contextlib.suppress(OSError), tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as beside:
        beside.write(content)
        beside.close()
        os.replace(beside.name, path)
