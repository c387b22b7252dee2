"""Pages per encoding, and what decided: byte order mark, declaration, validity, model or detector (P3 §3, P5 §3.1)."""

from __future__ import annotations

from dataclasses import dataclass

from paberki.engine.plan import Plan
from paberki.report.page_counts import Counter, counting, share
from paberki.store.directory import Directory

NOT_TEXT = "(not text)"
SOURCES = {
    "bom": "byte order mark",
    "http": "HTTP header",
    "meta": "meta element",
    "valid": "the bytes are valid in it",
    "model": "model of languages",
    "detector": "detector",
}


@dataclass(frozen=True, slots=True)
class Encoding:
    """One encoding, found in one way."""

    encoding: str
    source: str
    """The piece of evidence that decided; empty for pages that are not text."""
    pages: int
    share: float
    kept: int
    damaged: int
    """Pages with at least one replacement character."""


def encodings(directory: Directory, plan: Plan) -> list[Encoding]:
    """Encodings and the evidence for them, the most frequent first."""
    with counting(directory, plan) as counter:
        return encodings_in(counter)


def encodings_in(counter: Counter) -> list[Encoding]:
    """The same in an open corpus; empty when nothing is decoded."""
    if not counter.has("encoding", "decode_evidence", "replaced_count"):
        return []
    rows = counter.rows(
        """SELECT encoding, decode_evidence[len(decode_evidence)].source AS source, count(*) AS pages,
           count(*) FILTER (keep), count(*) FILTER (replaced_count > 0)
           FROM pages GROUP BY encoding, source ORDER BY encoding IS NULL, pages DESC, encoding, source"""
    )
    total = sum(int(row[2]) for row in rows)
    return [
        Encoding(name or NOT_TEXT, source or "", int(pages), share(int(pages), total), int(kept_pages), int(damaged))
        for name, source, pages, kept_pages, damaged in rows
    ]
