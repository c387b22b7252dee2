"""Columns about pages and blocks as text, all rows at once: a value on one line, an attribute, a tag.

Arrow does the work; Python sees only values with control characters and floating-point numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.export.words.escaping import ATTRIBUTE, MARKUP
from paberki.export.words.markup_text import attribute, cell, number_texts, one_line, plain_value
from paberki.export.words.string_columns import arrow_strings

CONTROL: Final = "[\\x00-\\x1f\\x7f-\\x{9f}\\x{2028}\\x{2029}\\x{fffe}\\x{ffff}]"
"""For RE2: what no value on one line may hold."""
Column: TypeAlias = "pa.Array | pa.ChunkedArray"


def whole(column: Column) -> pa.Array:
    """A column in one piece."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def line_texts(column: Column) -> pa.StringArray:
    """Values on one line, as :func:`~paberki.export.words.markup_text.plain_value` gives them; null stays null."""
    values = whole(column)
    kind = values.type
    if pa.types.is_dictionary(kind):
        return line_texts(values.dictionary).take(values.indices)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return changed_where(values.cast(pa.string()), CONTROL, one_line)
    if pa.types.is_boolean(kind):
        return pc.if_else(values, "1", "0")
    if pa.types.is_timestamp(kind):
        seconds = values.cast(pa.timestamp("s"), safe=False).cast(pa.string())
        return pc.binary_join_element_wise(pc.replace_substring(seconds, " ", "T"), "Z", "")
    if pa.types.is_integer(kind) or pa.types.is_date(kind):
        return values.cast(pa.string())
    if pa.types.is_floating(kind):
        texts = pa.array(number_texts(values.to_pylist()), pa.string())
        return pc.if_else(values.is_valid(), texts, None) if values.null_count else texts
    return pa.array([None if value is None else plain_value(value) for value in values.to_pylist()], pa.string())


def changed_where(values: pa.StringArray, pattern: str, change: Callable[[str], str]) -> pa.StringArray:
    """The values; those in which a pattern is found are changed."""
    if not holds(values, pattern):
        return values
    suspects = pc.fill_null(pc.match_substring_regex(values, pattern), False)
    new = [change(value) for value in values.filter(suspects).to_pylist()]
    return pc.replace_with_mask(values, suspects, pa.array(new, pa.string()))


def holds(values: pa.StringArray, pattern: str) -> bool:
    """Whether a pattern is found in any value. All of them are looked through as one string, which takes a tenth of the time."""
    strings = arrow_strings(values)
    if not len(values) or strings.begins[0] == strings.ends[-1]:
        return False
    edges = pa.py_buffer(np.array([strings.begins[0], strings.ends[-1]], np.int64))
    one = pa.Array.from_buffers(pa.large_string(), 1, [None, edges, pa.py_buffer(strings.data)])
    return bool(pc.match_substring_regex(one, pattern)[0].as_py())


def escape_markup(values: pa.StringArray, *, quotes: bool = False) -> pa.StringArray:
    """The signs of markup escaped; with ``quotes`` for a value between quotes."""
    return (ATTRIBUTE if quotes else MARKUP).apply(values)


def cells(words: pa.StringArray) -> pa.StringArray:
    """Values between tabs."""
    return changed_where(words, CONTROL, cell)


def not_empty(values: pa.StringArray) -> pa.StringArray:
    """The values with null for empty ones."""
    return pc.if_else(pc.equal(values, ""), pa.scalar(None, pa.string()), values)


def join_columns(*columns: pa.StringArray | str) -> pa.StringArray:
    """Columns and constants, one after the other; null is nothing."""
    return pc.binary_join_element_wise(*columns, "", null_handling="replace", null_replacement="")


def frame(before: str, values: pa.StringArray, after: str) -> pa.StringArray:
    """Values between two constants; null stays null."""
    return pc.binary_join_element_wise(before, values, after, "")


def tags(name: str, attributes: Sequence[tuple[str, pa.StringArray]], more: Sequence[str] | None = None) -> pa.Array:
    """An opening tag on a line of its own for each row; attributes that are null are left out. ``more`` is written as it is."""
    parts = [frame(f' {key}="', escape_markup(values, quotes=True), '"') for key, values in attributes]
    if more is not None:
        parts.append(pa.array(more, pa.string()))
    return join_columns(f"<{name}", *parts, ">\n")


def attribute_text(pairs: Sequence[tuple[str, object]]) -> str:
    """Attributes of one row as a tag has them."""
    return "".join(f' {name}="{attribute(value)}"' for name, value in pairs)


def of_kept_blocks(lists: Column, counts: np.ndarray, kept_blocks: np.ndarray) -> pa.Array:
    """The values of kept blocks, from lists with a value for each block; null on pages whose list has another length."""
    values = whole(lists)
    lengths = pc.fill_null(values.value_lengths(), 0).to_numpy(zero_copy_only=False)
    if (lengths == counts).all():
        return values.flatten().filter(pa.array(kept_blocks))
    fits = lengths == counts
    starts = np.cumsum(lengths) - lengths
    pages = np.repeat(np.arange(len(counts)), counts)
    inside = np.arange(len(pages)) - np.repeat(np.cumsum(counts) - counts, counts)
    places = pa.array((starts[pages] + inside)[kept_blocks], pa.int64(), mask=~fits[pages][kept_blocks])
    return values.flatten().take(places)
