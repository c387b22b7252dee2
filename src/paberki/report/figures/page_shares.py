"""Shares of pages by HTTP status, media type, licence and what owners say about use (P1 §2.1, P5 §4.1)."""

from __future__ import annotations

from typing import Any

from paberki.report.page_counts import Counter, share
from paberki.report.section import Section


def status_section(counter: Counter) -> Section:
    """Pages by HTTP status."""
    return _section(counter, "status", "HTTP status", "status", "status", "Pages by the status that the server gave.")


def mime_section(counter: Counter) -> Section:
    """Pages by media type."""
    return _section(
        counter, "mime", "Media types", "mime", "mime", "Pages by media type; text is taken from HTML alone."
    )


def licence_section(counter: Counter) -> Section:
    """Pages by the open licence that they name."""
    if not counter.has("open_licence"):
        missing = 'No stage looks for licences; put add = ["quality.rights.v1"] into the recipe and build.'
        return Section("licence", "Licences", missing=missing)
    caption = "Pages by the open licence that they name with most confidence; none means that all rights are reserved."
    return _section(counter, "licence", "Licences", "open_licence", "licence", caption)


def opt_out_section(counter: Counter) -> Section:
    """Pages whose owners speak against keeping them, and by which signal."""
    if not counter.has("opted_out", "signals"):
        missing = 'No stage reads what owners say; put add = ["quality.rights.v1"] into the recipe and build.'
        return Section("opt_out", "Opt-out", missing=missing)
    section = _section(
        counter,
        "opt_out",
        "Opt-out",
        "coalesce(opted_out, false)",
        "opted_out",
        "Pages whose owners speak against use.",
    )
    signals = counter.rows(
        """SELECT signal, count(*) AS pages, count(*) FILTER (keep) FROM
           (SELECT unnest(signals) AS signal, keep FROM pages) GROUP BY signal ORDER BY pages DESC, signal LIMIT 100"""
    )
    signal_rows = [
        {"signal": signal, "pages": int(pages), "kept": int(kept_pages)} for signal, pages, kept_pages in signals
    ]
    opted = sum(row["pages"] for row in section.rows if row["opted_out"] is True)
    values = {"pages": opted, "share": share(opted, sum(row["pages"] for row in section.rows))}
    return Section(section.name, section.title, section.caption, values, section.rows, tables={"Signals": signal_rows})


def _section(counter: Counter, name: str, title: str, column: str, key: str, caption: str) -> Section:
    rows = counter.rows(
        f"""SELECT {column} AS value, count(*) AS pages, count(*) FILTER (keep) FROM pages
            GROUP BY value ORDER BY value IS NULL, pages DESC, value LIMIT 500"""
    )
    total = sum(int(pages) for _, pages, _ in rows)
    table: list[dict[str, Any]] = [
        {key: value, "pages": int(pages), "share": share(int(pages), total), "kept": int(kept_pages)}
        for value, pages, kept_pages in rows
    ]
    return Section(name, title, caption, {}, table)
