"""A page of lines with the state of the count: for the API and for pages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from paberki.query.counting.values import values_of
from paberki.query.hits.lines import CONTEXT, Line, lines_of, reference_names
from paberki.query.hits.page_tokens import page_name
from paberki.serve.json_answers import CountState

if TYPE_CHECKING:
    from paberki.query.counting.places import PagePlaces
    from paberki.serve.jobs import Job
    from paberki.serve.library import Edition
    from paberki.serve.question import Question
    from paberki.serve.service import Service

__all__ = ["Concordance", "byte_span", "concordance", "line_row"]

_COUNT_SECONDS, _SMALL_COUNT_SECONDS = 0.02, 1.0
"""How long a first page waits for its count: most counts are there by then, those of small corpora nearly always."""
_SMALL_TOKENS = 2_000_000
_KEPT_PAGES = 8
_MORE_REFERENCES = ("key", "lang", "reason", "page_number")


@dataclass(frozen=True)
class Concordance:
    """Some lines of a question, and how many there are."""

    job: Job
    lines: list[Line]
    start: int
    has_more: bool
    places: PagePlaces
    view: str = "kwic"

    @property
    def count(self) -> CountState:
        """How far the count is."""
        return self.job.count()

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The lines as JSON has them."""
        return [line_row(self.job.edition, self.places, line, self.view) for line in self.lines]


def concordance(
    service: Service,
    edition: Edition,
    question: Question,
    start: int = 0,
    size: int = 50,
    view: str = "kwic",
    context: int = CONTEXT,
) -> Concordance:
    """Lines from ``start`` on. The count goes on in the background; pages that were shown are kept with it."""
    needs_all = bool(question.sort or question.sample is not None or getattr(question, "good", False))
    job = service.jobs.start(edition, question, count=needs_all)
    key = (start, size, view, context)
    page: Concordance | None = job.pages.get(key)
    try:
        page = page or _page(service, job, start, size, view, context, needs_all=needs_all)
    finally:
        service.jobs.count(job)  # also after an error: a job that nobody runs would never end
    if len(job.pages) < _KEPT_PAGES:
        job.pages[key] = page
    job.wait(_COUNT_SECONDS if edition.index.tokens > _SMALL_TOKENS else _SMALL_COUNT_SECONDS)
    return page


def _page(
    service: Service, job: Job, start: int, size: int, view: str, context: int, *, needs_all: bool
) -> Concordance:
    edition, question, hits = job.edition, job.question, job.hits
    if hits is None and needs_all:
        job.wait(service.settings.search_seconds)
        if job.error is not None:
            raise job.error
        hits = job.hits
    hits = hits or service.hits(edition, question)
    table = hits.first_table(start + size + 1)
    job.saw(len(table))
    progress = hits.search.progress()
    if progress.state == "done" and len(table) <= start + size:
        job.finish(CountState(len(table), "done", 1.0))
    elif progress.state == "stopped":
        job.finish(CountState(len(table), "stopped", progress.searched))
    places = hits.scope.places
    width: int | str = "s" if view == "sentence" and "s" in edition.index.structures else context
    part = table.take(np.arange(min(start, len(table)), min(start + size, len(table))))
    attributes = edition.index.structures.get(places.structure or "", ())
    names = [*reference_names(places), *(name for name in _MORE_REFERENCES if name in attributes)]
    lines = list(lines_of(places, part, context=width, references=names))
    return Concordance(job, lines, start, len(table) > start + size, places, view)


def byte_span(edition: Edition, places: PagePlaces, line: Line) -> list[int] | None:
    """Where the hit is in the bytes of its page; None where that is not known."""
    number = line.reference.get("page_number")
    if edition.token_bytes is None or not number:
        return None
    first, end = int(places.edges[line.page]), int(places.edges[line.page + 1])
    span = edition.token_bytes.span(int(number), line.start - first, line.end - first, end - first)
    return None if span is None else list(span)


def line_row(edition: Edition, places: PagePlaces, line: Line, view: str) -> dict[str, Any]:
    """A line as JSON has it."""
    reference = line.reference
    row: dict[str, Any] = {"left": line.left, "node": line.node, "right": line.right}
    row |= {"page": page_name(line.page, reference)}
    row |= {name: reference.get(name) or None for name in ("url", "host", "date", "title", "key", "lang")}
    row |= {"start": line.start, "end": line.end, "bytes": byte_span(edition, places, line)}
    row["labels"] = {name: list(span) for name, span in line.labels.items()}
    if reference.get("reason"):
        row["reason"] = reference["reason"]
    if view == "table":
        positions = np.arange(line.start, line.end)
        columns = {name: values_of(edition.index, name) for name in edition.index.attributes}
        row["attributes"] = {name: " ".join(one.texts(one.at(positions))) for name, one in columns.items()}
    return row
