"""What goes on in the background: jobs and their events, exports and their files, the crawl and its events."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from paberki.errors import PaberkiError
from paberki.nearest import nearest
from paberki.serve.api.address import PREFIX, QUERY, Address
from paberki.serve.api.bodies import body_of
from paberki.serve.api.corpus_facts import crawl_status
from paberki.serve.api.envelopes import envelope
from paberki.serve.api.results import AnswerRows, ExportBody, JobAnswer
from paberki.serve.events import changing_events, count_events, event_stream
from paberki.serve.exports import HIT_FORMATS, ServedExport, page_formats, write_hits_file
from paberki.serve.jobs import Job
from paberki.serve.json_answers import CountState, Links, Refusal, failure_of, json_answer
from paberki.serve.library import Edition
from paberki.serve.parameters import read
from paberki.serve.question import Question
from paberki.serve.service import ServiceCall, service_of

__all__ = ["ADDRESSES", "EVENTS", "crawl_events", "hit_events"]


def _job(call: ServiceCall) -> Job | ServedExport:
    name = str(call.request.path_params["id"])
    return call.service.exports.find(name) or call.service.jobs.get(name)


def job(call: ServiceCall) -> Response:
    """How far a search or an export is."""
    return json_answer(_job_answer(call, _job(call)))


def stop_job(call: ServiceCall) -> Response:
    """Stop a search or an export."""
    one = _job(call)
    one.cancel()
    if isinstance(one, Job):
        one.wait(0.2)
    return json_answer(_job_answer(call, one))


def _job_answer(call: ServiceCall, one: Job | ServedExport) -> JobAnswer:
    edition = one.edition
    facts: dict[str, Any] = {"corpus": edition.name, "build": edition.build, "selection": edition.selection}
    facts |= {"took_ms": call.took_ms, "id": one.id}
    address = f"{PREFIX}/jobs/{one.id}"
    if isinstance(one, ServedExport):
        file = f"{PREFIX}/export/{one.id}" if one.count.state == "done" else None
        return JobAnswer(**facts, kind="export", count=one.count, links=Links(job=address), file=file, error=one.error)
    links = Links(f"{PREFIX}/hits/{one.id}/events", address, one.question.address("/concordance"))
    error = None if one.error is None else str(one.error)
    return JobAnswer(**facts, kind="hits", count=one.count(), links=links, error=error)


async def hit_events(request: Request) -> Response:
    """Events of a count until it is done or stopped."""
    service = service_of(request)
    try:
        one = service.jobs.get(request.path_params["job"])
        return event_stream(service, count_events(service, one))
    except PaberkiError as error:
        status, failure, headers = failure_of(error)
        return json_answer(failure, status, headers)


async def crawl_events(request: Request) -> Response:
    """Events of a crawl whenever it says something new."""
    service = service_of(request)
    try:
        name = read(request.query_params, ("corpus",))["corpus"]
        edition: Edition = await service.work(service.library.edition, name)
        return event_stream(service, _crawl(service, edition))
    except PaberkiError as error:
        status, failure, headers = failure_of(error)
        return json_answer(failure, status, headers)


def _crawl(service: Any, edition: Edition) -> AsyncIterator[bytes]:
    path = edition.root / "crawl" / "status.json"

    def stamp() -> Any:
        try:
            return os.stat(path).st_mtime_ns
        except OSError:
            return None

    def news() -> dict[str, Any]:
        running, status = crawl_status(edition)
        return {"running": running, "status": status}

    return changing_events(service, stamp, news)


def exports(call: ServiceCall) -> Response:
    """Formats and exports; with a query its hits, in a file."""
    options = read(call.parameters, ("format", "view"))
    if call.parameters.get("q"):
        return _hits_file(call, options["format"] or "csv", options["view"])
    rows = [_row(call, one) for one in call.service.exports.all() if one.edition.name == call.edition.name]
    rows += [{"format": name, "of": "hits"} for name in HIT_FORMATS]
    rows += [{"format": name, "of": "pages"} for name in (page_formats() if call.edition.corpus else [])]
    return json_answer(envelope(call, rows, CountState(len(rows), "done", 1.0)))


def _row(call: ServiceCall, one: ServedExport) -> dict[str, Any]:
    answer = _job_answer(call, one)
    return {"id": one.id, "format": one.form, "state": one.count.state, "file": answer.file, "error": answer.error}


def _hits_file(call: ServiceCall, form: str, view: str) -> Response:
    """The hits of a query as a file, at once."""
    question = Question.of(call.parameters)
    hits = call.service.hits(call.edition, question)
    one = ServedExport(
        call.edition, form, call.service.exports.folder(), lambda path: write_hits_file(hits, form, path, view)
    )
    try:
        write_hits_file(hits, form, one.path, view)
    except BaseException:
        one.remove()
        raise
    return _file(one, BackgroundTask(one.remove))


def _file(one: ServedExport, task: BackgroundTask | None = None) -> Response:
    media = HIT_FORMATS.get(one.form, "application/octet-stream")
    return FileResponse(one.path, media_type=media, filename=one.file_name, background=task)


def start_export(call: ServiceCall) -> Response:
    """Begin an export: the hits of a query, or pages."""
    body, edition = body_of(call, ExportBody), call.edition
    if body.q:
        if body.format not in HIT_FORMATS:
            raise Refusal(
                400,
                f"no format {body.format[:40]!r}{nearest(body.format[:40], HIT_FORMATS)}; there are: {', '.join(HIT_FORMATS)}",
            )
        hits = call.service.hits(edition, Question(q=body.q, where=body.where, set=body.set))
        one = call.service.exports.start(edition, body.format, lambda path: write_hits_file(hits, body.format, path))
        return json_answer(_job_answer(call, one))
    corpus, names = edition.pages, page_formats()
    if body.format not in names:
        raise Refusal(
            400, f"no format {body.format[:40]!r}{nearest(body.format[:40], names)}; there are: {', '.join(names)}"
        )

    def make(path: Path) -> int:
        return int(corpus.export(body.format, path, where=body.where))

    return json_answer(_job_answer(call, call.service.exports.start(edition, body.format, make)))


def export_file(call: ServiceCall) -> Response:
    """The file of an export."""
    one = call.service.exports.file(str(call.request.path_params["id"]), call.edition)
    if one.path.is_dir():
        raise Refusal(409, "this format is a folder of files; use the command line: paberki export")
    return _file(one)


ADDRESSES = (
    Address("/jobs/{id}", job, "how far a search or an export is", (), (), JobAnswer),
    Address("/jobs/{id}", stop_job, "stop a search or an export", (), (), JobAnswer, method="DELETE"),
    Address("/export", exports, "formats and exports; with q the hits in a file", (*QUERY, "sort", "view", "format"), (), AnswerRows, slow=True),
    Address("/export", start_export, "begin an export", (), (), JobAnswer, method="POST", body=ExportBody),
    Address("/export/{id}", export_file, "the file of an export", (), (), None, media="*/*", errors=(409,)),
)  # fmt: skip
EVENTS = Address(
    "/hits/{job}/events", hit_events, "the count, as events", (), (), None, media="text/event-stream"  # type: ignore[arg-type]
)  # fmt: skip
"""For the description alone: streams do not end, so they have no thread. ``crawl/events`` never ends and is not described."""
