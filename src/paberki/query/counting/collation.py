"""Strings by the alphabet of a language: č after c, nj after n.

Ranks of a segment's values are stored when it is made. Here is the same for values that come together later: those of
several segments, and attributes of pages.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["ranks_of"]


def ranks_of(strings: Any, lang: str | None) -> NDArray[np.uint32]:
    """The rank of every string of an Arrow array in the alphabet of a language; equal strings have equal ranks."""
    from paberki.query.index.alphabet_order import code_point_order, collation_ranks

    dictionary_array = strings.dictionary_encode()
    ranks = collation_ranks(dictionary_array.dictionary, lang, code_point_order(dictionary_array.dictionary))
    return np.asarray(ranks[dictionary_array.indices.to_numpy(zero_copy_only=False)], np.uint32)
