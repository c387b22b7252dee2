"""Duplicates: how large their clusters are, which are the largest, and what is left without them (P5 §4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from paberki.amounts import number, percent, several
from paberki.markup.charts import Bar, bars
from paberki.report.page_counts import Counter, share
from paberki.report.section import Figure, Section

SHOWN: Final = 15
"""Clusters that are named, the largest."""
_SIZES: Final = ((2, 2), (3, 5), (6, 10), (11, 100), (101, 1_000), (1_001, None))
_GROUPS: Final = {"dup_cluster": "nearly the same text", "dup_exact": "the same payload or words"}
"""Columns that name groups of copies, the widest first, and what their pages have in common."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """One of the largest clusters."""

    url: str
    """The page that stays; the first one where none does."""
    pages: int
    kept: int
    hosts: int


@dataclass(frozen=True, slots=True)
class DuplicateFacts:
    """What the report says about duplicates."""

    column: str = ""
    """The column that names the groups."""
    groups: int = 0
    grouped_pages: int = 0
    sizes: tuple[tuple[str, int, int], ...] = ()
    """Sizes in words, groups of such a size, pages in these."""
    largest: tuple[Cluster, ...] = ()
    before: tuple[int, int] = (0, 0)
    """Pages and words that survived all other rules."""
    after: tuple[int, int] = (0, 0)
    """Pages and words that stay."""
    elsewhere: int = 0
    """Pages left out because another corpus has them."""
    blocks: tuple[int, int] = (0, 0)
    """Blocks of kept pages, and those of them that repeat earlier ones."""
    block_words: tuple[int, int] = (0, 0)
    """Words of these (P3 Table 1: PARN)."""
    contaminated: int = 0
    """Kept pages with passages of test sets."""

    def __bool__(self) -> bool:
        return bool(self.column)


def duplicates_in(counter: Counter) -> DuplicateFacts:
    """Duplicates of an open corpus; empty if no stage compares pages."""
    column = next((name for name in _GROUPS if counter.has(name)), "")
    if not column:
        return DuplicateFacts()
    sizes = _sizes(counter, column)
    [(pages, words, kept_pages, kept_words)] = counter.rows(
        """SELECT count(*), coalesce(sum(selected_word_count), 0), count(*) FILTER (keep),
           coalesce(sum(selected_word_count) FILTER (keep), 0) FROM pages WHERE keep OR reason IN ('duplicate', 'near-duplicate')"""
    )
    return DuplicateFacts(
        column,
        sum(groups for _, groups, _ in sizes),
        sum(pages for _, _, pages in sizes),
        sizes,
        _largest(counter, column),
        (int(pages), int(words)),
        (int(kept_pages), int(kept_words)),
        _elsewhere(counter),
        *_blocks(counter),
        _count_contaminated(counter),
    )


def _sizes(counter: Counter, column: str) -> tuple[tuple[str, int, int], ...]:
    sizes = []
    group_sizes = f"SELECT count(*) AS size FROM pages WHERE {column} IS NOT NULL GROUP BY {column}"
    for low, high in _SIZES:
        [(groups, pages)] = counter.rows(
            f"SELECT count(*), coalesce(sum(size), 0) FROM ({group_sizes}) WHERE size >= ? AND size <= ?",
            [low, high or 1 << 40],
        )
        name = str(low) if low == high else f"{low:,}-{high:,}" if high else f"{low:,} or more"
        if groups:
            sizes.append((name, int(groups), int(pages)))
    return tuple(sizes)


def _largest(counter: Counter, column: str) -> tuple[Cluster, ...]:
    host = "regexp_extract(url, '^[a-z]+://([^/?#]*)', 1)"
    rows = counter.rows(
        f"""SELECT coalesce(min(url) FILTER (keep), min(url)), count(*) AS size, count(*) FILTER (keep),
           count(DISTINCT {host}) FROM pages WHERE {column} IS NOT NULL
           GROUP BY {column} HAVING size > 1 ORDER BY size DESC, {column} LIMIT {SHOWN}"""
    )
    return tuple(Cluster(url or "", int(pages), int(kept_pages), int(hosts)) for url, pages, kept_pages, hosts in rows)


def _elsewhere(counter: Counter) -> int:
    if not counter.has("dup_corpus"):
        return 0
    query = "SELECT count(*) FROM pages WHERE reason = 'duplicate' AND dup_corpus IS NOT NULL"
    return int(counter.rows(query)[0][0])


def _count_contaminated(counter: Counter) -> int:
    if not counter.has("contaminated"):
        return 0
    return int(counter.rows("SELECT count(*) FROM pages WHERE keep AND contaminated IS NOT NULL")[0][0])


def _blocks(counter: Counter) -> tuple[tuple[int, int], tuple[int, int]]:
    if not counter.has("neardupe"):
        return (0, 0), (0, 0)
    rows = counter.rows(
        """SELECT label, count(*), sum(block.words) FROM
           (SELECT unnest(blocks) AS block, unnest(neardupe) AS label FROM pages WHERE keep)
           WHERE label IS NOT NULL GROUP BY label"""
    )
    counts = {label: (int(blocks), int(words)) for label, blocks, words in rows}
    fresh, again = counts.get(0, (0, 0)), counts.get(1, (0, 0))
    return (fresh[0] + again[0], again[0]), (fresh[1] + again[1], again[1])


def duplicates_section(facts: DuplicateFacts, sizes: Mapping[str, Any]) -> Section:
    """Reduction, sizes, largest clusters, and tokens after three kinds of deduplication."""
    title = "Duplicates"
    if not facts:
        missing = 'No stage compares pages; put add = ["dedup.exact.v1"] into the recipe and build.'
        return Section("duplicates", title, missing=missing, values=sizes)
    drawn_bars = [
        Bar(f"{name} pages", pages, f"{several(pages, 'page')}, {several(groups, 'group')}", "other")
        for name, groups, pages in facts.sizes
    ]
    about = "Pages in groups of copies, by the size of the group."
    figures = [Figure("duplicates", bars("duplicates", "Pages in groups of copies", about, drawn_bars))]
    rows = [
        {"what": name, "before": before, "after": after, "reduction_share": share(before - after, before)}
        for name, before, after in zip(("pages", "words"), facts.before, facts.after, strict=True)
    ]
    group_sizes = [{"size": name, "groups": groups, "pages": pages} for name, groups, pages in facts.sizes]
    tables = {"Sizes of groups": group_sizes, "Largest groups": [asdict(one) for one in facts.largest]}
    values = {**asdict(facts), **sizes}
    notes = _notes(sizes)
    return Section(
        "duplicates", title, _summary(facts), values, rows, figures if drawn_bars else (), notes, tables=tables
    )


def _notes(sizes: Mapping[str, Any]) -> list[str]:
    if sizes.get("phys") is None:
        return []
    docn = f"{number(sizes['docn'])} without near-duplicate documents (DOCN)"
    parn = (
        f"{number(sizes['parn'])} without near-duplicate paragraphs (PARN)"
        if sizes.get("parn") is not None
        else 'PARN is not known: put add = ["dedup.paragraphs.v1"] into the recipe and build'
    )
    return [f"Words as in P3 Table 1: {number(sizes['phys'])} without physical duplicates (PHYS), {docn}, {parn}."]


def deduplicated_sizes(counter: Counter, facts: DuplicateFacts) -> dict[str, int | None]:
    """Words that are left without physical duplicates, near-duplicate pages and near-duplicate paragraphs (P3 Table 1).

    PHYS: pages that only near-duplicates take away are still there. DOCN: kept pages. PARN: their blocks that do not
    repeat earlier ones; None where no stage labels these.
    """
    exact = "dup_exact IS NULL OR dup_exact = key" if counter.has("dup_exact") else "true"
    [(phys, docn)] = counter.rows(
        f"""SELECT coalesce(sum(selected_word_count) FILTER (keep OR ({exact})), 0),
            coalesce(sum(selected_word_count) FILTER (keep), 0)
            FROM pages WHERE keep OR reason IN ('duplicate', 'near-duplicate')"""
    )
    parn = facts.block_words[0] - facts.block_words[1] if counter.has("neardupe") else None
    return {"phys": int(phys), "docn": int(docn), "parn": parn}


def _summary(facts: DuplicateFacts) -> str:
    summary = (
        f"{number(facts.grouped_pages)} pages are in {several(facts.groups, 'group')} with {_GROUPS[facts.column]} "
        f"({facts.column}). Which page of a group stays is decided last, among those that all other rules keep."
    )
    if facts.elsewhere:
        summary += f" {number(facts.elsewhere)} pages were left out because another corpus has them."
    if facts.blocks[0]:
        summary += (
            f" Of {several(facts.blocks[0], 'block')} of kept pages {number(facts.blocks[1])} "
            f"({percent(share(facts.blocks[1], facts.blocks[0]))}) repeat blocks of earlier pages (neardupe)."
        )
    if facts.contaminated:
        summary += f" {number(facts.contaminated)} kept pages have passages of test sets (contaminated)."
    return summary
