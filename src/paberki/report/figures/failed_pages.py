"""Pages on which a stage failed, by stage and code: one of the reasons of the attrition table, taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from paberki.report.page_counts import Counter
from paberki.report.section import Section


@dataclass(frozen=True, slots=True)
class FailureKind:
    """One kind of failure, with a page to look at."""

    stage: str
    code: str
    pages: int
    example: str
    """Id of the first such page."""


def failures_in(counter: Counter) -> list[FailureKind]:
    """Kinds of failure, the most frequent first."""
    rows = counter.rows(
        """SELECT error.stage AS stage, error.code AS code, count(*) AS pages, min(id) FROM pages
           WHERE error IS NOT NULL GROUP BY stage, code ORDER BY pages DESC, stage, code"""
    )
    return [FailureKind(stage or "", code or "", int(pages), page) for stage, code, pages, page in rows]


def failures_section(failures: Sequence[FailureKind]) -> Section:
    """What stages failed on."""
    rows = [asdict(one) for one in failures]
    caption = "Look at one with: paberki explain DIR ID; try all of them again with: paberki build DIR --retry-errors"
    missing = "" if rows else "No stage failed on any page."
    return Section("failures", "Pages that failed", caption if rows else "", {}, rows, missing=missing)
