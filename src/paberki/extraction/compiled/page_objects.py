"""One page of a harvest as objects: what :func:`paberki.extraction.html.segmenter.segment` gives, from the compiled pass."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from paberki.extraction.compiled import kernel_layout
from paberki.extraction.compiled.harvest import Harvest, encode
from paberki.extraction.compiled.tag_tables import TAGS
from paberki.extraction.html.html_tokens import tokens
from paberki.extraction.html.page_blocks import Block, Link, Segmented, Span

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


def page_blocks(harvest: Harvest, page: int) -> list[Block]:
    """The blocks of one page as objects."""
    first = harvest.block_ends[page - 1] if page else 0
    fields = (
        kernel_layout.START,
        kernel_layout.END,
        kernel_layout.PATH,
        kernel_layout.TEXT_END,
        kernel_layout.LINK_CHARS,
        kernel_layout.TAG_COUNT,
        kernel_layout.TAG,
        kernel_layout.MARKUP,
    )
    columns = harvest.blocks[list(fields), first : harvest.block_ends[page]].tolist()
    at = int(harvest.blocks[kernel_layout.TEXT_END, first - 1]) if first else 0
    ends, texts, bytes_of_paths = harvest.path_ends, harvest.text.data, harvest.path_bytes
    paths: dict[int, str] = {}
    blocks = []
    rows = zip(*columns, strict=True)
    for number, (start, end, path, text_end, link_chars, tag_count, tag, markup) in enumerate(rows, first):
        text, at = str(texts[at:text_end], "utf-8", "replace"), text_end
        where = paths.get(path)
        if where is None:
            where = paths[path] = _decode(bytes_of_paths[int(ends[path]) : int(ends[path + 1])])
        block = Block(text, start, end, where, TAGS[tag], link_chars, tag_count, markup=markup / 2)
        block.lines_once = harvest.lines_once.get(number, ())
        blocks.append(block)
    return blocks


def _links(harvest: Harvest, page: int) -> list[Link]:
    first = harvest.link_ends[page - 1] if page else 0
    rows = harvest.links[:, first : harvest.link_ends[page]].T.tolist()
    text_at, href_at, rel_at = harvest.links[kernel_layout.LINK_TEXT_END :, first - 1].tolist() if first else (0, 0, 0)
    texts, hrefs, rels = harvest.link_text.data, harvest.href.data, harvest.rel.data
    links = []
    for start, end, text_end, href_end, rel_end in rows:
        text = str(texts[text_at:text_end], "utf-8", "replace")
        target = str(hrefs[href_at:href_end], "utf-8", "replace")
        rel = str(rels[rel_at:rel_end], "utf-8", "replace") if rel_end > rel_at else ""
        links.append(Link(text, target, rel, start, end))
        text_at, href_at, rel_at = text_end, href_end, rel_end
    return links


def _span(harvest: Harvest, page: int, slot: int) -> Span | None:
    text = harvest.head_text(page, slot)
    return None if text is None else Span(text, *harvest.heads[page][slot, 2:].tolist())


def _doctype(harvest: Harvest, page: int, html: str) -> str | None:
    begin, _, first, last = harvest.heads[page][kernel_layout.DOCTYPE].tolist()
    if begin < 0:
        return None
    token = next(tokens(encode(html)[first:last].decode("utf-8", "surrogatepass")))
    return token.public_id or token.name or ""


def _decode(data: npt.NDArray[np.uint8]) -> str:
    return str(data.data, "utf-8", "replace")
