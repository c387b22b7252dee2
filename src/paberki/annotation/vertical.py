"""Vertical format: one token per line with its tag, lemma and the rest divided by tabs; ``<s>`` around sentences."""

from __future__ import annotations

from xml.sax.saxutils import escape

from paberki.annotation.document import Document

COLUMNS = ("xpos", "lemma", "upos", "feats", "head", "deprel", "ner")


def write_document(document: Document) -> str:
    """A document, ``<g/>`` where no space stands between two tokens."""
    names = [name for name in COLUMNS if getattr(document, name) is not None]
    columns = [document.column(name) for name in names]
    out: list[str] = []
    for first, last in zip(document.edges, document.edges[1:], strict=False):
        out.append("<s>")
        for at in range(first, last):
            if at > first and document.starts[at] == document.ends[at - 1]:
                out.append("<g/>")
            cells = (document.forms[at], *(str(column[at]) for column in columns))
            out.append("\t".join(escape(" ".join(cell.split()) or "_") for cell in cells))
        out.append("</s>")
    return ("\n".join(out) + "\n" if out else "").encode("utf-8", "replace").decode()
