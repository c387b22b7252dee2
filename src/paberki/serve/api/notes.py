"""What people write beside a corpus: saved queries, codings of pages, labels on lines."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from paberki.serve.api.address import Address
from paberki.serve.api.bodies import body_of
from paberki.serve.api.envelopes import envelope
from paberki.serve.api.results import AnswerRows, CodingBody, LabelBody, SavedBody
from paberki.serve.json_answers import CountState, Refusal, json_answer, not_found
from paberki.serve.parameters import read
from paberki.serve.security import require_edit
from paberki.serve.service import ServiceCall
from paberki.store.directory import Directory
from paberki.store.saved import SavedQueries

if TYPE_CHECKING:
    from paberki.coding import CodingStore, Scheme
    from paberki.coding.coding_file import Place

__all__ = ["ADDRESSES"]

_LABELS = "labels"
"""The coding task that labels on lines are kept in."""
_LABEL = "label"


def _rows(call: ServiceCall, rows: list[dict[str, Any]]) -> Response:
    return json_answer(envelope(call, rows, CountState(len(rows), "done", 1.0)))


def saved(call: ServiceCall) -> Response:
    """Saved queries."""
    return _rows(call, SavedQueries(call.edition.root).all())


def save(call: ServiceCall) -> Response:
    """Save a query under a name."""
    require_edit(call)
    body = body_of(call, SavedBody)
    content = {name: value for name, value in asdict(body).items() if name != "name"}
    return _rows(call, [SavedQueries(call.edition.root).save(body.name, content)])


def unsave(call: ServiceCall) -> Response:
    """Remove a saved query."""
    require_edit(call)
    name = str(call.request.path_params["name"])
    if not SavedQueries(call.edition.root).remove(name):
        raise not_found(f"no saved query {name[:80]!r}")
    return _rows(call, [])


def _store(call: ServiceCall) -> CodingStore:
    from paberki.coding import CodingStore

    return CodingStore(Directory(call.edition.root))


def codings(call: ServiceCall) -> Response:
    """Coding tasks; with a task and a coder, the labels of one."""
    options, store = read(call.parameters, ("task", "coder")), _store(call)
    if not options["task"]:
        names = [task for task in store.tasks() if task != _LABELS]
        return _rows(call, [_task(store, task) for task in names])
    if options["task"] not in store.tasks():
        raise not_found(f"no coding task {options['task'][:80]!r}")
    coders = [options["coder"]] if options["coder"] else store.coders(options["task"])
    return _rows(call, [row for coder in coders for row in _labels(store, options["task"], coder)])


def _task(store: CodingStore, task: str) -> dict[str, Any]:
    return {
        "task": task,
        "scheme": store.scheme(task).as_json(),
        "items": len(store.sample(task)),
        "coders": store.coders(task),
        "progress": store.progress(task),
        "agreement": store.agreement(task),
    }


def _labels(store: CodingStore, task: str, coder: str) -> list[dict[str, Any]]:
    rows = store.read(task, coder).rows.values()
    return [
        {"task": task, "coder": coder, "key": row.place.key, "start": row.place.start, "end": row.place.end,
         "id": row.id, "url": row.url, "variable": name, "value": value}
        for row in rows
        for name, value in row.labels.items()
    ]  # fmt: skip


def code(call: ServiceCall) -> Response:
    """Give a page a label, in the name of a coder; an empty value takes it back."""
    from paberki.coding import GENRE, Scheme, Variable

    require_edit(call)
    body = body_of(call, CodingBody)
    place, scheme = _place(body.key, body.start, body.end), GENRE
    if body.variable not in GENRE.names:
        scheme = Scheme((Variable(body.variable),))
    _write(call, body.task, body.coder, place, {body.variable: body.value}, scheme)
    return _rows(call, [asdict(body)])


def _place(key: str, start: int | None, end: int | None) -> Place:
    from paberki.coding.coding_file import Place

    if not key or len(key) > 64 or not key.isalnum() or not key.isascii():
        raise Refusal(400, "key: the key of a page has 32 hexadecimal digits")
    if (start is None) != (end is None) or (start is not None and not 0 <= start < (end or 0)):
        raise Refusal(400, "start, end: a span of bytes has a start and an end behind it")
    return Place(key, start, end)


def _write(call: ServiceCall, task: str, coder: str, place: Place, labels: dict[str, str], scheme: Scheme) -> None:
    from paberki.coding import Coding

    store = _store(call)
    store.include(task, Coding(place), scheme)
    store.write(task, coder, place, labels)


def labels(call: ServiceCall) -> Response:
    """Labels on lines."""
    store = _store(call)
    if _LABELS not in store.tasks():
        return _rows(call, [])
    rows = [row for coder in store.coders(_LABELS) for row in _labels(store, _LABELS, coder)]
    names = ("key", "start", "end", "coder")
    return _rows(call, [{**{name: row[name] for name in names}, _LABEL: row["value"]} for row in rows])


def label(call: ServiceCall) -> Response:
    """Put a label on a line; an empty one takes it back."""
    from paberki.coding import Scheme, Variable

    require_edit(call)
    body = body_of(call, LabelBody)
    place = _place(body.key, body.start, body.end)
    _write(call, _LABELS, body.coder, place, {_LABEL: body.label}, Scheme((Variable(_LABEL),)))
    return _rows(call, [asdict(body)])


ADDRESSES = (
    Address("/saved", saved, "saved queries", (), (), AnswerRows),
    Address("/saved", save, "save a query", (), (), AnswerRows, method="POST", body=SavedBody),
    Address("/saved/{name}", unsave, "remove a saved query", (), (), AnswerRows, method="DELETE"),
    Address("/codings", codings, "coding tasks and labels of pages", ("task", "coder"), (), AnswerRows),
    Address("/codings", code, "label a page", (), (), AnswerRows, method="POST", body=CodingBody),
    Address("/labels", labels, "labels on lines", (), (), AnswerRows),
    Address("/labels", label, "label a line", (), (), AnswerRows, method="POST", body=LabelBody),
)
