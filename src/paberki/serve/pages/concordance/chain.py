"""The chain of steps: each can be read, changed and taken away; those behind it are applied again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paberki.markup.html import Safe, element, join_html, void

if TYPE_CHECKING:
    from paberki.serve.pages.ask import Ask
    from paberki.serve.pages.visit import Visit

__all__ = ["chain_of", "chips"]


@dataclass(frozen=True, slots=True)
class _Link:
    """One step: how it is shown, which field of the address it is, and what the address is without it."""

    label: str
    text: str
    name: str
    without: str | None
    keep: Ask
    """The question without this step, to which the changed step is added."""
    sign: str = ""


def chain_of(visit: Visit, ask: Ask, cql: str, path: str) -> Safe:
    """All steps in the order in which they are applied."""
    links = _links(visit, ask, cql, path)
    return element(
        "div",
        *(_step(visit, one, path) for one in links),
        _adding(visit, ask, path),
        class_="chain",
        role="group",
        aria_label=visit.say("Steps"),
    )


def _links(visit: Visit, ask: Ask, cql: str, path: str) -> list[_Link]:
    say = visit.say
    links = [_Link(say("query"), cql, "q", None, ask.but(q=""))]
    for number, text in enumerate(ask.filters):
        others = _without(ask.filters, number)
        label = say("with") if text[:1] == "+" else say("without")
        links.append(_Link(label, text[1:], "filter", ask.at(path, filters=others), ask.but(filters=others), text[:1]))
    for name, label, values in (("picks", say("is"), ask.picks), ("nears", say("near"), ask.nears)):
        for number, text in enumerate(values):
            rest = ask.but(**{name: _without(values, number)})
            links.append(_Link(label, text, {"picks": "is", "nears": "near"}[name], rest.at(path), rest))
    if ask.one:
        rest = ask.but(one=0)
        links.append(_Link(say("per page"), str(ask.one), "one", rest.at(path), rest))
    if ask.fold:
        rest = ask.but(fold=False)
        links.append(_Link(say("copies folded"), "", "", rest.at(path), rest))
    if ask.sample is not None:
        rest = ask.but(sample=None)
        links.append(
            _Link(say("sample, seed {seed}", seed=str(ask.seed)), str(ask.sample), "sample", rest.at(path), rest)
        )
    if ask.good:
        rest = ask.but(good=False)
        links.append(_Link(say("good examples first"), "", "", rest.at(path), rest))
    if ask.sort:
        rest = ask.but(sort=None)
        links.append(_Link(say("sorted by"), ask.sort, "sort", rest.at(path), rest))
    return links


def _without(values: tuple[str, ...], number: int) -> tuple[str, ...]:
    return values[:number] + values[number + 1 :]


def _step(visit: Visit, link: _Link, path: str) -> Safe:
    say = visit.say
    parts: list[Any] = [element("span", link.label, class_="muted"), " "]
    if link.text:
        parts.append(element("code", link.text))
        hidden_fields = [void("input", type="hidden", name=name, value=value) for name, value in link.keep.pairs]
        field = void(
            "input", type="text", name=link.name, value=link.text, data_testid="chain-input", data_sign=link.sign or None,
            aria_label=say("change this step"), autocomplete="off",
        )  # fmt: skip
        parts.append(
            element(
                "button",
                "✎",
                type="button",
                class_="quiet",
                data_testid="chain-edit",
                aria_label=say("change this step"),
            )
        )
        parts.append(element("form", *hidden_fields, field, action=path, method="get", hidden=True))
    if link.without is not None:
        parts.append(
            element(
                "a",
                "✕",
                href=link.without,
                class_="quiet button",
                aria_label=say("take this step away"),
                data_undo=True,
            )
        )
    return element("span", *parts, class_="chain-step", data_testid="chain-step")


def _adding(visit: Visit, ask: Ask, path: str) -> Safe:
    """Fields for further steps; each applies on Enter."""
    say = visit.say

    def form(label: str, inside: Any, rest: Ask) -> Safe:
        hidden_fields = [
            void("input", type="hidden", name=name, value=value) for name, value in rest.but(start=0).pairs
        ]
        return element("form", *hidden_fields, element("label", label, inside), action=path, method="get")

    def filter_field(sign: str, name: str) -> Safe:
        label = say("with, in the sentence") if sign == "+" else say("without, in the sentence")
        field = void(
            "input", type="text", name="filter", data_testid=name, data_sign=sign, autocomplete="off", placeholder='[lemma="…"]',
            aria_label=label, title=label,
        )  # fmt: skip
        return form("+" if sign == "+" else "−", field, ask)

    one = void("input", type="number", name="one", min="1", max="100", value="1", data_testid="one-per-page")
    sort = void("input", type="text", name="sort", placeholder="right,doc.year", autocomplete="off")
    more = element(
        "div",
        form(say("hits per page"), one, ask.but(one=0)),
        form(say("sort by"), sort, ask.but(sort=None)),
        element("a", say("good examples first"), href=ask.at(path, good=True), class_="button"),
        class_="row",
    )
    others = element("details", element("summary", "… ", say("more steps")), more)
    return join_html([filter_field("+", "filter-positive"), filter_field("-", "filter-negative"), others])


def chips(visit: Visit, ask: Ask, path: str) -> Safe:
    """Conditions on pages, each with a way to take it away."""
    return join_html(
        element(
            "span", text, " ",
            element("a", "✕", href=ask.at(path, conditions=_without(ask.conditions, number)), aria_label=visit.say("take this condition away")),
            class_="chip", data_testid="chip",
        )
        for number, text in enumerate(ask.conditions)
    )  # fmt: skip
