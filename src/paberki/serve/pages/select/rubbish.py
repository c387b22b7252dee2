"""From bad lines to a better recipe: which cut would have caught these pages, and what else it would cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import numpy as np
from starlette.responses import Response

from paberki.errors import QueryError
from paberki.markup.html import element, table, void
from paberki.query.counting.page_columns import page_numbers
from paberki.serve.pages.code.tasks import store_of
from paberki.serve.pages.concordance.cut import score_names
from paberki.serve.pages.explorer.page_source import page_of_index
from paberki.serve.pages.explorer.taking_down import take_down_form
from paberki.serve.pages.frame import document

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["rubbish_page"]

_MOST: Final = 200


def rubbish_page(visit: Visit) -> Response:
    """``/rubbish?pages=ID,ID``: for every score, the mildest cut that leaves all these pages out."""
    say, names = visit.say, [name for name in visit.value("pages").split(",") if name.isdecimal()][:_MOST]
    pages = [page for page in (page_of_index(visit.edition, name.rjust(9, "0")) for name in names) if page is not None]
    if not pages:
        raise QueryError("no page is named; tick some lines first")
    scope = visit.edition.concordancer._scope()
    kept_pages = scope.page_tokens > 0
    rows = []
    for name in score_names(visit):
        scores = page_numbers(visit.edition.concordancer._places, name)
        for sign in ("<", ">"):
            row = _cut(scores, kept_pages, scope.page_tokens, np.array(pages), sign)
            if row is not None:
                limit, lost_pages, lost_tokens = row
                condition = f"{name} {sign} {limit:.6g}"
                link = element("a", element("code", condition), href=visit.here("/select", cut=condition, score=name))
                rows.append((lost_pages, (link, visit.count(lost_pages), visit.count(lost_tokens))))
    rows.sort(key=lambda row: row[0])
    head = (say("keep pages with"), say("pages lost beside them"), say("tokens lost beside them"))
    listing: Any = (
        table(head, [cells for _, cells in rows])
        if rows
        else element("p", say("No score tells these pages from the others."), class_="muted")
    )
    ids = [name.rjust(9, "0") for name in names]
    command = element("code", f"paberki takedown {visit.edition.root} {' '.join(ids)}")
    title = say("Cuts that catch these pages")
    return visit.answer(
        document(
            visit,
            title,
            element("h1", title),
            element(
                "p",
                say("pages"),
                ": ",
                *(element("a", f"{name} ", href=visit.here(f"/page/{quote(name)}")) for name in names),
            ),
            element("section", listing, class_="card", data_testid="rubbish"),
            element("p", say("Or take them out by name:"), " ", command, class_="small muted"),
            take_down_form(visit, ids),
            _training_form(visit, ids),
            kind="narrow",
        )
    )


def _training_form(visit: Visit, pages: list[str]) -> object:
    """Blocks of these pages as a coding task, from whose labels ``paberki train`` learns."""
    if not visit.service.settings.edit or visit.edition.corpus is None:
        return ""
    say, tasks = visit.say, store_of(visit).tasks()
    name = next(f"rubbish-{number}" for number in range(1, len(tasks) + 2) if f"rubbish-{number}" not in tasks)
    hidden_fields = {"kind": "blocks", "pages": ",".join(pages)}
    form = element(
        "form",
        *(void("input", type="hidden", name=field, value=value) for field, value in hidden_fields.items()),
        element("label", say("name"), void("input", type="text", name="task", value=name, required=True, pattern="[A-Za-z0-9][A-Za-z0-9_\\-]*", autocomplete="off")),
        element("button", say("label their blocks"), data_testid="to-train"),
        class_="row", data_post=visit.here("/code/tasks"),
    )  # fmt: skip
    note = element("p", say("From labelled blocks the extractor learns what is no text."), class_="small muted")
    return element("section", element("h2", say("Or teach the extractor")), note, form, class_="card stack tight")


def _cut(scores: Any, kept_pages: Any, tokens: Any, pages: Any, sign: str) -> tuple[float, int, int] | None:
    """The limit that all these pages are beyond, and the kept pages and tokens beyond it that are not meant."""
    mine = scores[pages]
    if not np.isfinite(mine).all():
        return None
    limit = float(mine.min() if sign == "<" else mine.max())
    beyond = (scores >= limit) if sign == "<" else (scores <= limit)
    others = np.asarray(beyond & kept_pages & np.isfinite(scores))
    others[pages] = False
    if others.sum() * 2 > kept_pages.sum():
        return None
    return limit, int(others.sum()), int(tokens[others].sum())
