"""Word sketches, differences of two lemmas, similar words."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.responses import Response

from paberki.errors import QueryError
from paberki.markup.html import Safe, element, join_html, void
from paberki.serve.pages.ask import Ask
from paberki.serve.pages.concordance.list_tabs import number_cells
from paberki.serve.pages.pieces import column_name
from paberki.serve.pages.words.wordlists import literal, part_of, word_frame

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["similar_page", "sketch_page"]


def _lemma(visit: Visit) -> str:
    return str(visit.call.request.path_params.get("lemma") or visit.value("lemma"))[:200].strip()


def _form(visit: Visit, path: str, lemma: str, hint: str) -> Safe:
    field = void(
        "input", type="search", name="lemma", value=lemma, placeholder=hint, autocomplete="off", id="lemma-field"
    )
    return element(
        "form",
        void("input", type="hidden", name="corpus", value=visit.value("corpus")) if visit.value("corpus") else "",
        element("label", "lemma", field),
        element("button", visit.say("show"), class_="primary"),
        action=path,
        method="get",
        class_="row card",
    )


def sketch_page(visit: Visit) -> Response:
    """``/sketch/LEMMA``, ``/sketch/A..B``."""
    lemma = _lemma(visit)
    form = _form(visit, "/sketch", lemma, "grad, grad..selo")
    if not lemma:
        return word_frame(visit, "/sketch", form)
    try:
        table = part_of(visit).sketch(lemma)
    except QueryError as error:
        return word_frame(visit, "/sketch", form, element("p", str(error), class_="query-error", role="alert"))
    first, dots, second = lemma.partition("..")
    rows = table.to_pylist()
    if dots and first and second:
        return word_frame(visit, "/sketch", form, _difference(visit, rows, table.column_names, first, second))
    sections = [
        _relation(visit, lemma, str(name), list(own)) for name, own in groupby(rows, key=lambda row: row["relation"])
    ]
    similar = element(
        "p", element("a", visit.say("similar words"), href=visit.here(f"/similar/{quote(lemma, safe='')}"))
    )
    return word_frame(visit, "/sketch", form, similar, element("div", *sections, class_="sketch"))


def _relation(visit: Visit, lemma: str, relation: str, rows: list[dict[str, Any]]) -> Safe:
    numbers = ("hits", "logdice") if rows and "logdice" in rows[0] else ("hits",)
    lines = []
    for row in rows[:12]:
        other = _other(row)
        link = _lines_link(visit, _query(lemma, relation, other), other)
        lines.append(_line(visit, row, numbers, link, data_testid="sketch-row", data_value=other))
    heads = tuple({"hits": visit.say("hits"), "logdice": "logDice"}[name] for name in numbers)
    table = _table((visit.say("word"),), heads, lines)
    return element("section", element("h2", relation, class_="relation-name"), table)


def _other(row: dict[str, Any]) -> str:
    return str(row.get("collocate") or row.get("lemma") or "")


def _lines_link(visit: Visit, query: str, label: str, kind: str | None = None) -> Safe:
    """A word that leads to its lines."""
    return element("a", label, href=Ask(q=query, corpus=visit.value("corpus")).at("/concordance"), class_=kind)


def _line(visit: Visit, row: dict[str, Any], numbers: tuple[str, ...], *words: object, **attributes: Any) -> Safe:
    """A row: cells of words, then its numbers."""
    cells = [element("td", word, class_="word") for word in words]
    return element("tr", *cells, number_cells(visit, row, numbers), **attributes)


def _table(words: tuple[str, ...], numbers: tuple[str, ...], lines: list[Safe]) -> Safe:
    heads = [element("th", name, scope="col") for name in words]
    heads += [element("th", name, class_="number", scope="col") for name in numbers]
    return element("table", element("thead", element("tr", *heads)), element("tbody", *lines))


def _card(visit: Visit, table: Safe) -> Safe:
    return element("div", table, class_="table card", tabindex="0", role="region", aria_label=visit.say("Table"))


def _query(lemma: str, relation: str, other: str) -> str:
    """The query of one row of a sketch."""
    name, _, of = relation.partition(" of")
    own, theirs = f'[lemma="{literal(lemma)}"]', f'[lemma="{literal(other)}"]'
    return f"{theirs} -{name}-> {own}" if relation.endswith(" of") or of else f"{own} -{name}-> {theirs}"


def _difference(visit: Visit, rows: list[dict[str, Any]], names: list[str], first: str, second: str) -> Safe:
    """Words that go with one lemma, with both, with the other."""
    numbers = tuple(name for name in names if name not in ("relation", "collocate", "lemma"))
    lines = []
    for row in rows[:200]:
        word, relation = _other(row), str(row["relation"])
        one = _lines_link(visit, _query(first, relation, word), word)
        other = _lines_link(visit, _query(second, relation, word), f"→ {second}", "tiny")
        lines.append(_line(visit, row, numbers, relation, join_html([one, " ", other])))
    heads = tuple(" ".join([column_name(visit, name.split(" ", 1)[0]), *name.split(" ", 1)[1:]]) for name in numbers)
    return _card(visit, _table((visit.say("relation"), visit.say("word")), heads, lines))


def similar_page(visit: Visit) -> Response:
    """``/similar/LEMMA``."""
    lemma = _lemma(visit)
    form = _form(visit, "/similar", lemma, "grad")
    if not lemma:
        return word_frame(visit, "/similar", form)
    try:
        table = part_of(visit).similar(lemma)
    except QueryError as error:
        return word_frame(visit, "/similar", form, element("p", str(error), class_="query-error", role="alert"))
    column = table.column_names[0]
    numbers = tuple(name for name in table.column_names[1:] if name in ("similarity", "score", "hits", "shared"))
    lines = []
    for row in table.to_pylist():
        other = str(row[column])
        both = visit.here(f"/sketch/{quote(lemma + '..' + other, safe='')}")
        words = [
            _lines_link(visit, f'[lemma="{literal(other)}"]', other),
            " ",
            element("a", visit.say("compare"), class_="tiny", href=both),
        ]
        lines.append(_line(visit, row, numbers, join_html(words), data_testid="similar-row", data_value=other))
    return word_frame(visit, "/similar", form, _card(visit, _table((visit.say("word"),), numbers, lines)))
