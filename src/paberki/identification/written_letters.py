"""Letters as they stand on the page, where the text was transliterated when it was extracted (P3 §3)."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.identification.methods.general import Evidence, General
from paberki.languages.transliteration import to_latin
from paberki.store.blocks import KeptTexts

SOURCE: Final = "extract.blocks.source"
_CYRILLIC: Final = r"[\x{0400}-\x{052f}]"


def letters_written(model: General, found: Evidence, kept: KeptTexts, sources: pa.Array) -> Any:
    """Letters by page and class; those of a block in Latin letters that the page has in Cyrillic ones are counted there.

    ``sources``: of every kept block what the page has in its place, null where that is the text itself.
    """
    rows = pc.indices_nonzero(pc.match_substring_regex(sources, _CYRILLIC).fill_null(False)).to_pylist()
    rows = [row for row in rows if to_latin(sources[row].as_py()) == kept.texts[row].as_py()]
    if rows:
        letters = found.letters.copy()
        written = model.identify_arrow(sources.take(pa.array(rows, pa.int64())), np.ones(len(rows), np.int32))
        letters[rows] = written.letters
        found = dataclasses.replace(found, letters=letters)
    return found.of_groups(kept.edges).letters
