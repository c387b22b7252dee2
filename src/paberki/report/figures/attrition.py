"""Attrition: how many pages each rule leaves out, and how many remain (P1 Table 1, P5 Table 2).

A page is counted once, under the reason it was left out for, so that the rows add up to the pages crawled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from paberki.amounts import number, percent, several
from paberki.engine.plan import Plan
from paberki.markup.charts import Bar, bars
from paberki.recipe.corpus_recipe import Recipe
from paberki.recipe.decisions import decisions_of
from paberki.report.page_counts import Counter, counting, share
from paberki.report.section import Figure, Section
from paberki.store.directory import TAKEN_DOWN, Directory
from paberki.store.selection.copy_choice import CopiesConfig
from paberki.store.selection.select import (
    DUPLICATE,
    ERROR_REASON,
    NEAR_DUPLICATE,
    OUT_OF_SCOPE,
    rules_in_force,
)

Kind = Literal["crawled", "dropped", "kept"]
MEANINGS = {
    TAKEN_DOWN: "taken down on request",
    ERROR_REASON: "a stage failed on the page",
    OUT_OF_SCOPE: "the host is not in the recipe's scope",
    DUPLICATE: "another copy stays",
    NEAR_DUPLICATE: "a page that is much alike stays",
}
UNKNOWN = "not in the recipe any more"
Numbers = tuple[int, int, int, int]
NOTHING: Numbers = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class AttritionRow:
    """One line of the table."""

    kind: Kind
    reason: str
    """The reason; ``crawled`` and ``kept`` for the first and the last line."""
    meaning: str
    """The condition of the rule, or what the reason means."""
    pages: int
    share: float
    """Of all pages crawled."""
    left_pages: int
    """Pages left after this line."""
    left_share: float
    chars: int
    """Characters in the selected blocks of these pages."""
    words: int
    """White-space separated words in the selected blocks of these pages."""
    left_words: int
    """Words of the pages left after this line (P3 Table 1)."""
    tokens: int = 0
    """Tokens of annotated pages and words of the others (P1 Table 1)."""


def attrition(directory: Directory, plan: Plan, recipe: Recipe) -> list[AttritionRow]:
    """Pages crawled, a line for every reason in the order of the rules, pages kept."""
    with counting(directory, plan) as counter:
        return attrition_in(counter, recipe)


def attrition_in(counter: Counter, recipe: Recipe) -> list[AttritionRow]:
    """The same in an open corpus."""
    by_reason = _count_by_reason(counter)
    kept_numbers = by_reason.pop(None, NOTHING)
    meanings = reasons(recipe)
    for reason in sorted(reason for reason in by_reason if reason is not None):
        meanings.setdefault(reason, MEANINGS.get(reason, UNKNOWN))
    numbers = [*by_reason.values(), kept_numbers]
    total = sum(one[0] for one in numbers)
    left_pages, left_words = total, sum(one[2] for one in numbers)
    rows = [_row("crawled", "crawled", "all pages", numbers, (left_pages, left_words), total)]
    for reason, meaning in meanings.items():
        numbers_of_reason = by_reason.get(reason, NOTHING)
        left_pages, left_words = left_pages - numbers_of_reason[0], left_words - numbers_of_reason[2]
        rows.append(_row("dropped", reason, meaning, [numbers_of_reason], (left_pages, left_words), total))
    rows.append(_row("kept", "kept", "in the corpus", [kept_numbers], (left_pages, left_words), total))
    return rows


def _row(
    kind: Kind, reason: str, meaning: str, numbers: list[Numbers], remaining: tuple[int, int], total: int
) -> AttritionRow:
    pages, chars, words, tokens = (sum(one[at] for one in numbers) for at in range(4))
    return AttritionRow(
        kind,
        reason,
        meaning,
        pages,
        share(pages, total),
        remaining[0],
        share(remaining[0], total),
        chars,
        words,
        remaining[1],
        tokens,
    )


def _count_by_reason(counter: Counter) -> dict[str | None, Numbers]:
    """Pages, characters, words and tokens by reason; None for kept pages."""
    words = "coalesce(selected_word_count, 0)"
    tokens = f"coalesce(token_count, {words})" if counter.has("token_count") else words
    rows: list[tuple[Any, ...]] = counter.rows(
        f"""SELECT CASE WHEN keep THEN NULL ELSE coalesce(reason, '{ERROR_REASON}') END AS why, count(*),
            coalesce(sum(selected_char_count), 0), coalesce(sum({words}), 0), coalesce(sum({tokens}), 0)
            FROM pages GROUP BY why"""
    )
    return {why: (int(pages), int(chars), int(words), int(tokens)) for why, pages, chars, words, tokens in rows}


def reasons(recipe: Recipe) -> dict[str, str]:
    """Every reason that the recipe can give, in the order in which they are decided, with its meaning.

    Where copies are decided before select, as in P3 and P5, rules that need later columns come after the copies.
    """
    config = decisions_of(recipe).select
    early = next((config.select for _, config in recipe.stages if isinstance(config, CopiesConfig)), None)
    meanings = {TAKEN_DOWN: MEANINGS[TAKEN_DOWN], ERROR_REASON: MEANINGS[ERROR_REASON]}
    if config.scope:
        meanings[OUT_OF_SCOPE] = MEANINGS[OUT_OF_SCOPE]
    for rules in (early, config) if early else (config,):
        new = [rule for rule in rules_in_force(rules.pages, rules) if early in (None, rules) or rule[0] not in meanings]
        for reason, condition in new:
            meanings[reason] = f"{meanings[reason]} or {condition.source}" if reason in meanings else condition.source
        last = rules is config and early is not None and rules.copies not in ("", early.copies)
        if rules.copies:
            reason = NEAR_DUPLICATE if last else DUPLICATE
            meanings.setdefault(reason, MEANINGS[reason])
    return meanings


def attrition_figure(rows: Sequence[AttritionRow]) -> str:
    """What is left after every step, and what the step left out."""
    drawn_bars = [_bar(row) for row in rows if row.pages or row.kind != "dropped"]
    about = (
        f"Of {several(rows[0].pages, 'page')}, {number(rows[-1].pages)} are kept; each bar shows what one rule leaves."
    )
    return bars("attrition", "Pages left after every rule", about, drawn_bars)


def _bar(row: AttritionRow) -> Bar:
    if row.kind == "crawled":
        return Bar("pages crawled", row.pages, number(row.pages), "other")
    if row.kind == "kept":
        return Bar("kept", row.pages, f"{number(row.pages)} ({percent(row.share)})")
    return Bar(
        row.reason, row.left_pages, f"−{number(row.pages)} ({percent(row.share)})", "other", row.pages, "dropped"
    )


def attrition_section(rows: Sequence[AttritionRow]) -> Section:
    """The attrition table (P1 Table 1, P5 Table 2)."""
    caption = (
        "A page is counted once, under the first rule that holds for it (P1 Table 1, P5 Table 2). Nothing is deleted: every "
        "page keeps its row. Bars show what is left after each rule, orange what the rule takes away."
    )
    heads = {
        "reason": "reason",
        "meaning": "condition",
        "pages": "pages",
        "share": "% of crawled",
        "left_pages": "left",
        "left_share": "% left",
        "tokens": "tokens",
        "left_words": "words left",
    }
    values = {"crawled": rows[0].pages, "kept": rows[-1].pages, "kept_share": rows[-1].share}
    notes = ["Tokens are those of the annotation; of pages that are not annotated, words between spaces."]
    figures = [Figure("attrition", attrition_figure(rows))]
    table = [asdict(row) for row in rows]
    return Section("attrition", "What was left out, and why", caption, values, table, figures, notes, heads=heads)
