"""Annotated pages as columns; words are dictionary-encoded, not one string per token."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.annotation.placing import WORDS, AnnotatedPage, TaggerLayers
from paberki.store.columns import ANNOTATION, WORD

_OF_OTHERS: Final = tuple(name for name in WORDS if name != "frame")
Pages = Sequence[AnnotatedPage | None]


def columns_of(pages: Pages, schemes: Sequence[str]) -> dict[str, Any]:
    """All columns of the layer; None for a page without annotation."""
    columns: dict[str, Any] = {
        "annotated": [page.lang if page else None for page in pages],
        "schemes": [list(schemes) if page else None for page in pages],
        "token_count": [len(page.starts) if page else None for page in pages],
        "sentence_count": [len(page.blocks) if page else None for page in pages],
        "oov_count": [int(page.unknown.sum()) if page else None for page in pages],
        "sent_block": _numbers(pages, lambda page: page.blocks, pa.int32()),
        "sent_length": _numbers(pages, lambda page: page.lengths, pa.int32()),
        "tok_start": _numbers(pages, lambda page: page.starts, pa.int32()),
        "tok_end": _numbers(pages, lambda page: page.ends, pa.int32()),
        "tok_byte_start": _numbers(pages, lambda page: page.byte_starts, pa.int64()),
        "tok_byte_end": _numbers(pages, lambda page: page.byte_ends, pa.int64()),
        "tok_head": _numbers(pages, lambda page: page.first.heads, pa.int32()),
        "tok_oov": _numbers(pages, lambda page: page.unknown, pa.bool_()),
        **{f"tok_{name}": _imported(pages, name).cast(pa.list_(WORD)) for name in ("deps", "misc")},
        **{f"sent_{name}": _imported(pages, name) for name in ("comments", "nodes")},
        "other_annotations": _others(pages),
    }
    for name in WORDS:
        columns[f"tok_{name}"] = _words([page.first if page else None for page in pages], name)
    return columns


def _imported(pages: Pages, name: str) -> pa.Array:
    """A layer that imported files alone have."""
    lists = [getattr(page.imported, name) if page and page.imported else None for page in pages]
    return pa.array([own or None for own in lists], pa.list_(pa.string()))


def _others(pages: Pages) -> pa.Array:
    """The annotations of the further taggers of each page, one item per tagger."""
    layers = [own for page in pages if page for own in page.others.values()]
    names = [name for page in pages if page for name in page.others]
    fields = {"scheme": pa.array(names, pa.string()).dictionary_encode()}
    fields |= {name: _words(layers, name) for name in _OF_OTHERS}
    fields["head"] = _lists([len(own.heads) for own in layers], pa.array(_joined([own.heads for own in layers])))
    values = pa.StructArray.from_arrays([fields[field.name] for field in ANNOTATION], fields=list(ANNOTATION))
    return _lists([len(page.others) if page else None for page in pages], values)


def _joined(arrays: Sequence[npt.NDArray[np.int32]]) -> npt.NDArray[np.int32]:
    return np.concatenate([*arrays, np.zeros(0, np.int32)])


def _numbers(pages: Pages, values_of: Callable[[AnnotatedPage], npt.NDArray[Any]], kind: pa.DataType) -> pa.Array:
    """A list of numbers for each page."""
    lists = [np.asarray(values_of(page), kind.to_pandas_dtype()) if page else None for page in pages]
    flat = np.concatenate([one for one in lists if one is not None] or [np.zeros(0, kind.to_pandas_dtype())])
    return _lists([None if one is None else len(one) for one in lists], pa.array(flat, kind))


def _words(layers: Sequence[TaggerLayers | None], name: str) -> pa.Array:
    """A layer of all pages, each word once in the dictionary."""
    lists = [own.words[name] if own else None for own in layers]
    flat = list(chain.from_iterable(one for one in lists if one))
    try:
        words = pa.array(flat, pa.string())
    except UnicodeEncodeError:  # a lone surrogate from a damaged page
        words = pa.array([word and word.encode("utf-8", "replace").decode() for word in flat], pa.string())
    return _lists([None if one is None else len(one) for one in lists], words.dictionary_encode())


def _lists(lengths: Sequence[int | None], values: pa.Array) -> pa.Array:
    """Values cut into lists of these lengths; None for a missing list."""
    edges = np.cumsum([0, *(length or 0 for length in lengths)]).astype(np.int32)
    missing = pa.array([length is None for length in lengths], pa.bool_())
    return pa.ListArray.from_arrays(pa.array(edges, pa.int32()), values, mask=missing)
