"""Blocks of corpora of format 1, read as blocks are now.

They hold the text as the page has it under ``text``, and the repaired text, where there is one, under ``normalised``.
Now ``text`` is the repaired text and ``source`` what was repaired.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa

REPAIRED: Final = "normalised"


def is_old(kind: pa.DataType) -> bool:
    """Whether a stored column holds such blocks."""
    return bool(pa.types.is_list(kind) and pa.types.is_struct(kind.value_type)) and _has(kind.value_type, REPAIRED)


def stored_fields(field: str, kind: pa.DataType) -> tuple[str, ...]:
    """Fields that have to be read to know one field."""
    return ("text", REPAIRED) if field in ("text", "source") and is_old(kind) else (field,)


def renewed(blocks: pa.ListArray) -> pa.ListArray:
    """The blocks, or what was read of them, with the fields that they have now."""
    if not is_old(blocks.type):
        return blocks
    import pyarrow.compute as pc  # when needed: it takes a while to import

    values = blocks.values
    arrays = {field.name: values.field(field.name) for field in values.type}
    repaired_text, source = arrays.pop(REPAIRED), arrays["text"]
    arrays["text"] = pc.coalesce(repaired_text, source)
    arrays["source"] = pc.if_else(repaired_text.is_valid(), source, pa.scalar(None, pa.string()))
    structs = pa.StructArray.from_arrays(list(arrays.values()), names=list(arrays))
    mask = blocks.is_null() if blocks.null_count else None
    return pa.ListArray.from_arrays(blocks.offsets, structs, mask=mask)


def _has(kind: pa.StructType, field: str) -> bool:
    return bool(kind.get_field_index(field) >= 0)
