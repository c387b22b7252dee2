"""One page of a harvest as objects: what :func:`paberki.extraction.html.segmenter.segment` gives, from the compiled pass."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from paberki.extraction.compiled import kernel_layout
from paberki.extraction.compiled.harvest import Harvest, encode
from paberki.extraction.compiled.tag_tables import TAGS
from paberki.extraction.html.html_tokens import tokens
from paberki.extraction.html.page_blocks import Block, Link, PlacedText, Segmented

__all__ = ["page_blocks", "page_of", "segment"]


def segment(html: str) -> Segmented:
    """Blocks, links and head of a page, with character offsets into ``html``."""
    harvest = Harvest()
    harvest.add_text(html)
    return page_of(harvest, 0, html)


def page_of(harvest: Harvest, page: int, html: str) -> Segmented:
    """One page of a harvest as objects; the document type is read from ``html``, the decoded page."""
    return Segmented(
        blocks=page_blocks(harvest, page),
        links=_links(harvest, page),
        title=_span(harvest, page, kernel_layout.TITLE),
        keywords=_span(harvest, page, kernel_layout.KEYWORDS),
        description=_span(harvest, page, kernel_layout.DESCRIPTION),
        declared_language=harvest.head_text(page, kernel_layout.LANGUAGE),
        canonical=harvest.head_text(page, kernel_layout.CANONICAL),
        base=harvest.head_text(page, kernel_layout.BASE),
        doctype=_doctype(harvest, page, html),
    )


_FIELDS: Final = [
    kernel_layout.START, kernel_layout.END, kernel_layout.PATH, kernel_layout.LINK_CHARS, kernel_layout.TAG_COUNT,
    kernel_layout.TAG, kernel_layout.MARKUP,
]  # fmt: skip


def page_blocks(harvest: Harvest, page: int) -> list[Block]:
    """The blocks of one page as objects."""
    first, last = harvest.block_ends[page - 1] if page else 0, harvest.block_ends[page]
    begin = int(harvest.blocks[kernel_layout.TEXT_END, first - 1]) if first else 0
    texts = _pieces(harvest.text.data, begin, harvest.blocks[kernel_layout.TEXT_END, first:last].tolist())
    *columns, numbers, tags, markup = harvest.blocks[_FIELDS, first:last].tolist()
    starts, ends, path_numbers, link_chars = columns
    paths = _paths(harvest, set(path_numbers))
    places = [paths[number] for number in path_numbers]
    names = [TAGS[tag] for tag in tags]
    blocks = list(map(Block, texts, starts, ends, places, names, link_chars, numbers))
    for block, signs in zip(blocks, markup, strict=True):
        block.markup = signs / 2
    for number in harvest.lines_once:
        if first <= number < last:
            blocks[number - first].lines_once = harvest.lines_once[number]
    return blocks


def _paths(harvest: Harvest, numbers: set[int]) -> dict[int, str]:
    ends, data = harvest.path_ends, harvest.path_bytes
    return {number: _decode(data[ends[number] : ends[number + 1]]) for number in numbers}


def _pieces(data: memoryview, begin: int, ends: Sequence[int]) -> list[str]:
    """Pieces of UTF-8 that follow each other, each a string; ASCII is decoded once."""
    edges = [begin, *ends]
    whole = str(data[begin : edges[-1]], "utf-8", "replace")
    if len(whole) == edges[-1] - begin:
        return [whole[first - begin : last - begin] for first, last in pairwise(edges)]
    return [str(data[first:last], "utf-8", "replace") for first, last in pairwise(edges)]


def _links(harvest: Harvest, page: int) -> list[Link]:
    first = harvest.link_ends[page - 1] if page else 0
    starts, ends, *edges = harvest.links[:, first : harvest.link_ends[page]].tolist()
    begins = harvest.links[kernel_layout.LINK_TEXT_END :, first - 1].tolist() if first else (0, 0, 0)
    sources = (harvest.link_text.data, harvest.href.data, harvest.rel.data)
    texts, targets, rels = map(_pieces, sources, begins, edges)
    return list(map(Link, texts, targets, rels, starts, ends))


def _span(harvest: Harvest, page: int, slot: int) -> PlacedText | None:
    text = harvest.head_text(page, slot)
    return None if text is None else PlacedText(text, *harvest.heads[page][slot, 2:].tolist())


def _doctype(harvest: Harvest, page: int, html: str) -> str | None:
    begin, _, first, last = harvest.heads[page][kernel_layout.DOCTYPE].tolist()
    if begin < 0:
        return None
    token = next(tokens(encode(html)[first:last].decode("utf-8", "surrogatepass")))
    return token.public_id or token.name or ""


def _decode(data: npt.NDArray[np.uint8]) -> str:
    return str(data.data, "utf-8", "replace")
