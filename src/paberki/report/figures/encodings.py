"""Pages per encoding, and what decided: byte order mark, declaration, validity, model or detector (P3 §3, P5 §3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paberki.engine.plan import Plan
from paberki.report.one_page.facts import SOURCES
from paberki.report.page_counts import Counter, counting, share
from paberki.report.section import Section
from paberki.store.directory import Directory

NOT_TEXT = "(not text)"


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
        Encoding(
            name or NOT_TEXT, source or "", int(pages), share(int(pages), total), int(kept_pages), int(damaged_pages)
        )
        for name, source, pages, kept_pages, damaged_pages in rows
    ]


def charset_section(encodings: Sequence[Encoding]) -> Section:
    """Pages per encoding, and how it was found."""
    rows = [
        {
            "charset": one.encoding,
            "evidence": SOURCES.get(one.source, one.source or "–"),
            "pages": one.pages,
            "share": one.share,
            "kept": one.kept,
            "damaged": one.damaged,
        }
        for one in encodings
    ]
    caption = "The last piece of evidence decides; declarations that the bytes contradict do not count."
    missing = "" if rows else "Pages are not decoded yet; type: paberki build DIR"
    return Section("charset", "Encodings", caption if rows else "", {}, rows, missing=missing)
