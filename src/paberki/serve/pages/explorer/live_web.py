"""The same place on the live web: a text fragment with the words around the first hit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

import numpy as np

from paberki.errors import PaberkiError
from paberki.query.hits.lines import lines_of
from paberki.query.matching import HitTable
from paberki.serve.pages.explorer.page_source import page_of_index
from paberki.serve.pages.explorer.token_places import page_hits

if TYPE_CHECKING:
    from paberki.report.one_page.row import Row
    from paberki.serve.pages.visit import Visit

__all__ = ["hit_fragment"]

_AROUND: Final = 3
"""Words on each side, so that a browser finds this hit and no other."""
_MOST: Final = 200


def hit_fragment(visit: Visit, row: Row) -> str:
    """``#:~:text=…`` with the words around the hit; nothing where the page has none."""
    if not visit.ask.q:
        return ""
    try:
        page = page_of_index(visit.edition, str(row["id"]))
        hits = page_hits(visit.edition, page, visit.ask, visit.service.settings) if page is not None else None
    except PaberkiError:
        return ""
    if hits is None or not len(hits.starts):
        return ""
    places: Any = visit.edition.concordancer._places
    table = HitTable(np.asarray(hits.starts[:1], np.int64), np.asarray(hits.ends[:1], np.int64))
    [line] = lines_of(places, table, context=_AROUND)
    return f"#:~:text={quote(f'{line.left} {line.node} {line.right}'.strip()[:_MOST], safe='')}"
