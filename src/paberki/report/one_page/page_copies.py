"""The copies of a page: which pages are in its group, and which of them stays."""

from __future__ import annotations

from typing import Any

from paberki.report.one_page.row import Row
from paberki.store.built_layers import Layout
from paberki.store.directory import Directory
from paberki.store.reading import LayerTable, open_table, read_chunks
from paberki.store.sql.quoting import quote

SHOWN = 10
NAMES = ("id", "key", "url", "keep", "reason")


def copy_facts(directory: Directory, layout: Layout, row: Row, columns: tuple[str, ...]) -> dict[str, Any]:
    """Groups of copies that the page belongs to, by the column that names them."""
    groups: dict[str, str] = {name: row[name] for name in dict.fromkeys(columns) if row[name]}
    facts: dict[str, Any] = {"group": groups, "copies": [], "copy_count": 0, "stays": row["dup_of"], **_near(row)}
    facts["looked_for"] = any(name in layout.layers for name in ("dedup", "near", "documents"))
    if not groups or row.missing:
        return facts
    facts["copies"], facts["copy_count"] = _copies(open_table(directory, layout), groups, row["key"])
    if row["keep"]:
        facts["stays"] = row["key"]
    return facts


def _copies(table: LayerTable, groups: dict[str, str], key: str) -> tuple[list[dict[str, Any]], int]:
    """The first other pages of these groups, those that stay before the others, and how many there are.

    Read without a database, which takes longer to import than to answer.
    """
    same = " or ".join(f"{name} = {quote(value)}" for name, value in groups.items())
    names = [name for name in NAMES if name in table.columns]
    first: list[dict[str, Any]] = []
    count = 0
    for chunk in read_chunks(table, names, where=f"({same}) and key != {quote(key)}", kept=False):
        count += chunk.num_rows
        pages = first + [{**dict.fromkeys(NAMES), **page} for page in chunk.to_pylist()]
        first = sorted(pages, key=lambda page: (not page["keep"], page["id"]))[:SHOWN]
    return first, count


def _near(row: Row) -> dict[str, Any]:
    """What the stages that look for near-duplicates say about the page and its blocks."""
    facts = {
        "similarity": row["dup_similarity"],
        "share": row["dup_share"],
        "elsewhere": row["dup_elsewhere"],
        "corpus": row["dup_corpus"],
        "passages": row["passages"],
        "contaminated": None if row.is_taken_down else row["contaminated"],
    }
    for name, of in (("neardupe", "neardupe_of"), ("repeated", "repeats_of")):
        labels = zip(row[name] or (), row[of] or (), strict=False)
        facts[name] = {str(block): place for block, (label, place) in enumerate(labels) if label}
    return {name: value for name, value in facts.items() if value}
