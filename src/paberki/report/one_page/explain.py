"""Explain: everything the corpus knows about one page, and why it is in or out."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from paberki.recipe.decisions import Decisions
from paberki.report.one_page.explain_text import explanation_lines
from paberki.report.one_page.facts import (
    annotation_facts,
    encoding_facts,
    extraction_facts,
    language_facts,
    page_facts,
    score_facts,
)
from paberki.report.one_page.find import find
from paberki.report.one_page.page_copies import copy_facts
from paberki.report.one_page.row import read_row
from paberki.report.one_page.verdict import verdict_facts
from paberki.store.built_layers import Layout
from paberki.store.directory import Directory


@dataclass(frozen=True, slots=True)
class Explanation:
    """The story of one page, each section a table of facts."""

    page: dict[str, Any]
    encoding: dict[str, Any]
    extraction: dict[str, Any]
    language: dict[str, Any]
    scores: dict[str, Any]
    annotation: dict[str, Any]
    duplicates: dict[str, Any]
    verdict: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """All facts, ready for JSON."""
        return asdict(self)

    def lines(self) -> list[str]:
        """The same in plain words."""
        return explanation_lines(self.to_dict())

    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines()) + "\n"


def explain(directory: Directory, layout: Layout, decisions: Decisions, page: str) -> Explanation:
    """Explain the page with this id, stable key or address; of several captures of an address, the latest."""
    match = find(directory, layout, page)
    row = read_row(directory, layout, match.number, tokens=False)
    config = decisions.select
    return Explanation(
        page=page_facts(row, layout, match.others),
        encoding=encoding_facts(row),
        extraction=extraction_facts(row, decisions.method),
        language=language_facts(row),
        scores=score_facts(row, layout, decisions.limit),
        annotation=annotation_facts(row),
        duplicates=copy_facts(directory, layout, row, tuple(filter(None, ("dup_exact", config.copies)))),
        verdict=verdict_facts(row, layout, config),
    )
