"""Lines as HTML: keyword in context, whole sentences, or a table."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from paberki.markup.html import Safe, element, join_html, void
from paberki.serve.pages.concordance.shown_lines import GLOSSES
from paberki.serve.pages.pieces import breaking, text_attributes

if TYPE_CHECKING:
    from paberki.serve.pages.ask import Ask
    from paberki.serve.pages.concordance.shown_lines import ShownLine
    from paberki.serve.pages.visit import Visit

__all__ = ["line_list", "pager"]


def line_list(visit: Visit, ask: Ask, lines: list[ShownLine], labels: dict[tuple[int, int], str]) -> Safe:
    """All lines of a page."""
    if ask.view == "table":
        return _table(visit, ask, lines, labels)
    items = [_line(visit, ask, number, line, labels) for number, line in enumerate(lines, ask.start + 1)]
    kind = "lines sentence" if ask.view == "sentence" else "lines"
    return element(
        "ol", *items, class_=kind, id="lines", start=str(ask.start + 1), data_question=_question(ask.q, ask.corpus),
        data_glosses=" ".join(GLOSSES),
    )  # fmt: skip


@lru_cache(maxsize=64)
def _question(query: str, corpus: str) -> str:
    """The query and the corpus as a piece of an address."""
    return urlencode({"q": query, **({"corpus": corpus} if corpus else {})})


def _attributes(shown_line: ShownLine) -> dict[str, Any]:
    """What scripts need to know of a line; the query stands at the list, once."""
    line, page = shown_line.line, shown_line.facts.get("id")
    attributes = {
        "class_": "line", "tabindex": 0, "data_testid": "kwic-line", "data_value": line.node, "data_start": line.start, "data_end": line.end,
    }  # fmt: skip
    return {**attributes, "data_page": page, "data_host": shown_line.facts.get("host")} if page else attributes


def _text_attributes(visit: Visit, shown_line: ShownLine) -> dict[str, Any]:
    """Language and direction of the text, which are those of its page."""
    return text_attributes(shown_line.facts.get("lang") or visit.edition.index.lang)


def _direction(visit: Visit, lines: list[ShownLine]) -> str | None:
    """The direction of a table is that of its first line."""
    return "rtl" if lines and _text_attributes(visit, lines[0])["dir"] == "rtl" else None


def _line(visit: Visit, ask: Ask, number: int, shown_line: ShownLine, labels: dict[tuple[int, int], str]) -> Safe:
    line, text = shown_line.line, _text_attributes(visit, shown_line)
    tick = void("input", type="checkbox", class_="tick", aria_label=visit.say("tick line {n}", n=number), tabindex="-1")
    return element(
        "li",
        element("span", tick, str(number), class_="number"),
        element("span", _source(shown_line), class_="source", title=shown_line.facts.get("url")),
        " ",
        element("span", element("span", line.left), class_="left", data_testid="left", **text),
        " ",
        _node(ask, shown_line, text),
        " ",
        element("span", line.right, class_="right", data_testid="right", **text),
        " ",
        _after(visit, ask, shown_line, labels),
        dir="rtl" if text["dir"] == "rtl" else None,
        **_attributes(shown_line),
    )


def _source(shown_line: ShownLine) -> str:
    facts = shown_line.facts
    return " ".join(
        filter(None, (facts.get("host") or facts.get("title") or facts.get("id", ""), facts.get("year", "")))
    )


def _node(ask: Ask, shown_line: ShownLine, text: dict[str, Any]) -> Safe:
    """The hit. Its text is its words; attributes that the address does not ask for wait beside them, for scripts to show."""
    words: list[object] = []
    shown_attributes = ask.show.split(",")
    for word, glued, values in shown_line.words:
        glosses = [
            element("span", values[name], class_="gloss", data_testid="gloss", data_gloss=name)
            for name in GLOSSES
            if name in values and name in shown_attributes
        ]
        all_values = "\t".join(values.get(name, "") for name in GLOSSES)
        token = element("span", word, *glosses, class_="token", data_values=all_values)
        words += ["" if glued or not words else " ", token]
    if not words:
        words = [shown_line.line.node]
    return element("span", *words, class_="node", data_testid="node", **text)


def _after(visit: Visit, ask: Ask, shown_line: ShownLine, labels: dict[tuple[int, int], str]) -> Safe:
    line, facts, parts = shown_line.line, shown_line.facts, []
    label = labels.get((line.start, line.end), "")
    parts.append(element("span", label, class_="category", data_testid="category", data_value=label or None))
    if shown_line.reason and ask.set in ("dropped", "all"):
        parts.append(element("span", shown_line.reason, class_="mark-out", data_testid="reason"))
    if ask.fold:
        about = urlencode({"q": ask.q, "start": line.start, "end": line.end, **({"set": ask.set} if ask.set else {}),
                           **({"corpus": ask.corpus} if ask.corpus else {})})  # fmt: skip
        parts.append(
            element(
                "a",
                visit.say("copies"),
                href=f"/unfold?{about}",
                data_testid="unfold",
                class_="button quiet",
                data_open="here",
            )
        )
    if page := facts.get("id"):
        address = f"/page/{page}?{_question(ask.q, ask.corpus)}&start={line.start}&end={line.end}"
        parts.append(
            element(
                "a",
                "i",
                href=address,
                class_="button quiet about",
                aria_label=visit.say("where this line comes from"),
                data_open="provenance",
            )
        )
    return element("span", *parts, class_="after")


def _table(visit: Visit, ask: Ask, lines: list[ShownLine], labels: dict[tuple[int, int], str]) -> Safe:
    names = [name for name in GLOSSES if lines and lines[0].words and name in lines[0].words[0][2]]
    head = ["#", visit.say("page"), visit.say("left"), visit.say("hit"), visit.say("right"), *names, ""]
    rows = []
    for number, shown_line in enumerate(lines, ask.start + 1):
        line, text = shown_line.line, _text_attributes(visit, shown_line)
        values = [
            element("td", breaking(" ".join(word[2].get(name, "") for word in shown_line.words))) for name in names
        ]
        rows.append(
            element(
                "tr",
                element("td", str(number), class_="number"),
                element("td", _source(shown_line), class_="source"),
                element("td", line.left, class_="left", data_testid="left", **text),
                element("td", line.node, class_="node", data_testid="node", **text),
                element("td", line.right, class_="right", data_testid="right", **text),
                *values,
                element("td", _after(visit, ask, shown_line, labels)),
                **_attributes(shown_line),
            )
        )
    columns = element(
        "thead",
        element("tr", *(element("th", name or Safe("<span class='unseen'>…</span>"), scope="col") for name in head)),
    )
    return element("div", element("table", columns, element("tbody", *rows), class_="hits", id="lines", dir=_direction(visit, lines), data_question=_question(ask.q, ask.corpus)), class_="table lines-table", tabindex="0",
                   role="region", aria_label=visit.say("lines"))  # fmt: skip


def pager(visit: Visit, ask: Ask, line_count: int, has_more: bool, count: int, path: str = "/concordance") -> Safe:
    """Leafing through the lines."""
    say, parts = visit.say, []
    if ask.start:
        parts.append(
            element(
                "a",
                "◂ ",
                say("previous"),
                href=ask.at(path, start=max(0, ask.start - ask.size)),
                rel="prev",
                class_="button",
            )
        )
    if line_count:
        parts.append(
            element("span", f"{visit.count(ask.start + 1)}–{visit.count(ask.start + line_count)}", class_="muted")
        )
    if has_more:
        parts.append(
            element("a", say("next"), " ▸", href=ask.at(path, start=ask.start + ask.size), rel="next", class_="button")
        )
    if has_more or ask.start:
        hidden_fields = [void("input", type="hidden", name=name, value=value) for name, value in ask.but(start=0).pairs]
        field = void(
            "input",
            type="number",
            name="from",
            min="0",
            max=str(max(count - 1, 0)),
            placeholder=str(ask.start),
            aria_label=say("go to line"),
        )
        parts.append(
            element("form", *hidden_fields, element("label", say("go to line"), field), action=path, method="get")
        )
    if visit.edition.corpus is not None and line_count:
        rubbish = element(
            "a",
            say("ticked lines are rubbish"),
            href="/rubbish",
            id="rubbish",
            class_="button quiet",
            hidden=True,
            hx_boost="false",
        )
        parts.append(rubbish)
    return element("nav", join_html(parts), class_="pager", aria_label=say("Pages of lines"))
