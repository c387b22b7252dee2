"""What a format is: a function from some pages to bytes, the columns that it reads, and what stands around and beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from paberki.store.columns import Column, Level

Counts = Counter[str]
"""How many pages, paragraphs, sentences, tokens or words were written."""


@dataclass(frozen=True, slots=True)
class ExportHead:
    """Facts about the corpus for a file; none depends on path, clock or machine."""

    name: str
    """Name of the corpus in its recipe."""
    schema: pa.Schema
    """Columns of the pages, also when there are none."""
    columns: tuple[Column, ...] = ()
    """What the schema says of them."""
    shown_columns: frozenset[str] = frozenset()
    """Columns about pages and blocks that are written; others are read for their words."""
    schemes: tuple[str, ...] = ()
    """Taggers of the corpus in their order; empty without annotation."""
    has_frames: bool = False
    """Tokens have valency frames."""
    has_misc: bool = False
    """Some imported tokens have attributes that are no layers."""
    lang: tuple[str, ...] = ()
    """Languages of the corpus."""
    root: Path | None = None
    """Directory of the corpus, for formats that look at the archive or at other pages; nothing of it is written."""
    recipe: str = ""
    """Text of the recipe."""
    seed: int = 0
    """For formats that put something into another order."""
    ending: str = ""
    """Compression of the file by its name: ``.gz``, ``.zst``, ``.xz`` or nothing."""
    extra: str = ""
    """What a format alone knows: the file of a tokenizer."""

    def attributes(self, level: Level) -> list[tuple[str, str]]:
        """Name and verbatim output name of the exported columns of a level that fit into an attribute."""
        return [
            (one.name, one.output_name)
            for one in self.columns
            if one.level == level and one.name in self.shown_columns and not pa.types.is_nested(_item(one))
        ]


def _item(column: Column) -> pa.DataType:
    return column.type if column.level == "page" else column.type.value_type


@dataclass(slots=True)
class ExportPiece:
    """Some pages in a format."""

    data: bytes | memoryview
    counts: Counts = field(default_factory=Counter)
    end: bytes = b""
    """What follows the data."""
    side: bytes = b""
    """What a file beside the export is made of."""


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A finished file of an export, for the files beside it."""

    name: str
    """Its name, without that of the directory."""
    counts: Counts
    sides: Iterable[bytes] = ()
    """What its pieces left for files beside it."""
    path: Path = Path()
    """Where it lies now."""


def no_frame(about: ExportHead, counts: Counts) -> bytes:
    """Formats without head and foot."""
    return b""


def nothing_beside(about: ExportHead, part: ExportedFile) -> Mapping[str, bytes]:
    """Formats without files beside."""
    return {}


def nothing_inside(about: ExportHead, parts: Sequence[ExportedFile]) -> Mapping[str, bytes]:
    """Formats whose directories hold parts alone."""
    return {}


Render = Callable[[pa.Table, ExportHead], ExportPiece]


@dataclass(frozen=True, slots=True)
class Form:
    """A format."""

    render: Render
    """Some pages as bytes; pieces are put one after the other."""
    content: tuple[str, ...]
    """Columns with the words of a page, next to those about it."""
    suffix: str
    """End of the names of files in a directory."""
    head: Callable[[ExportHead, Counts], bytes] = no_frame
    """What stands before all pages of a file."""
    foot: Callable[[ExportHead, Counts], bytes] = no_frame
    join: Callable[[Sequence[Path], Path, ExportHead], None] | None = None
    """Puts files of pieces together, where writing one after the other is not enough."""
    beside: Callable[[ExportHead, ExportedFile], Mapping[str, bytes]] = nothing_beside
    """Files beside the export, a file or directory, by what is added to its name."""
    index: Callable[[ExportHead, ExportedFile], Mapping[str, bytes]] = nothing_beside
    """Files beside each file with pages, also in a directory."""
    inside: Callable[[ExportHead, Sequence[ExportedFile]], Mapping[str, bytes]] = nothing_inside
    """Files about all parts in a directory, by name."""
    own_endings: tuple[str, ...] = ()
    """Endings for which the format compresses its records itself."""
    compressed: bool = False
    """The format compresses itself, so that .gz, .zst and .xz mean nothing."""
    requires: str = ""
    """Column that a page must have to be written."""
    full_blocks: bool = False
    """Blocks have all their fields; else their text alone."""
    whole: bool = False
    """A piece is rendered at once; else one row group after the other."""
    shuffled: bool = False
    """Pages are spread over several files at random."""
    attributes: bool = True
    """The exported columns of a page are written."""
    hidden_columns: tuple[str, ...] = ()
    """Columns of which a digest alone is written: neither masked nor put into another order."""

    @property
    def has_paragraphs(self) -> bool:
        """Paragraphs are written in the order of their page."""
        return not self.shuffled and "blocks" not in self.hidden_columns
