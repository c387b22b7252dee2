"""Taking a page or a host down from the browser, where the server may write: gone at once for every reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paberki.markup.html import element, void
from paberki.serve.api.bodies import body_of
from paberki.serve.security import require_edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paberki.serve.pages.visit import Visit

__all__ = ["take_down", "take_down_form"]


@dataclass(frozen=True, kw_only=True)
class TakeDownBody:
    """Pages by id, or a host, and why."""

    what: str
    reason: str
    copies: bool = False


def take_down_form(visit: Visit, pages: Sequence[str], host: str = "") -> object:
    """A form behind a summary: these pages or their whole host, and why."""
    if not visit.service.settings.edit:
        return ""
    say = visit.say
    label = say("this page") if len(pages) == 1 else say("these {n} pages", n=len(pages))
    options = [element("option", label, value=",".join(pages))]
    if host:
        options.append(element("option", say("all pages of {host}", host=host), value=host))
    form = element(
        "form",
        element("label", say("what"), element("select", *options, name="what", data_testid="take-down-what")),
        element("label", say("why"), void("input", type="text", name="reason", required=True, maxlength="500", autocomplete="off", data_testid="take-down-reason")),
        element("label", void("input", type="checkbox", name="copies"), say("copies too")),
        element("button", say("take down"), data_testid="take-down"),
        class_="row", data_post=visit.here("/takedown"),
    )  # fmt: skip
    note = element(
        "p", say("It is gone at once for every reader. Undo: {command}", command=_undo(visit)), class_="small muted"
    )
    return element("details", element("summary", say("Take down …")), form, note, class_="stack tight")


def _undo(visit: Visit) -> str:
    return f"paberki takedown {visit.edition.root} --undo ID"


def take_down(visit: Visit) -> dict[str, Any]:
    """``POST /takedown {what, reason, copies}``: the same as ``paberki takedown``."""
    require_edit(visit.call)
    body = body_of(visit.call, TakeDownBody)
    corpus = visit.edition.pages
    names = body.what.split(",") if all(one.isdecimal() for one in body.what.split(",")) else [body.what]
    pages = [page.id for name in names for page in corpus.takedown(name, reason=body.reason, copies=body.copies).pages]
    return {
        "taken_down": pages,
        "said": visit.say("{n} pages were taken down", n=len(pages)),
        "address": visit.here("/"),
    }
