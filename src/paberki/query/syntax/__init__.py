"""The query language: text into a tree, a tree into text and JSON.

``parse(text, dialect)`` gives a :class:`Query`; ``str(query)`` prints it in one canonical spelling that every dialect's
meaning has been worked into, so that ``parse(str(query)) == query``.
"""

from __future__ import annotations

from paberki.query.syntax.dialects import DIALECTS
from paberki.query.syntax.query import STRATEGIES, Query, from_json, parse

__all__ = ["DIALECTS", "STRATEGIES", "Query", "from_json", "parse"]
