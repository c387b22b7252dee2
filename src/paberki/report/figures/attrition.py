"""Attrition: how many pages each rule leaves out, and how many remain (P1 Table 1, P5 Table 2).

A page is counted once, under the reason it was left out for, so that the rows add up to the pages crawled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from paberki.engine.plan import Plan
from paberki.recipe.corpus_recipe import Recipe
from paberki.report.page_counts import Counter, counting, share
from paberki.store.directory import TAKEN_DOWN, Directory
from paberki.store.selection.copy_choice import CopiesConfig
from paberki.store.selection.select import (
    DUPLICATE,
    ERROR_REASON,
    NEAR_DUPLICATE,
    OUT_OF_SCOPE,
    SelectConfig,
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


def attrition(directory: Directory, plan: Plan, recipe: Recipe) -> list[AttritionRow]:
    """Pages crawled, a line for every reason in the order of the rules, pages kept."""
    with counting(directory, plan) as counter:
        return attrition_in(counter, recipe)


def attrition_in(counter: Counter, recipe: Recipe) -> list[AttritionRow]:
    """The same in an open corpus."""
    by_reason = _count_by_reason(counter)
    kept_numbers = by_reason.pop(None, (0, 0, 0))
    meanings = reasons(recipe)
    for reason in sorted(reason for reason in by_reason if reason is not None):
        meanings.setdefault(reason, MEANINGS.get(reason, UNKNOWN))
    numbers = [*by_reason.values(), kept_numbers]
    total = sum(pages for pages, _, _ in numbers)
    left_pages, left_words = total, sum(words for _, _, words in numbers)
    rows = [_row("crawled", "crawled", "all pages", numbers, (left_pages, left_words), total)]
    for reason, meaning in meanings.items():
        numbers_of_reason = by_reason.get(reason, (0, 0, 0))
        left_pages, left_words = left_pages - numbers_of_reason[0], left_words - numbers_of_reason[2]
        rows.append(_row("dropped", reason, meaning, [numbers_of_reason], (left_pages, left_words), total))
    rows.append(_row("kept", "kept", "in the corpus", [kept_numbers], (left_pages, left_words), total))
    return rows


def _row(
    kind: Kind, reason: str, meaning: str, numbers: list[tuple[int, int, int]], remaining: tuple[int, int], total: int
) -> AttritionRow:
    pages, chars, words = (sum(one[at] for one in numbers) for at in range(3))
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
    )


def _count_by_reason(counter: Counter) -> dict[str | None, tuple[int, int, int]]:
    """Pages, characters and words by reason; None for kept pages."""
    rows: list[tuple[Any, ...]] = counter.rows(
        f"""SELECT CASE WHEN keep THEN NULL ELSE coalesce(reason, '{ERROR_REASON}') END AS why, count(*),
            coalesce(sum(selected_char_count), 0), coalesce(sum(selected_word_count), 0)
            FROM pages GROUP BY why"""
    )
    return {why: (int(pages), int(chars), int(words)) for why, pages, chars, words in rows}


def reasons(recipe: Recipe) -> dict[str, str]:
    """Every reason that the recipe can give, in the order in which they are decided, with its meaning.

    Where copies are decided before select, as in P3 and P5, rules that need later columns come after the copies.
    """
    config = select_config(recipe)
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


def select_config(recipe: Recipe) -> SelectConfig:
    """Settings of the selection; none when the recipe has no such stage."""
    configs = (config for _, config in recipe.stages if isinstance(config, SelectConfig))
    return next(configs, SelectConfig())
