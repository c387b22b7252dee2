"""The crawl as it runs: pages, good pages, harvest, hosts, refusals, waste; with ``--edit`` a host can be stopped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response

from paberki.errors import PaberkiError
from paberki.markup.html import Safe, element, join_html
from paberki.serve.api.bodies import body_of
from paberki.serve.api.corpus_facts import crawl_status
from paberki.serve.pages.frame import document
from paberki.serve.pages.pieces import fate_mark, figure_card, post_button, scrolling_table, share_bar
from paberki.serve.security import require_edit
from paberki.store.taken_down.stopped_hosts import stop_host, stopped_hosts

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["change_host", "crawl_page"]

_NUMBERS: Final = (
    ("pages", "pages"), ("good", "good pages"), ("hosts", "hosts"), ("queued", "waiting addresses"),
    ("copies", "copies"), ("robots_denied", "refused by robots.txt"),
)  # fmt: skip
_LAST: Final = 15


def crawl_page(visit: Visit) -> Response:
    """``/crawl``: read again every two seconds while a crawl runs."""
    say = visit.say
    running, facts = crawl_status(visit.edition)
    if facts is None:
        inside: object = element("p", say("There was no crawl in this directory."), class_="muted")
        return visit.answer(document(visit, say("Crawl"), element("h1", say("Crawl")), inside))
    refresh = (
        {"hx_get": visit.here("/crawl"), "hx_trigger": "every 2s", "hx_select": "#crawl", "hx_target": "#crawl", "hx_swap": "outerHTML"}
        if running
        else {}
    )  # fmt: skip
    parts = [
        _state(visit, facts, running),
        _numbers(visit, facts),
        _hosts(visit, facts),
        _waste(visit, facts),
        _last_pages(visit),
    ]
    board = element("div", *parts, id="crawl", class_="stack", data_testid="crawl", **refresh)
    return visit.answer(document(visit, say("Crawl"), element("h1", say("Crawl")), board))


def _state(visit: Visit, facts: dict[str, Any], running: bool) -> Safe:
    say = visit.say
    word = say("running") if running else say("finished") if facts.get("finished") else say("stopped")
    return element("p", element("span", word, class_="mark-in" if running or facts.get("finished") else "mark-out"))


def _numbers(visit: Visit, facts: dict[str, Any]) -> Safe:
    cards = [figure_card(visit.say(label), visit.count(int(facts.get(name) or 0))) for name, label in _NUMBERS]
    harvest, speed = float(facts.get("harvest") or 0) * 100, float(facts.get("pages_per_second") or 0)
    cards.append(figure_card(visit.say("harvest"), f"{visit.decimal(harvest, 1)} %"))
    cards.append(figure_card(visit.say("pages per second"), visit.decimal(speed, 1)))
    return element("div", *cards, class_="cards four")


def _hosts(visit: Visit, facts: dict[str, Any]) -> object:
    """Good pages of all pages, host by host, with a button that stops a host where the server may write."""
    hosts, say = facts.get("top_hosts") or [], visit.say
    if not hosts:
        return ""
    most = max(float(pages) for _, pages, _ in hosts) or 1.0
    stopped_names = set(stopped_hosts(visit.edition.pages.directory.crawl))
    rows = []
    for host, pages, good in hosts:
        bar = share_bar((float(good) / most, "kept"), ((float(pages) - float(good)) / most, "other"), width=220)
        rows.append(
            (
                str(host),
                bar,
                _switch(visit, str(host), str(host).lower() in stopped_names),
                visit.count(int(good)),
                visit.count(int(pages)),
            )
        )
    title = say("Hosts: good pages of all pages")
    head = (say("host"), say("share"), say("crawl"), say("good pages"), say("pages"))
    return element("section", element("h2", title), scrolling_table(title, head, rows, 3), class_="card stack tight")  # fmt: skip


def _switch(visit: Visit, host: str, is_stopped: bool) -> Safe:
    """What the crawl does with a host, and the button that changes it."""
    say = visit.say
    mark = element("span", say("stopped"), class_="mark-out", data_testid="stopped-host") if is_stopped else ""
    if not visit.service.settings.edit:
        return join_html([mark])
    label = say("go on") if is_stopped else say("stop this host")
    content = {"host": host, "stopped": not is_stopped}
    name = "go-on-host" if is_stopped else "stop-host"
    return join_html([mark, " ", post_button(visit, label, "/crawl/host", content, name, f"{label}: {host}")])


@dataclass(frozen=True, kw_only=True)
class HostBody:
    """A host, and whether the crawl shall leave it alone."""

    host: str
    stopped: bool = True


def change_host(visit: Visit) -> dict[str, Any]:
    """Stop a host, or let the crawl go on with it: ``{host, stopped}``. A running crawl sees it within a second."""
    require_edit(visit.call)
    body = body_of(visit.call, HostBody)
    return {"stopped": stop_host(visit.edition.pages.directory.crawl, body.host, stopped=body.stopped)}


def _waste(visit: Visit, facts: dict[str, Any]) -> Safe:
    say, lists = visit.say, []
    for title, name in ((say("Failures"), "failures"), (say("Left in the queue, by rule"), "by_trap")):
        counts = sorted((facts.get(name) or {}).items(), key=lambda one: -one[1])
        rows = [(str(what), visit.count(int(count))) for what, count in counts]
        if rows:
            inside = scrolling_table(title, (say("what"), say("requests")), rows)
            lists.append(element("section", element("h2", title), inside, class_="card stack tight"))
    return element("div", *lists, class_="two")


def _last_pages(visit: Visit) -> object:
    """The pages that were built last."""
    try:
        names, rows = visit.edition.pages.sql(
            f"SELECT id, host, title, date, keep, reason FROM pages ORDER BY date DESC NULLS LAST LIMIT {_LAST}"
        )
    except PaberkiError:
        return ""
    say, cells = visit.say, []
    for row in rows:
        one = dict(zip(names, row, strict=True))
        link = element("a", str(one["title"] or one["id"])[:90], href=visit.here(f"/page/{one['id']}"))
        cells.append(
            (link, str(one["host"] or ""), str(one["date"] or ""), fate_mark(visit, one["keep"], one["reason"]))
        )
    head, title = (say("page"), say("host"), say("fetched"), say("verdict")), say("Last pages")
    return element(
        "section", element("h2", title), scrolling_table(title, head, cells, 4, "card"), class_="stack tight"
    )
