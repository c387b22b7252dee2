"""Views of a block: what its text was meant to be. Extraction puts them in the field ``text``, what the page has in ``source``.

``normalise`` gives the repaired text, or None when there is nothing to repair, which is the rule: a cheap look comes
first. What the page has is kept, since it has to agree with the bytes of the page. For a page call
:func:`normalise_page`, which knows the words of all its blocks; for a batch ask :func:`candidates` first, and normalise
only what it points at.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from paberki.errors import ContractError
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.repair.breakpoints import breakpoints_of
from paberki.extraction.repair.dehyphenate import (
    PageWords,
    WordCounts,
    dehyphenate,
    drop_soft_hyphens,
    run_on,
    split_run_ons,
    torn,
)
from paberki.extraction.repair.edits import Edit, Origins, replaced, substitute
from paberki.extraction.repair.literal_markup import repair_references, strip_tags
from paberki.extraction.repair.mojibake import (
    leads_and_followers,
    repair_controls,
    repair_mojibake,
    suspicious,
)
from paberki.extraction.repair.repair_signs import wanted_characters
from paberki.extraction.repair.serbian_latin import in_latin, serbian_blocks
from paberki.kernels import load

if TYPE_CHECKING:
    import pyarrow as pa

SIGNS: Final = "!?.,;:-–—_=*~#+/\\|<>^'\"`·•…。、！？・･※★☆■□▪►"
"""Punctuation that decorates when it repeats."""
CHAR_LIMIT: Final = 200_000
"""Longer blocks are left as they are."""
PAGE_CHARS: Final = 3_000_000
"""Pages with more text than this get no views at all: it is no text that anybody wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewConfig:
    """Which repairs the text of a block gets; each can be switched off."""

    references: bool = True
    """Resolve character references that were escaped twice (texrex; P5 §3.1 resolves them once)."""
    mojibake: bool = True
    """Decode UTF-8 that was read as windows-1252, windows-1250, ISO 8859-2 or windows-1251."""
    controls: bool = True
    """Read C1 controls as the signs that windows-1252 has in their places (texrex)."""
    tags: bool = True
    """Second markup pass: strip literal tags (P5 §3.1)."""
    punctuation: int = 3
    """Longest run of one punctuation mark; longer ones are squeezed to it (P5 §3.1). 0 leaves them."""
    lines: bool = True
    """Drop lines that repeat the line before (P5 §3.1)."""
    hyphens: bool = True
    """Join words that were torn apart at a line end, and drop soft hyphens (texrex, HyDRA)."""
    run_ons: bool = True
    """Insert the missing space between two sentences (texrex, rofl)."""
    latin: bool = False
    """Transliterate Serbian in Cyrillic letters (P3 §3); see :mod:`paberki.extraction.repair.serbian_latin`."""


_DEFAULT: Final = ViewConfig()
_RUN_OF_PAIRS: Final = re.compile(r"([!?.,~=_-]{2})\1{3,}")
_SPACES: Final = re.compile(r"[^\S\n]+")
_FOUR: Final = re.compile(rf"[{re.escape(SIGNS)}]" * 4)


def normalise(
    text: str, config: ViewConfig = _DEFAULT, words: WordCounts | None = None, origins: Origins | None = None
) -> str | None:
    """The repaired text, or None when nothing changed; ``origins`` record where each of its characters came from.

    ``words`` are those of the page or the corpus; without them hyphens and run-on sentences stay as they are, for
    nobody can tell. Idempotent: the view of a view is None.
    """
    if not _suspect(text, config, words) or len(text) > CHAR_LIMIT:
        return None
    view = text
    if config.references:
        view = repair_references(view, origins)
    if config.mojibake:
        view = repair_mojibake(view, origins)
    if config.controls:
        view = repair_controls(view)
    if config.tags:
        view = strip_tags(view, origins)
    if config.punctuation:
        view = squeeze(view, config.punctuation, origins)
    if config.hyphens:
        view = drop_soft_hyphens(view, origins)
    if words is not None:
        view = _with_words(view, config, words, origins)
    if config.lines and "\n" in view:
        view = without_repeated_lines(view, origins)
    if view == text:
        return None
    view = _collapse_spaces(view, origins)
    return view if view != text else None


def normalise_page(
    texts: Sequence[str], config: ViewConfig = _DEFAULT, *, page: Iterable[str] | None = None
) -> list[str | None]:
    """The views of some blocks of a page, and ``page``, the texts of all, where others are as they should be.

    The words of the page are counted only when a block raises a question about them.
    """
    words: WordCounts | None = None
    if (config.hyphens or config.run_ons) and any(_asks_for_words(text, config) for text in texts):
        words = PageWords(texts if page is None else page)
    return [normalise(text, config, words) for text in texts]


def view_column(
    texts: pa.Array,
    edges: Sequence[int],
    suspects: Sequence[int],
    config: ViewConfig = _DEFAULT,
    lines_once: Mapping[int, Sequence[Edit]] | None = None,
) -> tuple[pa.Array, pa.Array]:
    """The views of the blocks of a batch and their breakpoints onto the texts, null where nothing changed.

    ``texts`` are all blocks, ``edges`` where each page begins and, last, where the last one ends; ``wanted`` are the
    numbers of the blocks that may have a view (:func:`candidates`); ``lines_once`` takes repeated lines out of blocks that
    hold several lines.
    """
    lines_once = lines_once if lines_once and config.lines else {}
    views: list[str | None] = [None] * len(texts)
    breakpoints: list[list[dict[str, int]] | None] = [None] * len(texts)
    page = -1
    words: WordCounts | None = None
    serbian = serbian_blocks(texts, edges) if config.latin else frozenset()
    for number in sorted(serbian.union(suspects)) if serbian else suspects:
        if page < 0 or number >= edges[page + 1]:
            page, words = bisect_right(edges, number) - 1, None
        once = lines_once.get(number, ())
        text = texts[number].as_py()
        if words is None and _asks_for_words(replaced(text, once), config):
            words = PageWords(texts[edges[page] : edges[page + 1]].to_pylist())
        view = _view(text, once, config, words, latin=number in serbian)
        if view is not None:
            views[number], places = view
            breakpoints[number] = [{"view": mine, "text": theirs} for mine, theirs in places]
    import pyarrow as pa  # a page alone does without it

    from paberki.store.columns import BREAKPOINT

    return pa.array(views, pa.string()), pa.array(breakpoints, pa.list_(BREAKPOINT))


