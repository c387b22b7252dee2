"""The tokens of some pages as columns in Arrow: no Python object is made for a token.

Only blocks that select kept are here. The form of a token is the text of its block between its offsets; texts are UTF-8 and
offsets count characters, so that the bytes of all tokens are looked up at once. Layers are dictionaries: what a format does
to their values, it does once for each word of the dictionary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.export.words.string_columns import Bytes, CodedColumn, Strings, joined_strings
from paberki.store.batch import field_of_blocks
from paberki.store.blocks import lengths_of

LAYERS: Final = ("upos", "xpos", "feats", "lemma", "head", "deprel", "ner")
IMPORTED: Final = ("tok_deps", "tok_misc", "sent_comments", "sent_nodes")
"""Columns of pages that were imported with their annotation."""
ANNOTATION: Final = (
    "annotated", "schemes", "sent_block", "sent_length", "tok_start", "tok_end", "tok_byte_start", "tok_byte_end",
    *(f"tok_{name}" for name in LAYERS), "tok_oov", "tok_frame", "other_annotations", *IMPORTED,
)  # fmt: skip
"""Columns that are read where the corpus has them."""
FIRST: Final = "paberki"
"""Tagger of a page whose column ``schemes`` is empty."""
NOTHING: Final = "_"
_CHARS_AT_ONCE: Final = 1 << 18
_SAY_NOTHING: Final = ("", "-1")
Ints = npt.NDArray[np.int64]


class TokenTable:
    """Tokens of the kept blocks of a table of pages."""

    def __init__(self, pages: pa.Table) -> None:
        self._pages = pages
        blocks = field_of_blocks(pages.column("blocks"), "text")
        self.block_counts = lengths_of(blocks)
        self.first_block: Ints = np.r_[0, np.cumsum(self.block_counts)]
        """Number of the first block of each page among all blocks."""
        self.texts: pa.Array = blocks.flatten()
        self.kept_blocks = aligned_flags(pages.column("block_keep"), self.block_counts)
        """Which blocks select kept."""
        self._sentences()
        self._places()

    def _column(self, name: str) -> pa.Array:
        column = self._pages.column(name)
        return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()

    def has(self, name: str) -> bool:
        """The pages have a column; of those that only imported pages have, with a value."""
        if name not in self._pages.column_names:
            return False
        return name not in IMPORTED or self._pages.column(name).null_count < self._pages.num_rows

    def _sentences(self) -> None:
        lists = self._column("sent_length")
        counts = lengths_of(lists)
        self._all_lengths = _flat(lists).astype(np.int64)
        pages = np.repeat(np.arange(len(counts)), counts)
        blocks = self.first_block[pages] + _flat(self._column("sent_block")).astype(np.int64)
        stays = self.kept_blocks[blocks] & (self._all_lengths > 0)
        self._sentence_stays = stays
        self._page_tokens = np.bincount(pages, self._all_lengths, len(counts)).astype(np.int64)
        self.sentence_page: Ints = pages[stays]
        self.sentence_block: Ints = blocks[stays]
        """Number of the block of each sentence among all blocks."""
        self.sentence_length: Ints = self._all_lengths[stays]
        self.edges: Ints = np.r_[0, np.cumsum(self.sentence_length)]
        """First token of each sentence, and after the last sentence the number of tokens."""
        self._token_stays = np.repeat(stays, self._all_lengths)
        self._all_stay = bool(stays.all())

    def _kept_tokens(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return values if self._all_stay else values[self._token_stays]

    def __len__(self) -> int:
        return int(self.edges[-1])

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return len(self.sentence_length)

    def numbers(self, name: str) -> npt.NDArray[Any]:
        """A column of numbers, one for each token; -1 on pages that lack the column."""
        lists = self._column(name)
        return self._kept_tokens(self._align(_flat(lists), lengths_of(lists)).astype(np.int64))

    def _align(self, values: npt.NDArray[Any], lengths: Ints, missing: int = -1) -> npt.NDArray[Any]:
        """Values of all pages, of which some may have none, with ``missing`` for each token of these."""
        if (lengths == self._page_tokens).all():
            return values
        token_values = np.full(int(self._page_tokens.sum()), missing, np.int64)
        has = np.repeat(lengths == self._page_tokens, self._page_tokens)
        source = np.repeat(lengths == self._page_tokens, lengths)
        token_values[has] = values[source]
        return token_values

    def _places(self) -> None:
        """Where tokens begin and end in the bytes of all texts."""
        starts, ends = self.numbers("tok_start"), self.numbers("tok_end")
        self.token_block: Ints = np.repeat(self.sentence_block, self.sentence_length)
        edges, self._data = _buffers(self.texts)
        chars = _char_starts(self._data)
        first = np.searchsorted(chars, edges.astype(chars.dtype))
        limits = first[self.token_block + 1]
        self.byte_from: Ints = chars[np.minimum(first[self.token_block] + starts, limits)].astype(np.int64)
        self.byte_to: Ints = chars[np.minimum(first[self.token_block] + ends, limits)].astype(np.int64)
        glued = np.zeros(len(starts), np.bool_)
        glued[1:] = (self.byte_from[1:] == self.byte_to[:-1]) & (self.token_block[1:] == self.token_block[:-1])
        self.glued: npt.NDArray[np.bool_] = glued
        """Whether each token follows the one before it, in the same block, without a space."""

    def forms(self, change: Callable[[bytes], str], suspects: Callable[[Bytes], Ints]) -> Strings:
        """The words themselves, which are not copied; those that hold one of the places of ``suspects`` are changed."""
        begins, ends, data = self.byte_from.copy(), self.byte_to.copy(), self._data
        places = suspects(data)
        tokens = np.searchsorted(self.byte_from, places, side="right") - 1
        inside = (tokens >= 0) & (places < self.byte_to[np.maximum(tokens, 0)]) if len(self) else np.zeros(0, np.bool_)
        odd = np.unique(np.concatenate([tokens[inside], np.flatnonzero(begins == ends)])).astype(np.int64)
        if len(odd):
            words = [change(data[begins[at] : ends[at]].tobytes()).encode() for at in odd.tolist()]
            edges = len(data) + np.cumsum([0, *map(len, words)], dtype=np.int64)
            data = np.concatenate([data, np.frombuffer(b"".join(words), np.uint8)])
            begins[odd], ends[odd] = edges[:-1], edges[1:]
        return Strings(np.arange(len(self), dtype=np.int32), begins, ends, data)

    def bytes_between(self, begin: int, end: int) -> bytes:
        """Bytes of the texts."""
        return self._data[begin:end].tobytes()

    def has_plain_spaces(self) -> npt.NDArray[np.bool_]:
        """For each sentence: nothing or one space stands between two tokens, and no token is empty."""
        gaps = self.byte_from[1:] - self.byte_to[:-1]
        plain = np.ones(len(self), np.bool_)
        if len(self):
            plain[1:] = (gaps == 0) | (
                (gaps == 1) & (self._data[np.minimum(self.byte_to[:-1], len(self._data) - 1)] == 0x20)
            )
            plain[self.edges[:-1]] = True
            plain &= self.byte_from < self.byte_to
        return np.logical_and.reduceat(plain, self.edges[:-1]) if self.sentences else plain

    def sentence_texts(self) -> pa.StringArray:
        """The text of each sentence, from its first token to its last."""
        codes = np.arange(self.sentences, dtype=np.int32)
        begins, ends = self.byte_from[self.edges[:-1]], self.byte_to[self.edges[1:] - 1]
        return joined_strings([Strings(codes, begins, ends, self._data)])

    def ranks(self) -> Ints:
        """Number of each token in its sentence, from 1."""
        return np.arange(1, len(self) + 1) - np.repeat(self.edges[:-1], self.sentence_length)

    def layer(self, name: str, scheme: str = "") -> CodedColumn:
        """A layer of the first tagger, or of another scheme; ``_`` where a token has no value."""
        if scheme:
            return self._of_others(name, scheme)
        column = f"tok_{name}"
        return self._code_column(self._column(column)) if self.has(column) else self._nothing()

    def _nothing(self) -> CodedColumn:
        return CodedColumn(np.zeros(len(self), np.int32), [NOTHING])

    def _code_column(self, lists: pa.Array) -> CodedColumn:
        flat = lists.flatten()
        if pa.types.is_integer(flat.type) and (pc.max(flat).as_py() or 0) > len(flat):  # nonsense of an imported file
            flat = flat.cast(pa.string())
        if pa.types.is_integer(flat.type):
            codes, words = _numbers(flat)
        elif pa.types.is_boolean(flat.type):
            codes, words = pc.fill_null(flat.cast(pa.int8()), 2), pa.array(["false", "true", NOTHING])
        else:
            dictionary_array = flat if pa.types.is_dictionary(flat.type) else flat.dictionary_encode()
            words = _with_nothing(dictionary_array.dictionary.cast(pa.string()))
            codes = (
                pc.fill_null(dictionary_array.indices, len(words) - 1)
                if dictionary_array.null_count
                else dictionary_array.indices
            )
        numbers = codes.to_numpy(zero_copy_only=False)
        token_codes = self._kept_tokens(self._align(numbers, lengths_of(lists), len(words) - 1))
        return CodedColumn(np.ascontiguousarray(token_codes, np.int32), words)

    def _of_others(self, name: str, scheme: str) -> CodedColumn:
        """A layer of a further tagger, gathered page by page."""
        lists: list[list[str]] = []
        for page in self._column("other_annotations").to_pylist() if self.has("other_annotations") else []:
            own: dict[str, Any] = next((one for one in page or () if one["scheme"] == scheme), {})
            lists.append([str(value) for value in own.get(name) or ()])
        lists = lists or [[] for _ in range(len(self._page_tokens))]
        return self._code_column(pa.array(lists, pa.list_(pa.string())))

    def sentence_values(self, name: str) -> list[Any]:
        """A column with a value for each sentence; None on pages that lack it."""
        counts = np.bincount(self._all_pages(), minlength=len(self._page_tokens))
        lists = self._column(name)
        if (lengths_of(lists) == counts).all():
            values = lists.flatten().to_pylist()
        else:
            rows = zip(lists.to_pylist(), counts.tolist(), strict=True)
            values = [one for own, count in rows for one in (own if own and len(own) == count else [None] * count)]
        return [value for value, stays in zip(values, self._sentence_stays.tolist(), strict=True) if stays]

    def _all_pages(self) -> Ints:
        counts = lengths_of(self._column("sent_length"))
        return np.repeat(np.arange(len(counts)), counts)


def _numbers(values: pa.Array) -> tuple[pa.Array, pa.Array]:
    """Numbers as codes of their decimals; none where a number is negative or missing."""
    largest = max(pc.max(values).as_py() or 0, 0)
    is_number = pc.fill_null(pc.greater_equal(values, 0), False)
    words = pa.array(np.arange(largest + 1)).cast(pa.string())
    return pc.if_else(is_number, values.cast(pa.int64()), largest + 1), _with_nothing(words)


def _with_nothing(words: pa.Array) -> pa.Array:
    """Words with ``_`` for those that say nothing, and once more at the end."""
    says_nothing = pc.is_in(words, pa.array(_SAY_NOTHING))
    if words.null_count or pc.any(says_nothing).as_py():
        words = pc.if_else(says_nothing, NOTHING, pc.fill_null(words, NOTHING))
    return pa.concat_arrays([words, pa.array([NOTHING])])


def aligned_flags(column: pa.ChunkedArray, counts: Ints) -> npt.NDArray[np.bool_]:
    """Flags of all blocks; those of a page that nobody judged are false."""
    lists = column.combine_chunks()
    flags: npt.NDArray[np.bool_] = lists.flatten().fill_null(False).to_numpy(zero_copy_only=False).astype(np.bool_)
    lengths = lengths_of(lists)
    if (lengths == counts).all():
        return flags
    block_flags = np.zeros(int(counts.sum()), np.bool_)
    same = lengths == counts
    block_flags[np.repeat(same, counts)] = flags[np.repeat(same, lengths)]
    return block_flags


def _flat(lists: pa.Array) -> npt.NDArray[Any]:
    values: npt.NDArray[Any] = lists.flatten().to_numpy(zero_copy_only=False)
    return values


def _buffers(texts: pa.Array) -> tuple[Ints, npt.NDArray[np.uint8]]:
    """Where each text begins, and the bytes of all of them."""
    texts = texts.cast(pa.large_string())
    _, offsets, content = texts.buffers()
    edges = np.frombuffer(offsets, np.int64, len(texts) + 1, texts.offset * 8) if len(texts) else np.zeros(1, np.int64)
    data = np.frombuffer(content, np.uint8) if content is not None and content.size else np.zeros(0, np.uint8)
    return edges - edges[0], data[edges[0] : edges[-1]]


def _char_starts(data: npt.NDArray[np.uint8]) -> npt.NDArray[Any]:
    """Where each character begins, and where the last one ends: in as few bytes as do, since there are millions."""
    begins = (data & 0xC0) != 0x80
    starts = np.empty(np.count_nonzero(begins) + 1, np.uint32 if len(data) < 1 << 32 else np.int64)
    count = 0
    for first in range(0, len(data), _CHARS_AT_ONCE):
        part = np.flatnonzero(begins[first : first + _CHARS_AT_ONCE])
        starts[count : count + len(part)] = part + first
        count += len(part)
    starts[count] = len(data)
    return starts
