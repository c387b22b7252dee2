"""The sentences of a page and the bytes behind them.

Annotated pages know the bytes of their tokens. Blocks without annotation are split here, and the page is read once more for the
places of their sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, Final

import numpy as np

from paberki.annotation.splitting.japanese_sentences import sentences_of as japanese_sentences
from paberki.export.standard_format.imported_header import given_place
from paberki.extraction.compiled.origins import PageSource
from paberki.extraction.repair.breakpoints import in_text

_PLAIN: Final = "text/plain"
_WHITE: Final = " \n"


@dataclass(frozen=True, slots=True)
class PlacedSentence:
    """A sentence as it stands on the page."""

    block: int
    text: str
    offset: int
    length: int
    first: int = -1
    """Its first token; −1 where there is no annotation."""
    last: int = -1
    """The token after its last one."""


def chosen_blocks(page: Mapping[str, Any]) -> list[int]:
    """Blocks that are the text of a page: what select keeps, else what the extractor kept, else all of them."""
    blocks = page["blocks"] or []
    keep = page.get("block_keep") if page.get("keep", True) else None
    for flags in (keep, [block["kept"] for block in blocks]):
        if flags and any(flags):
            return [number for number, flag in enumerate(flags) if flag]
    return list(range(len(blocks)))


def placed_sentences(page: Mapping[str, Any], payload: Callable[[], bytes]) -> list[PlacedSentence]:
    """All sentences of the text of a page, in order."""
    by_block = _annotated_sentences(page)
    source: PageSource | None = None
    sentences: list[PlacedSentence] = []
    for number in chosen_blocks(page):
        if number in by_block:
            sentences += by_block[number]
        elif spans := _spans(page["blocks"][number]["text"] or "", page.get("lang") or ""):
            if source is None:
                source = PageSource(payload(), page["encoding"] or "utf-8", is_plain=page.get("mime") == _PLAIN)
            sentences += _place_sentences(page["blocks"][number], number, spans, source)
    return sentences


def _annotated_sentences(page: Mapping[str, Any]) -> dict[int, list[PlacedSentence]]:
    """Sentences of the annotation, by block."""
    sentences: dict[int, list[PlacedSentence]] = {}
    if not page.get("annotated"):
        return sentences
    lengths = page["sent_length"]
    starts, ends = page["tok_start"], page["tok_end"]
    first_bytes, last_bytes = page["tok_byte_start"], page["tok_byte_end"]
    comments = page.get("sent_comments") or [None] * len(lengths)
    rows = zip(page["sent_block"], accumulate(lengths), lengths, comments, strict=True)
    for number, last, length, comment in rows:
        if length:
            block, first = page["blocks"][number], last - length
            text = _raw(block, starts[first], ends[last - 1])
            own = first_bytes[first], last_bytes[last - 1] - first_bytes[first]
            offset, size = given_place(comment) or own
            sentence = PlacedSentence(number, text, offset, size, first, last)
            sentences.setdefault(number, []).append(sentence)
    return sentences


def _raw(block: Mapping[str, Any], start: int, end: int) -> str:
    """A stretch of a block as it stands on the page, before repairs."""
    if block.get("source") is None:
        return str(block["text"][start:end])
    begins, stops = in_text(_pairs(block), np.array([start]), np.array([end]))
    return str(block["source"][int(begins[0]) : int(stops[0])])


def _pairs(block: Mapping[str, Any]) -> list[tuple[int, int]]:
    return [(one["view"], one["text"]) for one in block["breakpoints"]]


def _place_sentences(
    block: Mapping[str, Any], number: int, spans: Sequence[tuple[int, int]], source: PageSource
) -> Iterator[PlacedSentence]:
    text = block["text"]
    if block.get("breakpoints") == []:  # masked: the text is not what the bytes say, and any of them may be meant
        yield from (PlacedSentence(number, text[a:z], block["start"], block["end"] - block["start"]) for a, z in spans)
        return
    firsts, lasts = np.array([start for start, _ in spans]), np.array([end for _, end in spans])
    if block.get("source") is not None:
        text = block["source"]
        firsts, lasts = in_text(_pairs(block), firsts, lasts)
        firsts, lasts = _trim(text, firsts.tolist(), lasts.tolist())
    offsets, ends = source.byte_spans(block["start"], block["end"], text, firsts, lasts)
    for first, last, offset, end in zip(firsts.tolist(), lasts.tolist(), offsets.tolist(), ends.tolist(), strict=True):
        yield PlacedSentence(number, text[first:last], offset, end - offset)


def _trim(text: str, firsts: list[int], lasts: list[int]) -> tuple[Any, Any]:
    """Stretches without white space at their ends; those of nothing else are left out."""
    pairs = []
    for first, last in zip(firsts, lasts, strict=True):
        while first < last and text[first] in _WHITE:
            first += 1
        while last > first and text[last - 1] in _WHITE:
            last -= 1
        if first < last:
            pairs.append((first, last))
    return np.array([first for first, _ in pairs], np.int64), np.array([last for _, last in pairs], np.int64)


def _spans(text: str, lang: str) -> list[tuple[int, int]]:
    """Sentences of the text of a block."""
    if not text.strip(_WHITE):
        return []
    if lang == "ja":
        spans = japanese_sentences(text)
    else:
        from paberki.annotation.splitting.any_language import splitter_for

        starts, ends, edges = splitter_for(lang).split(text)
        spans = [(starts[first], ends[last - 1]) for first, last in pairwise(edges) if last > first]
    firsts, lasts = _trim(text, [start for start, _ in spans], [end for _, end in spans])
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))
