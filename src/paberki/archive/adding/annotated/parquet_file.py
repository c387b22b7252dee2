"""Parquet tables with a column ``text``: our own exports, with tokens if they were exported, and foreign ones.

Lines of the text are paragraphs, unless the tokens say that a paragraph has several lines. Other columns of single values are
attributes of the page. Bytes of tokens in the page as it was received go where CoNLL-U has them: ``Bytes=START:END``.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from paberki.archive.adding.annotated.page_builder import PageBuilder
from paberki.archive.annotated_page import NOTHING, WORD_LAYERS, ImportedPage
from paberki.archive.reading.numbered_lines import OnError
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
    has_tokens = _has_tokens(row)
    paragraphs = paragraphs_of(text, row) if has_tokens else [(0, line) for line in text.split("\n")]
    for _, paragraph in paragraphs:
        builder.text(paragraph)
    page = builder.finish()
    if page is not None and has_tokens:
        _add_tokens(page, row, paragraphs)
        page.lang = row.get("annotated") or page.lang
    return page


def _attributes(row: dict[str, Any], column: str) -> list[tuple[str, str]]:
    single = [
        (name, value) for name, value in row.items() if name != column and not isinstance(value, list | dict | bytes)
    ]
    attributes = [(_VERBATIM.get(name, name), _string(value)) for name, value in single if value is not None]
    more = row.get("attributes")
    if isinstance(more, list):
        attributes += [
            (str(one["name"]), str(one["value"]))
            for one in more
            if isinstance(one, dict) and {"name", "value"} <= set(one)
        ]
    return [
        (name, value)
        for name, value in attributes
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


def _has_tokens(row: dict[str, Any]) -> bool:
    """Tokens are there, and their numbers fit together."""
    if not all(row.get(name) for name in _TOKENS) or len(row["sent_block"]) != len(row["sent_length"]):
        return False
    lengths: list[int] = row["sent_length"]
    return min(lengths) > 0 and sum(lengths) == len(row["tok_start"]) == len(row["tok_end"])


def paragraphs_of(text: str, row: dict[str, Any]) -> list[tuple[int, str]]:
    """Where each paragraph begins, and its text. A paragraph is a line; one in which a sentence stands ends where the sentences
    of the next one begin, so that several lines can be one."""
    lines = text.split("\n")
    begins = list(accumulate((len(line) + 1 for line in lines), initial=0))
    lasts: dict[int, int] = {}
    block_of_line: dict[int, int] = {}
    ends = accumulate(row["sent_length"])
    for block, end, length in zip(row["sent_block"], ends, row["sent_length"], strict=True):
        first = bisect_right(begins, row["tok_start"][end - length]) - 1
        lasts[block] = bisect_right(begins, row["tok_end"][end - 1]) - 1
        block_of_line.setdefault(first, block)
    paragraphs: list[tuple[int, str]] = []
    line = 0
    while line < len(lines):
        last = max(line, lasts.get(block_of_line.get(line, -1), line))
        paragraphs.append((begins[line], "\n".join(lines[line : last + 1])))
        line = last + 1
    return paragraphs


def _add_tokens(page: ImportedPage, row: dict[str, Any], paragraphs: Sequence[tuple[int, str]]) -> None:
    """Tokens of an export: their offsets count characters of the whole text."""
    begins = [begin for begin, text in paragraphs if text.strip()]
    firsts = list(accumulate(row["sent_length"], initial=0))[:-1]
    numbers = [bisect_right(begins, row["tok_start"][first]) - 1 for first in firsts]
    of_tokens = [number for number, length in zip(numbers, row["sent_length"], strict=True) for _ in range(length)]
    starts = [start - begins[number] for start, number in zip(row["tok_start"], of_tokens, strict=True)]
    ends = [end - begins[number] for end, number in zip(row["tok_end"], of_tokens, strict=True)]
    sizes = [len(block.text) for block in page.blocks]
    if sorted(numbers) != numbers or not all(
        0 <= start < end <= sizes[number] for start, end, number in zip(starts, ends, of_tokens, strict=True)
    ):
        return
    page.sentences, page.starts, page.ends = list(zip(numbers, row["sent_length"], strict=True)), starts, ends
    for name in WORD_LAYERS:
        values = row.get(f"tok_{name}")
        if values and len(values) == len(page.starts):
            page.layers[name] = [value or NOTHING for value in values]
    _add_bytes(page, row)
    page.heads = row.get("tok_head") or []
    page.oov = row.get("tok_oov") or []
    page.comments = [one or "" for one in row.get("sent_comments") or ()]
    page.nodes = [one or "" for one in row.get("sent_nodes") or ()]


def _add_bytes(page: ImportedPage, row: dict[str, Any]) -> None:
    """Where tokens stand in the page as it was received."""
    spans = list(zip(row.get("tok_byte_start") or (), row.get("tok_byte_end") or (), strict=False))
    if len(spans) != len(page.starts):
        return
    others = page.layers.get("misc") or [NOTHING] * len(spans)
    page.layers["misc"] = [
        f"Bytes={start}:{end}" if other == NOTHING else f"{other}|Bytes={start}:{end}"
        for other, (start, end) in zip(others, spans, strict=True)
    ]
