"""Hits in a notebook: a concordance with the hits in the middle. All text is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from paberki.query.hits.hits import Hits

__all__ = ["html_table"]

_LINES: Final = 20
_CONTEXT: Final = 12


def html_table(hits: Hits) -> str:
    """The first lines and how many hits there are."""
    lines = hits.page(0, size=_LINES, context=_CONTEXT)
    rows = "".join(
        f'<tr><td dir="auto" style="text-align:right">{escape(line.left)}</td>'
        f'<td dir="auto" style="text-align:center;white-space:nowrap"><b>{escape(line.node)}</b></td>'
        f'<td dir="auto" style="text-align:left">{escape(line.right)}</td></tr>'
        for line in lines
    )
    title = f"{hits.count():,} hits of <code>{escape(str(hits.search.query))}</code> in {escape(hits.scope.name)}"
    return f"<p>{title}</p><table>{rows}</table>"
