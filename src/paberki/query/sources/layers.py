"""Tokens of our own corpora, straight from the layers in Arrow: no string is made for a token.

Words of the layers are dictionaries, whose values become entries once for each row group; the form of a token is the text of
its block between its offsets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.kernels import load
from paberki.query.index.writing.segment_writer import Schema, SegmentWriter
from paberki.store.blocks import lengths_of

KERNEL: Final = "paberki.query.sources.words_kernel"
WORDS: Final = ("lemma", "upos", "xpos", "feats", "deprel", "ner")
"""Layers of words, as attributes of the index."""
SETS: Final = "feats"
OOV: Final = "oov"
UNKNOWN: Final = "_"
ANNOTATED: Final = (
    "sent_block",
    "sent_length",
    "tok_start",
    "tok_end",
    "tok_head",
    "tok_oov",
    *(f"tok_{w}" for w in WORDS),
)
PAGE, BLOCK_NUMBER, SENTENCE_NUMBER, COMMIT = "page_number", "block_number", "sentence_number", "commit"
"""Attributes of ``doc``, ``p`` and ``s``: number of the page, of the block and the sentence on their page, and of the update
that the page came with."""
Ints = npt.NDArray[np.int64]


def layer_schema(lang: str | None, *, annotated: bool) -> Schema:
    """What every token of a corpus has; those of one that is not annotated have their form alone."""
    names = ("word", *WORDS, OOV) if annotated else ("word",)
    return Schema(attributes=names, multi=frozenset({SETS} if annotated else ()), lang=lang)


@dataclass(frozen=True, slots=True)
class TokenPages:
    """The tokens of some pages: sentences in blocks, tokens in sentences, one after the other."""

    texts: pa.Array
    """Texts of all blocks, a list for each page."""
    sentence_counts: Ints
    """Sentences of each page."""
    sentence_blocks: Ints
    """Number of the block, on its page, of each sentence."""
    sentence_lengths: Ints
    starts: npt.NDArray[np.int32]
    """Where each token begins in its block, in characters."""
    ends: npt.NDArray[np.int32]


def annotated_pages(columns: Mapping[str, pa.Array], texts: pa.Array) -> TokenPages:
    """The tokens of a row group of the layer."""
    return TokenPages(
        texts,
        lengths_of(columns["sent_length"]),
        _flat(columns["sent_block"]).astype(np.int64),
        _flat(columns["sent_length"]).astype(np.int64),
        _flat(columns["tok_start"]).astype(np.int32),
        _flat(columns["tok_end"]).astype(np.int32),
    )


def add_pages(
    writer: SegmentWriter,
    pages: TokenPages,
    columns: Mapping[str, pa.Array] | None,
    numbers: Ints,
    commits: Ints,
) -> None:
    """Add the tokens of some pages and their regions; ``numbers`` are those of the pages."""
    base, tokens = writer.tokens, len(pages.starts)
    if not tokens:
        return
    sentence_pages = np.repeat(np.arange(len(pages.sentence_counts)), pages.sentence_counts)
    first_block = np.concatenate([[0], np.cumsum(lengths_of(pages.texts))])
    blocks = first_block[sentence_pages] + pages.sentence_blocks
    values, glue = _words(writer, pages, np.repeat(blocks, pages.sentence_lengths).astype(np.int32))
    head = None
    if columns is not None:
        counts = np.bincount(sentence_pages, pages.sentence_lengths, len(pages.sentence_counts)).astype(np.int64)
        for name in WORDS:
            values[name] = word_entries(writer, columns[f"tok_{name}"], name, counts)
        values[OOV] = _flags(writer, columns["tok_oov"], counts)
        head = _align(_flat(columns["tok_head"]).astype(np.int32), lengths_of(columns["tok_head"]), counts)
        _add_names(writer, values["ner"], base, pages.sentence_lengths)
    writer.add(values, head=head, glue=glue)
    edges = base + np.concatenate([[0], np.cumsum(pages.sentence_lengths)])
    first_sentence = np.cumsum(pages.sentence_counts) - pages.sentence_counts
    on_page = np.arange(len(sentence_pages)) - first_sentence[sentence_pages]
    writer.add_regions("s", edges[:-1], edges[1:], {}, {SENTENCE_NUMBER: on_page})
    _add_runs(writer, "p", blocks, edges, {BLOCK_NUMBER: pages.sentence_blocks})
    _add_runs(writer, "doc", sentence_pages, edges, {PAGE: numbers[sentence_pages], COMMIT: commits[sentence_pages]})


def _add_runs(writer: SegmentWriter, name: str, groups: Ints, edges: Ints, numbers: Mapping[str, Ints]) -> None:
    """Add a region for each run of sentences of one group."""
    first = np.flatnonzero(np.diff(groups, prepend=-1))
    bounds = np.append(edges[first], edges[-1])
    writer.add_regions(name, bounds[:-1], bounds[1:], {}, {key: own[first] for key, own in numbers.items()})


def _flat(lists: pa.Array) -> npt.NDArray[Any]:
    values: npt.NDArray[Any] = lists.flatten().to_numpy(zero_copy_only=False)
    return values


def _words(
    writer: SegmentWriter, pages: TokenPages, blocks: npt.NDArray[np.int32]
) -> tuple[dict[str, npt.NDArray[np.uint32]], npt.NDArray[np.bool_]]:
    texts = pages.texts.flatten().cast(pa.string())
    _, offsets, content = texts.buffers()
    edges = np.frombuffer(offsets, np.int32, len(texts) + 1, texts.offset * 4)
    data = np.frombuffer(content, np.uint8) if content is not None and content.size else np.zeros(1, np.uint8)
    starts, ends = np.empty(len(blocks), np.int32), np.empty(len(blocks), np.int32)
    glue = np.empty(len(blocks), np.uint8)
    load(KERNEL).place_tokens(data, edges, blocks, pages.starts, pages.ends, starts, ends, glue)
    return {"word": writer.interner.spans(data, starts, ends, "word")}, glue.view(np.bool_)


def word_entries(writer: SegmentWriter, lists: pa.Array, name: str, counts: Ints) -> npt.NDArray[np.uint32]:
    """Entries of a layer of words; of pages that lack the layer, those of ``_``."""
    flat = lists.flatten()
    if not pa.types.is_dictionary(flat.type):
        flat = flat.dictionary_encode()
    unknown = _set("") if name == SETS else UNKNOWN
    words = [_set(word) if name == SETS else word or UNKNOWN for word in flat.dictionary.to_pylist()]
    entries = writer.interner.strings([*words, unknown], name)
    codes = flat.indices.fill_null(len(words)).to_numpy(zero_copy_only=False)
    return _align(entries[codes], lengths_of(lists), counts, entries[-1])


def _set(word: str | None) -> str:
    """Features as a set: ``|Case=Nom|Number=Sing|``."""
    return "|" if not word or word == UNKNOWN else f"|{word.strip('|')}|"


def _flags(writer: SegmentWriter, lists: pa.Array, counts: Ints) -> npt.NDArray[np.uint32]:
    no, yes = writer.interner.strings(["false", "true"], OOV)
    flags = pc.fill_null(lists.flatten(), False).to_numpy(zero_copy_only=False).astype(np.bool_)
    return _align(np.where(flags, yes, no).astype(np.uint32), lengths_of(lists), counts, no)


def _align(values: npt.NDArray[Any], lengths: Ints, counts: Ints, missing: Any = 0) -> npt.NDArray[Any]:
    """Values of pages, of which some have none, with ``missing`` for each token of these."""
    if len(values) == counts.sum() and (lengths == counts).all():
        return values
    token_values = np.full(int(counts.sum()), missing, values.dtype)
    places, sources = np.concatenate([[0], np.cumsum(counts)]), np.concatenate([[0], np.cumsum(lengths)])
    for page in np.flatnonzero(lengths == counts):
        token_values[places[page] : places[page + 1]] = values[sources[page] : sources[page + 1]]
    return token_values


def _add_names(writer: SegmentWriter, entries: npt.NDArray[np.uint32], base: int, lengths: Ints) -> None:
    """Names as regions: ``B-per I-per`` in one sentence is one of the type ``per``."""
    distinct, codes = np.unique(entries, return_inverse=True)
    labels: Sequence[str] = writer.interner.values(distinct.astype(np.int64)).to_pylist()
    inside = np.array([label[:2] in ("B-", "I-") for label in labels])[codes]
    if not inside.any():
        return
    begins = np.array([label[:2] == "B-" for label in labels])[codes]
    types = sorted({label[2:] for label in labels})
    kinds = np.array([types.index(label[2:]) for label in labels])[codes]
    first_of_sentence = np.zeros(len(entries) + 1, np.bool_)
    first_of_sentence[np.concatenate([[0], np.cumsum(lengths)])] = True
    goes_on = inside & ~begins & ~first_of_sentence[:-1]
    goes_on[1:] &= inside[:-1] & (kinds[1:] == kinds[:-1])
    starts = np.flatnonzero(inside & ~goes_on)
    stops = np.flatnonzero(np.append(~goes_on, True))
    ends = stops[np.searchsorted(stops, starts, "right")]
    type_entries = writer.interner.strings(types, "name.type")
    writer.add_regions("name", base + starts, base + ends, {"type": type_entries[kinds[starts]]})
