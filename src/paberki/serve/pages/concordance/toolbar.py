"""What is above the lines: how many there are, in which order and form they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from paberki.markup.html import Safe, element, join_html, void
from paberki.serve.pages.concordance.shown_lines import GLOSSES

if TYPE_CHECKING:
    from paberki.serve.jobs import Job
    from paberki.serve.json_answers import CountState
    from paberki.serve.pages.ask import Ask
    from paberki.serve.pages.visit import Visit

__all__ = ["TABS", "tabs", "toolbar", "total"]

TABS: Final = (
    ("/concordance", "Lines", ""), ("/frequency", "Frequency", "f"), ("/collocations", "Collocations", "c"),
    ("/distribution", "Distribution", "d"), ("/dispersion", "Dispersion", "p"), ("/trend", "Trend", ""),
)  # fmt: skip
_SORTS: Final = (
    ("left-3", "◂3", "sort-left-3"), ("left-2", "◂2", "sort-left-2"), ("left", "◂1", "sort-left-1"),
    ("node", "●", "sort-node"),
    ("right", "1▸", "sort-right-1"), ("right-2", "2▸", "sort-right-2"), ("right-3", "3▸", "sort-right-3"),
)  # fmt: skip
_VIEWS: Final = (("kwic", "KWIC"), ("sentence", "Sentence"), ("table", "Table"))
_EXPORTS: Final = ("csv", "xlsx", "jsonl", "conllu")
_MANY: Final = 1_000_000
"""Lines that can be leafed through; more are counted and sampled."""


def tabs(visit: Visit, ask: Ask, path: str) -> Safe:
    """One result, looked at in six ways; exports beside them."""
    links = [
        element("a", visit.say(name), href=ask.at(address), aria_current="page" if address == path else None, data_key=key or None)
        for address, name, key in TABS
    ]  # fmt: skip
    exports = [
        element("a", form, href=ask.at("/export", build=visit.edition.build).replace("/export?", f"/export?format={form}&", 1),
                data_testid=f"export-{form}", hx_boost="false", download=True)
        for form in _EXPORTS
    ]  # fmt: skip
    return element(
        "nav",
        *links,
        element("span", element("span", visit.say("export"), class_="muted"), *exports, class_="exports"),
        class_="tabs",
        aria_label=visit.say("Views of the result"),
    )


def total(visit: Visit, job: Job, count: CountState, tokens: int, *beside: object) -> Safe:
    """How many hits there are; while they are counted, how many at least."""
    say = visit.say
    texts = {
        "running": say("at least {n} hits", n=count.value),
        "stopped": say("at least {n} hits", n=count.value),
        "done": say("{n} hits", n=count.value),
    }
    state = {
        "running": say("counting…"),
        "stopped": say("stopped: {share} % searched", share=str(round(count.searched * 100))),
        "done": "",
    }[count.state]
    line = element(
        "p", element("span", texts[count.state], class_="value"), " ", element("span", state, class_="state small muted"),
        class_="total", data_testid="total", id="total", role="status", data_state=count.state, data_value=str(count.value),
        data_events=f"/api/v1/hits/{job.id}/events" if count.state == "running" else None,
        data_tokens=str(tokens), data_running=say("at least {n} hits", n="{n}"), data_done=say("{n} hits", n="{n}"),
        data_one=say("{n} hits", n=1),
        data_stopped=say("stopped: {share} % searched", share="{share}"),
    )  # fmt: skip
    stop = element(
        "button", "■ ", say("stop"), type="button", data_testid="stop", id="stop", data_job=f"/api/v1/jobs/{job.id}",
        hidden=count.state != "running",
    )  # fmt: skip
    per = element(
        "span",
        say("{n} per million", n=visit.decimal(count.value * 1e6 / max(tokens, 1), 1)),
        class_="muted",
        id="per-million",
    )
    notes = []
    if count.value > _MANY:
        notes.append(
            element("p", say("The first million lines can be looked at; a sample shows all of them."), class_="warning")
        )
    return join_html([element("div", line, stop, per, *beside, class_="summary"), *notes])


def toolbar(visit: Visit, ask: Ask, path: str = "/concordance") -> Safe:
    """Order, width, form, attributes, copies, sample."""
    say = visit.say
    sorts = [
        element("a", sign, href=ask.at(path, sort=None if ask.sort == key else key), data_testid=name, role="button",
                aria_pressed="true" if ask.sort == key else "false", aria_label=say("sort by {key}", key=key), title=say("sort by {key}", key=key))
        for key, sign, name in _SORTS
    ]  # fmt: skip
    views = [
        element("a", say(name), href=ask.at(path, view=key), data_testid=f"view-{key}", role="button",
                aria_pressed="true" if ask.view == key else "false")
        for key, name in _VIEWS
    ]  # fmt: skip
    shown_attributes = ask.show.split(",")
    glosses = [
        element("label", void("input", type="checkbox", name="show", value=name, id=f"attr-{name}", data_testid=f"attr-{name}",
                              data_gloss=name, checked=name in shown_attributes), name)
        for name in GLOSSES if name in visit.edition.index.attributes
    ]  # fmt: skip
    fold = element("a", "☑ " if ask.fold else "☐ ", say("fold copies"), href=ask.at(path, fold=not ask.fold), data_testid="fold",
                   role="button", class_="button quiet", aria_pressed="true" if ask.fold else "false")  # fmt: skip
    return element(
        "div",
        element("span", say("sort"), class_="name"), element("div", *sorts, class_="segments", role="group", aria_label=say("sort")),
        element("div", *views, class_="segments", role="group", aria_label=say("form of the lines")),
        _field(visit, ask.but(width=0), path, "width", say("width"), str(ask.width or ""), "width", 25),
        _sample(visit, ask, path),
        fold,
        element("div", *glosses, class_="row", role="group", aria_label=say("shown under the words")),
        class_="toolbar",
    )  # fmt: skip


def _field(visit: Visit, rest: Ask, path: str, name: str, label: str, value: str, testid: str, most: int) -> Safe:
    hidden_fields = [void("input", type="hidden", name=key, value=text) for key, text in rest.pairs]
    field = void(
        "input",
        type="number",
        name=name,
        value=value,
        min="1",
        max=str(most),
        placeholder=str(most),
        data_testid=testid,
        data_submit="change",
    )
    return element("form", *hidden_fields, element("label", label, field), action=path, method="get")


def _sample(visit: Visit, ask: Ask, path: str) -> Safe:
    say, rest = visit.say, ask.but(sample=None, seed=1)
    hidden_fields = [void("input", type="hidden", name=key, value=text) for key, text in rest.pairs]
    size = void(
        "input", type="number", name="sample", value=str(ask.sample or ""), min="1", max="1000000", data_testid="sample"
    )
    seed = void("input", type="number", name="seed", value=str(ask.seed), min="0", max="4294967295", data_testid="seed")
    run = element("button", "→", class_="quiet", aria_label=say("draw a sample"))
    return element("form", *hidden_fields, element("label", say("sample"), size), element("label", say("seed"), seed), run,
                   action=path, method="get")  # fmt: skip
