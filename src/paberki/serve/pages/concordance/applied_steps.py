"""The chain behind a query: filters, picked values, neighbours, one per page, copies, sample, order.

All of them are steps of :class:`~paberki.query.hits.hits.Hits`; picking a value and asking for a neighbour are made here,
because the number beside a row of a list must be the number of lines that its link leads to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from paberki.errors import QueryError
from paberki.query.hits.hits import Hits
from paberki.query.hits.steps import HitStep
from paberki.query.token_window import read_window

if TYPE_CHECKING:
    from paberki.query.matching import HitTable
    from paberki.serve.library import Edition
    from paberki.serve.pages.ask import Ask

__all__ = ["near_parts", "owners_near", "window_of", "with_steps"]

_MOST_TOKENS: Final = 25


def with_steps(hits: Hits, ask: Ask, edition: Edition) -> Hits:
    """The hits after the whole chain."""
    for text in ask.filters:
        sign, cql = text[:1], text[1:].strip()
        if sign not in "+-" or not cql:
            raise QueryError(f"a filter begins with + or - and goes on with a query, not: {text[:80]}")
        hits = hits.filter(_as_cql(cql, edition), keep=sign == "+")
    for text in ask.picks:
        name, _, value = text.partition(":")
        hits = _then(hits, _pick(hits, name, value))
    for text in ask.nears:
        hits = _then(hits, _near(hits, *near_parts(text)))
    hits = hits.per_page(ask.one) if ask.one else hits
    hits = hits.fold() if ask.fold else hits
    hits = hits.sample(ask.sample, ask.seed) if ask.sample is not None else hits
    hits = hits.good() if ask.good else hits
    return hits.sort(ask.sort) if ask.sort else hits


def _as_cql(text: str, edition: Edition) -> str:
    from paberki.query.syntax.plain_words import cql_of

    return cql_of(text, edition.index)


def _then(hits: Hits, step: HitStep) -> Hits:
    return Hits(hits.scope, hits.search, (*hits.steps, step), hits._search_again)


def _pick(hits: Hits, name: str, value: str) -> HitStep:
    """Hits whose attribute has this value: the words of the hit with spaces between them, as in a frequency list."""
    from paberki.query.statistics.frequency import _strings, fields

    def apply(table: HitTable) -> HitTable:
        if not len(table.starts):
            return table
        [field] = fields(hits.scope, table, name)
        texts = _strings(hits.scope, table, field).to_pylist()
        return table.take(np.flatnonzero(np.array([(text or "") == value for text in texts], np.bool_)))

    return HitStep(f"{name} is {value}", apply)


def window_of(text: str) -> tuple[int, int]:
    """A window of the interface, ``-5..5`` if there is none."""
    return read_window(text.strip() or "-5..5", most=_MOST_TOKENS)


def near_parts(text: str) -> tuple[str, tuple[int, int], str]:
    """Attribute, window and value of a neighbour."""
    attribute, _, rest = text.partition(":")
    window, colon, value = rest.partition(":")
    if not colon:
        raise QueryError(f"a neighbour is attribute:-5..5:value, not: {text[:80]}")
    return attribute, window_of(window), value


def _near(hits: Hits, attribute: str, window: tuple[int, int], value: str) -> HitStep:
    """Hits with a value in a window around them; windows are those of collocations."""

    def apply(table: HitTable) -> HitTable:
        order = np.argsort(table.starts, kind="stable")
        rows, owners = owners_near(hits.scope, table.take(order), attribute, window, [value])
        return table.take(np.sort(order[np.unique(owners[rows == 0])]))

    return HitStep(f"{value} ({attribute}) within {window[0]}..{window[1]}", apply)


def owners_near(
    scope: Any, table: HitTable, attribute: str, window: tuple[int, int], wanted_values: list[str]
) -> tuple[Any, Any]:
    """For every token in a window that has one of some values: which value, and the number of its hit."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from paberki.query.counting.values import values_of
    from paberki.query.counting.windows import windows_of

    values = values_of(scope.places.index, attribute)
    numbers = pc.index_in(pa.array(wanted_values, pa.string()), values.strings.cast(pa.string()))
    rows = np.full(values.size + 1, -1, np.int64)
    for row, number in enumerate(numbers.to_pylist()):
        if number is not None:
            rows[number] = row
    if not len(table.starts):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    positions, owners = windows_of(scope, table, window, None).flat()
    token_rows = rows[values.at(positions)]
    inside = token_rows >= 0
    return token_rows[inside], owners[inside].astype(np.int64)