def _view(
    text: str, once: Sequence[Edit], config: ViewConfig, words: WordCounts | None, *, latin: bool
) -> tuple[str, list[tuple[int, int]]] | None:
    """A view with its breakpoints onto the text; ``once`` takes repeated lines out of it first."""
    if not once and not latin and normalise(text, config, words) is None:  # the rule, and cheap without origins
        return None
    origins = Origins(len(text))
    start = replaced(text, once, origins)
    view = normalise(start, config, words, origins)
    if view is None:
        origins = Origins(len(text))  # normalising may have followed repairs that came to nothing
        view = replaced(text, once, origins)
    if latin:
        view = in_latin(view, origins)
    if len(view) != len(origins.begins):
        raise ContractError(f"a repair did not tell what it replaced: {text[:60]!r}")
    return view, breakpoints_of(origins)


def candidates(harvest: Harvest, config: ViewConfig = _DEFAULT) -> npt.NDArray[np.int64]:
    """Numbers of the blocks that may have a view: every block that :func:`normalise` would change, and a few others.

    Found in one pass over the bytes of the batch, since most blocks are as they should be.
    """
    suspects = np.zeros(harvest.block_count, np.bool_)
    alone = list(harvest.lines_once) if config.lines else []
    signs = wanted_characters(
        leads_and_followers(), SIGNS if config.punctuation else "",
        hyphens=config.hyphens, run_ons=config.run_ons, lines=config.lines,
    )  # fmt: skip
    _kernel().find_suspects(harvest.text, harvest.blocks, harvest.block_count, signs, config.punctuation, suspects)
    suspects[alone] = True
    return np.flatnonzero(suspects)


@lru_cache(maxsize=1)
def _kernel() -> Any:
    return load("paberki.extraction.repair.repair_kernel")


def back_references(texts: Sequence[str], min_chars: int = 3) -> list[int | None]:
    """For every block the number of the first block of the page with the same text; None for the first (texrex)."""
    first: dict[str, int] = {}
    numbers: list[int | None] = []
    for number, text in enumerate(texts):
        first_number = first.setdefault(text, number) if len(text) >= min_chars else number
        numbers.append(first_number if first_number != number else None)
    return numbers


def squeeze(text: str, longest: int, origins: Origins | None = None) -> str:
    """Runs of one punctuation mark cut to ``longest``, and of a pair of marks to two pairs."""
    if _few_runs(text, longest):
        return text
    text = substitute(_runs(longest), lambda run: run.group()[:longest], text, origins)
    return substitute(_RUN_OF_PAIRS, r"\1\1", text, origins)


def without_repeated_lines(text: str, origins: Origins | None = None) -> str:
    """The text without lines that are the same as the line before."""
    edits: list[Edit] = []
    lines = text.split("\n")
    end = len(lines[0])
    for before, line in pairwise(lines):
        begin, end = end, end + 1 + len(line)
        if line == before:
            edits.append(Edit(begin, end, ""))
    return replaced(text, edits, origins)


def _collapse_spaces(text: str, origins: Origins | None) -> str:
    """One space between words, none at the ends of lines."""
    if "\n".join([" ".join(line.split()) for line in text.split("\n")]) == text:
        return text

    def space(run: re.Match[str]) -> str:
        at_edge = run.start() == 0 or run.end() == len(text) or "\n" in (text[run.start() - 1], text[run.end()])
        return "" if at_edge else " "

    return substitute(_SPACES, space, text, origins)


def _with_words(view: str, config: ViewConfig, words: WordCounts, origins: Origins | None) -> str:
    if config.hyphens and torn(view):
        view = dehyphenate(view, words, origins=origins)
    if config.run_ons and run_on(view):
        view = split_run_ons(view, words, origins=origins)
    return view


def _suspect(text: str, config: ViewConfig, words: WordCounts | None) -> bool:
    """Whether the text deserves a closer look."""
    if "&" in text or "<" in text or ("\n" in text and config.lines):
        return True
    if not text.isascii() and ("\u00ad" in text or suspicious().search(text)):
        return True
    if config.punctuation and not _few_runs(text, config.punctuation):
        return True
    return words is not None and _asks_for_words(text, config)


def _asks_for_words(text: str, config: ViewConfig) -> bool:
    return (config.hyphens and torn(text)) or (config.run_ons and run_on(text))


@lru_cache(maxsize=16)
def _runs(longest: int) -> re.Pattern[str]:
    """A run that is too long; asterisks after a letter hide the rest of a word and stay."""
    others = re.escape(SIGNS.replace("*", ""))
    return re.compile(rf"([{others}])\1{{{longest},}}|(?<![\w*])\*{{{longest + 1},}}")


def _few_runs(text: str, longest: int) -> bool:
    if longest >= 3 and _FOUR.search(text) is None:
        return True
    return _runs(longest).search(text) is None and _RUN_OF_PAIRS.search(text) is None
