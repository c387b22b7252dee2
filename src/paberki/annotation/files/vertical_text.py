"""Vertical format: one token per line with its tag, lemma and the rest divided by tabs; ``<s>`` around sentences."""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

from paberki.annotation.document import Document
from paberki.terminal import without_controls

COLUMNS: Final = ("xpos", "lemma", "upos", "feats", "head", "deprel", "ner")
"""Columns after the token, always all of them; ``_`` where nobody knows."""


def write_document(document: Document) -> str:
    """A document, ``<g/>`` where no space stands between two tokens."""
    columns = [document.column(name) for name in COLUMNS]
    out: list[str] = []
    for first, last in zip(document.edges, document.edges[1:], strict=False):
        out.append("<s>")
        for at in range(first, last):
            if at > first and document.starts[at] == document.ends[at - 1]:
                out.append("<g/>")
            cells = (document.forms[at], *(str(column[at]) for column in columns))
            out.append("\t".join(escape(without_controls(" ".join(cell.split())) or "_") for cell in cells))
        out.append("</s>")
    return ("\n".join(out) + "\n" if out else "").encode("utf-8", "replace").decode()
