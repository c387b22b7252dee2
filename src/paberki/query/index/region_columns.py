"""Columns of pages and blocks as attributes of structures: numbers as numbers, everything else as strings."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.query.index.container import ContainerWriter
from paberki.query.index.writing.attribute_writer import small, write_dictionary


def can_be_attribute(kind: pa.DataType) -> bool:
    """Whether values of this type can be told in a word; structures and bytes cannot."""
    if pa.types.is_list(kind):
        return bool(pa.types.is_string(_plain(kind.value_type)))
    kind = _plain(kind)
    tests = (pa.types.is_string, pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_temporal)
    return any(test(kind) for test in tests)


def _plain(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def write_region_column(out: ContainerWriter, prefix: str, values: pa.Array) -> None:
    """A value for each region; null is the empty one, and NaN among numbers."""
    kind = _plain(values.type)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        out.add(f"{prefix}/numbers", _numbers(values.cast(kind)))
        return
    dictionary_array = (
        values if pa.types.is_dictionary(values.type) else values.dictionary_encode() if _encodable(kind) else None
    )
    if dictionary_array is None:
        dictionary_array = _strings(values).dictionary_encode()
    distinct = _strings(dictionary_array.dictionary).fill_null("")
    texts = pa.concat_arrays([distinct.cast(pa.large_string()), pa.array([""], pa.large_string())])
    codes = dictionary_array.indices.fill_null(len(texts) - 1).to_numpy(zero_copy_only=False).astype(np.int64)
    text_array = texts.dictionary_encode()
    numbers = text_array.indices.to_numpy().astype(np.int64)[codes]
    present, numbers = np.unique(numbers, return_inverse=True)
    write_dictionary(out, prefix, text_array.dictionary.take(pa.array(present)), numbers)


def _encodable(kind: pa.DataType) -> bool:
    return not pa.types.is_list(kind)


def _numbers(values: pa.Array) -> npt.NDArray[Any]:
    if pa.types.is_integer(values.type) and not values.null_count:
        numbers: npt.NDArray[Any] = values.to_numpy(zero_copy_only=False)
        return small(numbers)
    kind = pa.float32() if pa.types.is_float32(values.type) else pa.float64()
    floats: npt.NDArray[Any] = values.cast(kind, safe=False).to_numpy(zero_copy_only=False)
    return floats


def _strings(values: pa.Array) -> pa.Array:
    """Values as strings: times in ISO's form, lists as sets."""
    if pa.types.is_list(values.type):
        inside = pc.binary_join(values.cast(pa.list_(pa.string())), "|")
        return pc.if_else(pc.equal(inside, ""), "|", pc.binary_join_element_wise("|", inside, "|", ""))
    if pa.types.is_timestamp(values.type):
        return pc.strftime(values.cast(pa.timestamp("s"), safe=False), "%Y-%m-%dT%H:%M:%SZ")
    return values.cast(pa.string())
