"""Errors of queries: the query, and a caret under the place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from paberki.errors import QueryError


@contextmanager
def with_caret(query: str) -> Iterator[None]:
    """Show where a query is wrong."""
    try:
        yield
    except QueryError as error:
        position = getattr(error, "position", None)
        if position is None:
            raise
        length = getattr(error, "length", None) or 1
        raise QueryError(f"{error}\n{under(query, position, length)}") from error


def under(query: str, position: int, length: int) -> str:
    """The line of the query that has the place, with carets under it; tabs and wide characters count as what they take."""
    from paberki.query.hits.width import cells
    from paberki.terminal import visible

    position = max(0, min(position, len(query)))
    begin = query.rfind("\n", 0, position) + 1
    end = query.find("\n", position)
    line = query[begin : len(query) if end < 0 else end]
    before, span_text = visible(line[: position - begin]), visible(line[position - begin : position - begin + length])
    return f"  {visible(line)}\n  {' ' * cells(before)}{'^' * max(cells(span_text), 1)}"
