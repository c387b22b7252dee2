"""What if the cut were elsewhere? The part of a corpus that a changed rule would keep, without building anything.

A cut is a condition under which pages stay. It takes the place of the rule about the same columns, if there is one:
pages that only this rule leaves out come back where the cut holds for them and no later rule leaves them out, unless
a page that is kept is a copy of them. Pages without a value stay, as with rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.concordancer import Concordancer, PartOfCorpus
from paberki.query.counting.places import PagePlaces
from paberki.query.counting.token_scope import TokenScope, join_runs
from paberki.query.hits.page_conditions import pages_where, truth_of

if TYPE_CHECKING:
    from paberki.query.index.selection import Selection
    from paberki.store.selection.condition import Condition

__all__ = ["SETS", "Rules", "WhatIf", "askable_rules", "replaced_rule"]

_SCORES: Final = {"connected": "badness"}
"""Columns that are a cut on another column: a rule about the first is also about the second."""
_MOST_CUTS: Final = 4
Mask = NDArray[np.bool_]
SETS: Final = ("kept", "dropped", "all", "lost", "won")
"""Sets of blocks under a cut: what it keeps and leaves out, and what is lost and won against now."""


@dataclass(frozen=True)
class Rules:
    """Rules for pages in force: reason and condition under which pages are left out; the column that names copies."""

    rules: Sequence[tuple[str, Condition]] = ()
    variables: Mapping[str, Any] | None = None
    copies: str = ""


def replaced_rule(rules: Rules, cut: Condition) -> str | None:
    """The reason of the rule that a cut takes the place of: the first rule about the same columns."""
    columns = {_SCORES.get(name, name) for name in cut.names}
    return next(
        (reason for reason, rule in rules.rules if {_SCORES.get(name, name) for name in rule.names} == columns), None
    )


class WhatIf(PartOfCorpus):
    """A corpus as a cut would leave it."""

    def __init__(
        self,
        corpus: Concordancer,
        cut: str,
        rules: Rules | None = None,
        set: str = "kept",  # noqa: A002
        *,
        all_rules: bool = False,
    ) -> None:
        """With ``all_rules`` the cut is only a name, and the rules take the place of all that are in force."""
        if set not in SETS:
            raise QueryError(f"under a cut there is no set {set!r}{nearest(set, SETS)}; there are: {', '.join(SETS)}")
        self._corpus, self._cut, self._rules, self._set = corpus, cut, rules or Rules(), set
        self._all_rules = all_rules
        self._cut_scope = self._make_scope()

    def _selection(self, set: str | None = None) -> Selection | None:  # noqa: A002
        return self.reader.selection("all")

    def _scope(self, where: str | None = None, set: str | None = None) -> TokenScope:  # noqa: A002
        if set is not None and set != self._set:
            raise QueryError(f"this part is {self._set}; it has no set {set!r}")
        return self._cut_scope.of_pages(pages_where(self._places, where), where) if where else self._cut_scope

    def _make_scope(self) -> TokenScope:
        name = f"{self._set} if {self._cut}"
        pages = self._pages()
        if "block_keep" not in self.reader.structures.get("p", ()):
            return self._corpus._scope().of_pages(pages if self._set != "dropped" else ~pages, name)
        starts, ends = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for segment in self.reader.segments:
            blocks = segment.structure("p")
            mine = self._chosen_blocks(segment, pages)
            starts.append(np.asarray(blocks.starts, np.int64)[mine] + segment.base)
            ends.append(np.asarray(blocks.ends, np.int64)[mine] + segment.base)
        return TokenScope(self._places, *join_runs(np.concatenate(starts), np.concatenate(ends)), name)

    def _pages(self) -> Mask:
        """Which pages stay; remembered, as lost and won are asked for beside what is kept."""
        memory: dict[Any, tuple[Rules, Mask]] = self.reader.__dict__.setdefault("_pages_under_cuts", {})
        rules, pages = memory.get(self._cut, (None, None))
        if pages is None or rules is not self._rules:
            while len(memory) >= _MOST_CUTS:
                memory.pop(next(iter(memory)), None)
            pages = (
                pages_under(self._places, self._rules)
                if self._all_rules
                else kept_pages(self._places, self._cut, self._rules)
            )
            memory[self._cut] = self._rules, pages
        return pages

    def _chosen_blocks(self, segment: Any, pages: Mask) -> Mask:
        blocks, visible = segment.structure("p"), ~self.reader.blocks_taken_down(segment)
        numbers = self._places.locate(np.asarray(blocks.starts, np.int64) + segment.base)
        then = pages[numbers] & _is_true(blocks.attribute("block_keep")) & visible
        if self._set in ("lost", "won"):
            selection = self.reader.selection("kept") if "kept" in self.reader.selections else None
            now = visible if selection is None else selection.blocks(segment)
            return now & ~then if self._set == "lost" else then & ~now
        return {"kept": then, "dropped": ~then & visible, "all": visible}[self._set]


def kept_pages(places: PagePlaces, cut: str, rules: Rules) -> Mask:
    """Which pages a corpus would keep under a cut."""
    from paberki.store.selection.condition import parse

    condition = parse(cut)
    stays = truth_of(places, condition, missing=True)
    if not {"keep", "reason"} <= set(places.index.structures.get(places.structure or "", ())):
        return stays
    column, reasons = places.attribute("reason")
    kept_now: Mask = np.array([*(not reason for reason in reasons), True], np.bool_)[column]
    old_reason = replaced_rule(rules, condition)
    if old_reason is None or old_reason not in reasons:
        return np.asarray(stays & kept_now, np.bool_)
    back: Mask = stays & (column == reasons.index(old_reason))
    for _, rule in rules.rules[[reason for reason, _ in rules.rules].index(old_reason) + 1 :]:
        if set(rule.names) <= set(places.index.structures[places.structure or ""]):
            back &= ~truth_of(places, rule, missing=False, variables=rules.variables)
    return np.asarray((stays & kept_now) | _without_copies(places, back, kept_now, rules.copies), np.bool_)


def pages_under(places: PagePlaces, rules: Rules) -> Mask:
    """Which pages other rules would keep, one of each group of copies; rules about columns that are not there keep all."""
    stays = np.ones(places.size, np.bool_)
    for _, rule in askable_rules(places, rules):
        stays &= ~truth_of(places, rule, missing=False, variables=rules.variables)
    return _without_copies(places, stays, np.zeros(places.size, np.bool_), rules.copies)


def askable_rules(places: PagePlaces, rules: Rules) -> list[tuple[str, Condition]]:
    """The rules all of whose columns the index has."""
    columns = set(places.index.structures.get(places.structure or "", ()))
    return [(reason, rule) for reason, rule in rules.rules if set(rule.names) <= columns]


def _without_copies(places: PagePlaces, back: Mask, kept_now: Mask, copies: str) -> Mask:
    """Pages that come back, one of each group of copies, and none of a group that has a kept page."""
    if copies not in places.index.structures.get(places.structure or "", ()):
        return back
    groups, names = places.attribute(copies)
    groups = np.where(np.isin(groups, [number for number, name in enumerate(names) if not name]), -1, groups)
    mine = np.flatnonzero(back & (groups >= 0))
    firsts = mine[np.unique(groups[mine], return_index=True)[1]]
    visible_pages = back & (groups < 0)
    visible_pages[firsts[~np.isin(groups[firsts], groups[kept_now & (groups >= 0)])]] = True
    return visible_pages


def _is_true(attribute: Any) -> Mask:
    truths = np.array([value.lower() in ("true", "1") for value in attribute.strings.to_pylist()] or [False])
    return truths[np.asarray(attribute.ids, np.int64)]
