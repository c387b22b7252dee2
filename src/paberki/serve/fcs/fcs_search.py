"""Running a query over the resources of an endpoint, and the records that come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from paberki.annotation.splitting.any_language import splitter_for
from paberki.errors import QueryError
from paberki.query import Budget
from paberki.query.hits.hits import Hits
from paberki.query.hits.lines import GluedWord, TokenTexts, joined_text, limits_of, lines_of
from paberki.serve.fcs.diagnostics import Diagnostic, SruError, fcs, sru
from paberki.serve.fcs.query_translation import LAYERS, from_contextual, from_fcs_ql
from paberki.serve.fcs.resources import FcsResource
from paberki.serve.fcs.sru_request import SruRequest
from paberki.serve.service import Service

VIEWS: Final = ("hits", "adv")
_CONTEXT: Final = 15
"""Tokens on both sides where a corpus has no sentences."""
_WIDEST: Final = 200
"""Tokens of the longest record: without sentences, a record may be a whole page."""


@dataclass(frozen=True, slots=True)
class FcsRecord:
    """A hit in its sentence."""

    resource: FcsResource
    left: str
    node: str
    right: str
    url: str
    layers: dict[str, list[GluedWord]]
    """Values of the tokens, by layer."""
    first: int
    """First token of the hit in the record."""
    last: int
    """Token after its last one."""


@dataclass(slots=True)
class FcsAnswer:
    """Records of an answer, and how many there are."""

    total: int
    records: list[FcsRecord]
    is_exact: bool = True
    diagnostics: list[Diagnostic] = field(default_factory=list)


def search(service: Service, resources: Sequence[FcsResource], request: SruRequest) -> FcsAnswer:
    """The records that a request asks for, of one resource after the other."""
    targets, diagnostics = _targets(resources, request)
    diagnostics += [fcs(4, view[:80]) for view in request.views if view not in VIEWS]
    answer = FcsAnswer(0, [], diagnostics=diagnostics)
    refusals = 0
    for resource in targets:
        try:
            _add(service, resource, request, answer)
        except QueryError as error:
            refusals += 1
            if refusals == len(targets):
                raise SruError(*_syntax(request, str(error))) from error
    if answer.total and request.start > answer.total:
        raise SruError(sru(61, str(request.start)))
    return answer


def _syntax(request: SruRequest, details: str) -> list[Diagnostic]:
    return [fcs(10, details), sru(10, details)] if request.query_type == "fcs" else [sru(10, details)]


def _targets(resources: Sequence[FcsResource], request: SruRequest) -> tuple[list[FcsResource], list[Diagnostic]]:
    if not request.contexts:
        return list(resources), []
    by_pid = {resource.pid: resource for resource in resources}
    unknown = [fcs(1, pid[:200]) for pid in request.contexts if pid not in by_pid]
    targets = [by_pid[pid] for pid in request.contexts if pid in by_pid]
    if not targets:
        raise SruError(*unknown)
    return targets, unknown


def _add(service: Service, resource: FcsResource, request: SruRequest, answer: FcsAnswer) -> None:
    """Count the hits of a resource, and take those that belong to the page."""
    settings, concordancer = service.settings, resource.edition.concordancer
    budget = Budget(settings.search_seconds, settings.table_hits, settings.search_memory_bytes)
    hits = concordancer.query(_cql(resource, request), budget=budget)
    own = hits.count()
    answer.is_exact &= hits.is_complete
    low = max(0, request.start - 1 - answer.total)
    high = min(own, low + request.size - len(answer.records))
    if low < high:
        answer.records += _records(resource, hits, low, high)
    answer.total += own


def _cql(resource: FcsResource, request: SruRequest) -> str:
    index = resource.edition.index
    if request.query_type == "fcs":
        return from_fcs_ql(request.query, index.attributes)
    own = splitter_for(index.lang or "")

    def split(text: str) -> list[str]:
        starts, ends, _ = own.split(text)
        return [text[start:end] for start, end in zip(starts, ends, strict=True)]

    return from_contextual(request.query, split, index.structures)


def _records(resource: FcsResource, hits: Hits, low: int, high: int) -> list[FcsRecord]:
    places = hits.scope.places
    table = hits.first_table(high)
    table = table.take(np.arange(low, min(high, len(table.starts))))
    index = resource.edition.index
    context: int | str = "s" if "s" in index.structures else _CONTEXT
    lows, highs = limits_of(places, table, context)
    lows, highs = np.maximum(lows, table.starts - _WIDEST), np.minimum(highs, table.ends + _WIDEST)
    layers = {name: TokenTexts(index, LAYERS[name]).between(lows, highs) for name in resource.layers}
    urls = [line.reference.get("url", "") for line in lines_of(places, table, context=0)]
    records = []
    for number, url in enumerate(urls):
        first, last = int(table.starts[number] - lows[number]), int(table.ends[number] - lows[number])
        words = layers["text"][number]
        texts = (joined_text(words[:first]), joined_text(words[first:last]), joined_text(words[last:]))
        own = {name: values[number] for name, values in layers.items()}
        glued = words[first][1] if words[first:] else False
        left = texts[0] + ("" if glued or not texts[0] else " ")
        after = "" if not texts[2] or (words[last:] and words[last][1]) else " "
        records.append(FcsRecord(resource, left, texts[1], after + texts[2], url, own, first, last))
    return records
