"""One page in the forms that people ask for: as it was received, as Web Standard Format, as text, as JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from paberki.archive.page_payload import page_payload
from paberki.errors import QueryError
from paberki.export.standard_format.linked_pages import LinkedPages
from paberki.export.standard_format.standard_page import plain_row, standard_page
from paberki.export.standard_format.standard_xml import DECLARATION, page_xml
from paberki.nearest import nearest
from paberki.report.one_page.find import find
from paberki.report.one_page.row import Row, read_row

if TYPE_CHECKING:
    from paberki.corpus import Corpus

FORMS: Final = ("html", "xml", "text", "json")
_ID: Final = re.compile(r"[0-9]{1,9}")


class NoSuchPage(QueryError):
    """Raised for a page that is not there, or not any more."""


@dataclass(frozen=True, slots=True)
class PageForm:
    """The bytes of a form, and what they are."""

    data: bytes
    media_type: str


def page_row(corpus: Corpus, page: str) -> Row:
    """The row of a page, named by id, key or address; pages that were taken down are not there."""
    plan: Any = corpus.layout()
    try:
        number = int(page) if _ID.fullmatch(page.strip()) else find(corpus.directory, plan, page).number
        row = read_row(corpus.directory, plan, number)
    except QueryError as error:
        raise NoSuchPage(str(error)) from error
    if row.is_taken_down:
        raise NoSuchPage(f"the page {number:09d} was taken down")
    return row


def page_form(corpus: Corpus, page: str, form: str, pages: LinkedPages | None = None) -> PageForm:
    """A page in a form; ``pages`` knows the ends of links, and is made where none is given."""
    if form not in FORMS:
        raise QueryError(f"no format {form!r}{nearest(form, FORMS)}; there are {', '.join(FORMS)}")
    row = page_row(corpus, page)
    match form:
        case "html":
            content = page_payload(corpus.directory.warc, row.values)
            return PageForm(content.data, content.mime or "application/octet-stream")
        case "xml":
            values = plain_row(row.values)
            own = standard_page(
                values, pages or LinkedPages(corpus.directory), lambda: page_payload(corpus.directory.warc, values).data
            )
            return PageForm((DECLARATION + page_xml(own)).encode("utf-8", "replace"), "application/xml")
        case "text":
            return PageForm(
                "".join(f"{text}\n" for text in row.selected_texts()).encode("utf-8", "replace"), "text/plain"
            )
    facts = json.dumps(_plain(row.values), ensure_ascii=False, indent=1, allow_nan=False)
    return PageForm(f"{facts}\n".encode("utf-8", "replace"), "application/json")


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds") + "Z"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float):
        return float(f"{value:.6g}") if abs(value) < float("inf") else None
    return value
