"""The query: a simple box, a builder, CQL. The CQL field is always there, since all three write into it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from paberki.errors import QueryError
from paberki.markup.html import Safe, element, join_html, void

if TYPE_CHECKING:
    from paberki.serve.pages.ask import Ask
    from paberki.serve.pages.visit import Visit

__all__ = ["error_box", "query_form"]

_MODES: Final = (("simple", "Simple"), ("builder", "Builder"), ("cql", "CQL"))
_KEPT: Final = frozenset({"q", "simple", "mode", "from", "build", "count", "state", "is", "near"})
"""What a new query does not take over from the address."""


def query_form(visit: Visit, ask: Ask, cql: str, error: QueryError | None = None, action: str = "/concordance") -> Safe:
    """The form, in the mode of the question."""
    say, mode = visit.say, mode_of(ask)
    modes = [
        element(
            "a", say(name), href=ask.at(action, mode=key), role="button", data_testid=f"mode-{key}", data_mode=key,
            aria_pressed="true" if key == mode else "false",
        )
        for key, name in _MODES
    ]  # fmt: skip
    hidden_fields = [
        void("input", type="hidden", name=name, value=value) for name, value in ask.pairs if name not in _KEPT
    ]
    return element(
        "form",
        *hidden_fields,
        void("input", type="hidden", name="mode", value=mode),
        element("div", element("div", *modes, class_="segments", role="group", aria_label=say("How to ask")), class_="row"),
        _simple(visit, ask, mode),
        element("div", data_testid="builder", id="builder", class_="builder", hidden=mode != "builder"),
        element("div", _editor(visit, cql), element("button", say("Search"), class_="primary", type="submit"), class_="box"),
        element("div", error_box(visit, cql, error), id="query-messages"),
        element("div", id="estimate", class_="estimate tiny muted", role="status", data_testid="estimate"),
        class_="query", action=action, method="get", id="query-form", data_mode=mode, role="search",
        aria_label=say("Query"),
    )  # fmt: skip


def mode_of(ask: Ask) -> str:
    """The mode of the form: as the address says, else simple until there is a query in CQL."""
    if ask.mode:
        return ask.mode
    return "cql" if ask.q and not ask.simple else "simple"


def _simple(visit: Visit, ask: Ask, mode: str) -> Safe:
    from paberki.query.syntax.plain_words import is_cql

    say = visit.say
    words = ask.simple or ("" if is_cql(ask.q) or mode != "simple" else ask.q)
    box = void(
        "input", type="search", id="simple", name="simple", value=words, data_testid="simple", autocomplete="off",
        placeholder=say("a word, a lemma, several words, * and ? for letters"), spellcheck="false",
    )  # fmt: skip
    offer = element(
        "p",
        say("This looks like CQL."),
        " ",
        element("a", say("Ask it as CQL"), href=ask.at("/concordance", q=words, simple="", mode="cql"), id="take-cql"),
        class_="offer", data_testid="offer-cql", id="offer-cql", role="status", hidden=not is_cql(words),
    )  # fmt: skip
    label = element("label", say("Words"), for_="simple", class_="unseen")
    return element("div", label, box, offer, id="simple-box", class_="simple-box stack tight", hidden=mode != "simple")


def _editor(visit: Visit, cql: str) -> Safe:
    field = element(
        "textarea", cql, name="q", id="query", data_testid="query", rows="1", spellcheck="false", autocapitalize="off",
        autocomplete="off", aria_describedby="query-messages", aria_controls="suggestions", aria_autocomplete="list",
        placeholder='[lemma="…"]',
    )  # fmt: skip
    return element(
        "div",
        element("pre", class_="colours", aria_hidden="true", id="colours"),
        element("label", "CQL", for_="query", class_="unseen"),
        field,
        element("div", class_="suggestions", id="suggestions", role="listbox", aria_label=visit.say("Completions")),
        class_="editor",
        id="editor",
    )


def error_box(visit: Visit, cql: str, error: QueryError | None) -> object:
    """What is wrong, with a caret under the place."""
    if error is None:
        return ""
    position = error.position
    parts: list[object] = [element("b", _sentence(error))]
    if position is not None:
        line, column = _line_at(cql, position)
        parts.append(element("pre", f"{line}\n{' ' * column}{'^' * max(1, min(error.length, len(line) - column))}"))
    if error.suggestion:
        parts.append(element("p", visit.say("did you mean {name}?", name=error.suggestion)))
    if len(error.expected) > 1 or (error.expected and "expected" not in str(error)):
        parts.append(element("p", visit.say("expected: {what}", what=", ".join(error.expected[:12])), class_="muted"))
    return element(
        "div", join_html(parts), class_="query-error", role="alert", data_testid="query-error", id="query-error",
        data_position=str(position) if position is not None else "0", data_suggestion=error.suggestion or None,
    )  # fmt: skip


def _sentence(error: QueryError) -> str:
    """What is wrong, without what is shown in lines of its own: the place, the suggestion, the list."""
    text = str(error)
    if error.position is None:
        return text
    text = re.sub(r" \(character \d+\)", "", text)
    return re.sub(r"; (did you mean .*|there are: .*)", "", text, flags=re.DOTALL) if error.suggestion else text


def _line_at(text: str, position: int) -> tuple[str, int]:
    """The line of a place, at most 120 characters of it, and the column."""
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line, column = text[start : end if end >= 0 else len(text)], position - start
    if column > 100:
        line, column = line[column - 100 :], 100
    return line[:160].replace("\t", " "), column
