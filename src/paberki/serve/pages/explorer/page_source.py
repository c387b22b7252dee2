"""One page out of the layers and the archive; gone means gone."""

from __future__ import annotations

from collections.abc import Collection
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from paberki.errors import PaberkiError, QueryError
from paberki.serve.json_answers import Refusal, not_found

if TYPE_CHECKING:
    from paberki.archive.payload import Payload
    from paberki.report.one_page.row import Row
    from paberki.serve.library import Edition

__all__ = ["page_number", "page_of_index", "page_row", "payload_of"]


def page_number(text: str) -> int:
    """The number of a page id."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 12):
        raise not_found(f"no page {text[:40]!r}; an id has nine digits")
    return int(text)


def page_row(
    edition: Edition,
    number: int,
    *,
    tokens: bool = False,
    layers: tuple[str, ...] = (),
    columns: Collection[str] = (),
) -> Row:
    """What the layers say about a page, all of them or some, or some columns; 410 for one that was taken down."""
    from paberki.report.one_page.row import read_row

    layout: Any = edition.layout
    if layers or columns:
        own = {name: one for name, one in layout.columns.items() if one.layer in layers or one.name in columns}
        layer_names = {one.layer for one in own.values()}
        layout = SimpleNamespace(layers=tuple(name for name in layout.layers if name in layer_names), columns=own)
    try:
        row = read_row(edition.pages.directory, layout, number, tokens=tokens)
    except QueryError as error:
        raise not_found(str(error)) from None
    if row.is_taken_down:
        raise Refusal(410, f"the page {number:09d} was taken down")
    return row


def payload_of(edition: Edition, row: Row) -> Payload:
    """The bytes of the page, as the archive has them."""
    from paberki.archive.payload import payload
    from paberki.archive.reading.warc import read

    path = edition.pages.directory.warc / str(row["warc_file"])
    try:
        return payload(read(path, int(row["warc_offset"]), int(row["warc_length"])))
    except (OSError, PaberkiError) as error:
        raise Refusal(503, f"the archive of this page cannot be read: {error}") from error


def page_of_index(edition: Edition, page_id: str) -> int | None:
    """The number of a page among the pages of the index; None where none of its words are indexed."""
    places: Any = edition.concordancer._places
    if places.structure is None or "id" not in edition.index.structures.get(places.structure, ()):
        return None
    for number, segment in enumerate(edition.index.segments):
        attribute = segment.structure(places.structure).attribute("id")
        value = attribute.id_of(page_id)
        if value >= 0:
            regions = np.flatnonzero(np.asarray(attribute.ids) == value)
            pages = np.flatnonzero((places.segments == number) & np.isin(places.regions, regions))
            if len(pages):
                return int(pages[0])
    return None
