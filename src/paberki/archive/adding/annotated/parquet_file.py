"""Parquet tables with a column ``text``: our own exports, with tokens if they were exported, and foreign ones.

Lines of the text are paragraphs. Other columns of single values are attributes of the page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, datetime
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from paberki.archive.adding.annotated.page_builder import PageBuilder
from paberki.archive.annotated_page import NOTHING, WORD_LAYERS, ImportedPage
from paberki.archive.reading.lines import OnError
from paberki.errors import InputError

_TEXTS: Final = ("text", "content", "raw_content")
_ROWS: Final = 250
_VERBATIM: Final = {"date": "crawl_date"}
_TOKENS: Final = ("sent_block", "sent_length", "tok_start", "tok_end")


def pages(path: Path, on_error: OnError) -> Iterator[ImportedPage]:
    """A page for each row with a text."""
    number = 0
    try:
        with pq.ParquetFile(path) as file:
            column = next((name for name in _TEXTS if name in file.schema_arrow.names), None)
            if column is None:
                names = ", ".join(file.schema_arrow.names[:20])
                raise InputError(f"{path.name}: needs a column text; found: {names}")
            for batch in file.iter_batches(_ROWS):
                for row in batch.to_pylist():
                    page = _page(row, column, path.name, number)
                    if page is None:
                        on_error(f"{path.name}: row {number + 1}", "has no text")
                    else:
                        yield page
                    number += 1
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(f"{path.name}: cannot be read as Parquet ({str(error).splitlines()[0]})") from error


def _page(row: dict[str, Any], column: str, file: str, number: int) -> ImportedPage | None:
    text = row[column]
    if not isinstance(text, str) or not text.strip():
        return None
    builder = PageBuilder(file, number, _attributes(row, column))
    for line in text.split("\n"):
        if line.strip():
            builder.text(line)
    page = builder.finish()
    if page is not None and all(row.get(name) for name in _TOKENS):
        _add_tokens(page, row, text)
    return page


def _attributes(row: dict[str, Any], column: str) -> list[tuple[str, str]]:
    single = [
        (name, value) for name, value in row.items() if name != column and not isinstance(value, list | dict | bytes)
    ]
    given = [(_VERBATIM.get(name, name), _string(value)) for name, value in single if value is not None]
    more = row.get("attributes")
    if isinstance(more, list):
        given += [
            (str(one["name"]), str(one["value"]))
            for one in more
            if isinstance(one, dict) and {"name", "value"} <= set(one)
        ]
    return [
        (name, value)
        for name, value in given
        if name not in ("annotated", "token_count", "sentence_count", "source_id")
    ]


def _string(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds").removesuffix("+00:00") + "Z"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float):
        return repr(value)
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _add_tokens(page: ImportedPage, row: dict[str, Any], text: str) -> None:
    """Tokens of an export: their offsets count characters of the whole text, blocks are its lines."""
    lines = text.split("\n")
    begins = list(accumulate((len(line) + 1 for line in lines), initial=0))
    numbers = {line: at for at, line in enumerate(number for number, line in enumerate(lines) if line.strip())}
    sentences = list(zip(row["sent_block"], row["sent_length"], strict=True))
    if any(block not in numbers for block, _ in sentences) or sum(length for _, length in sentences) != len(
        row["tok_start"]
    ):
        return
    moves = [begins[block] for block, length in sentences for _ in range(length)]
    page.sentences = [(numbers[block], length) for block, length in sentences]
    page.starts = [start - move for start, move in zip(row["tok_start"], moves, strict=True)]
    page.ends = [end - move for end, move in zip(row["tok_end"], moves, strict=True)]
    for name in WORD_LAYERS:
        values = row.get(f"tok_{name}")
        if values and len(values) == len(page.starts):
            page.layers[name] = [value or NOTHING for value in values]
    page.heads = row.get("tok_head") or []
    page.oov = row.get("tok_oov") or []
    page.comments = [one or "" for one in row.get("sent_comments") or ()]
    page.nodes = [one or "" for one in row.get("sent_nodes") or ()]
