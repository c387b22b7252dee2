"""The options of ``paberki query`` read in a millisecond.

The library that reads options for all verbs takes longer than most queries. What this reader does not understand (help,
mistakes, short options) it leaves to that one.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Final

from paberki.cli.query_actions import QueryRequest, join_window

__all__ = ["read"]

_SPELT: Final = {"filters": "filter", "set_name": "set", "form": "format", "least": "min"}
"""Options whose names differ from those of the fields."""
_POSITIONAL: Final = ("directory", "cql")
_AT_LEAST_ONE: Final = ("first", "per_page", "least")
_MOST: Final = {"context": 1000}


def read(args: list[str]) -> QueryRequest | None:
    """What is asked, or None where somebody else must read it."""
    values: dict[str, Any] = {"filters": []}
    places, rest = [], join_window(list(args))
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word == "-":
            places.append(word)
            continue
        name, equals, value = word.partition("=")
        field = _OPTIONS.get(name)
        if field is None:
            return None
        if field.type == "bool":
            if equals:
                return None
            values[field.name] = True
            continue
        if not equals and not rest:
            return None
        if not _put(values, field, value if equals else rest.pop(0)):
            return None
    if len(places) != len(_POSITIONAL):
        return None
    return QueryRequest(**{**values, "directory": Path(places[0]), "cql": places[1]})


def _put(values: dict[str, Any], field: Any, text: str) -> bool:
    """Whether a text is a value for a field; then it is one."""
    if field.name == "filters":
        values["filters"].append(text)
        return True
    kind = str(field.type).partition(" ")[0]
    try:
        value = {"int": int, "float": float, "Path": Path, "str": str}[kind](text)
    except ValueError:
        return False
    values[field.name] = value
    is_small = isinstance(value, int | float) and value < (1 if field.name in _AT_LEAST_ONE else 0)
    is_large = isinstance(value, int) and value > _MOST.get(field.name, value)
    return not is_small and not is_large and value == value


_OPTIONS: Final = {
    f"--{_SPELT.get(field.name, field.name).replace('_', '-')}": field
    for field in fields(QueryRequest)
    if field.default is not MISSING
}
