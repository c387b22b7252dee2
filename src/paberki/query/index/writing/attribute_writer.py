"""Writes one attribute of a segment: lexicon, column of ids, postings, orders, folded values, sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.kernels import load
from paberki.query.index.alphabet_order import code_point_order, collation_ranks
from paberki.query.index.attribute import COLUMNS, NARROW, POSTINGS, SCANNED_SHARE, SCANNED_SHARE_NARROW
from paberki.query.index.container import ContainerWriter
from paberki.query.index.folding import KINDS
from paberki.query.index.lexicon import Folded, ValueLexicon, fold, merged_values
from paberki.query.index.scratch_columns import ScratchColumn

FOLDED_SIZE: Final = 20_000
"""Lexicons with more values have their folded values stored; those of smaller ones are made when they are asked for."""
_PART_OF_SPEECH: Final = r"(?s)^(.+)-.$"
_PLACES: Final = 1 << 25
"""Places that are sorted at once."""


def write_lexicon(out: ContainerWriter, prefix: str, lexicon: ValueLexicon) -> None:
    """Bytes of all values, and the length of each."""
    out.add(f"{prefix}/bytes", lexicon.lexicon_bytes)
    out.add(f"{prefix}/lengths", small(np.diff(lexicon.lexicon_offsets)))


def small(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers in as few bytes as they need."""
    if len(numbers) and int(numbers.min()) < 0:
        return numbers.astype(np.int64)
    largest = int(numbers.max()) if len(numbers) else 0
    kinds = (np.uint8, np.uint16, np.uint32, np.int64)
    return numbers.astype(next(kind for kind in kinds if largest <= np.iinfo(kind).max))


def write_dictionary(out: ContainerWriter, prefix: str, values: pa.Array, numbers: npt.NDArray[np.int64]) -> None:
    """A value for each region: distinct values in the order of code points, and which of them each region has."""
    order = code_point_order(values)
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    write_lexicon(out, prefix, ValueLexicon.of_strings(values.take(pa.array(order))))
    ids = ranks[numbers] if len(ranks) else numbers
    out.add(f"{prefix}/ids", small(ids))


def write_counts(out: ContainerWriter, prefix: str, counts: npt.NDArray[np.int64]) -> None:
    """Frequencies, which fall from id to id: each that occurs once, and how many ids have it."""
    edges = np.flatnonzero(np.diff(counts, prepend=-1))
    out.add(f"{prefix}/count_values", small(counts[edges]))
    out.add(f"{prefix}/count_runs", small(np.diff(edges, append=len(counts))))


def write_orders(out: ContainerWriter, prefix: str, values: pa.Array, lang: str | None) -> None:
    """The order of code points, and the rank of each value in the alphabet of the language."""
    order = code_point_order(values)
    out.add(f"{prefix}/by_code_point", order)
    out.add(f"{prefix}/collation_rank", collation_ranks(values, lang, order))


def write_values(
    out: ContainerWriter, name: str, values: pa.Array, counts: npt.NDArray[np.int64], lang: str | None
) -> ValueLexicon:
    """Everything about the values of an attribute that does not depend on where they are."""
    lexicon = ValueLexicon.of_strings(values)
    write_lexicon(out, f"a/{name}", lexicon)
    write_counts(out, f"a/{name}", counts)
    write_orders(out, f"a/{name}", values, lang)
    return lexicon


def write_folds(
    out: ContainerWriter, name: str, lexicon: ValueLexicon, counts: npt.NDArray[np.int64], *, small_letters: bool
) -> Folded | None:
    """Folded values of a large lexicon; ``small_letters``: those of ``%c`` in any case, which are returned."""
    lower = None
    for kind in KINDS:
        if lexicon.size > FOLDED_SIZE or (small_letters and kind == "c"):
            folded_lexicon = fold(lexicon, counts, kind)
            write_lexicon(out, f"f/{name}/{kind}", folded_lexicon)
            out.add(f"f/{name}/{kind}/ids", folded_lexicon.ids)
            lower = folded_lexicon if kind == "c" else lower
    return lower if small_letters else None


def write_lemmas(out: ContainerWriter, prefix: str, lexicon: ValueLexicon, counts: npt.NDArray[np.int64]) -> Folded:
    """What lemmas are without the hyphen and the letter of their part of speech."""
    lemmas = merged_values(pc.replace_substring_regex(lexicon.strings, _PART_OF_SPEECH, r"\1"), counts)
    write_lexicon(out, prefix, lemmas)
    out.add(f"{prefix}/ids", lemmas.ids)
    return lemmas


