"""Why a page is in the corpus or not: the rule, its condition, and the values that made it hold."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from paberki.report.one_page.facts import plain
from paberki.report.one_page.row import Row
from paberki.store.built_layers import Layout
from paberki.store.directory import TAKEN_DOWN
from paberki.store.selection.condition import Condition
from paberki.store.selection.select import (
    DUPLICATE,
    ERROR_REASON,
    NEAR_DUPLICATE,
    OUT_OF_SCOPE,
    SelectConfig,
    rules_in_force,
)
from paberki.web.scope import HostScope


def verdict_facts(row: Row, layout: Layout, config: SelectConfig) -> dict[str, Any]:
    """The verdict and what it rests on."""
    reason = TAKEN_DOWN if row.is_taken_down else row["reason"]
    facts: dict[str, Any] = {"kept": None if "keep" not in row.values else bool(row["keep"]) and not row.is_taken_down}
    facts |= {"reason": reason, "condition": None, "values": {}, "holds": None, "error": row.error}
    facts |= {"rule_count": len(rules_in_force(config.pages, config)), "missing_layers": list(row.missing)}
    reasons = {name for name, _ in rules_in_force(config.pages, config)}
    if reason in (None, TAKEN_DOWN, ERROR_REASON, DUPLICATE) or (reason == NEAR_DUPLICATE and reason not in reasons):
        return facts
    if reason == OUT_OF_SCOPE and config.scope and row["host"] not in HostScope(config.scope):
        scope_facts = {"host": row["host"], "scope": list(config.scope)}
        return facts | {"condition": "host not in scope", "values": scope_facts, "holds": True}
    rule = _rule(reason, row, layout, config)
    if rule is not None:
        facts["condition"] = rule.source
        facts["values"] = {name: plain(row[name]) for name in rule.names}
        facts["values"] |= {f"${name}": list(config.lang) for name in rule.variables}
        facts["holds"] = _holds(rule, row, layout, config)
    return facts


def _rule(reason: str, row: Row, layout: Layout, config: SelectConfig) -> Condition | None:
    """The rule of that reason that holds; any of that reason when the recipe has changed since."""
    same = [rule for name, rule in rules_in_force(config.pages, config) if name == reason]
    return next((rule for rule in same if _holds(rule, row, layout, config)), same[0] if same else None)


def _holds(rule: Condition, row: Row, layout: Layout, config: SelectConfig) -> bool:
    types = {column.name: column.type for column in layout.columns.values()}

    def column(name: str) -> Any:
        return pa.array([row[name]], types.get(name))

    outcome: Any = rule.evaluate(column, {"lang": config.lang})
    return bool((outcome if isinstance(outcome, pa.Scalar) else outcome[0]).as_py())
