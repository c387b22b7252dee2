"""Writing vertical format: one token per line, cells divided by tabs; ``<s>`` around sentences.

The lines of a sentence are the same for annotated texts and for exports of a corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from typing import Final

from paberki.annotation.document import EMPTY, Document
from paberki.terminal import without_controls

COLUMNS: Final = ("xpos", "lemma", "upos", "feats", "head", "deprel", "ner")
"""Columns after the token, always all of them; ``_`` where the value is unknown."""


def sentence_lines(tokens: Iterable[tuple[int, int, Sequence[object]]], clean: Callable[[str], str]) -> Iterator[str]:
    """Lines of a sentence from start, end and cells of its tokens; ``<g/>`` where no space stands between two of them.

    ``clean`` removes or replaces control characters; cells are escaped here.
    """
    yield "<s>"
    end = -1
    for start, stop, cells in tokens:
        if start == end:
            yield "<g/>"
        end = stop
        yield "\t".join(escape(clean(str(cell)) or EMPTY, quote=False) for cell in cells)
    yield "</s>"


def write_document(document: Document) -> str:
    """An annotated text in vertical format."""
    rows = zip(document.forms, *(document.column(name) for name in COLUMNS), strict=True)
    tokens = list(zip(document.starts, document.ends, rows, strict=True))
    lines: list[str] = []
    for first, last in zip(document.edges, document.edges[1:], strict=False):
        lines += sentence_lines(tokens[first:last], _visible)
    return ("\n".join(lines) + "\n" if lines else "").encode("utf-8", "replace").decode()


def _visible(cell: str) -> str:
    return without_controls(" ".join(cell.split()))
