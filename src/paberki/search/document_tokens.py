"""The words of documents, from the layers: tokens of the annotation where there is one, of the splitter elsewhere.

A document is what select keeps of its page; of a page that was left out, what the extractor kept, or everything where it kept
nothing. All pages of a row group are done at once, on arrays; no object is made for a token.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.annotation.splitting.any_language import splitter_for
from paberki.kernels import load
from paberki.search.engine import INNER_SPACE
from paberki.store.blocks import kept_texts, lengths_of

KERNEL: Final = "paberki.search.joining_kernel"
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(slots=True)
class SearchTokens:
    """Tokens of many pages: the block each is in, counted over all pages, and its characters there."""

    blocks: Ints
    starts: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.blocks)

    def filter(self, mask: Flags) -> SearchTokens:
        """Some of the tokens."""
        return SearchTokens(self.blocks[mask], self.starts[mask], self.ends[mask])


@dataclass(slots=True)
class DocumentTexts:
    """Texts of documents and the places of their tokens in them."""

    texts: list[str]
    tokens: SearchTokens
    page_edges: Ints
    """Where the tokens of each page begin among all, and where the last one's end."""
    starts: Ints
    """Where each token begins in the text of its document."""
    ends: Ints


def chosen_blocks(are_text: pa.Array, keep: pa.Array | None, block_keep: pa.Array | None) -> Flags:
    """Which blocks, of all pages one after the other, are in the documents."""
    lengths = lengths_of(are_text)
    block_flags = _flags(are_text)
    pages = np.repeat(np.arange(len(lengths)), lengths)
    if keep is not None and block_keep is not None and len(block_keep.flatten()) == len(block_flags):
        kept_pages = _flags_of(keep)
        block_flags = np.where(kept_pages[pages], _flags(block_keep), block_flags)
    some = np.zeros(len(lengths), np.bool_)
    some[pages[block_flags]] = True
    return block_flags | ~some[pages]


def annotated_tokens(columns: Mapping[str, pa.Array], block_edges: Ints) -> SearchTokens:
    """The tokens of the annotation."""
    counts = lengths_of(columns["sent_length"])
    sentence_pages = np.repeat(np.arange(len(counts)), counts)
    blocks = block_edges[sentence_pages] + _numbers(columns["sent_block"])
    lengths = _numbers(columns["sent_length"])
    starts, ends = (_numbers(columns[name]).astype(np.int32) for name in ("tok_start", "tok_end"))
    return SearchTokens(np.repeat(blocks, lengths), starts, ends)


def document_texts(
    texts: pa.Array,
    block_flags: Flags,
    annotation_tokens: SearchTokens | None,
    langs: list[str | None],
    own: frozenset[str],
) -> DocumentTexts:
    """Texts of all pages with their tokens; blocks without annotation are split here."""
    lengths = lengths_of(texts)
    edges: Ints = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    pages = np.repeat(np.arange(len(lengths)), lengths)
    is_annotated = np.zeros(len(block_flags), np.bool_)
    parts = []
    if annotation_tokens is not None and len(annotation_tokens):
        is_annotated[annotation_tokens.blocks] = True
        parts.append(annotation_tokens.filter(block_flags[annotation_tokens.blocks]))
    parts.append(_split_blocks(texts.flatten(), np.flatnonzero(block_flags & ~is_annotated), pages, langs, own))
    tokens = _together(parts)
    chars = np.where(block_flags, pc.utf8_length(texts.flatten()).fill_null(0).to_numpy(zero_copy_only=False) + 1, 0)
    before = np.concatenate([[0], np.cumsum(chars)])
    bases = before[:-1] - before[edges[pages]] if len(pages) else before[:0]
    documents = kept_texts(texts, _lists(texts, block_flags)).joined().to_pylist()
    move = bases[tokens.blocks]
    return DocumentTexts(
        documents, tokens, np.searchsorted(tokens.blocks, edges), tokens.starts + move, tokens.ends + move
    )


