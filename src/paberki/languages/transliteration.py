"""Serbian in Cyrillic and Latin letters, both ways, as views onto the text they are made of (P3 §3).

From Cyrillic to Latin every letter has one answer; љ, њ and џ become two letters whose case follows the word (Љубав is
Ljubav, ЉУБАВ is LJUBAV). From Latin to Cyrillic lj, nj and dž are one letter, but not where they meet by chance: the
prefix of *nadživeti*, the foreign *injekcija*. Words with letters that Serbian does not have, Roman numbers and
addresses stay as they are. A word that would not come back as it was is written letter by letter, so that Latin text
always survives the way to Cyrillic and back.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from paberki.languages.serbian import LATIN

_TO_LATIN: Final = {**LATIN, **{small.upper(): latin.upper() for small, latin in LATIN.items()}}
_DIGRAPHS: Final = {latin: letter for letter, latin in LATIN.items() if len(latin) == 2}
_TO_CYRILLIC: Final = {latin: letter for letter, latin in _TO_LATIN.items() if len(latin) == 1}
_SIGNS: Final = {"ǆ": "џ", "ǅ": "Џ", "Ǆ": "Џ", "ǉ": "љ", "ǈ": "Љ", "Ǉ": "Љ", "ǌ": "њ", "ǋ": "Њ", "Ǌ": "Њ"}

_LATIN_RUN: Final = re.compile(r"(?:https?://|www\.)\S+|\S+@\S+|[^\W\d_]+")
CYRILLIC_RUN: Final = re.compile(r"[\u0400-\u052f]+")
_ROMAN: Final = re.compile(r"[IVX]{2,}|[IVXLCDM]{3,}")

_PREFIXED: Final = re.compile(
    r"^(?:ne|naj|po|pre|za|iz|u)?(?:nad|od|pod|pred|iznad|ispod|feld)(?=ž(?!a[kcčf]|ib))", re.IGNORECASE
)
"""надживети, оджалити, but оџак, наџак."""
_MET_BY_CHANCE: Final = re.compile(
    "|".join(
        (
            r"(?<![vh])in(?=j(?:ek[ct]|ic[ir]|un[ck]t|uri|ari[cč]))",  # инјекција, but свиње, кухиње
            r"kon(?=j(?:un[kc]|ug[aeiou]|ug$|ekt|ukt))",  # конјункција, but коњ, коњушар
            r"van(?=j(?:ezi|avn|adr|evr|uri|uni))",  # ванјезички, but вањски
            r"^pan(?=j(?:ugo|ap|evr|ezi|elin))",
            r"^tan(?=jug)",
            r"^netan(?=jahu)",
            r"^ben(?=jamin)",
            r"^ken(?=jon)",
            r"^an(?=jon)",
            r"^en(?=jambman)",
            r"^ssrn(?=j)",
            r"^sal(?=jut)",
        )
    ),
    re.IGNORECASE,
)
"""What ends before the j or ž of two letters that are no digraph."""


@dataclass(frozen=True, slots=True)
class View:
    """A text made of another one, and where its parts lie there.

    ``breaks`` are pairs of offsets (in the view, in the source) at which the distance between the two changes: from
    each break to the next both run alongside.
    """

    text: str
    breaks: tuple[tuple[int, int], ...] = ((0, 0),)

    def source_offset(self, offset: int) -> int:
        """Where a character of the view is in the source: inside a digraph, at the letter that it was made of."""
        place = bisect_right(self.breaks, (offset, 1 << 62)) - 1
        mine, theirs = self.breaks[place]
        limit = self.breaks[place + 1][1] if place + 1 < len(self.breaks) else None
        offset_in_source = theirs + offset - mine
        return offset_in_source if limit is None else min(offset_in_source, limit - 1)


def to_latin(text: str) -> str:
    """Serbian Cyrillic letters as Latin ones; all else stays.

    >>> to_latin("Љубав и ЊЕГОШ: инјекција")
    'Ljubav i NJEGOŠ: injekcija'
    """
    return CYRILLIC_RUN.sub(lambda run: "".join(latin_letters(run[0])), text)


def to_cyrillic(text: str) -> str:
    """Serbian words in Latin letters as Cyrillic ones; foreign words, Roman numbers and addresses stay.

    >>> to_cyrillic("Ljubav i NJEGOŠ: injekcija, nadživeti, New York XIV")
    'Љубав и ЊЕГОШ: инјекција, надживети, New York XIV'
    """
    return _LATIN_RUN.sub(lambda run: "".join(_cyrillic_letters(run[0])), text)


def latin_view(text: str) -> View:
    """:func:`to_latin` with breakpoints onto the text."""
    return _view(text, CYRILLIC_RUN, latin_letters, lambda _: 1)


def cyrillic_view(text: str) -> View:
    """:func:`to_cyrillic` with breakpoints onto the text."""
    return _view(text, _LATIN_RUN, _cyrillic_letters, lambda letter: 2 if letter in "љњџЉЊЏ" else 1)


def _view(text: str, runs: re.Pattern[str], spell: Callable[[str], list[str]], width: Callable[[str], int]) -> View:
    parts: list[str] = []
    breaks = [(0, 0)]
    at, out_length = 0, 0
    for run in runs.finditer(text):
        parts.append(text[at : run.start()])
        out_length += run.start() - at
        at = run.start()
        for piece in spell(run[0]):
            parts.append(piece)
            out_length += len(piece)
            source_length = len(piece) if piece == text[at : at + len(piece)] else width(piece)
            at += source_length
            if source_length != len(piece):
                breaks.append((out_length, at))
        at = run.end()
    parts.append(text[at:])
    return View("".join(parts), tuple(breaks))


def latin_letters(run: str) -> list[str]:
    """The Latin spelling of each letter of a word in Cyrillic ones."""
    spelling = []
    for place, letter in enumerate(run):
        latin = _TO_LATIN.get(letter, letter)
        if len(latin) == 2 and letter.isupper():
            after, before = run[place + 1 : place + 2], run[place - 1 : place] if place else ""
            shouted = after.isupper() if after else before.isupper()
            latin = latin if shouted else latin.capitalize()
        spelling.append(latin)
    return spelling


def _cyrillic_letters(run: str) -> list[str]:
    if _ROMAN.fullmatch(run) or any(char not in _TO_CYRILLIC and char not in _SIGNS for char in run):
        return [run]
    letters = list(_with_digraphs(run))
    if "".join(latin_letters("".join(letters))) != run and not any(sign in run for sign in _SIGNS):
        letters = list(_check_letters(run, letters))
    return letters


def _with_digraphs(run: str) -> Iterator[str]:
    apart = {match.end() for match in _MET_BY_CHANCE.finditer(run)} | {match.end() for match in _PREFIXED.finditer(run)}
    place = 0
    while place < len(run):
        letter = _DIGRAPHS.get(run[place : place + 2].lower())
        if letter and place + 1 not in apart and not (run[place].islower() and run[place + 1].isupper()):
            yield letter.upper() if run[place].isupper() else letter
            place += 2
        else:
            yield _TO_CYRILLIC.get(run[place]) or _SIGNS[run[place]]
            place += 1


def _check_letters(run: str, letters: list[str]) -> Iterator[str]:
    """The letters of a word, with digraphs that would come back in other case taken apart."""
    place = 0
    back = latin_letters("".join(letters))
    for letter, latin in zip(letters, back, strict=True):
        if run.startswith(latin, place):
            yield letter
        else:
            yield from (_TO_CYRILLIC[char] for char in run[place : place + len(latin)])
        place += len(latin)
