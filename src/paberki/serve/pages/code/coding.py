"""Coding a sample: the text, one key per value, a second coder blind, agreement as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from paberki.errors import PaberkiError
from paberki.markup.html import Safe, element, join_html, table, void
from paberki.serve.json_answers import not_found
from paberki.serve.pages.code.tasks import store_of
from paberki.serve.pages.explorer.page_source import page_row
from paberki.serve.pages.frame import document
from paberki.serve.pages.pieces import text_attributes

if TYPE_CHECKING:
    from paberki.coding import Coding, CodingFile, CodingStore
    from paberki.serve.pages.visit import Visit

__all__ = ["coding_page"]


def coding_page(visit: Visit) -> Response:
    """``/code/TASK?coder=&item=``."""
    task, say = str(visit.call.request.path_params["task"]), visit.say
    store = store_of(visit)
    if task not in store.tasks():
        raise not_found(f"there is no coding task {task[:60]!r}; see /code")
    coder = visit.value("coder")
    who = element(
        "form",
        element(
            "label",
            say("coder"),
            void(
                "input",
                type="text",
                name="coder",
                value=coder,
                pattern="[A-Za-z0-9][A-Za-z0-9_\\-]*",
                autocomplete="off",
                data_testid="coder",
                required=True,
            ),
        ),
        element("button", say("code")),
        void("input", type="hidden", name="corpus", value=visit.value("corpus")) if visit.value("corpus") else "",
        method="get",
        action=f"/code/{task}",
        class_="row",
    )
    parts: list[object] = [element("h1", task), who]
    if coder:
        parts.append(_item(visit, store, task, coder))
    parts.append(_agreement(visit, store, task))
    parts.append(_training(visit, store, task))
    return visit.answer(document(visit, task, *parts))


def _item(visit: Visit, store: CodingStore, task: str, coder: str) -> Safe:
    """One page to code; what others said is not shown."""
    file = store.read(task, coder)
    rows = list(file.rows.values())
    at = min(visit.number("item", _first_open(file, rows)), max(len(rows) - 1, 0))
    if not rows:
        return element("p", visit.say("The sample is empty."), class_="muted")
    row, say = rows[at], visit.say
    coded_count = sum(all(name in one.labels for name in file.scheme.names) for one in rows)
    links = [
        element("a", "◂ ", say("previous"), href=visit.here(f"/code/{task}", coder=coder, item=at - 1), class_="button")
        if at
        else "",
        element(
            "span", f"{at + 1} / {len(rows)} · {say('{n} done', n=coded_count)}", class_="muted", data_testid="coded"
        ),
        element(
            "a",
            say("next"),
            " ▸",
            href=visit.here(f"/code/{task}", coder=coder, item=at + 1),
            class_="button",
            id="next-item",
        )
        if at + 1 < len(rows)
        else "",
    ]
    reading = element(
        "article", _text(visit, row), class_="card reading", tabindex="0", role="region", aria_label=say("Text")
    )
    fields = [
        _variable(visit, row, name, file.scheme.variable(name).values, at_variable)
        for at_variable, name in enumerate(file.scheme.names)
    ]
    form = element(
        "form", *fields, class_="card stack", id="coding-form", data_task=task, data_coder=coder, data_key=row.place.key,
        data_start=None if row.place.start is None else str(row.place.start), data_end=None if row.place.end is None else str(row.place.end),
    )  # fmt: skip
    return element(
        "section", element("div", *links, class_="row"), element("div", reading, form, class_="coding"), class_="stack"
    )


def _first_open(file: CodingFile, rows: list[Coding]) -> int:
    names = file.scheme.names
    return next((at for at, row in enumerate(rows) if any(name not in row.labels for name in names)), 0)


def _variable(visit: Visit, row: Coding, name: str, values: tuple[str, ...], number: int) -> Safe:
    """The values of a variable; the keys 1 to 9 choose one of the variable that is next."""
    if not values:
        return element(
            "label",
            name,
            void("input", type="text", name=name, value=row.labels.get(name, ""), data_testid=f"code-{name}"),
        )
    choices = [
        element(
            "label",
            void(
                "input",
                type="radio",
                name=name,
                value=value,
                checked=row.labels.get(name) == value,
                data_testid=f"code-{name}-{value}",
            ),
            element("kbd", str(at)) if at < 10 else "",
            value,
            class_="value",
        )
        for at, value in enumerate(values, 1)
    ]
    return element("fieldset", element("legend", name), *choices, data_variable=name, data_number=str(number))


def _text(visit: Visit, row: Coding) -> Safe:
    """The text that is coded."""
    if row.text:
        return element("div", element("p", row.text), class_="running")
    try:
        page = page_row(visit.edition, int(row.id))
    except (PaberkiError, ValueError) as error:
        return element("p", str(error), class_="warning")
    link = element("p", element("a", str(page["title"] or row.url), href=visit.here(f"/page/{row.id}")), class_="small")
    return element(
        "div",
        link,
        *(element("p", text) for text in page.selected_texts()),
        class_="running",
        **text_attributes(page["lang"]),
    )


def _agreement(visit: Visit, store: CodingStore, task: str) -> Safe:
    say, coders = visit.say, store.coders(task)
    parts: list[object] = [element("h2", say("Agreement"))]
    numbers = store.agreement(task)
    if not numbers:
        parts.append(element("p", say("Agreement is shown when two people have coded."), class_="muted"))
    rows = []
    for name, facts in numbers.items():
        kappa, raw = facts["kappa"], facts["agreement"]
        cell = element(
            "span",
            "–" if kappa is None else f"{kappa:.3f}",
            data_testid="kappa",
            data_variable=name,
            data_value="" if kappa is None else repr(kappa),
        )
        rows.append(
            (name, "–" if raw is None else f"{visit.decimal(raw * 100, 1)} %", cell, visit.count(facts["items"]))
        )
    if rows:
        parts.append(table((say("variable"), say("agreement"), "κ", say("items")), rows))
    parts += [_shares(visit, store, task, coder) for coder in coders[:1]]
    return element("section", *parts, class_="card stack", id="agreement")


def _training(visit: Visit, store: CodingStore, task: str) -> object:
    """What to type so that an extractor learns from labelled blocks."""
    from paberki.coding.coding_scheme import BLOCKS

    if store.scheme(task).names != BLOCKS.names:
        return ""
    root = visit.edition.root
    coder = visit.value("coder") or next(iter(store.coders(task)), "CODER")
    commands = (
        f"paberki code blocks {root} {store.folder / task / coder}.csv -o coded.jsonl\n"
        "paberki train perceptron coded.jsonl -o mine.json"
    )
    return element(
        "section",
        element("h2", visit.say("Train the extractor")),
        element("p", visit.say("Pages whose blocks all have a label are learnt from. Type:"), class_="small muted"),
        element("pre", commands, tabindex="0", data_testid="train"),
        class_="card stack tight",
    )


def _shares(visit: Visit, store: CodingStore, task: str, coder: str) -> Safe:
    """Shares with 90 % intervals of the first coder."""
    rows: list[Any] = []
    for name, values in store.shares(task, coder).items():
        for one in values:
            share, interval = one.get("share"), one.get("interval")
            if share:
                rows.append((name, one["value"], f"{visit.decimal(share * 100, 1)} %", _interval(interval)))
    head = (visit.say("variable"), visit.say("value"), visit.say("share"), "90 %")
    return (
        join_html([element("h3", visit.say("Shares, {coder}", coder=coder)), table(head, rows, words=2)])
        if rows
        else join_html([])
    )


def _interval(interval: Any) -> str:
    if isinstance(interval, list | tuple) and len(interval) == 2:
        return f"{interval[0] * 100:.1f}–{interval[1] * 100:.1f} %"
    return f"± {interval * 100:.1f}" if isinstance(interval, int | float) else str(interval or "–")
