"""Pages per language: all that were identified, and those that stayed (P3 Table 4)."""

from __future__ import annotations

from dataclasses import dataclass

from paberki.engine.plan import Plan
from paberki.report.page_counts import Counter, counting, share
from paberki.store.directory import Directory

UNKNOWN = "(not identified)"


@dataclass(frozen=True, slots=True)
class LanguageShare:
    """One language, or all pages without a language."""

    lang: str
    pages: int
    share: float
    """Of all pages."""
    kept: int
    kept_words: int


def languages(directory: Directory, plan: Plan) -> list[LanguageShare]:
    """Languages, the most frequent first, pages without one last."""
    with counting(directory, plan) as counter:
        return languages_in(counter)


def languages_in(counter: Counter) -> list[LanguageShare]:
    """The same in an open corpus; empty when it has no column ``lang``."""
    if not counter.has("lang"):
        return []
    text = "char_count IS NOT NULL" if counter.has("char_count") else "true"  # robots files and feeds are not pages
    rows = counter.rows(
        f"""SELECT lang, count(*) AS pages, count(*) FILTER (keep),
           coalesce(sum(selected_word_count) FILTER (keep), 0)
           FROM pages WHERE {text} GROUP BY lang ORDER BY lang IS NULL, pages DESC, lang"""
    )
    total = sum(int(row[1]) for row in rows)
    return [
        LanguageShare(
            UNKNOWN if lang is None else lang, int(pages), share(int(pages), total), int(kept_pages), int(words)
        )
        for lang, pages, kept_pages, words in rows
    ]
