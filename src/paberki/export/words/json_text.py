"""Columns as JSON, all rows at once; the same as ``json.dumps`` writes with ``ensure_ascii=False``."""

from __future__ import annotations

import json
from datetime import date, datetime
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from paberki.export.words.column_text import Column, frame, line_texts, whole
from paberki.export.words.escaping import escapes
from paberki.export.words.markup_text import moment, number_texts, shorten

_ESCAPES: Final = escapes({sign: json.dumps(sign)[1:-1] for sign in map(chr, (*range(32), ord('"'), ord("\\")))})

_NO_NUMBERS: Final = frozenset(("nan", "inf", "-inf"))
"""What JSON cannot write."""


def json_texts(column: Column) -> pa.StringArray:
    """The values of a column as JSON; ``null`` where there is none."""
    values = whole(column)
    kind = values.type
    if pa.types.is_dictionary(kind):
        return pc.fill_null(json_texts(values.dictionary).take(values.indices), "null")
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        texts = frame('"', _ESCAPES.apply(values.cast(pa.string())), '"')
    elif pa.types.is_boolean(kind):
        texts = pc.if_else(values, "true", "false")
    elif pa.types.is_integer(kind):
        texts = values.cast(pa.string())
    elif pa.types.is_temporal(kind):
        texts = frame('"', line_texts(values), '"')
    elif pa.types.is_floating(kind):
        different = values.dictionary_encode()
        words = list(map(repr, map(float, number_texts(different.dictionary.to_pylist()))))
        texts = pa.array([None if word in _NO_NUMBERS else word for word in words], pa.string()).take(different.indices)
    else:
        texts = pa.array([json.dumps(plain_json(one), ensure_ascii=False) for one in values.to_pylist()], pa.string())
    return pc.fill_null(texts, "null")


def plain_json(value: Any) -> Any:
    """A value with dates and numbers as JSON has them."""
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return shorten(value)
    if isinstance(value, list):
        return [plain_json(one) for one in value]
    if isinstance(value, dict):
        return {name: plain_json(one) for name, one in value.items()}
    if isinstance(value, bytes):
        return value.hex()
    return value
