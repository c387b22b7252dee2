"""Pages per language: all that were identified, and those that stayed (P3 Table 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from paberki.amounts import number, percent
from paberki.engine.plan import Plan
from paberki.markup.charts import Bar, bars
from paberki.report.page_counts import Counter, counting, share
from paberki.report.section import Figure, Section
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


def by_tld(counter: Counter) -> list[dict[str, Any]]:
    """Languages of the kept pages of each top-level domain (P3 Table 4), the largest domains first."""
    if not counter.has("lang"):
        return []
    rows = counter.rows(
        """SELECT tld, lang, pages, sum(pages) OVER (PARTITION BY tld) AS total FROM
           (SELECT regexp_extract(coalesce(host, ''), '([^.]*)$', 1) AS tld, lang, count(*) AS pages
            FROM pages WHERE keep GROUP BY 1, 2)
           ORDER BY total DESC, tld, pages DESC, lang LIMIT 2000"""
    )
    return [
        {"tld": tld, "lang": lang or UNKNOWN, "pages": int(pages), "share": share(int(pages), int(total))}
        for tld, lang, pages, total in rows
    ]


def languages_section(languages: Sequence[LanguageShare], tlds: Sequence[dict[str, Any]]) -> Section:
    """Pages per language, and per top-level domain."""
    if not languages:
        return Section("languages", "Languages", missing="No stage identifies languages; see: paberki stages identify")
    drawn_bars = [
        Bar(one.lang, one.kept, f"{number(one.pages)} ({percent(one.share)})", "kept", one.pages - one.kept, "other")
        for one in languages[:15]
    ]
    svg = bars("languages", "Pages per language", "Dark: kept pages. Light: pages that were left out.", drawn_bars)
    caption = "The full part of a bar is kept, the pale part was left out, for its language or for another reason (P3 Table 4)."
    rows = [asdict(one) for one in languages]
    tables = {"By top-level domain": tlds}
    return Section("languages", "Languages", caption, {}, rows, [Figure("languages", svg)], tables=tables)
