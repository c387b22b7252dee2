"""The longest passages that stand on several pages (after P3 §3, where near-duplicates are found by runs of words)."""

from __future__ import annotations

from typing import Final

from paberki.report.page_counts import Counter
from paberki.report.section import Section

_LISTED: Final = 25
_CHARS: Final = 300


def passages_section(counter: Counter) -> Section:
    """The longest of them, with the page that had them first."""
    title = "Longest repeated passages"
    if not counter.has("passages", "passage_share"):
        missing = 'No stage looks for passages; put add = ["dedup.passages.v1"] into the recipe and build.'
        return Section("passages", title, missing=missing)
    passages = counter.rows(
        f"""SELECT id, url, passage.words, passage.of, passage.block, passage.start, passage."end" FROM
            (SELECT id, url, unnest(passages) AS passage FROM pages WHERE keep)
            ORDER BY passage.words DESC, id LIMIT {_LISTED}"""
    )
    rows = []
    for page, url, words, of, block, start, end in passages:
        [(text,)] = counter.rows("SELECT blocks[?].text FROM pages WHERE id = ?", [int(block) + 1, page])
        rows.append({"id": page, "url": url, "words": int(words), "of": of, "text": (text or "")[start:end][:_CHARS]})
    [(pages, share)] = counter.rows(
        "SELECT count(*) FILTER (passage_share > 0), avg(passage_share) FROM pages WHERE keep"
    )
    values = {"pages": int(pages), "mean_share": float(share or 0)}
    return Section(
        "passages", title, "Long runs of words of kept pages that stand on an earlier page too.", values, rows
    )
