"""Blocks that a page has twice or more often, as a stage: they point back at the first one (texrex)."""

from __future__ import annotations

from dataclasses import dataclass

from paberki.extraction.repair.repaired_text import back_references
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin


@dataclass(frozen=True, slots=True, kw_only=True)
class EchoesConfig:
    """What counts as a repeat."""

    min_chars: int = 3
    """Shorter blocks are not compared: a bullet is no repetition."""


@map_stage(
    "echoes.blocks.v1", layer="echoes", needs=("extract.blocks.text",), adds=builtin("echoes"), config=EchoesConfig
)
def repeated_blocks(batch: Batch, config: EchoesConfig) -> Columns:
    """For every block the first block of its page with the same text (no paper; texrex).

    Deviation: texrex puts a mark into the text; here the text stays, and a rule of select may drop what points back.
    """
    pages = batch.arrow("extract.blocks.text").to_pylist()
    return {"block_repeat_of": [None if page is None else back_references(page, config.min_chars) for page in pages]}
