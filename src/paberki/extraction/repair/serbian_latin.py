"""Serbian in Latin letters: blocks in Cyrillic are transliterated when they are extracted (P3 §3).

P3 transliterates before language identification and the removal of duplicates, so that everything after it sees one
script. What the page has stays beside the text as ``source``, and stages that count Cyrillic letters look there. Pages
with letters that Serbian does not have (Russian, Bulgarian, Ukrainian, Macedonian) stay as they are.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from paberki.extraction.repair.edits import Edit, Origins, replaced
from paberki.languages.serbian import LATIN
from paberki.languages.transliteration import CYRILLIC_RUN, latin_letters

if TYPE_CHECKING:
    import pyarrow as pa

_ANY: Final = r"[\x{0400}-\x{052f}]"
_CYRILLIC: Final = re.compile(r"[\u0400-\u052f]")
_FOREIGN: Final = re.compile(rf"(?i)[^\W{''.join(LATIN)}](?<=[\u0400-\u052f])")
_MOST_FOREIGN: Final = 0.003
"""Share of other Cyrillic letters in a page that is still Serbian: names and quotations. Macedonian has three times more."""


def serbian_blocks(texts: pa.Array, edges: Sequence[int]) -> frozenset[int]:
    """Numbers of the blocks with Cyrillic letters on pages that have Serbian ones; ``edges``: where pages begin."""
    import pyarrow.compute as pc  # when needed: it takes a while to import

    cyrillic = pc.indices_nonzero(pc.match_substring_regex(texts, _ANY)).to_pylist()
    blocks: list[int] = []
    for _, some in itertools.groupby(cyrillic, key=lambda number: bisect_right(edges, number)):
        mine = list(some)
        if _serbian("\n".join(texts[number].as_py() for number in mine)):
            blocks += mine
    return frozenset(blocks)


def in_latin(text: str, origins: Origins) -> str:
    """The text with Cyrillic letters as Latin ones."""
    return replaced(text, _edits(text), origins)


def _edits(text: str) -> Iterator[Edit]:
    for run in CYRILLIC_RUN.finditer(text):
        for at, letters in enumerate(latin_letters(run[0]), run.start()):
            yield Edit(at, at + 1, letters)


def _serbian(text: str) -> bool:
    """Whether a text in Cyrillic letters has, but for a few, only those of Serbian."""
    letters = len(_CYRILLIC.findall(text))
    return len(_FOREIGN.findall(text)) <= _MOST_FOREIGN * letters
