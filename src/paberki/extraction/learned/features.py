"""What a block looks like, in numbers: the features that the learned method decides by.

None of them knows a language. They are, in groups: the characters of the block; how it begins and ends; the blocks with
the same path of tags, and with the same path of tags, ids and classes (P1's idea); its place in the page and what the
page is like; the elements around it, from the inside out; the element and the window that hold most of the page's prose
(BTE); its neighbours; tags, words in class and id, and roles of the elements around it; words shared with the title;
lists of elements of the same kind around it; how near it is, in the tree, to the title and to the longest piece of prose;
words shared with other blocks (:mod:`paberki.extraction.learned.shared_words`); what the page says of its type
(:mod:`paberki.extraction.learned.type_hints`).
*Prose* is text of blocks that are not links for the most part and have a sentence end, or more than 18 words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.extraction.compiled import kernel_layout
from paberki.extraction.compiled.harvest import Harvest
from paberki.extraction.compiled.tag_tables import TAGS
from paberki.extraction.learned.attribute_words import GROUPS, automaton
from paberki.extraction.learned.feature_characters import COUNTS, classes, small_letters
from paberki.extraction.learned.shared_words import SHARED_WORDS, add_shared_words, page_words, word_room
from paberki.extraction.learned.type_hints import HINTED, NO_HINTS
from paberki.kernels import load

Floats = npt.NDArray[np.float32]

KINDS: Final = [
    "p",
    "div",
    "li",
    "td",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "a",
    "span",
    "article",
    "section",
    "blockquote",
    "pre",
    "dd",
    "dt",
    "th",
    "figcaption",
    "form",
    "button",
    "label",
    "footer",
    "header",
    "nav",
    "aside",
    "main",
    "body",
]
"""Tags by number, counted from 1; 0 for all others."""

SENSES: Final = (
    "nav", "footer", "aside", "header", "form", "article", "main", "ul ol menu dir", "table", "figure", "label",
    "h1 h2 h3 h4 h5 h6", "blockquote", "li dd dt",
)  # fmt: skip
"""Tags that say something about all they hold."""

_TEXT: Final = [
    "log_length",
    "words",
    "link",
    "tags_per_word",
    "letters_per_word",
    "sentences",
    "sentence_share",
    "comma_share",
    "digit_share",
    "capital_share",
    "separator_share",
    "symbol_share",
    "unspaced_share",
    "small_start_share",
    "capital_start_share",
    "bracket_share",
    "kind",
    "depth",
    "ends_sentence",
    "ends_comma",
    "starts_capital",
    "copyright",
]
_GROUP: Final = ["free_share", "prose_share", "link", "log_count", "log_mean_length", "prose", "first"]
_PLACE: Final = [
    "place",
    "length_place",
    "prose_place",
    "length_share",
    "prose_share",
    "log_number",
    "log_number_back",
    "page_blocks",
    "page_length",
    "page_link",
    "page_prose",
    "page_longest",
    "page_best_group",
    "page_prose_blocks",
    "page_headings",
    "page_listed",
]
_ANCESTOR: Final = ["prose_share", "link", "prose", "log_blocks", "log_length"]
_NEXT: Final = ["log_length", "link", "is_prose", "kind", "depth", "same_path"]
_AROUND: Final = [
    "prose_3",
    "link_3",
    "prose_8",
    "link_8",
    "prose_20",
    "link_20",
    "since_prose",
    "to_prose",
    "since_heading",
    "heading_level",
    "since_h1",
    "to_heading",
]

_OF_KERNEL: Final = (
    *_TEXT,
    *(f"tags_{name}" for name in _GROUP),
    "copy",
    *(f"path_{name}" for name in _GROUP),
    *_PLACE,
    *(f"around{level}_{name}" for level in range(5) for name in _ANCESTOR),
    *(f"best{which}_{name}" for which in (1, 2) for name in ("inside", "prose_share", "distance")),
    "window_since_first", "window_since_last", "window_inside",
    *(f"{where}_{name}" for where in ("before", "after") for name in _NEXT),
    *(f"{where}_{name}" for where in ("before2", "after2") for name in _NEXT[:3]),
    *_AROUND,
    *(f"in_{tags.split()[0]}" for tags in SENSES),
    *(f"words_{group}" for group in GROUPS),
    *(f"own_{group}" for group in GROUPS),
    *(f"{name}_{value}" for name, value in kernel_layout.MARKS),
    "title", "since_title", "description", "description_both", "copies", "most_copies", "list_copies",
    "list_mean_length", "list_share", "title_up", "title_down", "title_prose_share", "title_prose_between",
    "title_link_between", "title_depth", "longest_up", "longest_down", "longest_prose_share", "page_dates",
)  # fmt: skip
NAMES: Final[tuple[str, ...]] = (*_OF_KERNEL, *SHARED_WORDS, *(f"hint_{kind}" for kind in HINTED))
"""The features in the order of their columns."""

CHOSEN: Final = [
    "log_length",
    "link",
    "kind",
    "sentences",
    "ends_sentence",
    "capital_share",
    "digit_share",
    "small_start_share",
    "title",
    "copy",
    "depth",
    "before_kind",
    "after_kind",
    "words_comment",
    "words_related",
    "words_about",
    "words_media",
    "words_list",
    "words_forum",
    "path_free_share",
    "path_prose_share",
    "comma_share",
    "words",
    "since_heading",
    "heading_level",
    "description",
    "page_prose",
    "page_link",
    "page_headings",
    "page_listed",
    "page_blocks",
    "in_li",
    "place",
    "longest_down",
    "title_prose_between",
    "title_down",
    "copies",
    "list_share",
]
"""Features that the second stage looks at again."""

CONTEXT: Final[tuple[str, ...]] = (
    "chance", *(f"chance{k:+d}" for k in (-3, -2, -1, 1, 2, 3)), "path_chance", "path_length",
    *(f"around{level}_{name}" for level in range(6) for name in ("chance", "length")), "chance_3", "chance_8",
    "chance_20", "chance_before", "chance_after", "page_chance", "page_mass", "page_highest", *CHOSEN,
)  # fmt: skip
"""Columns of the second stage."""

_WORDS: Final = 512


class Measure:
    """Computes the features of one page of a harvest after the other; holds the arrays that the kernels work in."""

    def __init__(self, harvest: Harvest) -> None:
        kernels = _kernels()
        self._harvest = harvest
        blocks, count = harvest.blocks, harvest.block_count
        self._counts = np.empty((count, COUNTS), np.int32)
        self._text_keys = np.empty(count, np.int64)
        kernels.count_characters(harvest.text, blocks, count, classes(), self._counts, self._text_keys)
        self._path_words = np.empty(harvest.path_count, np.int64)
        self._path_keys = np.empty(harvest.path_count, np.int64)
        kernels.read_paths(
            harvest.path_bytes, harvest.path_ends, harvest.path_count, *automaton(), self._path_words, self._path_keys
        )
        most = int(np.diff(np.array([0, *harvest.block_ends])).max(initial=0))
        self._tree = np.empty((kernels.ELEMENT_NUMBERS, harvest.element_count), np.int64)
        self._base = np.empty((kernels.BLOCK_NUMBERS, most + 1))
        self._sums = np.empty((kernels.SUMS, most + 1))
        slots = max(16, 4 * most, 4 * int(np.diff(np.array([0, *harvest.element_ends])).max(initial=0)))
        self._slots = np.empty(slots, np.int32)
        self._slot_keys = np.empty(slots, np.int64)
        self._groups = np.empty((3, most + 1), np.int64)
        self._group_sums = np.empty((kernels.GROUP_NUMBERS, most + 1))
        self._words = np.empty((3, _WORDS), np.int64)
        self._page_words = page_words(harvest.text, blocks[kernel_layout.TEXT_END])
        ends = np.r_[0, blocks[kernel_layout.TEXT_END, :count]][[0, *harvest.block_ends]]
        self._room = word_room(int(np.diff(ends).max(initial=0)), most)
        self._table = np.empty((most, len(NAMES)), np.float32)
        self._context = np.empty((most, len(CONTEXT)), np.float32)

    def features(self, page: int, hints: Sequence[float] = NO_HINTS) -> Floats:
        """One row per block of the page; valid until the next page. ``hints``: what the page says of its type."""
        harvest = self._harvest
        head = harvest.heads[page]
        heads = np.array([*head[kernel_layout.TITLE, :2], *head[kernel_layout.DESCRIPTION, :2]], np.int64)
        _kernels().page_features(
            harvest.text, harvest.blocks, harvest.elements, self._range(page), harvest.head_bytes, heads,
            classes(), small_letters(), _tag_facts(), self._counts, self._text_keys, self._path_words, self._path_keys,
            self._tree, self._base, self._sums, self._slots, self._slot_keys, self._groups, self._group_sums,
            self._words, self._table,
        )  # fmt: skip
        count, prose = self._count(page), self._base[_kernels().PROSE]
        add_shared_words(
            self._page_words, self._range(page)[:2], prose, self._room, self._table, len(_OF_KERNEL)
        )  # fmt: skip
        self._table[:count, -len(HINTED) :] = hints
        return self._table[:count]

    def context(self, page: int, chances: Floats) -> Floats:
        """Features of the second stage, given what the first says; :meth:`features` of the page must come before."""
        _kernels().context_features(
            self._harvest.blocks, self._harvest.elements, self._range(page), chances, self._table, _context_columns(),
            self._tree, self._base, self._sums, self._groups, self._group_sums, self._context,
        )  # fmt: skip
        return self._context[: self._count(page)]

    def _range(self, page: int) -> npt.NDArray[np.int64]:
        ends = (self._harvest.block_ends, self._harvest.element_ends)
        return np.array([edge for end in ends for edge in (end[page - 1] if page else 0, end[page])], np.int64)

    def _count(self, page: int) -> int:
        ends = self._harvest.block_ends
        return ends[page] - (ends[page - 1] if page else 0)


@lru_cache(maxsize=1)
def _kernels() -> Any:
    return load("paberki.extraction.learned.features_kernel")


@lru_cache(maxsize=1)
def _context_columns() -> npt.NDArray[np.int32]:
    return np.array([NAMES.index(name) for name in CHOSEN], np.int32)


@lru_cache(maxsize=1)
def _tag_facts() -> npt.NDArray[np.int64]:
    """Of each tag its number among the kinds, what it says about all it holds (as bits), its level as a heading."""
    facts = np.zeros((len(TAGS), 3), np.int64)
    for number, tag in enumerate(TAGS):
        name = "h5" if tag == "h6" else tag
        facts[number, 0] = KINDS.index(name) + 1 if name in KINDS else 0
        facts[number, 1] = sum(1 << bit for bit, tags in enumerate(SENSES) if tag in tags.split())
        facts[number, 2] = int(tag[1]) if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit() else 0
    return facts
