"""The method that keeps every block, for corpora of whole pages (P4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paberki.extraction.html.page_blocks import Block


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeConfig:
    """There is nothing to set."""


def whole(blocks: Sequence[Block], config: WholeConfig | None = None) -> None:
    """Label every block in place as text."""
    for block in blocks:
        block.label, block.score, block.kept, block.reason = "text", 1.0, True, "the whole page"
