"""Coding tasks: what there is, how far it is, and a new one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starlette.responses import Response

from paberki.markup.html import Safe, element, table, void
from paberki.serve.api.bodies import body_of
from paberki.serve.pages.frame import document
from paberki.serve.security import require_edit

if TYPE_CHECKING:
    from paberki.coding import CodingStore
    from paberki.serve.pages.visit import Visit

__all__ = ["draw_task", "store_of", "tasks_page"]

_MOST: Final = 10_000


def store_of(visit: Visit) -> CodingStore:
    """The codings of the corpus."""
    from paberki.coding import CodingStore

    return CodingStore(visit.edition.pages.directory)


def tasks_page(visit: Visit) -> Response:
    """``/code``."""
    say = visit.say
    if visit.edition.corpus is None:
        return visit.answer(
            document(
                visit,
                say("Code"),
                element("h1", say("Code")),
                element("p", say("An index without a corpus has no pages to code."), class_="muted"),
            )
        )
    store = store_of(visit)
    cells = []
    for task in store.tasks():
        sample, progress = len(store.sample(task)), store.progress(task)
        coder_progress = ", ".join(f"{coder} {count}/{sample}" for coder, count in progress.items()) or "–"
        cells.append((element("a", task, href=visit.here(f"/code/{task}")), visit.count(sample), coder_progress))
    listing = (
        table((say("task"), say("items"), say("coders")), cells)
        if cells
        else element("p", say("There are no coding tasks yet."), class_="muted")
    )
    return visit.answer(
        document(
            visit,
            say("Code"),
            element("h1", say("Code")),
            element("section", listing, class_="card"),
            _form(visit),
            kind="narrow",
        )
    )


def _form(visit: Visit) -> Safe:
    say = visit.say
    fields = [
        element(
            "label",
            say("name"),
            void(
                "input",
                type="text",
                name="task",
                required=True,
                pattern="[A-Za-z0-9][A-Za-z0-9_\\-]*",
                autocomplete="off",
            ),
        ),
        element("label", say("pages"), void("input", type="number", name="n", value="200", min="1", max=str(_MOST))),
        element("label", say("seed"), void("input", type="number", name="seed", value="7", min="0")),
        element(
            "label",
            say("what is coded"),
            element(
                "select",
                element("option", say("genre of pages"), value="pages"),
                element("option", say("blocks, for training the extractor"), value="blocks"),
                name="kind",
            ),
        ),
        element("button", say("draw a sample"), class_="primary"),
    ]
    note = element(
        "p",
        say("The same as: {command}", command=f"paberki code draw {visit.edition.root} -n 200 --seed 7"),
        class_="small muted",
    )
    only = (
        ""
        if visit.service.settings.edit
        else element(
            "p", say("This server only reads; codings can be written when it is started with --edit."), class_="warning"
        )
    )
    return element(
        "section",
        element("h2", say("A new task")),
        only,
        element("form", *fields, data_post=visit.here("/code/tasks"), class_="row"),
        note,
        class_="card stack",
    )


@dataclass(frozen=True, kw_only=True)
class TaskBody:
    """A sample to be drawn: ``kind`` is pages or blocks; ``pages`` are ids, for the blocks of these pages alone."""

    task: str
    n: int = 200
    seed: int = 7
    kind: str = "pages"
    pages: str = ""


def draw_task(visit: Visit) -> dict[str, Any]:
    """Draw a sample for a new task: ``{task, n, seed, kind, pages}``."""
    from paberki.coding.coding_scheme import BLOCKS, GENRE
    from paberki.coding.drawing import draw, draw_blocks
    from paberki.store.reading import open_table

    require_edit(visit.call)
    body = body_of(visit.call, TaskBody)
    corpus = visit.edition.pages
    data, blocks = open_table(corpus.directory, corpus.plan()), body.kind == "blocks"
    ids = [name.rjust(9, "0") for name in body.pages.split(",") if name.isdecimal() and name.isascii()]
    where = f"id in ({', '.join(map(repr, ids))})" if ids else None
    rows = (draw_blocks if blocks else draw)(data, min(max(body.n, 1), _MOST), body.seed, where=where, kept=not ids)
    store_of(visit).create(body.task, rows, BLOCKS if blocks else GENRE)
    return {"task": body.task, "items": len(rows), "address": visit.here(f"/code/{body.task}")}
