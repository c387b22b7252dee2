"""What a format is: a function from chunks of pages to bytes, and what it wants to read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import BinaryIO

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class About:
    """What a file may say about where it comes from; nothing in it depends on path, clock or machine."""

    name: str
    """Name of the corpus in its recipe."""
    schema: pa.Schema
    """Columns of the pages, also when there are none."""


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
