"""Errors as pages: what happened, and where to go from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, Response

from paberki.errors import PaberkiError
from paberki.markup.html import element
from paberki.serve.pages.frame import document
from paberki.serve.pages.visit import Visit
from paberki.serve.security import ORIGINAL_POLICY

if TYPE_CHECKING:
    from paberki.serve.json_answers import ErrorAnswer
    from paberki.serve.service import ServiceCall

__all__ = ["trouble_page"]


def trouble_page(call: ServiceCall, status: int, failure: ErrorAnswer, headers: dict[str, str]) -> Response:
    """The page of an error; where not even the corpus can be opened, a plain one."""
    visit = Visit(call)
    say = visit.say
    titles = {
        404: say("There is no such thing"),
        410: say("This page was taken down"),
        409: say("The corpus has changed"),
        503: say("This does not work at the moment"),
    }
    title = titles.get(status, say("This cannot be answered"))
    inside = element(
        "section",
        element("h1", title),
        element("p", failure.error),
        element("p", element("a", say("to the beginning"), href="/" if status == 404 else visit.here("/"))),
        class_="card stack",
        data_testid="trouble",
    )
    try:
        html = document(visit, title, inside, kind="narrow")
    except PaberkiError:
        html = f"<!doctype html><html lang=en><title>paberki</title><main>{inside}</main></html>"
    if visit.path.endswith("/original"):  # it is in a frame of ours
        html = f"<!doctype html><html lang={visit.language}><title>paberki</title>{element('p', title)}{element('p', failure.error)}</html>"
        headers = {**headers, "Content-Security-Policy": ORIGINAL_POLICY}
    return HTMLResponse(html.encode("utf-8", "replace"), status, headers)
