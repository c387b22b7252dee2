"""Presets side by side: what the rules of each would keep of this corpus, and how many hits of a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from paberki.errors import PaberkiError
from paberki.markup.html import Safe, element
from paberki.query.hits.what_if import askable_rules
from paberki.report.preset_rules import preset_names
from paberki.serve.pages.pieces import scrolling_table

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["presets_side_by_side"]


def presets_side_by_side(visit: Visit) -> Safe:
    """A row for each preset; its name leads to what it would change."""
    say, edition, ask = visit.say, visit.edition, visit.ask
    hits = _hit_pages(visit)
    scopes = [(say("now"), "", edition.concordancer._scope())]
    notes = {}
    for name in preset_names():
        cut = f"preset {name}"
        try:
            scope = edition.what_if(cut)._scope()
        except PaberkiError:
            continue
        scopes.append((name, cut, scope))
        rules = edition.preset_rules(cut)
        if rules is not None:
            notes[name] = f"{len(askable_rules(edition.concordancer._places, rules))} / {len(rules.rules)}"
    rows = []
    for name, cut, scope in scopes:
        pages = scope.page_tokens > 0
        label: object = element("b", name) if not cut else element("a", name, href=ask.at("/select", cut=cut))
        cells = [label, notes.get(name, "–"), visit.count(int(pages.sum())), visit.count(scope.tokens)]
        if hits is not None:
            cells.append(visit.count(int(pages[hits].sum())))
        rows.append(tuple(cells))
    head = [say("preset"), say("rules that can be asked"), say("pages"), say("tokens")]
    head += [say("hits")] if hits is not None else []
    title = say("Presets side by side")
    note = say("The rules of each preset for pages, over the columns that this corpus has; blocks are those of now.")
    return element(
        "section",
        element("h2", title),
        scrolling_table(title, head, rows, 2),
        element("p", note, class_="small muted"),
        class_="card stack",
        data_testid="presets",
    )


def _hit_pages(visit: Visit) -> Any:
    """The page of every hit of the query, kept or not; None without a query."""
    if not visit.ask.q:
        return None
    question = visit.ask.but(set="all", cut=None, side="", sort=None, sample=None)
    try:
        hits = question.hits(visit.edition, visit.service.settings)
        return hits.scope.places.locate(hits.table.starts).astype(np.int64)
    except PaberkiError:
        return None
