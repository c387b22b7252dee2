"""Words torn apart and sentences run together: texrex's HyDRA and rofl, with statistics of the page or the corpus.

Both need to know which words there are. :class:`WordCounts` says it, from the blocks of one page (the default) or from
any number of texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from paberki.extraction.repair.edits import Origins, substitute

_TORN: Final = re.compile(r"(?<![\w-])([^\W\d_]{2,40})(?:- |\u2010 )([^\W\d_]{2,40})(?![\w-])")
_SOFT: Final = re.compile(r"\u00ad+ ?(?=\w)|\u00ad+")
_RUN_ON: Final = re.compile(
    r"(?<![\w.@/:(-])([^\W\d_]{2,40})([.!?…]{1,9}[\"”“»)]?)([^\W\d_]{2,40})(?![\w@/:()=\[]|[.-]\w| =)"
)
_BETWEEN: Final = re.compile(r"[.!?…][\"”“»)]?[^\W\d_]")
_WORD: Final = re.compile(r"[^\W\d_]+(?:-(?![^\W\d_])|-[^\W\d_]+)*")
_LETTER: Final = re.compile(r"[^\W\d_]")
_GOES_ON: Final = re.compile(r"[^\W\d_]|-")
_IGNORED_WORDS: Final = (
    "www http https com net org edu gov info biz eu hr rs ba si me mk cz sk pl de at ch fr it es uk us ru ua jp cn js "
    "ts py php asp aspx htm html xml json css pdf doc docx xls jpg jpeg png gif svg mp3 mp4 avi zip exe io ai tv co "
    "mr mrs ms dr st no nr br ing prof"
)
IGNORED: Final = frozenset(_IGNORED_WORDS.split())
"""Parts of names and addresses: a full stop before or after them ends no sentence."""


def torn(text: str) -> bool:
    """Whether the text has halves of words that may belong together."""
    return ("- " in text or "\u2010 " in text) and _TORN.search(text) is not None


def run_on(text: str) -> bool:
    """Whether the text may have sentences that run together."""
    for match in _BETWEEN.finditer(text):
        if match.group()[-1].isupper():
            return _RUN_ON.search(text) is not None
    return False


class WordCounts:
    """How often each word form occurs: lower-cased, a hyphen at its end or inside it included."""

    __slots__ = ("counts",)

    def __init__(self, counts: Mapping[str, int]) -> None:
        self.counts = counts

    @classmethod
    def of(cls, texts: Iterable[str]) -> WordCounts:
        """Count the words of some texts."""
        counts: Counter[str] = Counter()
        for text in texts:
            counts.update(_WORD.findall(text.lower()))
        return cls(counts)

    def __getitem__(self, word: str) -> int:
        return self.counts.get(word.lower(), 0)

    def more_than(self, word: str, count: int) -> bool:
        """Whether a word occurs more often than that."""
        return self[word] > count


class PageWords(WordCounts):
    """The words of one page, each counted when it is asked for: a page asks for a few."""

    __slots__ = ("_page",)

    def __init__(self, texts: Iterable[str]) -> None:
        self._page = "\n".join(texts).lower()
        super().__init__({})

    def __getitem__(self, word: str) -> int:
        word, count = word.lower(), 0
        at = self._page.find(word)
        while at >= 0:
            count += self._begins(at) and not _GOES_ON.match(self._page, at + len(word))
            at = self._page.find(word, at + 1)
        return count

    def more_than(self, word: str, count: int) -> bool:
        """Whether a word occurs more often than that."""
        return self._page.count(word.lower()) > count and self[word] > count

    def _begins(self, at: int) -> bool:
        """Whether a word begins here: neither a letter nor a letter and hyphens before it."""
        while at and self._page[at - 1] == "-":
            at -= 1
        return not at or not _LETTER.match(self._page, at - 1)


def dehyphenate(text: str, words: WordCounts, own: bool = True, origins: Origins | None = None) -> str:
    """Join ``abc- def`` to ``abcdef`` or ``abc-def`` where that is a word (texrex, HyDRA).

    Of ``abc-``, ``def``, ``abc-def`` and ``abcdef`` the most frequent wins if it is one of the joined forms and strictly
    the most frequent (add-one smoothing changes nothing in that order); two capitalised halves keep their hyphen, as
    German compounds do. ``own`` says that ``words`` were counted over this very text: the torn halves then count one
    less, since a single page would otherwise never be sure.
    """

    def join(match: re.Match[str]) -> str:
        return _join(match, words, int(own))

    return substitute(_TORN, join, text, origins)


def drop_soft_hyphens(text: str, origins: Origins | None = None) -> str:
    """Soft hyphens only say where a word may be divided; one before a space has divided it."""
    return substitute(_SOFT, "", text, origins) if "\u00ad" in text else text


def split_run_ons(text: str, words: WordCounts, own: bool = True, origins: Origins | None = None) -> str:
    """Insert the space missing in ``word.Word`` where both are words and neither is part of a name (texrex, rofl).

    The first word must be in small letters: ``Day.Az`` and ``Yahoo!Autos`` are names.
    """

    def split(match: re.Match[str]) -> str:
        left, sign, right = match.groups()
        apart = left.islower() and right[0].isupper() and right[1:].islower()
        if not apart or left.lower() in IGNORED or right.lower() in IGNORED:
            return match.group()
        both_known = words.more_than(left, int(own)) and words.more_than(right, int(own))
        return f"{left}{sign} {right}" if both_known else match.group()

    return substitute(_RUN_ON, split, text, origins)


def _join(match: re.Match[str], words: WordCounts, own: int) -> str:
    left, right = match.groups()
    solid, hyphened = words[left + right], words[f"{left}-{right}"]
    if solid == hyphened or max(solid, hyphened) <= max(words[left + "-"] - own, words[right] - own):
        return match.group()
    if hyphened > solid or (left[0].isupper() and right[0].isupper() and not left.isupper()):
        return f"{left}-{right}"
    return left + right
