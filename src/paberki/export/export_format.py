"""What a format is: a function from chunks of pages to bytes, and the columns that it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import BinaryIO

import pyarrow as pa

from paberki.store.columns import Column, Level


@dataclass(frozen=True, slots=True)
class About:
    """Facts about the corpus for a file; none depends on path, clock or machine."""

    name: str
    """Name of the corpus in its recipe."""
    schema: pa.Schema
    """Columns of the pages, also when there are none."""
    columns: tuple[Column, ...] = ()
    """What the schema says of them."""
    schemes: tuple[str, ...] = ()
    """Taggers of the corpus in their order; empty without annotation."""
    has_frames: bool = False
    """Tokens have valency frames."""

    def attributes(self, level: Level) -> list[tuple[str, str]]:
        """Name and verbatim output name of the exported columns of a level that fit into an attribute."""
        return [
            (one.name, one.output_name)
            for one in self.columns
            if one.level == level and (one.exported or one.verdict) and not pa.types.is_nested(_item(one))
        ]


def _item(column: Column) -> pa.DataType:
    return column.type if column.level == "page" else column.type.value_type


@dataclass(frozen=True, slots=True)
class Form:
    """A format."""

    write: Callable[[Iterable[pa.Table], BinaryIO, About], None]
    content: tuple[str, ...]
    """Columns with the words of a page, next to those about it."""
    suffix: str
    """End of the names of files in a directory."""
    compressed: bool = False
    """The format compresses itself, so that .gz and .zst mean nothing."""
    requires: str = ""
    """Column that a page must have to be written."""
