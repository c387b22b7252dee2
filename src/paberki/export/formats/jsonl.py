"""JSON lines: one object for each page, the form that training pipelines read."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from datetime import datetime
from typing import Any, BinaryIO

import pyarrow as pa

from paberki.export.export_format import About, Form
from paberki.store.reading import TEXT


def write(chunks: Iterable[pa.Table], file: BinaryIO, about: About) -> None:
    """One line for each page; text is the kept blocks, one per line."""
    del about
    for chunk in chunks:
        lines = [json.dumps(jsonable(page), ensure_ascii=False, allow_nan=False) for page in chunk.to_pylist()]
        file.write("".join(f"{line}\n" for line in lines).encode())


def jsonable(page: dict[str, Any]) -> dict[str, Any]:
    """The page with dates and numbers as JSON has them."""
    return {name: _value(value) for name, value in page.items()}


def _value(value: Any) -> Any:
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, float):
        return shorten(value)
    return value


def moment(value: datetime) -> str:
    """All times are UTC: ``2026-11-16T00:00:00Z``."""
    return value.isoformat(timespec="seconds") + "Z"


def shorten(value: float) -> float | None:
    """Six digits are what a single-precision number holds; JSON has no infinities."""
    return float(f"{value:.6g}") if math.isfinite(value) else None


FORM = Form(write, (TEXT,), ".jsonl")
