"""Categories on lines. A label hangs on the key of the page and the bytes of the hit, so that it survives every rebuild.

They are a coding task of the corpus, ``labels``; the JSON API reads and writes the same.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from paberki.serve.json_answers import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paberki.coding.coding_file import Place
    from paberki.serve.library import Edition
    from paberki.serve.pages.concordance.shown_lines import ShownLine
    from paberki.serve.pages.visit import Visit

__all__ = ["labels_of", "place_of", "set_label"]

TASK: Final = "labels"
VARIABLE: Final = "label"
_CODER: Final = "reader"
"""The coder under whose name lines are labelled by default."""


def labels_of(visit: Visit, lines: Sequence[ShownLine]) -> dict[tuple[int, int], str]:
    """Categories of lines, by the positions of their hits."""
    edition = visit.edition
    place_labels = _stored_labels(edition)
    if not place_labels:
        return {}
    keys = {place.key for place in place_labels}
    out = {}
    for shown_line in lines:
        if shown_line.facts.get("key") in keys:
            place = place_of(
                edition,
                shown_line.facts["key"],
                int(shown_line.facts["id"]),
                shown_line.line.start,
                shown_line.line.end,
            )
            if place in place_labels:
                out[shown_line.line.start, shown_line.line.end] = place_labels[place]
    return out


def _stored_labels(edition: Edition) -> dict[Place, str]:
    """All labels; read again when a file has changed."""
    if edition.corpus is None:
        return {}
    from paberki.coding import CodingStore

    folder = edition.corpus.root / "codings" / TASK
    try:
        stamp = tuple((path.name, path.stat().st_mtime_ns) for path in sorted(folder.glob("*.csv")))
    except OSError:
        return {}
    if not stamp:
        return {}
    memory: dict[str, Any] = edition.index.__dict__.setdefault("_line_labels", {})
    if memory.get("stamp") != stamp:
        store = CodingStore(edition.corpus.directory)
        memory["labels"] = {
            place: value
            for coder in store.coders(TASK)
            for place, value in store.read(TASK, coder).labels(VARIABLE).items()
        }
        memory["stamp"] = stamp
    labels: dict[Place, str] = memory["labels"]
    return labels


def place_of(edition: Edition, key: str, page: int, start: int, end: int) -> Place | None:
    """The page and the bytes of some tokens."""
    from paberki.coding.coding_file import Place
    from paberki.serve.pages.explorer.token_places import byte_span

    span = byte_span(edition, page, start, end)
    return None if span is None else Place(key, *span)


def set_label(visit: Visit) -> dict[str, Any]:
    """Store the category of a line: ``{page, start, end, value}`` with positions of tokens; an empty value takes it back."""
    from paberki.coding import Coding, CodingStore, Scheme, Variable
    from paberki.serve.pages.explorer.page_source import page_row
    from paberki.serve.security import require_edit

    require_edit(visit.call)
    edition = visit.edition
    try:
        content = json.loads(visit.call.body or b"{}")
        page, start, end = int(content["page"]), int(content["start"]), int(content["end"])
        value, coder = str(content.get("value") or "")[:40], str(content.get("coder") or _CODER)
    except (ValueError, KeyError, TypeError):
        raise Refusal(400, "a label is {page, start, end, value}") from None
    row = page_row(edition, page, layers=("archive",))
    place = place_of(edition, str(row["key"]), page, start, end)
    if place is None:
        raise Refusal(400, "there are no such words on this page")
    store = CodingStore(edition.pages.directory)
    store.include(TASK, Coding(place, str(row["id"]), str(row["url"] or "")), Scheme((Variable(VARIABLE),)))
    store.write(TASK, coder, place, {VARIABLE: value})
    return {"key": place.key, "start": place.start, "end": place.end, "value": value}
