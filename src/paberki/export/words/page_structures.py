"""``<doc>`` and ``<p>`` of a vertical file for many pages at once.

Rows are the pages and their kept blocks in order: a page, its blocks, the next page. What closes a row stands at the
beginning of the next one, since the tokens of a block come between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.export.export_format import ExportHead
from paberki.export.words.column_text import attribute_text, line_texts, not_empty, of_kept_blocks, tags
from paberki.export.words.given_attributes import more_attributes
from paberki.export.words.string_columns import Bytes, CodedColumn, Ints, arrow_strings, rows
from paberki.store.batch import field_of_blocks

COMMENT: Final = "comment"
"""Label of comments of readers."""
_ENDS: Final = ("", "</p>\n", "</s>\n</p>\n")
_IN_PAGE, _PLAIN_BLOCK, _OPEN_BLOCK = range(3)


class Structures:
    """Tags of pages and of their kept blocks."""

    def __init__(self, pages: pa.Table, about: ExportHead, kept_blocks: npt.NDArray[np.bool_], counts: Ints) -> None:
        self.blocks: Ints = np.flatnonzero(kept_blocks)
        """Numbers of kept blocks among all blocks."""
        first_block = np.cumsum(counts) - counts
        page_of_block = np.repeat(np.arange(len(counts)), counts)[self.blocks]
        self.rows_of_blocks: Ints = np.arange(len(self.blocks)) + page_of_block + 1
        self._rows_of_pages: Ints = np.arange(len(counts)) + np.searchsorted(self.blocks, first_block)
        self._tags = pa.concat_arrays([_page_tags(pages, about), _block_tags(pages, about, kept_blocks, counts)])

    def text(self, inner: Sequence[str], is_open: npt.NDArray[np.bool_]) -> tuple[Bytes, Ints]:
        """All tags; with what stands in each block, and whether tokens follow there. Where each row ends, too."""
        count = len(self._rows_of_pages) + len(self.blocks)
        opening = np.empty(count, np.int32)
        opening[self._rows_of_pages] = np.arange(len(self._rows_of_pages))
        opening[self.rows_of_blocks] = np.arange(len(self.blocks)) + len(self._rows_of_pages)
        kinds = np.full(count, _IN_PAGE, np.int32)
        kinds[self.rows_of_blocks] = np.where(is_open, _OPEN_BLOCK, _PLAIN_BLOCK)
        is_page = np.zeros(count, np.bool_)
        is_page[self._rows_of_pages] = True
        closing = np.zeros(count, np.int32)
        closing[1:] = kinds[:-1] + len(_ENDS) * is_page[1:]
        words, codes = _number_strings(inner)
        inside = np.zeros(count, np.int32)
        inside[self.rows_of_blocks] = codes
        columns = [
            CodedColumn(closing, [*_ENDS, *(f"{end}</doc>\n" for end in _ENDS)]).strings(),
            arrow_strings(self._tags, opening),
            CodedColumn(inside, words).strings(),
        ]
        data, ends = rows(columns)
        last = f"{_ENDS[kinds[-1]]}</doc>\n" if count else ""
        return np.concatenate([data, np.frombuffer(last.encode(), np.uint8)]), ends


def _number_strings(strings: Sequence[str]) -> tuple[list[str], list[int]]:
    """Different strings, the first one empty, and the number of each."""
    numbers: dict[str, int] = {"": 0}
    codes = [numbers.setdefault(one, len(numbers)) for one in strings]
    return list(numbers), codes


def _page_tags(pages: pa.Table, about: ExportHead) -> pa.Array:
    of_pages = about.attributes("page")
    columns = [(name, not_empty(line_texts(pages.column(column)))) for column, name in of_pages]
    schemes = attribute_text([("schemes", " ".join(about.schemes))]) if len(about.schemes) > 1 else ""
    own: list[Any] = pages.column("attributes").to_pylist() if "attributes" in pages.column_names else []
    names = [name for _, name in of_pages]
    more = [schemes + attribute_text(list(more_attributes(pairs, names))) for pairs in own] or [schemes] * len(pages)
    return tags("doc", columns, more) if len(pages) else pa.array([], pa.string())


def _block_tags(pages: pa.Table, about: ExportHead, kept_blocks: npt.NDArray[np.bool_], counts: Ints) -> pa.Array:
    of_blocks = about.attributes("block")
    labels = field_of_blocks(pages.column("blocks"), "label").flatten().cast(pa.string()).filter(pa.array(kept_blocks))
    comments = pc.if_else(pc.equal(labels, COMMENT), COMMENT, pa.scalar(None, pa.string()))
    columns = [("type", comments)]
    columns += [
        (name, line_texts(of_kept_blocks(pages.column(column), counts, kept_blocks))) for column, name in of_blocks
    ]
    more = None
    if "block_attributes" in pages.column_names and pages.column("block_attributes").null_count < len(pages):
        own = of_kept_blocks(pages.column("block_attributes"), counts, kept_blocks).to_pylist()
        names = [name for _, name in of_blocks]
        more = [attribute_text(list(more_attributes(pairs, names))) for pairs in own]
    return tags("p", columns, more) if len(labels) else pa.array([], pa.string())
