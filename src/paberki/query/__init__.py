"""Where does it occur? A search engine for tokens: index, query language, matching, hits, statistics.

The public face: ``open_index(path)``, ``parse(cql, dialect)``, ``run(index, query)``. Everything is imported when first
used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paberki.query.index.reader import open_index as open_index
    from paberki.query.matching import Budget as Budget
    from paberki.query.matching import Count as Count
    from paberki.query.matching import HitTable as HitTable
    from paberki.query.matching import Search as Search
    from paberki.query.matching import run as run
    from paberki.query.syntax import Query as Query
    from paberki.query.syntax import from_json as from_json
    from paberki.query.syntax import parse as parse

__all__ = ["Budget", "Count", "HitTable", "Query", "Search", "from_json", "open_index", "parse", "run"]

_WHERE = {
    "Budget": "paberki.query.matching",
    "Count": "paberki.query.matching",
    "HitTable": "paberki.query.matching",
    "Query": "paberki.query.syntax",
    "Search": "paberki.query.matching",
    "from_json": "paberki.query.syntax",
    "open_index": "paberki.query.index.reader",
    "parse": "paberki.query.syntax",
    "run": "paberki.query.matching",
}


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(importlib.import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'paberki.query' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
