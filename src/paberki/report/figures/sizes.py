"""Sizes of the corpus: pages, hosts, words, tokens, sentences, characters, bytes (P5 Table 1, P3 Table 1)."""

from __future__ import annotations

from typing import Any, Final

from paberki.report.page_counts import Counter
from paberki.report.section import Section

_SUMS: Final = {
    "words": "selected_word_count",
    "tokens": "token_count",
    "sentences": "sentence_count",
    "characters": "selected_char_count",
    "bytes": "payload_bytes",
}


def sizes_section(counter: Counter) -> Section:
    """All pages and kept pages."""
    there = {name: column for name, column in _SUMS.items() if counter.has(column)}
    sums = ", ".join(f"coalesce(sum({column}), 0)" for column in there.values())
    rows: list[dict[str, Any]] = []
    for what, condition in (("crawled", "true"), ("kept", "keep")):
        [numbers] = counter.rows(f"SELECT count(*), count(DISTINCT host), {sums} FROM pages WHERE {condition}")
        rows.append({"what": what, **dict(zip(("pages", "hosts", *there), map(int, numbers), strict=True))})
    kept_row = rows[1]
    values = {name: kept_row[name] for name in kept_row if name != "what"}
    caption = "All pages and those that are kept (P5 Table 1). Words are what stands between spaces, tokens those of the annotation."
    return Section("sizes", "Sizes", caption, values, rows)
