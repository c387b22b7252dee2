"""Word lists and n-grams; every number leads to its concordance."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from starlette.responses import Response

from paberki.errors import QueryError
from paberki.markup.html import Safe, element, join_html, void
from paberki.serve.pages.ask import Ask
from paberki.serve.pages.concordance.list_tabs import NUMBERS, number_cells, top_rows
from paberki.serve.pages.frame import document
from paberki.serve.pages.pieces import column_name

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["attribute_of", "list_form", "list_table", "literal", "ngrams_page", "part_of", "word_frame", "words_page"]

_LISTS: Final = (
    ("/words", "Word list"),
    ("/ngrams", "N-grams"),
    ("/keywords", "Keywords"),
    ("/sketch", "Word sketch"),
    ("/similar", "Similar words"),
)
_SPECIAL: Final = re.compile(r'[.?*+()|{}\[\]\\^$"/]')


def literal(value: str) -> str:
    """A value as a pattern that matches it alone."""
    return _SPECIAL.sub(r"\\\g<0>", value)


def word_frame(visit: Visit, path: str, *inside: object) -> Response:
    """A page of this part, with the others beside it."""
    links = [
        element("a", visit.say(name), href=visit.here(address), aria_current="page" if address == path else None)
        for address, name in _LISTS
    ]
    title = visit.say(dict(_LISTS)[path])
    return visit.answer(
        document(
            visit,
            title,
            element("h1", title),
            element("nav", *links, class_="tabs", aria_label=visit.say("Lists")),
            *inside,
        )
    )


def attribute_of(visit: Visit, default: str = "lemma") -> str:
    """The attribute that is listed."""
    index = visit.edition.index
    name = visit.value("attr") or visit.value("by")
    return name if name in index.attributes else default if default in index.attributes else index.default


def part_of(visit: Visit) -> Any:
    """The part of the corpus that is asked."""
    where = visit.value("where") or None
    set_name = visit.value("set") or None
    return visit.edition.concordancer.part(where, set=set_name) if where or set_name else visit.edition.concordancer


def list_form(visit: Visit, path: str, fields: list[tuple[str, str, str, tuple[str, ...]]]) -> Safe:
    """A form with fields: name, label, value, choices."""
    inputs = []
    for name, label, value, choices in fields:
        if choices:
            field = element(
                "select", *(element("option", one, value=one, selected=one == value) for one in choices), name=name
            )
        else:
            field = void("input", type="text", name=name, value=value, size="28" if name == "where" else "12")
        inputs.append(element("label", label, field))
    corpus = void("input", type="hidden", name="corpus", value=visit.value("corpus")) if visit.value("corpus") else ""
    return element(
        "form",
        corpus,
        *inputs,
        element("button", visit.say("show"), class_="primary"),
        action=path,
        method="get",
        class_="row card",
    )


def list_table(
    visit: Visit,
    head: str,
    rows: list[tuple[str, str, dict[str, Any]]],
    numbers: tuple[str, ...],
    order: str,
    testid: str,
    where: str = "",
) -> Safe:
    """Rows of value, query and numbers."""
    lines = []
    base = Ask(corpus=visit.value("corpus"), set=visit.value("set") or None).but(
        conditions=tuple(filter(None, [where or visit.value("where")]))
    )
    for value, query, row in rows:
        link = element("a", value, href=base.at("/concordance", q=query))
        lines.append(
            element(
                "tr",
                element("td", link, class_="word"),
                number_cells(visit, row, numbers),
                data_testid=testid,
                data_value=value,
                data_hits=str(row.get("hits", "")),
            )
        )
    pairs = {name: value for name, value in visit.values.items() if name != "order"}
    heads = join_html(
        element(
            "th",
            element("a", column_name(visit, name), href=f"{visit.path}?{urlencode({**pairs, 'order': name})}"),
            class_="number",
            scope="col",
            aria_sort="descending" if name == order else None,
        )
        for name in numbers
    )
    inside = element(
        "table", element("thead", element("tr", element("th", head, scope="col"), heads)), element("tbody", *lines)
    )
    return element("div", inside, class_="table card", tabindex="0", role="region", aria_label=visit.say("Table"))


def words_page(visit: Visit) -> Response:
    """``/words?attr=&regex=&min=``."""
    attribute, order, least = attribute_of(visit), visit.value("order", "hits"), visit.number("min", 1, 1)
    form = list_form(visit, "/words", [
        ("attr", visit.say("attribute"), attribute, tuple(visit.edition.index.attributes)), ("regex", visit.say("pattern"), visit.value("regex"), ()),
        ("min", visit.say("at least"), str(least), ()), ("where", visit.say("pages with"), visit.value("where"), ()),
    ])  # fmt: skip
    try:
        table = part_of(visit).wordlist(
            attribute, min=least, **({"regex": visit.value("regex")} if visit.value("regex") else {})
        )
    except QueryError as error:
        return word_frame(visit, "/words", form, element("p", str(error), class_="query-error", role="alert"))
    rows = [
        (str(row[attribute]), f'[{attribute}="{literal(str(row[attribute]))}"]', row) for row in top_rows(table, order)
    ]
    note = element("p", visit.say("{n} values", n=table.num_rows), class_="muted small")
    return word_frame(visit, "/words", form, note, list_table(visit, attribute, rows, NUMBERS, order, "word-row"))


def ngrams_page(visit: Visit) -> Response:
    """``/ngrams?attr=&n=&min=``."""
    attribute, order = attribute_of(visit, "word"), visit.value("order", "hits")
    n, least = visit.number("n", 2, 1, 6), visit.number("min", 2, 1)
    form = list_form(visit, "/ngrams", [
        ("attr", visit.say("attribute"), attribute, tuple(visit.edition.index.attributes)), ("n", "n", str(n), ("1", "2", "3", "4", "5", "6")),
        ("min", visit.say("at least"), str(least), ()), ("where", visit.say("pages with"), visit.value("where"), ()),
    ])  # fmt: skip
    try:
        table = part_of(visit).ngrams(attribute, n, min=least)
    except QueryError as error:
        return word_frame(visit, "/ngrams", form, element("p", str(error), class_="query-error", role="alert"))
    column = table.column_names[0]
    rows = []
    for row in top_rows(table, order):
        value = str(row[column])
        query = " ".join(f'[{attribute}="{literal(word)}"]' for word in value.split(" "))
        rows.append((value, query, row))
    return word_frame(
        visit, "/ngrams", form, list_table(visit, visit.say("{n}-gram", n=str(n)), rows, NUMBERS, order, "ngram-row")
    )