def words_of(texts: pa.Array, tokens: SearchTokens, page_edges: Ints) -> list[str]:
    """Tokens of each page in lower case, joined by spaces."""
    if not len(tokens):
        return [""] * (len(page_edges) - 1)
    flat = texts.flatten().cast(pa.string())
    _, offsets, content = flat.buffers()
    edges = np.frombuffer(offsets, np.int32, len(flat) + 1, flat.offset * 4)
    data = np.frombuffer(content, np.uint8)
    most = 4 * int((tokens.ends.astype(np.int64) - tokens.starts).sum()) + len(tokens)
    text_bytes, places = np.empty(min(most, len(data) + len(tokens)), np.uint8), np.empty(len(tokens), np.int64)
    load(KERNEL).join_tokens(data, edges, tokens.blocks, tokens.starts, tokens.ends, text_bytes, places)
    whole, bounds = text_bytes.tobytes(), np.concatenate([[0], places])[page_edges]
    rows = zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    return [whole[start : max(start, end - 1)].decode("utf-8", "replace").lower() for start, end in rows]


def lines_words(lines: Sequence[str], langs: Sequence[str]) -> list[str]:
    """Tokens of each of many short texts, joined by spaces; texts of one language are split together."""
    words: list[str] = [""] * len(lines)
    for lang in sorted(set(langs)):
        own = [at for at, other in enumerate(langs) if other == lang and lines[at]]
        text = "\n".join(" ".join(lines[at].split()) for at in own)
        starts, ends, _ = splitter_for(lang).split(text)
        begins = np.cumsum([0, *(len(line) + 1 for line in text.split("\n"))])[:-1]
        numbers = (np.searchsorted(begins, starts, "right") - 1).tolist() if starts else []
        tokens: list[list[str]] = [[] for _ in own]
        for number, start, end in zip(numbers, starts, ends, strict=True):
            tokens[number].append(text[start:end])
        for at, line in zip(own, tokens, strict=True):
            words[at] = " ".join(INNER_SPACE.join(token.split()) for token in line).lower()
    return words


def split_words(text: str, lang: str) -> list[str]:
    """The tokens of a short text, as they stand in the index."""
    starts, ends, _ = splitter_for(lang).split(text)
    pairs = zip(starts, ends, strict=True)
    return [INNER_SPACE.join(text[start:end].lower().split()) for start, end in pairs]


def _split_blocks(
    texts: pa.Array, numbers: Ints, pages: Ints, langs: list[str | None], own: frozenset[str]
) -> SearchTokens:
    """Tokens of these blocks. Only languages of the corpus have a splitter of their own: each is a model in memory."""
    blocks: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    for number, text in zip(numbers.tolist(), texts.take(pa.array(numbers)).to_pylist(), strict=True):
        lang = langs[pages[number]] or ""
        own_starts, own_ends, _ = splitter_for(lang if lang in own else "").split(text or "")
        starts += own_starts
        ends += own_ends
        blocks += [number] * len(own_starts)
    return SearchTokens(np.array(blocks, np.int64), np.array(starts, np.int32), np.array(ends, np.int32))


def _together(parts: list[SearchTokens]) -> SearchTokens:
    if len(parts) == 1 or not len(parts[1]):
        return parts[0]
    tokens = SearchTokens(
        np.concatenate([one.blocks for one in parts]),
        np.concatenate([one.starts for one in parts]),
        np.concatenate([one.ends for one in parts]),
    )
    order = np.argsort(tokens.blocks, kind="stable")
    return SearchTokens(tokens.blocks[order], tokens.starts[order], tokens.ends[order])


def _lists(shape: pa.Array, flags: Flags) -> pa.Array:
    """Flags of blocks as lists of pages."""
    edges = np.concatenate([[0], np.cumsum(lengths_of(shape))]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(edges), pa.array(flags))


def _numbers(lists: pa.Array) -> Ints:
    numbers: Ints = lists.flatten().to_numpy(zero_copy_only=False).astype(np.int64)
    return numbers


def _flags(lists: pa.Array) -> Flags:
    return _flags_of(lists.flatten())


def _flags_of(values: Any) -> Flags:
    flags: Flags = values.fill_null(False).to_numpy(zero_copy_only=False).astype(np.bool_)
    return flags
