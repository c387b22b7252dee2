"""Letters as they stand on the page, where the text was transliterated when it was extracted (P3 §3)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.identification.language_records import LanguageEvidence
from paberki.identification.methods.general import General
from paberki.languages.transliteration import to_latin
from paberki.store.blocks import KeptTexts

SOURCE: Final = "extract.blocks.source"
_CYRILLIC: Final = r"[\x{0400}-\x{052f}]"


def letters_written(model: General, evidence: LanguageEvidence, kept_blocks: KeptTexts, sources: pa.Array) -> Any:
    """Letters by page and class; transliterated blocks count as the page wrote them, in Cyrillic.

    ``sources``: the original text of every kept block, null where the block was not changed.
    """
    rows = pc.indices_nonzero(pc.match_substring_regex(sources, _CYRILLIC).fill_null(False)).to_pylist()
    rows = [row for row in rows if to_latin(sources[row].as_py()) == kept_blocks.texts[row].as_py()]
    if rows:
        letters = evidence.letters.copy()
        page_letters = model.identify_arrow(sources.take(pa.array(rows, pa.int64())), np.ones(len(rows), np.int32))
        letters[rows] = page_letters.letters
        evidence = evidence._replace(letters=letters)
    return evidence.of_groups(kept_blocks.edges).letters
