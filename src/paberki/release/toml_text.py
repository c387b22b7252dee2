"""Writes tables as TOML; Python's own library reads it only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any


def toml_text(table: Mapping[str, Any]) -> str:
    """The text of a table: plain values first, then tables and lists of tables."""
    return "\n".join(_lines(table, ())) + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    lines = [f"{_key(name)} = {_value(value)}" for name, value in table.items() if not _is_table(value)]
    for name, value in table.items():
        place = (*path, name)
        head = ".".join(map(_key, place))
        if isinstance(value, Mapping):
            lines += ["", f"[{head}]", *_lines(value, place)]
        elif _is_table(value):
            for one in value:
                lines += ["", f"[[{head}]]", *_lines(one, place)]
    return lines


def _is_table(value: Any) -> bool:
    is_list = isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)
    return isinstance(value, Mapping) or is_list


def _key(name: str) -> str:
    plain = name.replace("-", "").replace("_", "")
    return name if plain.isascii() and plain.isalnum() else json.dumps(name, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(name)} = {_value(one)}" for name, one in value.items()) + "}"
    return value.isoformat() if isinstance(value, date | datetime) else repr(value)
