"""What narrows a concordance: sets, hosts, years, scores as histograms, a cut; and what the counts are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from paberki.errors import PaberkiError
from paberki.markup.html import Safe, element, join_html, void
from paberki.query.counting.page_columns import page_numbers, page_strings
from paberki.serve.pages.concordance.cut import cut_form
from paberki.store.sql.quoting import quote

if TYPE_CHECKING:
    from paberki.query.hits.hits import Hits
    from paberki.serve.pages.ask import Ask
    from paberki.serve.pages.visit import Visit

__all__ = ["narrowing", "quote"]

_LISTS: Final = ("host", "year", "lang", "page_type", "open_licence", "encoding")
_SCORES: Final = ("badness", "ngram3", "selected_char_count", "char_count")
_LABELS: Final = {
    "lang": "language", "page_type": "kind of page", "open_licence": "open licence", "selected_char_count": "characters kept",
    "char_count": "characters", "ngram3": "3-graph score",
}  # fmt: skip
_ROWS: Final = 8
_BINS: Final = 24
_ONE_HOST: Final = 0.2
_SETS: Final = (("kept", "kept"), ("dropped", "left out"), ("all", "all"))


def narrowing(visit: Visit, ask: Ask, hits: Hits) -> Safe:
    """The whole column beside the lines."""
    say, places, path = visit.say, hits.scope.places, "/concordance"
    table = hits.table
    pages = places.locate(table.starts).astype(np.int64)
    attributes = places.index.structures.get(places.structure or "", ())
    parts: list[object] = [_numbers(visit, hits, pages), _sets(visit, ask, path)]
    parts += [_list(visit, ask, path, places, name, pages) for name in _LISTS if name in attributes]
    parts += [_histogram(visit, ask, path, hits, name, pages) for name in _SCORES if name in attributes]
    if ask.set in ("dropped", "all") and "reason" in attributes:
        parts.insert(2, _list(visit, ask, path, places, "reason", pages))
    if visit.edition.corpus is not None and "kept" in places.index.selections and ask.set in (None, "kept"):
        parts.append(cut_form(visit, ask, path))
    return element("details", element("summary", say("Narrow")), *parts, class_="narrowing", id="narrowing", open=True)


def _numbers(visit: Visit, hits: Hits, pages: Any) -> Safe:
    """Pages, hosts and lines without copies: numbers that one host cannot bend."""
    say, hosts = visit.say, hits.scope.places.hosts[np.unique(pages)] if len(pages) else np.zeros(0, np.int64)
    facts = [
        (say("pages"), visit.count(len(np.unique(pages)))),
        (say("hosts"), visit.count(len(np.unique(hosts[hosts >= 0])))),
    ]
    if not any(step.name == "near-copies once" for step in hits.steps):
        facts.append((say("without copies"), visit.count(len(hits.fold().table.starts))))
    rows = join_html(join_html([element("dt", name), element("dd", value)]) for name, value in facts)
    return join_html([element("dl", rows, class_="facts"), _one_host(visit, hits, pages)])


def _one_host(visit: Visit, hits: Hits, pages: Any) -> object:
    """A warning where one host has a large part of the hits."""
    hosts = hits.scope.places.hosts[pages] if len(pages) else np.zeros(0, np.int64)
    hosts = hosts[hosts >= 0]
    if len(hosts) < 20:
        return ""
    counts = np.bincount(hosts)
    best = int(counts.argmax())
    share = counts[best] / len(pages)
    if share <= _ONE_HOST:
        return ""
    return element("p", visit.say("one host gives {share} %: {host}", share=str(round(share * 100)),
                                  host=hits.scope.places.host_names[best]), class_="warning")  # fmt: skip


def _sets(visit: Visit, ask: Ask, path: str) -> Safe:
    """Kept, left out, all: how many hits each has."""
    say, index = visit.say, visit.edition.index
    if "kept" not in index.selections:
        return join_html([])
    now = ask.set or "kept"
    links, is_counting = [], False
    for key, label in _SETS:
        count = _set_count(visit, ask, key) if not (ask.cut or ask.state) else None
        is_counting |= count is None and not (ask.cut or ask.state)
        number = "" if count is None else f" {visit.count(count)}"
        links.append(
            element(
                "a",
                say(label),
                number,
                href=ask.at(path, set=key, cut=None, side="", state=""),
                role="button",
                data_testid=f"set-{key}",
                aria_pressed="true" if key == now else "false",
            )
        )
    choice = element("div", *links, class_="segments", data_counting=is_counting)
    return element("div", element("h3", say("Which pages")), choice, class_="facet")


def _set_count(visit: Visit, ask: Ask, key: str) -> int | None:
    """Hits of the query in a set; None while they are counted."""
    try:
        job = visit.service.jobs.start(visit.edition, ask.but(set=key, sort=None, good=False).as_search)
    except PaberkiError:
        return None
    count = job.wait(0.15)
    return count.value if count.state == "done" else None


def _list(visit: Visit, ask: Ask, path: str, places: Any, name: str, pages: Any) -> object:
    """The most frequent values of a column, each a link that leaves only its pages."""
    ids, strings = page_strings(places, name)
    if not len(pages) or len(strings) < 2:
        return ""
    mine = ids[pages]
    counts = np.bincount(mine[mine >= 0], minlength=len(strings))
    best = [at for at in np.argsort(-counts, kind="stable")[: _ROWS + 1].tolist() if counts[at] and strings[at]]
    if not best:
        return ""
    numeric = name == "year"
    items = []
    for at in best[:_ROWS]:
        condition = f"{name} = {strings[at] if numeric and str(strings[at]).isdecimal() else quote(str(strings[at]))}"
        is_active = condition in ask.conditions
        link = (
            element("a", strings[at], href=ask.at(path, conditions=(*ask.conditions, condition)), title=strings[at])
            if not is_active
            else element("b", strings[at])
        )
        items.append(element("li", link, element("span", visit.count(int(counts[at])), class_="n")))
    more = (
        element("a", visit.say("all"), href=ask.at("/distribution") + f"&by={name}", class_="tiny")
        if len(best) > _ROWS
        else ""
    )
    return element(
        "section",
        element("h3", visit.say(_LABELS.get(name, name))),
        element("ul", *items),
        more,
        class_="facet",
        data_testid=f"facet-{name}",
    )


def _histogram(visit: Visit, ask: Ask, path: str, hits: Hits, name: str, pages: Any) -> object:
    """A score: the pages of the corpus grey, those with hits coloured; dragging over it leaves a part of the scale."""
    places = hits.scope.places
    scores = page_numbers(places, name)
    there = scores[(hits.scope.page_tokens > 0) & np.isfinite(scores)]
    if len(there) < 2 or there.min() == there.max():
        return ""
    low, high = (float(one) for one in np.quantile(there, (0.0, 0.99)))
    low, high = (low, high) if high > low else (float(there.min()), float(there.max()))
    grey, _ = np.histogram(np.clip(there, low, high), _BINS, (low, high))
    mine = scores[np.unique(pages)]
    hit_pages, _ = np.histogram(np.clip(mine[np.isfinite(mine)], low, high), _BINS, (low, high))
    bars = [
        _bar(at, grey[at] / max(grey.max(), 1), "all") + _bar(at, hit_pages[at] / max(hit_pages.max(), 1) * 0.8, "hit")
        for at in range(_BINS)
    ]
    svg = Safe(f'<svg viewBox="0 0 {_BINS * 10} 64" preserveAspectRatio="none" class="histogram" role="img" aria-label="'
               f'{element("i", visit.say("distribution of {name}", name=name))[3:-4]}">{"".join(bars)}<rect class="brush" y="0" height="64" width="0"/></svg>')  # fmt: skip
    hidden_fields = [void("input", type="hidden", name=key, value=text) for key, text in ask.but(start=0).pairs]
    fields = [
        void("input", type="number", step="any", class_="low", aria_label=visit.say("from"), placeholder=_short(low)),
        "–",
        void("input", type="number", step="any", class_="high", aria_label=visit.say("to"), placeholder=_short(high)),
        void("input", type="hidden", name="where", value="", class_="condition-field"),
        element("button", "→", class_="quiet", aria_label=visit.say("narrow to this part")),
    ]
    return element(
        "section",
        element("h3", visit.say(_LABELS.get(name, name))),
        element("div", svg, data_testid=f"facet-{name}", class_="brushed"),
        element("div", element("span", _short(low)), element("span", _short(high)), class_="ends"),
        element("form", *hidden_fields, *fields, action=path, method="get"),
        class_="facet", data_score=name, data_low=repr(low), data_high=repr(high),
    )  # fmt: skip


def _short(number: float) -> str:
    """Three digits, and never a power of ten: a place on a scale."""
    return f"{number:.3g}" if abs(number) < 100 else f"{number:.0f}"


def _bar(at: int, share: float, kind: str) -> str:
    high = round(60 * share, 1)
    wide, left = (8, at * 10 + 1) if kind == "all" else (4, at * 10 + 3)
    return f'<rect x="{left}" y="{64 - high}" width="{wide}" height="{high}" class="{kind}"/>' if high else ""
