"""Which fields documents have: words of several kinds, and every column of pages that holds plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any, Final

import pyarrow as pa

from paberki.search.engine import EngineField, Kind
from paberki.store.columns import Column

WORD_FIELDS: Final = {"body": True, "title": True, "anchor": True, "lemma": False, "pairs": False, "typed": False}
"""Fields of words, and whether they have positions."""
SETS: Final = {"kept": "k", "dropped": "d"}
"""Words of kept and of dropped pages are in fields of their own, so that a search of one set needs no filter."""
LABEL_SIGN: Final = "\x1d"
"""Between the label of a block and a word in it, in the field ``typed``."""
KEPT_COLUMN: Final = "keep"
_PREFIX: Final = "c_"


def word_field(name: str, of: str) -> str:
    """Name in the engine of a field of words, for a set of pages."""
    return f"{SETS[of]}_{name}"


def column_field(name: str) -> str:
    """Name in the engine of a column."""
    return _PREFIX + name


def kind_of(column: Column) -> Kind | None:
    """How the engine holds a column; None where it cannot."""
    kind = column.type.value_type if pa.types.is_list(column.type) else column.type
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if column.level != "page":
        return None
    if pa.types.is_string(kind):
        return "string"
    if pa.types.is_list(column.type) or pa.types.is_uint64(kind):
        return None
    if pa.types.is_boolean(kind):
        return "boolean"
    if pa.types.is_integer(kind):
        return "integer"
    if pa.types.is_floating(kind):
        return "float"
    return "date" if pa.types.is_date(kind) or pa.types.is_timestamp(kind) else None


def column_kinds(columns: Iterable[Column]) -> dict[str, Kind]:
    """Columns that documents can be asked for, by name."""
    return {one.name: kind for one in columns if (kind := kind_of(one)) is not None}


def engine_fields(kinds: Mapping[str, Kind]) -> list[EngineField]:
    """All fields of the engine."""
    words = [EngineField(word_field(name, of), "words", at) for of in SETS for name, at in WORD_FIELDS.items()]
    return [*words, *(EngineField(column_field(name), kind) for name, kind in kinds.items())]


def engine_values(kinds: Mapping[str, Kind], page: Mapping[str, Any]) -> list[tuple[str, Kind, Any]]:
    """Values of the columns of a page as the engine takes them."""
    values: list[tuple[str, Kind, Any]] = []
    for name, kind in kinds.items():
        value = page.get(name)
        if value is not None:
            many = value if isinstance(value, list) else [value]
            values += [(column_field(name), kind, as_engine(one, kind)) for one in many if one is not None]
    return values


def as_engine(value: Any, kind: Kind) -> Any:
    """One value as the engine takes it: times are UTC, days begin at midnight."""
    if kind == "date" and isinstance(value, datetime):
        return value.replace(tzinfo=UTC)
    if kind == "date" and isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return float(value) if kind == "float" else value
