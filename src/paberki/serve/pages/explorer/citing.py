"""A page as a citation: text, BibTeX, JSON."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from paberki.markup.html import Safe, element

if TYPE_CHECKING:
    from paberki.report.one_page.row import Row
    from paberki.serve.pages.visit import Visit

__all__ = ["citations"]


def citations(visit: Visit, row: Row) -> Safe:
    """Three forms, each to be copied."""
    forms = (("text", _text(visit, row)), ("BibTeX", _bibtex(visit, row)), ("JSON", _json(visit, row)))
    inside = [
        element("div", element("h3", name), element("pre", text, class_="tiny", tabindex="0"), class_="stack tight")
        for name, text in forms
    ]
    return element(
        "details", element("summary", visit.say("Cite")), element("div", *inside, class_="stack"), class_="cite"
    )


def _text(visit: Visit, row: Row) -> str:
    return f"{row['title'] or row['url']}. {row['url']}, {str(row['date'] or '')[:10]}. {visit.edition.name}, build {visit.edition.build}, page {row['id']}, key {row['key']}."


def _bibtex(visit: Visit, row: Row) -> str:
    title = re.sub(r"[{}\\]", "", str(row["title"] or row["url"]))
    return (
        f"@misc{{page-{str(row['key'])[:12]},\n  title = {{{title}}},\n  howpublished = {{\\url{{{row['url']}}}}},\n"
        f"  year = {{{str(row['date'] or '')[:4]}}},\n  note = {{{visit.edition.name}, build {visit.edition.build}, page {row['id']}}}\n}}"
    )


def _json(visit: Visit, row: Row) -> str:
    facts = {name: row[name] for name in ("id", "key", "url", "title", "warc_file", "warc_offset")}
    return json.dumps(
        {**facts, "date": str(row["date"] or ""), "corpus": visit.edition.name, "build": visit.edition.build},
        ensure_ascii=False,
        indent=1,
    )
