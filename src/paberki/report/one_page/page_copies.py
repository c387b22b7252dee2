"""The copies of a page: which pages are in its group, and which of them stays."""

from __future__ import annotations

from typing import Any

from paberki.report.one_page.row import Row
from paberki.store.built_layers import Layout
from paberki.store.directory import Directory
from paberki.store.reading import open_table

SHOWN = 10


def copy_facts(directory: Directory, layout: Layout, row: Row, columns: tuple[str, ...]) -> dict[str, Any]:
    """Groups of copies that the page belongs to, by the column that names them."""
    groups: dict[str, str] = {name: row[name] for name in dict.fromkeys(columns) if row[name]}
    facts: dict[str, Any] = {"group": groups, "copies": [], "copy_count": 0, "stays": row["dup_of"], **_near(row)}
    facts["looked_for"] = any(name in layout.layers for name in ("dedup", "near", "documents"))
    if not groups or row.missing:
        return facts
    from paberki.store.sql.views import Views  # most pages have no copies

    connection = Views(open_table(directory, layout), layout.layers)
    try:
        same = " OR ".join(f'"{name}" = ?' for name in groups)
        listed = connection.execute(
            f"SELECT id, key, url, keep, reason, count(*) OVER () FROM pages WHERE ({same}) AND key <> ? "
            f"ORDER BY keep DESC NULLS LAST, id LIMIT {SHOWN}",
            [*groups.values(), row["key"]],
        ).fetchall()
    finally:
        connection.close()
    names = ("id", "key", "url", "keep", "reason")
    facts["copies"] = [dict(zip(names, one, strict=False)) for one in listed]
    facts["copy_count"] = int(listed[0][5]) if listed else 0
    if row["keep"]:
        facts["stays"] = row["key"]
    return facts


def _near(row: Row) -> dict[str, Any]:
    """What the stages that look for near-duplicates say about the page and its blocks."""
    facts = {
        "similarity": row["dup_similarity"],
        "share": row["dup_share"],
        "elsewhere": row["dup_elsewhere"],
        "corpus": row["dup_corpus"],
        "passages": row["passages"],
        "contaminated": None if row.gone else row["contaminated"],
    }
    for name, of in (("neardupe", "neardupe_of"), ("repeated", "repeats_of")):
        labels = zip(row[name] or (), row[of] or (), strict=False)
        facts[name] = {str(block): place for block, (label, place) in enumerate(labels) if label}
    return {name: value for name, value in facts.items() if value}
