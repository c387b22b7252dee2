"""Markdown from numbers and from strings that strangers wrote."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from typing import Any

from paberki.markup.svg import standalone

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&])")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def escape(value: object) -> str:
    """A string in which nothing is taken for markup."""
    return _SPECIAL.sub(r"\\\1", _CONTROL.sub(" ", str(value)))


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]], *, words: int = 1) -> str:
    """A table; all but the first ``words`` columns hold numbers."""
    marks = ["---"] * words + ["---:"] * (len(heads) - words)
    lines = [heads, marks, *([escape(value) for value in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def image(title: str, svg: str) -> str:
    """A figure inside of the text; the table beside it says the same where images are not shown."""
    data = base64.b64encode(standalone(svg).encode()).decode()
    return f"![{escape(title)}](data:image/svg+xml;base64,{data})"


def yaml(values: dict[str, Any], indent: str = "") -> str:
    """Plain YAML: strings are quoted, so that no value can mean anything else."""
    lines = []
    for name, value in values.items():
        if isinstance(value, dict):
            lines += [f"{indent}{name}:", yaml(value, indent + "  ").rstrip("\n")]
        elif isinstance(value, list):
            lines += [f"{indent}{name}:", *(_item(one, indent) for one in value)] if value else [f"{indent}{name}: []"]
        else:
            lines.append(f"{indent}{name}: {scalar(value)}")
    return "\n".join(lines) + "\n"


def _item(value: Any, indent: str) -> str:
    if isinstance(value, dict):
        return f"{indent}- " + yaml(value, indent + "  ").strip()
    return f"{indent}- {scalar(value)}"


def scalar(value: Any) -> str:
    """One value of YAML."""
    import json

    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    return (
        str(value) if isinstance(value, int | float) else json.dumps(_CONTROL.sub(" ", str(value)), ensure_ascii=False)
    )
