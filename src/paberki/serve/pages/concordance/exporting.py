"""``/export``: all hits of the address as a file, with the address in its header."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from paberki.errors import QueryError
from paberki.query.hits.hit_export import header_of, write_hits
from paberki.serve.json_answers import Refusal

if TYPE_CHECKING:
    from paberki.serve.pages.visit import Visit

__all__ = ["export_page"]

_TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "jsonl": "application/jsonl; charset=utf-8",
    "conllu": "text/plain; charset=utf-8",
    "vert": "text/plain; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_MOST: Final = 1_000_000


def export_page(visit: Visit) -> Response:
    """All hits in a format; more than a million are refused, with advice."""
    ask, form = visit.ask, visit.value("format", "csv")
    if form not in _TYPES or not ask.q:
        raise Refusal(400, f"an export needs q and a format: {', '.join(_TYPES)}")
    hits = ask.hits(visit.edition, visit.service.settings)
    if (count := len(hits.table.starts)) > _MOST:
        raise QueryError(
            f"{count:,} hits are too many for one file; take a sample, or: paberki query DIR … --format {form}"
        )
    address = f"{visit.call.request.base_url}{ask.at('concordance', build=visit.edition.build)}"
    header = header_of(hits, address=address)
    name = f"{visit.edition.name}-{visit.edition.build[:8]}.{form}"
    headers = {
        "Content-Disposition": f'attachment; filename="{"".join(c if c.isalnum() or c in ".-" else "-" for c in name)}"'
    }
    if form == "xlsx":
        workbook = io.BytesIO()
        write_hits(workbook, form, hits, first=None, view=ask.view, header=header)
        return Response(workbook.getvalue(), 200, headers, media_type=_TYPES[form])
    out = io.StringIO()
    write_hits(out, form, hits, first=None, view=ask.view, header=header)
    return Response(out.getvalue().encode("utf-8", "replace"), 200, headers, media_type=_TYPES[form])
