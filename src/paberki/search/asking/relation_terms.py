"""Lemmas and dependency pairs of documents as terms (P4 [69e]): a head and its dependent make one term.

Only relations between words with a meaning of their own count, as in P4, whose units are phrases: no punctuation, prepositions,
articles, auxiliaries or conjunctions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.search.document_tokens import Flags, Ints
from paberki.search.engine import as_word
from paberki.store.blocks import lengths_of

PAIR_SIGN: Final = "\x1e"
_LIGHT: Final = frozenset({"punct", "case", "det", "aux", "cop", "cc", "mark", "clf", "fixed", "discourse"})
_NOTHING: Final = ("", "_")
Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RelationTerms:
    """Terms of each page, joined by spaces, and how often a form has a lemma."""

    lemmas: list[str]
    pairs: list[str]
    forms: Counter[tuple[str, str]]


def relation_terms(
    columns: Mapping[str, pa.Array], forms: list[str], token_flags: Flags, token_counts: Ints
) -> RelationTerms:
    """Terms of the tokens that are chosen; ``forms`` are all tokens of each page, joined by spaces."""
    words, codes = _codes(columns["tok_lemma"], token_counts)
    words = [as_word(word.lower()) if word else "" for word in words]
    is_word = np.array([word not in _NOTHING for word in words] + [False])[codes]
    pages = np.repeat(np.arange(len(token_counts)), token_counts)
    pair_counts = (
        Counter(zip(" ".join(filter(None, forms)).split(" "), codes.tolist(), strict=True)) if len(codes) else {}
    )
    lexicon = Counter({(form, words[code]): number for (form, code), number in pair_counts.items()
                       if code >= 0 and words[code] not in _NOTHING})  # fmt: skip
    lemmas = _join(
        pa.array([*words, ""]).take(pa.array(codes[token_flags & is_word])),
        pages[token_flags & is_word],
        len(token_counts),
    )
    return RelationTerms(lemmas, _pairs(columns, words, codes, token_flags & is_word, pages, token_counts), lexicon)


def _pairs(
    columns: Mapping[str, pa.Array], words: list[str], codes: Codes, token_flags: Flags, pages: Ints, token_counts: Ints
) -> list[str]:
    relations, relation_codes = _codes(columns["tok_deprel"], token_counts)
    heavy = np.array([(name or "").partition(":")[0] not in _LIGHT for name in relations] + [False])[relation_codes]
    heads = _align_codes(columns["tok_head"], token_counts, 0)
    lengths = columns["sent_length"].flatten().to_numpy(zero_copy_only=False).astype(np.int64)
    first = np.repeat(np.cumsum(lengths) - lengths, lengths)
    head_places = np.clip(first + heads - 1, 0, max(0, len(codes) - 1))
    good = token_flags & heavy & (heads > 0)
    good &= token_flags[head_places] if len(token_flags) else good
    numbers = codes[head_places[good]] * len(words) + codes[good]
    distinct, inverse = np.unique(numbers, return_inverse=True)
    terms = [f"{words[number // len(words)]}{PAIR_SIGN}{words[number % len(words)]}" for number in distinct.tolist()]
    return _join(pa.array(terms, pa.string()).take(pa.array(inverse)), pages[good], len(token_counts))


def _codes(lists: pa.Array, token_counts: Ints) -> tuple[list[str], Codes]:
    """Words, and the number of the word of each token; −1, which is the last, where there is none."""
    flat = lists.flatten()
    if not pa.types.is_dictionary(flat.type):
        flat = flat.dictionary_encode()
    codes = flat.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return flat.dictionary.to_pylist(), _spread(codes, lengths_of(lists), token_counts, -1)


def _align_codes(lists: pa.Array, token_counts: Ints, missing: int) -> Codes:
    values = lists.flatten().fill_null(missing).to_numpy(zero_copy_only=False).astype(np.int64)
    return _spread(values, lengths_of(lists), token_counts, missing)


def _spread(values: Codes, lengths: Ints, token_counts: Ints, missing: int) -> Codes:
    """Values of all tokens; pages whose annotation lacks the layer have none of their own."""
    if (lengths == token_counts).all():
        return values
    has = np.repeat(lengths == token_counts, token_counts)
    spread = np.full(len(has), missing, np.int64)
    spread[has] = values[np.repeat(lengths == token_counts, lengths)]
    return spread


def _join(terms: Any, pages: Ints, count: int) -> list[str]:
    edges = np.searchsorted(pages, np.arange(count + 1)).astype(np.int32)
    page_terms: list[str] = pc.binary_join(pa.ListArray.from_arrays(pa.array(edges), terms), " ").to_pylist()
    return page_terms
