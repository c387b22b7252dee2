"""Text inside markup: escaped, without control characters, one line."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.export.words.string_columns import Bytes, Strings
from paberki.export.words.token_table import NOTHING, TokenTable

_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
"""Control characters: no line of a vertical file may hold one, and XML does not allow most of them."""
_BREAK: Final = "[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]"
_LINE: Final = re.compile(f" *{_BREAK}(?:{_BREAK}| )*")
_QUOTED: Final = re.compile("[&<>\"']")
_CONTROLS: Final = np.zeros(256, np.bool_)
"""First bytes of characters that a line may not hold; others begin with the last three too."""
_CONTROLS[[*range(0x20), 0x7F, 0xC2, 0xE2, 0xEF]] = True
_MARKUP: Final = _CONTROLS.copy()
_MARKUP[list(b"<>&")] = True


def moment(value: datetime) -> str:
    """All times are UTC: ``2026-11-16T00:00:00Z``."""
    return value.isoformat(timespec="seconds") + "Z"


def shorten(value: float) -> float | None:
    """Six digits are what a single-precision number holds; JSON has no infinities."""
    return float(f"{value:.6g}") if math.isfinite(value) else None


def number_texts(values: Iterable[float | None]) -> list[str]:
    """Numbers with six digits, those that are missing as ``nan``; all of them are written at once, which takes a fifth of the time."""
    numbers = tuple(math.nan if value is None else value for value in values)
    return ("%.6g\n" * len(numbers) % numbers).split("\n")[:-1]


def one_line(text: str) -> str:
    """The text without line ends and control characters, which become single spaces."""
    return text if text.isprintable() else _LINE.sub(" ", text).strip(" ")


def cell(text: str) -> str:
    """A value between tabs; ``_`` where nothing remains."""
    return one_line(text) or NOTHING


def escape(text: str) -> str:
    """The three signs of markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def attribute(value: Any) -> str:
    """A value between double quotes."""
    text = plain_value(value)
    if not isinstance(value, str) or not _QUOTED.search(text):
        return text
    return escape(text).replace('"', "&quot;").replace("'", "&#x27;")


def plain_value(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, date):
        return value.isoformat()
    return one_line(str(value))


def tag(name: str, attributes: Iterable[tuple[str, Any]]) -> str:
    """An opening tag on one line."""
    return "<" + name + "".join([f' {key}="{attribute(value)}"' for key, value in attributes]) + ">"


def clean_forms(table: TokenTable) -> Strings:
    """The words of all tokens, each on one line and never empty."""
    return table.forms(lambda word: cell(word.decode("utf-8", "replace")), lambda data: _places(data, _CONTROLS))


def escaped_forms(table: TokenTable) -> Strings:
    """The same with the signs of markup escaped."""
    change = lambda word: escape(cell(word.decode("utf-8", "replace")))  # noqa: E731
    return table.forms(change, lambda data: _places(data, _MARKUP))


def _places(data: Bytes, first_bytes: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Where characters stand that a line may not hold, or that are escaped."""
    places = np.flatnonzero(first_bytes[data])
    first, second, third = (data[np.minimum(places + shift, len(data) - 1)] for shift in range(3))
    others = (
        ((first == 0xC2) & (second >= 0xA0))
        | ((first == 0xE2) & ~((second == 0x80) & (third >= 0xA8) & (third <= 0xA9)))
        | ((first == 0xEF) & ~((second == 0xBF) & (third >= 0xBE)))
    )
    suspects: npt.NDArray[np.int64] = places[~others]
    return suspects


def without_forbidden(text: str) -> str:
    """The text with spaces in place of control characters; line ends stay."""
    return _FORBIDDEN.sub(" ", text)
