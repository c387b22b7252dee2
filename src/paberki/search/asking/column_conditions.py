"""Conditions on columns of pages: one value, or a range with two dots or a comparison sign."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from paberki.errors import QueryError
from paberki.search.asking.search_tree import Value
from paberki.search.engine import Kind, Query, SearchIndex, without_score
from paberki.search.page_fields import column_field

_DATE: Final = re.compile(r"(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?(?:[T ](\d\d):(\d\d)(?::(\d\d))?Z?)?")
_SIGN: Final = re.compile(r"(<=|>=|<|>|=)?(.*)", re.DOTALL)
_TRUE: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True, slots=True)
class _Span:
    """What a value covers: a year covers all its days."""

    first: Any
    after: Any
    """The first value beyond; None where the value is a single one."""


def value_query(engine: SearchIndex, kind: Kind, value: Value) -> Query:
    """Documents for which a condition holds."""
    name, text = column_field(value.column), value.text.strip()
    if kind == "string":
        return without_score(engine.term(name, text, positions=False))
    if kind == "boolean":
        return without_score(engine.term(name, _read(value, text.lower(), _TRUE.__getitem__)))
    low_text, dots, high_text = text.partition("..")
    if dots:
        low = _span(value, kind, low_text) if low_text else None
        high = _span(value, kind, high_text) if high_text else None
        return _range(engine, name, kind, low.first if low else None, high)
    sign, rest = _SIGN.fullmatch(text).groups()  # type: ignore[union-attr]
    span = _span(value, kind, rest)
    match sign:
        case "<":
            return engine.between(name, kind, None, span.first, with_low=True, with_high=False)
        case ">":
            with_low = span.after is not None
            return engine.between(
                name, kind, span.after if with_low else span.first, None, with_low=with_low, with_high=True
            )
        case "<=":
            return _range(engine, name, kind, None, span)
        case ">=":
            return engine.between(name, kind, span.first, None, with_low=True, with_high=True)
    return _range(engine, name, kind, span.first, span)


def _range(engine: SearchIndex, name: str, kind: Kind, low: Any, high: _Span | None) -> Query:
    if high is None:
        return engine.between(name, kind, low, None, with_low=True, with_high=True)
    if high.after is None:
        return engine.between(name, kind, low, high.first, with_low=True, with_high=True)
    return engine.between(name, kind, low, high.after, with_low=True, with_high=False)


def _span(value: Value, kind: Kind, text: str) -> _Span:
    text = text.strip()
    if kind == "date":
        span: _Span = _read(value, text, _days)
        return span
    if kind == "integer":
        return _Span(_read(value, text, _whole), None)
    return _Span(_read(value, text, float), None)


def _whole(text: str) -> int:
    number = int(text)
    if abs(number) >= 1 << 63:
        raise ValueError(text)
    return number


def _days(text: str) -> _Span:
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    year, month, day, hour, minute, second = (int(part) if part else None for part in match.groups())
    first = datetime(year or 0, month or 1, day or 1, hour or 0, minute or 0, second or 0, tzinfo=UTC)
    if hour is not None:
        return _Span(first, first + timedelta(seconds=1 if second is not None else 60))
    days = 1 if day else monthrange(first.year, first.month)[1] if month else 366 if _leap(first.year) else 365
    return _Span(first, first + timedelta(days=days))


def _leap(year: int) -> bool:
    return monthrange(year, 2)[1] == 29


def _read(value: Value, text: str, read: Callable[[str], Any]) -> Any:
    try:
        return read(text)
    except (ValueError, KeyError, OverflowError) as error:
        raise QueryError(
            f"{value.column}: {text!r} is no value of this column", position=value.position, length=len(value.text)
        ) from error
