"""Where the cells of a report lead to: values of columns to their pages, words to their lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from paberki.markup.html import element, join_html
from paberki.serve.pages.ask import Ask
from paberki.serve.pages.words.wordlists import literal

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["cell"]

_PAGES: Final = {
    "reason": "reason", "host": "host", "lang": "lang", "charset": "encoding", "encoding": "encoding", "status": "status", "mime": "mime",
    "licence": "open_licence", "opted_out": "opted_out",
}  # fmt: skip
"""Columns of reports, and the columns of pages that they are about."""
_WORDS: Final = {"type": "word", "word": "word", "lemma": "lemma", "upos": "upos"}
_RANGES: Final = {"lengths": ("from", "to", "selected_char_count")}


def cell(visit: Visit, section: str, name: str, row: Mapping[str, Any]) -> object:
    """A value, as a link where it has pages or lines."""
    value = row.get(name)
    if value is None:
        return "–"
    if address := _address(visit, section, name, row):
        return element("a", _cell_text(visit, name, value), href=address)
    if name == "words" and isinstance(value, list):
        parts = [element("a", str(one), href=_lines(visit, "lemma", str(one))) for one in value]
        return join_html(join_html([part, " "]) for part in parts)
    return _cell_text(visit, name, value)


def _address(visit: Visit, section: str, name: str, row: Mapping[str, Any]) -> str:
    value, index = row.get(name), visit.edition.index
    if name in _RANGES.get(section, ())[:2]:
        low, high, column = _RANGES[section]
        return visit.here("/pages", score=column, low=row.get(low), high=row.get(high))
    if name == "score" and section == "scores":
        return visit.here("/select", score=value)
    if name == "id":
        return visit.here(f"/page/{value}")
    if isinstance(value, list | dict) or (name == "reason" and value in ("crawled", "kept")):
        return ""
    if name == "ngram" and row.get("query"):
        return Ask(q=str(row["query"]), corpus=visit.value("corpus")).at("/concordance")
    if name in _WORDS and _WORDS[name] in index.attributes and row.get("corpus") in (None, visit.edition.name):
        return _lines(visit, _WORDS[name], str(value))
    return visit.here("/pages", **{_PAGES[name]: value}) if name in _PAGES and section != "confusion" else ""


def _lines(visit: Visit, attribute: str, value: str) -> str:
    return Ask(q=f'[{attribute}="{literal(value)}"]', corpus=visit.value("corpus")).at("/concordance")


def _cell_text(visit: Visit, name: str, value: Any) -> str:
    if isinstance(value, bool):
        return visit.say("yes") if value else visit.say("no")
    if isinstance(value, float):
        if name == "share" or name.endswith("_share"):
            return f"{visit.decimal(value * 100, 1)} %"
        return visit.decimal(value, 3 if abs(value) < 100 else 0)
    if isinstance(value, int) and name not in ("status", "id", "rank", "run", "topic", "n", "seed", "year"):
        return visit.count(value)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)[:300]
