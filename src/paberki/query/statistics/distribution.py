"""Where hits are: by host, by year, by any attribute of pages, and how evenly over the whole corpus."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.counting.list_table import ListOptions, table_of
from paberki.query.counting.places import PagePlaces
from paberki.query.counting.spread import occurrences_of, spread_of
from paberki.query.counting.token_scope import TokenScope

if TYPE_CHECKING:
    from paberki.query.matching import HitTable

__all__ = ["dispersion", "distribution", "page_groups"]

PARTS: Final = 50
"""Parts of equal size that a corpus is cut into to show where hits are."""
_DATES: Final = ("published", "date", "modified", "crawl_date", "server_date")
_PERIODS: Final = {"year": 4, "month": 7, "day": 10}
"""How many characters of a date like 2021-04-30 name a period."""
_DATE: Final = re.compile(r"\d{4}(-\d\d(-\d\d)?)?")


def page_groups(places: PagePlaces, column: str) -> tuple[NDArray[np.int64], list[str]]:
    """The group of every page, −1 for none, and names of groups: hosts, periods, or values of an attribute."""
    name = column.removeprefix("doc.").removeprefix(f"{places.structure}.")
    attributes = places.index.structures.get(places.structure or "", ())
    if name == "host":
        return places.hosts.astype(np.int64), places.host_names
    if name in attributes:
        return _without_empty(*places.attribute(name))
    if name in _PERIODS:
        return _periods(places, attributes, name)
    choices = ("host", *_PERIODS, *attributes)
    raise QueryError(f"pages have no attribute {name!r}{nearest(name, choices)}; there are: {', '.join(choices)}")


def _without_empty(column: NDArray[np.int64], values: list[str | None]) -> tuple[NDArray[np.int64], list[str]]:
    names = [value for value in values if value]
    numbers = {name: number for number, name in enumerate(names)}
    table = np.array([*(numbers[value] if value else -1 for value in values), -1], np.int64)
    return table[column], names


def _periods(places: PagePlaces, attributes: tuple[str, ...], period: str) -> tuple[NDArray[np.int64], list[str]]:
    """Periods from the first attribute with dates."""
    sources = [name for name in _DATES if name in attributes]
    if not sources:
        raise QueryError(f"pages have no date: none of the attributes {period}, {', '.join(_DATES)}")
    groups, names = np.full(places.size, -1, np.int64), dict[str, int]()
    for source in sources:
        column, values = places.attribute(source)
        short = [_period(value, _PERIODS[period]) for value in values]
        table = np.array([*(names.setdefault(one, len(names)) if one else -1 for one in short), -1], np.int64)
        groups = np.where(groups < 0, table[column], groups)
    return groups, list(names)


def _period(value: str | None, length: int) -> str | None:
    match = _DATE.match(value or "")
    return match[0][:length] if match and len(match[0]) >= length else None


def distribution(scope: TokenScope, hits: HitTable, column: str, options: ListOptions | None = None) -> Any:
    """A row for each group of pages with hits; ``per_million`` is relative to the tokens of the group."""
    import pyarrow as pa

    groups, names = page_groups(scope.places, column)
    where = occurrences_of(scope, hits.starts)
    mine = groups[where.pages]
    present = np.flatnonzero(mine >= 0)
    spread = spread_of(mine[present].astype(np.uint32), len(names), where.take(present), scope)
    tokens = np.bincount(groups[groups >= 0], weights=scope.page_tokens[groups >= 0], minlength=len(names))
    values = pa.array(names, pa.string())
    rows = (options or ListOptions()).rows(values, spread.hits)
    columns = spread.take(rows).columns(scope.tokens)
    columns["per_million"] = columns["hits"] * 1e6 / np.maximum(tokens[rows], 1)
    columns["tokens"] = tokens[rows].astype(np.int64)
    by = () if column.rpartition(".")[2] in _PERIODS else ("hits",)
    return table_of({column: values.take(rows)}, columns, by)


def dispersion(scope: TokenScope, hits: HitTable) -> dict[str, Any]:
    """All hits together: counts, ARF, DP, and hits in parts of equal size in corpus order."""
    where = occurrences_of(scope, hits.starts)
    spread = spread_of(np.zeros(len(hits.starts), np.uint32), 1, where, scope)
    columns = {name: column[0].item() for name, column in spread.columns(scope.tokens).items()}
    pages = int((scope.page_tokens > 0).sum())
    hosts = len(set(scope.places.hosts[scope.page_tokens > 0].tolist()) - {-1})
    parts = np.bincount(where.positions * PARTS // max(scope.tokens, 1), minlength=PARTS)[:PARTS]
    return {**columns, "all_pages": pages, "all_hosts": hosts, "tokens": scope.tokens, "parts": parts.tolist()}
