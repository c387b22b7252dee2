"""Filters and extractors of datatrove as stages: they label pages and drop none.

    from datatrove.pipeline.filters import GopherQualityFilter
    from paberki.plugin import datatrove_filter

    datatrove_filter("quality.gopher.v1", GopherQualityFilter, min_doc_words=20)

adds the columns ``gopher_keep`` and ``gopher_reason``; a rule of the recipe decides what happens with them. The class and
its arguments are given apart, so that every worker makes a filter of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import pyarrow as pa

from paberki.errors import ContractError, MissingExtra
from paberki.stage import Columns, Stage, find, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import Column

__all__ = ["datatrove_extractor", "datatrove_filter"]

_TEXT = ("extract.blocks.text", "extract.blocks.kept")


def datatrove_filter(name: str, make: Callable[..., Any], **arguments: Any) -> Stage:
    """Register a filter as a map stage over the kept text of each page.

    ``WORD_keep`` says whether the filter would keep the page, ``WORD_reason`` why not; WORD is the part of the name
    before its version. Pages without text are null in both.
    """
    word = _word(name)
    keep = Column(f"{word}_keep", word, pa.bool_(), f"{_title(make)} of datatrove would keep the page")
    reason = Column(f"{word}_reason", word, pa.string(), f"why {_title(make)} of datatrove would not keep the page")
    block = lru_cache(maxsize=1)(lambda: make(**arguments))

    def label(batch: Batch, config: object) -> Columns:
        document = _document_class()
        verdicts = [_verdict(block(), document, text, number) for number, text in enumerate(_texts(batch))]
        return {keep.name: [one[0] for one in verdicts], reason.name: [one[1] for one in verdicts]}

    label.__doc__ = f"The filter {_title(make)} of datatrove, as a label (no paper)."
    map_stage(name, layer=word, needs=_TEXT, adds=(keep, reason))(label)
    return find(name)


def datatrove_extractor(name: str, make: Callable[..., Any], **arguments: Any) -> Stage:
    """Register an extractor as a map stage over the decoded page; it adds the column ``WORD_text``."""
    word = _word(name)
    column = Column(f"{word}_text", word, pa.string(), f"text by {_title(make)} of datatrove", personal=True)
    block = lru_cache(maxsize=1)(lambda: make(**arguments))

    def extract(batch: Batch, config: object) -> Columns:
        return {column.name: [None if html is None else block().extract(html) for html in batch["decoded"]]}

    extract.__doc__ = f"The text that {_title(make)} of datatrove takes from a page (no paper)."
    map_stage(name, layer=word, needs=("decoded",), adds=(column,))(extract)
    return find(name)


def _word(name: str) -> str:
    parts = name.split(".")
    if len(parts) < 2:
        raise ContractError(f"{name!r} is not of the form quality.word.v1")
    return parts[-2]


def _title(make: Callable[..., Any]) -> str:
    return getattr(make, "__name__", type(make).__name__)


def _document_class() -> Any:
    try:
        from datatrove.data import Document
    except ImportError as error:
        raise MissingExtra("datatrove", "datatrove") from error
    return Document


def _texts(batch: Batch) -> Iterator[str | None]:
    """The kept text of each page, None where there is none."""
    for text in kept_texts(*(batch.arrow(name) for name in _TEXT)).joined().to_pylist():
        yield text or None


def _verdict(block: Any, document: Any, text: str | None, number: int) -> tuple[bool | None, str | None]:
    if text is None:
        return None, None
    answer = block.filter(document(text=text, id=str(number)))
    return (bool(answer[0]), str(answer[1])) if isinstance(answer, tuple) else (bool(answer), None)
