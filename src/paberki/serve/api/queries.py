"""Answers about the hits of a query: lines, frequency, collocations, where and when they occur."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from paberki.query.token_window import read_window
from paberki.serve.api.address import PREFIX, QUERY, ROWS, Address
from paberki.serve.api.envelopes import envelope, list_envelope
from paberki.serve.api.results import Collocations, Dispersion, Frequency, Groups, HitLines, Trend
from paberki.serve.concordance import concordance
from paberki.serve.json_answers import CountState, Links, json_answer
from paberki.serve.parameters import read
from paberki.serve.question import Question
from paberki.serve.service import ServiceCall

if TYPE_CHECKING:
    from paberki.query.hits.hits import Hits

__all__ = ["ADDRESSES"]


def hits(call: ServiceCall) -> Response:
    """A page of lines, and how far the count is."""
    question = Question.of(call.parameters)
    page = read(call.parameters, ("from", "per_page", "view"))
    lines = concordance(call.service, call.edition, question, page["from"], page["per_page"], page["view"])
    job = f"{PREFIX}/jobs/{lines.job.id}"
    address = question.address("/concordance", corpus=call.parameters.get("corpus"))
    links = Links(f"{PREFIX}/hits/{lines.job.id}/events", job, address)
    name = question.part(call.edition)._scope().name
    return json_answer(
        envelope(call, lines.rows, lines.count, question=question, scope_name=name, more=lines.has_more, links=links)
    )


def _all_hits(call: ServiceCall) -> tuple[Question, Hits, CountState]:
    """All hits of the question, or as many as there are when the time is over."""
    question = Question.of(call.parameters)
    hits = call.service.hits(call.edition, question)
    value = len(hits.table)
    progress = hits.search.progress()
    state = "stopped" if progress.state == "stopped" else "done"
    return question, hits, CountState(value, state, progress.searched if state == "stopped" else 1.0)


def _list_answer(call: ServiceCall, question: Question, hits: Hits, count: CountState, table: Any) -> Response:
    return json_answer(list_envelope(call, table, count, question=question, scope_name=hits.scope.name))


def _by(call: ServiceCall, default: str) -> str:
    values = read(call.parameters, ("by", "attr"))
    return values["by"] or values["attr"] or default


def frequency(call: ServiceCall) -> Response:
    """How often each value of an attribute, or each combination of values, is the hit."""
    question, hits, count = _all_hits(call)
    least = read(call.parameters, ("min",))["min"]
    return _list_answer(call, question, hits, count, hits.freq(_by(call, call.edition.index.default), min=least))


def collocations(call: ServiceCall) -> Response:
    """What stands around the hits more often than chance would have it."""
    options = read(call.parameters, ("window", "measure", "min", "from", "per_page"))
    window = read_window(options["window"], most=100)
    question, hits, count = _all_hits(call)
    attribute = _by(call, "lemma" if "lemma" in call.edition.index.attributes else call.edition.index.default)
    limit = options["from"] + options["per_page"] + 1
    table = hits.collocations(attribute, window, options["measure"] or "logdice", limit=limit, min=options["min"])
    if attribute not in table.column_names:  # as in other lists, the value has also the name of its attribute
        table = table.add_column(0, attribute, table["collocate"])
    return _list_answer(call, question, hits, count, table)


def distribution(call: ServiceCall) -> Response:
    """Hits by host, year, month or any column of pages."""
    question, hits, count = _all_hits(call)
    least = read(call.parameters, ("min",))["min"]
    return _list_answer(call, question, hits, count, hits.distribution(_by(call, "host"), min=least))


def dispersion(call: ServiceCall) -> Response:
    """How evenly the hits are spread over the corpus: a row for each of its parts, and figures for all."""
    question, hits, count = _all_hits(call)
    figures = hits.dispersion()
    rows = [{"part": number, "hits": value} for number, value in enumerate(figures.pop("parts"))]
    answer = envelope(call, rows, count, question=question, scope_name=hits.scope.name)
    return json_answer(Dispersion(**_fields(answer), figures=figures))


def _fields(answer: Any) -> dict[str, Any]:
    return {name: getattr(answer, name) for name in type(answer).__dataclass_fields__}


def trend(call: ServiceCall) -> Response:
    """The hits over time; without a query, values that become more or less frequent."""
    question = Question.of(call.parameters)
    options = read(call.parameters, ("by", "attr", "min", "from", "per_page"))
    by = options["by"] or "year"
    if question.q:
        question, hits, count = _all_hits(call)
        return _list_answer(call, question, hits, count, hits.distribution(by))
    part = question.part(call.edition)
    least = options["min"] if "min" in call.parameters else 5
    limit = options["from"] + options["per_page"] + 1
    attribute = options["attr"] or ("lemma" if "lemma" in call.edition.index.attributes else call.edition.index.default)
    table = part.trend(attribute, by=by, limit=limit, min=least)
    return json_answer(list_envelope(call, table, question=question, scope_name=part._scope().name))


_LIST = (*QUERY, *ROWS, "by", "attr", "min")
ADDRESSES = (
    Address("/hits", hits, "lines of a concordance", (*QUERY, *ROWS, "view", "sort"), ("q",), HitLines),
    Address("/frequency", frequency, "what the hits are", _LIST, ("q",), Frequency, slow=True),
    Address(
        "/collocations",
        collocations,
        "what stands around",
        (*_LIST, "window", "measure"),
        ("q",),
        Collocations,
        slow=True,
    ),
    Address("/distribution", distribution, "hits by a column of pages", _LIST, ("q",), Groups, slow=True),
    Address("/dispersion", dispersion, "how evenly hits are spread", QUERY, ("q",), Dispersion, slow=True),
    Address("/trend", trend, "hits over time", _LIST, (), Trend, slow=True),
)
