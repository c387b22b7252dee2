"""The corpus as it was: the pages of an earlier update of the index, in the selection of then.

Pages keep the number of the update that they came with, and selections stay beside the one in force. Pages that were taken
down since are gone, also from what was.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from paberki.errors import QueryError
from paberki.query.counting.page_columns import page_numbers
from paberki.query.hits.hits import Hits
from paberki.query.hits.steps import keep_scope
from paberki.query.index.selection import BLOCK, Selection, selected_tokens

if TYPE_CHECKING:
    from paberki.query.index.segment import Segment
    from paberki.serve.library import Edition
    from paberki.serve.question import Question
    from paberki.serve.server_settings import ServerSettings

__all__ = ["as_it_was", "hits_in"]

Bits = NDArray[np.bool_]
_STATE: Final = re.compile(r"(\d{1,9})-([0-9a-f]{4,32})")


def as_it_was(edition: Edition, state: str) -> Selection:
    """What was kept at an earlier time: ``COMMIT-KEY`` names the update of the index and the selection of then."""
    match = _STATE.fullmatch(state)
    if match is None or f"kept@{match[2]}" not in edition.index.selections:
        raise QueryError(f"this corpus does not remember the state {state[:60]!r}")
    earlier, commit = edition.index.selection(f"kept@{match[2]}"), int(match[1])
    assert earlier is not None
    commits = (
        page_numbers(edition.concordancer._places, "commit")
        if "commit" in edition.index.structures.get("doc", ())
        else None
    )

    def bits(segment: Segment, pages: NDArray[np.int64]) -> Bits:
        own: Bits = earlier.blocks(segment)
        return own if commits is None else own & (commits[pages] <= commit)

    return _selection(edition, f"kept at {state}", bits)


def _selection(edition: Edition, name: str, bits_of: Any) -> Selection:
    """A selection that is computed from the blocks of a segment and the numbers of their pages."""
    index, places = edition.index, edition.concordancer._places

    def read(segment: Segment) -> Bits:
        blocks = segment.structure(BLOCK)
        pages = places.locate(np.asarray(blocks.starts, np.int64) + segment.base).astype(np.int64)
        bits: Bits = bits_of(segment, pages) & ~index.blocks_taken_down(segment)
        return bits

    tokens = sum(selected_tokens(segment, read(segment)) for segment in index.segments)
    return Selection(name, name, tokens, read)


def hits_in(edition: Edition, question: Question, selection: Selection, settings: ServerSettings) -> Hits:
    """The hits of a query in some blocks, on the pages for which the condition of the question holds."""
    from paberki.query import Budget, run
    from paberki.query.hits.page_conditions import scope_of

    scope = scope_of(edition.concordancer._places, selection, question.where)
    budget = Budget(settings.search_seconds, settings.table_hits, settings.search_memory_bytes)

    def search(text: str) -> Any:
        return run(
            edition.index,
            text,
            strategy=question.strategy,
            dialect=question.dialect,
            budget=budget,
            selection=selection,
        )

    steps = (keep_scope(scope),) if question.where else ()
    return Hits(scope, search(str(question.query(edition).text)), steps, search)
