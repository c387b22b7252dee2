"""A pinned query: how many hits it has now, how many it had when it was pinned, and its curve over the time of the crawl."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl

import numpy as np

from paberki.errors import PaberkiError
from paberki.markup.html import Safe, element, join_html, void
from paberki.markup.svg import clean
from paberki.query.counting.page_columns import page_strings
from paberki.serve.api.bodies import body_of
from paberki.serve.pages.ask import Ask
from paberki.serve.security import require_edit
from paberki.store.saved import SavedQueries

if TYPE_CHECKING:
    from paberki.query.hits.hits import Hits
    from paberki.serve.pages.visit import Visit

__all__ = ["pin", "pin_form", "saved_ask", "watch"]

_STEPS: Final = 60
_WIDE, _HIGH = 240, 48


@dataclass(frozen=True, kw_only=True)
class PinBody:
    """A name for a question, which is the part of an address behind the question mark."""

    name: str
    question: str
    watch: bool = False


def pin_form(visit: Visit, ask: Ask, count: int) -> object:
    """Save the question under a name, and watch how it grows; only where the server may write."""
    if not visit.service.settings.edit:
        return ""
    say = visit.say
    form = element(
        "form",
        void("input", type="hidden", name="question", value=ask.but(start=0, count=str(count), build=visit.edition.build).at("")[1:]),
        element("label", say("name"), void("input", type="text", name="name", required=True, maxlength="100", autocomplete="off", data_testid="pin-name")),
        element("label", void("input", type="checkbox", name="watch", checked=True, data_testid="pin-watch"), say("watch it grow")),
        element("button", say("save"), data_testid="pin"),
        class_="row", data_post=visit.here("/saved/pin"),
    )  # fmt: skip
    return element("details", element("summary", "★ ", say("save")), form, class_="pin")


def pin(visit: Visit) -> dict[str, Any]:
    """``POST /saved/pin {name, question, watch}``."""
    require_edit(visit.call)
    body = body_of(visit.call, PinBody)
    pairs = parse_qsl(body.question)
    ask = Ask.of_pairs(pairs)
    content = {"q": ask.q, "note": "", "parameters": {"question": body.question, "watch": body.watch}}
    SavedQueries(visit.edition.root).save(body.name, content)
    return {"address": visit.here("/saved")}


def saved_ask(one: Mapping[str, Any]) -> Ask:
    """The question of a saved query."""
    parameters = one.get("parameters")
    question = parameters.get("question") if isinstance(parameters, dict) else None
    return Ask.of_pairs(parse_qsl(str(question))) if question else Ask(q=str(one.get("q") or ""))


def watch(visit: Visit, one: Mapping[str, Any]) -> object:
    """Now, then, and the curve; nothing for queries that are only saved."""
    parameters = one.get("parameters")
    if not isinstance(parameters, dict) or not parameters.get("watch"):
        return ""
    ask, say = saved_ask(one), visit.say
    try:
        hits = ask.but(state="", build="", count="").hits(visit.edition, visit.service.settings)
        count, steps = len(hits.table.starts), curve(hits)
    except PaberkiError as error:
        return element("p", str(error), class_="warning")
    then = int(ask.count) if ask.count.isdecimal() else count
    change = say("{n} hits", n=count) + (f" ({count - then:+d})" if count != then else "")
    figure = _figure(say("Hits over the time of the crawl"), steps) if steps else ""
    return join_html([element("span", change, class_="mark-in", data_testid="watch", data_value=str(count), data_then=str(then)), figure])  # fmt: skip


def curve(hits: Hits) -> list[int]:
    """How many hits there were at equal steps of the time in which their pages were fetched."""
    places = hits.scope.places
    if not len(hits.table.starts) or "date" not in places.index.structures.get(places.structure or "", ()):
        return []
    ids, texts = page_strings(places, "date")
    seconds = np.array([*(_seconds(text) for text in texts), np.nan])
    times = seconds[ids[places.locate(hits.table.starts).astype(np.int64)]]
    times = np.sort(times[np.isfinite(times)])
    if not len(times):
        return []
    every = seconds[ids]
    low, high = np.nanmin(every), np.nanmax(every)
    edges = np.linspace(low, high, _STEPS)
    return [int(one) for one in np.searchsorted(times, edges, "right")]


def _seconds(text: str | None) -> float:
    try:
        return datetime.fromisoformat(text).timestamp() if text else np.nan
    except ValueError:
        return np.nan


def _figure(title: str, steps: Sequence[int]) -> Safe:
    most = max(steps) or 1
    points = " ".join(
        f"{_WIDE * at / max(len(steps) - 1, 1):.1f},{_HIGH - 2 - (_HIGH - 4) * value / most:.1f}"
        for at, value in enumerate(steps)
    )
    return Safe(
        f'<svg width="{_WIDE}" height="{_HIGH}" viewBox="0 0 {_WIDE} {_HIGH}" class="spark" role="img" data-testid="watch-curve" aria-label="{clean(title)}">'
        f'<title>{clean(title)}: 0–{most}</title><polyline class="curve" points="{points}"/></svg>'
    )
