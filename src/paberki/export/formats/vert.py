"""Vertical format: ``<doc>`` with attributes, ``<p>`` for each kept block, one token per line.

In an annotated corpus sentences are in ``<s>``, and each token is followed by its tag, lemma, part of speech, features,
head, relation and name; by the same of every further tagger, in the order of the attribute ``schemes`` of ``<doc>``; and by
its valency frame where the recipe has a lexicon. An unknown value is ``_``, also on pages and blocks that were not annotated,
so that all lines have the same columns.

Attributes are the exported columns under their verbatim names (P3 §3, §5, §6: domain, url, crawl_date, cyrillic_num, 3graph, …;
neardupe of ``<p>``), as corpus managers know them; ``<g/>`` stands where two tokens have no space between them. All text from
a page is escaped, so that no page can open a structure of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from html import escape
from typing import Any, BinaryIO

import pyarrow as pa

from paberki.annotation.files.vertical_text import COLUMNS, sentence_lines
from paberki.export.annotated_pages import ANNOTATION, AnnotatedToken, Sentence, sentences_of
from paberki.export.export_format import About, Form
from paberki.export.formats.jsonl import moment
from paberki.export.plain_tokens import tokens
from paberki.store.batch import field_of_blocks

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
"""Control characters: no line of a vertical file may hold one, and XML does not allow most of them."""


Names = Sequence[tuple[str, str]]
"""Columns and the names of their attributes."""


def write(chunks: Iterable[pa.Table], file: BinaryIO, about: About) -> None:
    """All pages, one after the other."""
    of_pages, of_blocks = about.attributes("page"), about.attributes("block")
    for chunk in chunks:
        texts = _block_texts(chunk.column("blocks"))
        for page, blocks in zip(chunk.drop_columns(["blocks"]).to_pylist(), texts, strict=True):
            file.write("\n".join([*document(page, blocks, of_pages, of_blocks, about), ""]).encode())


def _block_texts(blocks: Any) -> Iterator[list[str]]:
    """Texts of the blocks of each page; other fields of a block are not read."""
    for texts in field_of_blocks(blocks, "text").to_pylist():
        yield texts or []


def document(page: dict[str, Any], texts: list[str], of_pages: Names, of_blocks: Names, about: About) -> Iterator[str]:
    """Lines of one page."""
    values = [(name, page[column]) for column, name in of_pages if page[column] not in (None, "")]
    yield tag("doc", [*values, *([("schemes", " ".join(about.schemes))] if len(about.schemes) > 1 else [])])
    keep = page["block_keep"] or [False] * len(texts)
    annotated = sentences_of(page, about.schemes) or {}
    for number, (text, stays) in enumerate(zip(texts, keep, strict=True)):
        if stays:
            labels = [(name, page[column][number]) for column, name in of_blocks if page[column]]
            yield tag("p", [(name, label) for name, label in labels if label is not None])
            if number in annotated:
                yield from _annotated_lines(annotated[number], text, about)
            else:
                yield from _token_lines(text, _unknown_cells(about))
            yield "</p>"
    yield "</doc>"


def tag(name: str, attributes: Iterable[tuple[str, Any]]) -> str:
    """An opening tag on one line."""
    return "<" + " ".join([name, *(f'{key}="{_attribute(value)}"' for key, value in attributes)]) + ">"


def _attribute(value: Any) -> str:
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, bool):
        return "1" if value else "0"
    return escape(_clean(str(value)))


def _unknown_cells(about: About) -> str:
    """The columns of a token that nobody annotated."""
    return "\t_" * (len(COLUMNS) * len(about.schemes) + about.has_frames)


def _token_lines(text: str, unknown: str) -> list[str]:
    lines = []
    for token, glued in tokens(_FORBIDDEN.sub(" ", text)):
        if glued:
            lines.append("<g/>")
        lines.append((token if token.isalnum() else escape(token, quote=False)) + unknown)
    return lines


def _annotated_lines(sentences: Iterable[Sentence], text: str, about: About) -> Iterator[str]:
    """Lines of annotated sentences."""
    for sentence in sentences:
        yield from sentence_lines(((token.start, token.end, _cells(token, text, about)) for token in sentence), _clean)


def _cells(token: AnnotatedToken, text: str, about: About) -> list[object]:
    """The token, the layers of each tagger, and its frame where the corpus has frames."""
    cells = [token.form(text), *(getattr(layers, name) for layers in token.schemes for name in COLUMNS)]
    return [*cells, token.frame] if about.has_frames else cells


def _clean(value: str) -> str:
    return " ".join(_FORBIDDEN.sub(" ", value).split())


FORM = Form(write, ("blocks", "block_keep", "block_lang", "neardupe", *ANNOTATION), ".vert")
