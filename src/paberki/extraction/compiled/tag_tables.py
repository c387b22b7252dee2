"""Tables of tags and character references for the kernel.

The arrays are made from :mod:`paberki.extraction.html.elements` and from Python's list of HTML's references, so that each fact is written once.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import lru_cache
from html.entities import html5
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from paberki.extraction.html.elements import (
    CLOSES,
    ELEMENTS,
    TABLE_PARTS,
    VOID,
    WALLS,
    ElementsConfig,
    Kind,
    kinds_for,
)
from paberki.kernels.array_cache import derived
from paberki.kernels.hash_constants import fnv

Integers = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

RAWTEXT, RCDATA, SCRIPT, PLAINTEXT = 1, 2, 3, 4
"""How the tokenizer reads the content of some elements (HTML standard §13.2.5; scripting counts as on)."""

_CONTENT: Final = {
    **dict.fromkeys(("style", "xmp", "iframe", "noembed", "noframes", "noscript"), RAWTEXT),
    **dict.fromkeys(("title", "textarea"), RCDATA),
    "script": SCRIPT,
    "plaintext": PLAINTEXT,
}

TAGS: Final = ("body", *sorted((ELEMENTS | VOID | CLOSES.keys() | WALLS | TABLE_PARTS) - {"body"}))
"""Known tags by number; ``body`` is the root of every stack and has number 0."""

HASH, NAME_LENGTH, KIND, HOLDS_NOTHING, CONTENT, CLOSED, OWN_BIT, WALL_OR_PART, NAME = range(9)
"""Fields of a row of :attr:`TagTables.tags`. CLOSED is the set of elements a start tag closes, OWN_BIT a tag's own bit;
the characters of the name come last."""
TAG_FIELDS: Final = NAME + max(map(len, TAGS))

WALL, PART = 1, 2
SLOTS: Final = 512
"""Size of the hash table of tags, a power of two much larger than their number."""

FIRST_LETTERS: Final = 128


class TagTables(NamedTuple):
    """Arguments that are the same for every page."""

    tags: Longs
    """One row of :data:`TAG_FIELDS` numbers per tag."""
    slots: Integers
    """Hash table: number of the tag or -1."""
    trie: Integers
    """Names of references, one row per node: first child, next sibling, character, and one or two characters that the
    reference stands for; 0 for none."""


_OWN: Final = ElementsConfig()


@lru_cache(maxsize=8)
def tables(elements: ElementsConfig = _OWN) -> TagTables:
    """Made once per process and setting."""
    return TagTables(*_tag_tables(kinds_for(elements)), _reference_trie())


def _tag_tables(kinds: Mapping[str, Kind]) -> tuple[Longs, Integers]:
    closable = sorted(set().union(*CLOSES.values()))
    bits = {tag: 1 << number for number, tag in enumerate(closable)}
    rows = np.zeros((len(TAGS), TAG_FIELDS), np.int64)
    slots = np.full(SLOTS, -1, np.int32)
    for number, tag in enumerate(TAGS):
        rows[number, :NAME] = (
            fnv(tag.encode()), len(tag), int(kinds.get(tag, 0)), tag in VOID, _CONTENT.get(tag, 0),
            sum(bits[other] for other in CLOSES.get(tag, ())), bits.get(tag, 0),
            WALL * (tag in WALLS) + PART * (tag in TABLE_PARTS),
        )  # fmt: skip
        rows[number, NAME : NAME + len(tag)] = list(tag.encode())
        slot = fnv(tag.encode()) & (SLOTS - 1)
        while slots[slot] >= 0:
            slot = (slot + 1) & (SLOTS - 1)
        slots[slot] = number
    return rows, slots


@lru_cache(maxsize=1)
def _reference_trie() -> Integers:
    """Cached on disk, as long as Python's list of references is the same."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    arrays = derived(f"references-{version}", [Path(__file__)], lambda: {"trie": _make_trie()})
    return np.array(arrays["trie"])  # a copy, since the compiled part takes arrays that can be written to


def _make_trie() -> Integers:
    """A trie in the order of its nodes. Node 0 is the root, so 0 also stands for "no child" and "no sibling".

    The node of a name's first letter is 1 + its code: a flood of ampersands must not walk through a list of letters.
    """
    tree: dict[str, Any] = {}
    for name, text in html5.items():
        node = tree
        for char in name:
            node = node.setdefault(char, {})
        node[""] = text
    rows = [[0, 0, 0, 0, 0] for _ in range(FIRST_LETTERS + 1)]
    waiting = [(1 + ord(char), below) for char, below in tree.items()]
    for number, _ in waiting:
        rows[number][2] = number - 1
    while waiting:
        parent, node = waiting.pop()
        text = node.pop("", "")
        rows[parent][3 : 3 + len(text)] = [ord(char) for char in text]
        before = -1
        for char, below in node.items():
            number = len(rows)
            rows.append([0, 0, ord(char), 0, 0])
            rows[parent if before < 0 else before][0 if before < 0 else 1] = number
            before = number
            waiting.append((number, below))
    return np.array(rows, np.int32)
