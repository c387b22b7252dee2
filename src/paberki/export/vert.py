"""Vertical format: ``<doc>`` with attributes, ``<p>`` for each kept block, one token per line.

Annotated pages have ``<s>`` around sentences and after each token its tag, lemma, part of speech, features, head,
relation and name.

The names of attributes are those of P3 §5 (domain, url, crawl_date, cyrillic_num, cyrillic_perc, lang, neardupe), as
corpus managers know them; ``<g/>`` stands where two tokens have no space between them. Everything that comes from a page is
escaped, so that no page can open a structure of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from html import escape
from typing import Any, BinaryIO

import pyarrow as pa

from paberki.export.annotated import ANNOTATION, Sentence, sentences_of
from paberki.export.form import About, Form
from paberki.export.jsonl import moment
from paberki.export.tokens import tokens
from paberki.store.batch import field_of_blocks

ATTRIBUTES = {
    "id": "id",
    "key": "key",
    "url": "url",
    "host": "host",
    "domain": "domain",
    "date": "crawl_date",
    "title": "title",
    "lang": "lang",
    "script": "script",
    "cyrillic_num": "cyrillic_num",
    "cyrillic_perc": "cyrillic_perc",
    "badness": "badness",
    "ngram3": "3graph",
    "ngram3_rank": "3graph_cumul",
    "ngram12": "12graph",
    "ngram12_rank": "12graph_cumul",
    "diacr_perc": "diacr_perc",
    "open_licence": "licence",
    "keep": "keep",
    "reason": "reason",
}
"""Column and attribute; what a page does not have is left out."""
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
"""Control characters: no line of a vertical file may hold one, and XML does not allow most of them."""


def write(chunks: Iterable[pa.Table], file: BinaryIO, about: About) -> None:
    """All pages, one after the other."""
    del about
    for chunk in chunks:
        texts = _block_texts(chunk.column("blocks"))
        for page, blocks in zip(chunk.drop_columns(["blocks"]).to_pylist(), texts, strict=True):
            file.write("\n".join([*document(page, blocks), ""]).encode())


def _block_texts(blocks: Any) -> Iterator[list[str]]:
    """Texts of the blocks of each page; the other fields of a block are not even made into objects."""
    for texts in field_of_blocks(blocks, "text").to_pylist():
        yield texts or []


def document(page: dict[str, Any], texts: list[str]) -> Iterator[str]:
    """Lines of one page."""
    said = ((name, page.get(column)) for column, name in ATTRIBUTES.items())
    yield tag("doc", [(name, value) for name, value in said if value not in (None, "")])
    keep = page["block_keep"] or [False] * len(texts)
    langs = page.get("block_lang") or [None] * len(texts)
    repeated = page.get("neardupe") or [None] * len(texts)
    annotated = sentences_of(page)
    for number, (text, stays, lang, seen) in enumerate(zip(texts, keep, langs, repeated, strict=True)):
        if stays:
            about = (("lang", lang), ("neardupe", seen))
            yield tag("p", [(name, value) for name, value in about if value is not None])
            if annotated is None:
                yield from _token_lines(text)
            else:
                yield from _annotated_lines(annotated.get(number, ()), text)
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
    return escape(" ".join(_FORBIDDEN.sub(" ", str(value)).split()))


def _token_lines(text: str) -> list[str]:
    lines = []
    for token, glued in tokens(_FORBIDDEN.sub(" ", text)):
        if glued:
            lines.append("<g/>")
        lines.append(token if token.isalnum() else escape(token, quote=False))
    return lines


def _annotated_lines(sentences: Iterable[Sentence], text: str) -> Iterator[str]:
    """Sentences with tag, lemma, part of speech, features, head, relation and name of each token."""
    for sentence in sentences:
        yield "<s>"
        end = -1
        for token in sentence:
            if token.start == end:
                yield "<g/>"
            end = token.end
            cells = (
                token.form(text),
                token.xpos,
                token.lemma,
                token.upos,
                token.feats,
                token.head,
                token.deprel,
                token.ner,
            )
            yield "\t".join(
                escape(" ".join(_FORBIDDEN.sub(" ", str(cell)).split()) or "_", quote=False) for cell in cells
            )
        yield "</s>"


FORM = Form(write, ("blocks", "block_keep", "block_lang", "neardupe", *ANNOTATION), ".vert")
