"""Why nothing was found: each token by itself, near forms, without capitals and diacritics, in what was left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from paberki.errors import PaberkiError
from paberki.markup.html import Safe, element
from paberki.nearest import nearest
from paberki.serve.pages.pieces import no_annotation

if TYPE_CHECKING:
    from paberki.serve.pages.ask import Ask
    from paberki.serve.pages.visit import Visit

__all__ = ["tokens_of", "why_nothing"]

_TOKEN: Final = re.compile(r'(?:[A-Za-z]\w*:)?(\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\]|"(?:[^"\\]|\\.)*"(?:%[cdl]+)?)')
_VALUE: Final = re.compile(r'([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"')
_WITHIN: Final = re.compile(r"\s+within\s+<[^>]*>\s*$")
_MOST: Final = 8
_SECONDS: Final = 0.5
_CANDIDATES: Final = 20_000


def tokens_of(cql: str, *, distinct: bool = True) -> list[str]:
    """The tokens of a query as they are written."""
    parts = [match[1] for match in _TOKEN.finditer(cql)]
    return list(dict.fromkeys(parts)) if distinct else parts


def why_nothing(visit: Visit, ask: Ask) -> Safe:
    """Explanations, each a link to the query that finds something."""
    from paberki.query.syntax.plain_words import cql_of

    say, cql = visit.say, cql_of(ask.q, visit.edition.index)
    items = [*_tokens(visit, ask, cql), *_steps(visit, ask), *_wider(visit, ask, cql)]
    items = items or [element("li", say("No part of the query explains it."))]
    return element(
        "section",
        element("h2", say("Nothing was found. Why?")),
        no_annotation(visit),
        element("ul", *items),
        class_="why card",
        data_testid="why-nothing",
    )


def _count(visit: Visit, ask: Ask) -> int | None:
    try:
        count = visit.service.jobs.start(visit.edition, ask.as_search).wait(_SECONDS)
    except PaberkiError:
        return None
    return count.value if count.state == "done" or count.value else None


def _item(visit: Visit, ask: Ask, label: str, count: int | None) -> Safe:
    found_text = visit.say("{n} hits", n=count) if count is not None else "…"
    target = element("a", label, href=ask.at("/concordance")) if count else label
    return element("li", target, ": ", found_text)


def _tokens(visit: Visit, ask: Ask, cql: str) -> list[Safe]:
    """How often each token of the query occurs by itself; for one that never does, the nearest forms."""
    plain = type(ask)(set=ask.set, corpus=ask.corpus, dialect=ask.dialect)
    items, tokens = [], tokens_of(cql)
    if len(tokens) == 1 and cql.strip() == tokens[0]:
        return _near_forms(visit, plain, tokens[0])
    for part in tokens[:_MOST]:
        if part == "[]":
            continue
        count = _count(visit, plain.but(q=part))
        items.append(_item(visit, plain.but(q=part), part, count))
        if count == 0:
            items += _near_forms(visit, plain, part)
    return items


def _near_forms(visit: Visit, plain: Ask, token: str) -> list[Safe]:
    index = visit.edition.index
    pairs = _VALUE.findall(token) or [(index.default, value) for value in re.findall(r'^"((?:[^"\\]|\\.)*)"', token)]
    items = []
    for name, value in pairs[:3]:
        try:
            close = _closest(index, name, value)
        except PaberkiError:
            continue
        for form in close:
            other = plain.but(q=f'[{name}="{re.escape(form) if not form.isalnum() else form}"]')
            items.append(_item(visit, other, other.q, _count(visit, other)))
    return items


def _closest(index: Any, name: str, value: str) -> list[str]:
    """Values spelt almost alike, among the frequent ones."""
    from difflib import get_close_matches

    import numpy as np

    from paberki.query.counting.values import values_of

    values = values_of(index, name)
    frequent = values.texts(np.argsort(-values.counts, kind="stable")[:_CANDIDATES])
    likely = [str(text) for text in frequent if abs(len(str(text)) - len(value)) < 4]
    hint = nearest(value, likely)
    close = get_close_matches(value, likely, 3, 0.7)
    return close or ([hint.split("'")[1]] if hint and "'" in hint else [])


def _steps(visit: Visit, ask: Ask) -> list[Safe]:
    """The query without its conditions, without its filters."""
    items = []
    for changes, label in (
        ({"conditions": ()}, "without conditions on pages"),
        ({"filters": (), "picks": (), "nears": ()}, "without filters"),
    ):
        if any(getattr(ask, name) for name in changes):
            other = ask.but(**changes)
            items.append(_item(visit, other, visit.say(label), _count(visit, other)))
    return items


def _wider(visit: Visit, ask: Ask, cql: str) -> list[Safe]:
    """Without capitals and diacritics, without within, in what was left out."""
    items = []
    folded_query = re.sub(r'"(?!%)((?:[^"\\]|\\.)*)"(?!%)', r'"\1"%cd', cql)
    if folded_query != cql:
        other = ask.but(q=folded_query)
        items.append(_item(visit, other, visit.say("without capitals and diacritics"), _count(visit, other)))
    if _WITHIN.search(cql):
        other = ask.but(q=_WITHIN.sub("", cql))
        items.append(_item(visit, other, visit.say("without within"), _count(visit, other)))
    if "dropped" in visit.edition.index.selections and ask.set in (None, "kept"):
        other = ask.but(set="dropped", cut=None, state="")
        items.append(_item(visit, other, visit.say("in pages that were left out"), _count(visit, other)))
    words = re.sub(r"[^\w\s]+", " ", re.sub(r"\b\w+\s*=", " ", cql)).strip()
    if words:
        items.append(
            element(
                "li",
                element(
                    "a",
                    visit.say("search documents, pages without annotation included"),
                    href=visit.here("/search", q=words),
                ),
            )
        )
    return items
