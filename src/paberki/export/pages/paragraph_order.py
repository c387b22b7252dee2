"""Paragraphs of each page in another order, for corpora that may not be passed on as running text.

Lists of blocks, sentences and tokens are permuted; they keep their lengths, so that pages stay pages. The order depends on
the page and the seed alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.store.columns import Column
from paberki.store.reading import TEXT, selected_text

Ints = npt.NDArray[np.int64]


def shuffle_paragraphs(chunk: pa.Table, columns: Mapping[str, Column], seed: int) -> pa.Table:
    """The chunk with its paragraphs permuted; ``text`` is made of the blocks."""
    rows = chunk.to_pylist()
    for row in rows:
        _shuffle(row, columns, np.random.default_rng([seed, *row["id"].encode()]))
    arrays = {}
    for name in chunk.column_names:
        kind = chunk.schema.field(name).type
        arrays[name] = pa.array([row[name] for row in rows], kind)
    if TEXT in arrays:
        texts = pa.array([[block["text"] for block in row["blocks"] or ()] for row in rows], pa.list_(pa.string()))
        arrays[TEXT] = selected_text(texts, arrays["block_keep"])
    return pa.table(arrays)


def _shuffle(row: dict[str, Any], columns: Mapping[str, Column], order: np.random.Generator) -> None:
    count = len(row["blocks"] or ())
    blocks = order.permutation(count).tolist()
    place = {old: new for new, old in enumerate(blocks)}
    for name, value in row.items():
        if value and (name == "blocks" or (name in columns and columns[name].level == "block")):
            row[name] = [value[old] for old in blocks] if len(value) == count else value
    if not row.get("sent_block"):
        return
    sentences = sorted(range(len(row["sent_block"])), key=lambda at: place[row["sent_block"][at]])
    edges = np.r_[0, np.cumsum(row["sent_length"])].tolist()
    tokens = [token for at in sentences for token in range(edges[at], edges[at + 1])]
    row["sent_block"] = [place[block] for block in row["sent_block"]]
    for name, value in row.items():
        level = columns[name].level if name in columns else ""
        if value and level in ("sentence", "token"):
            row[name] = [value[at] for at in (sentences if level == "sentence" else tokens)]
    for one in row.get("other_annotations") or ():
        for layer, values in one.items():
            if isinstance(values, list) and values:
                one[layer] = [values[at] for at in tokens]