def write_ids(out: ContainerWriter, name: str, column: ScratchColumn, table: npt.NDArray[np.uint32], size: int) -> int:
    """The column of ids, packed; the bits of one. ``table`` gives the id of each number in the scratch column."""
    width = max(1, (size - 1).bit_length())
    pack = load(COLUMNS).pack

    def pieces() -> Iterator[npt.NDArray[np.uint64]]:
        for numbers in column.pieces():
            words = np.zeros((len(numbers) * width + 63) // 64, np.uint64)
            pack(table[numbers], width, 0, words)
            yield words
        yield np.zeros(2, np.uint64)

    out.stream(f"a/{name}/ids", np.uint64, pieces())
    return width


def write_postings(
    out: ContainerWriter,
    name: str,
    column: ScratchColumn,
    table: npt.NDArray[np.uint32],
    counts: npt.NDArray[np.int64],
    width: int,
) -> dict[str, Any]:
    """The packed postings of all values but the most frequent ones; what the reader must know about them."""
    kernels = load(POSTINGS)
    share = SCANNED_SHARE_NARROW if width <= NARROW else SCANNED_SHARE
    scanned_count = int((counts * share > column.count).sum())
    edges = np.concatenate([[0], np.cumsum(counts[scanned_count:])]).astype(np.int64)
    begins = np.zeros(len(counts) - scanned_count + 1, np.int64)

    def pieces() -> Iterator[npt.NDArray[np.uint8]]:
        low = byte_count = 0
        while low < len(edges) - 1:
            high = max(low + 1, int(np.searchsorted(edges, edges[low] + _PLACES, "right")) - 1)
            part = edges[low : high + 1] - edges[low]
            places = np.empty(int(part[-1]), np.uint32)
            following, first = part[:-1].copy(), 0
            for numbers in column.pieces():
                kernels.invert(table[numbers], first, low + scanned_count, high + scanned_count, following, places)
                first += len(numbers)
            for piece, starts in _pack(kernels, places, part):
                begins[low : low + len(starts)] = starts + byte_count
                byte_count += len(piece)
                low += len(starts)
                yield piece
        begins[-1] = byte_count
        yield np.zeros(-byte_count % 8 + 16, np.uint8)

    out.stream(f"a/{name}/postings", np.uint8, pieces())
    threes, twos, ones = (int(np.searchsorted(-counts[scanned_count:], -most)) for most in range(kernels.RAW, 0, -1))
    out.add(f"a/{name}/begins", small(begins[:threes]))
    return {
        "scanned": scanned_count,
        "raw_lists": [threes + scanned_count, twos + scanned_count, ones + scanned_count, int(begins[threes])],
    }


def _pack(
    kernels: Any, places: npt.NDArray[np.uint32], edges: npt.NDArray[np.int64]
) -> Iterator[tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]]:
    """Packed lists, about a million places at a time, and the bytes where they begin."""
    low, widths = 0, np.zeros(64, np.int64)
    while low < len(edges) - 1:
        high = max(low + 1, int(np.searchsorted(edges, edges[low] + (1 << 20), "right")) - 1)
        part = edges[low : high + 1] - edges[low]
        # A place takes five bytes at most, and 16 more for each block of 128 of them and for each list.
        words = np.zeros(int(part[-1]) * 6 // 8 + (high - low) * 2 + 64, np.uint64)
        begins = np.zeros(len(part), np.int64)
        size = kernels.pack_lists(places[edges[low] : edges[high]], part, words, begins, widths)
        yield words.view(np.uint8)[:size], begins[:-1]
        low = high


def as_sets(values: pa.Array, separator: str) -> pa.Array:
    """Sets in their one spelling ``|one|two|``; nothing and ``_`` are the empty set ``|``.

    Without a separator every letter is a member.
    """
    if not separator:
        values = pc.replace_substring_regex(values, "(?s)(.)", r"\1|")
    elif separator != "|":
        values = pc.replace_substring(values, separator, "|")
    inside = pc.replace_substring_regex(pc.utf8_trim(values, "|"), r"\|\|+", "|")
    empty = pc.or_(pc.equal(inside, ""), pc.equal(inside, "_"))
    bar, nothing = pa.scalar("|", pa.large_string()), pa.scalar("", pa.large_string())
    return pc.if_else(empty, bar, pc.binary_join_element_wise(bar, inside, bar, nothing))


def write_sets(out: ContainerWriter, name: str, values: pa.Array) -> None:
    """Members of each set ``|one|two|``, and the lexicon of all members."""
    inside = pc.utf8_trim(values, "|")
    lists = pc.split_pattern(inside, "|")
    lengths = np.where(pc.equal(inside, "").to_numpy(zero_copy_only=False), 0, pc.list_value_length(lists).to_numpy())
    flat = pc.list_flatten(lists)
    members = flat.filter(pc.not_equal(flat, "")) if len(flat) else flat
    dictionary_array = members.cast(pa.large_string()).dictionary_encode()
    write_lexicon(out, f"a/{name}/set", ValueLexicon.of_strings(dictionary_array.dictionary))
    out.add(f"a/{name}/set_offsets", small(np.concatenate([[0], np.cumsum(lengths)])))
    out.add(f"a/{name}/set_members", dictionary_array.indices.to_numpy().astype(np.uint32))
