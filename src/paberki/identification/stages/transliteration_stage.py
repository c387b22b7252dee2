"""Serbian in one script as a stage: views of the kept blocks, the text itself stays as it is (P3 §3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import pyarrow as pa

from paberki.languages import Language
from paberki.languages.transliteration import View, cyrillic_view, latin_view
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.columns import RESTORED, builtin

NEEDS: Final = ("extract.blocks.text", "extract.blocks.kept", "identify.lang")
_MOST_CHARS: Final = 2_000_000
"""Longer pages get no view: they are not running text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransliterateConfig:
    """Into which script, and of which languages."""

    to: Literal["latin", "cyrillic"] = "latin"
    """Script of the views; P3 keeps its corpora in Latin letters."""
    languages: tuple[Language, ...] = (Language("sr"), Language("bs"))
    """Pages in other languages get no view: these letters are Russian or Macedonian there."""


@map_stage(
    "identify.transliterate.v1",
    layer="script_view",
    needs=NEEDS,
    adds=builtin("script_view"),
    config=TransliterateConfig,
)
def transliterate(batch: Batch, config: TransliterateConfig) -> Columns:
    """Views of the kept blocks in Latin or Cyrillic letters, with breakpoints onto the text (P3 §3).

    Null for pages in other languages and where nothing changes.
    """
    rows = zip(*(batch.arrow(name).to_pylist() for name in NEEDS[:2]), batch[NEEDS[2]], strict=True)
    views = [
        _views(blocks, stays, config) if blocks and lang in config.languages else None for blocks, stays, lang in rows
    ]
    return {"script_view": pa.array(views, pa.list_(RESTORED))}


def _views(
    blocks: Sequence[str], stays: Sequence[bool], config: TransliterateConfig
) -> list[dict[str, Any] | None] | None:
    if sum(map(len, blocks)) > _MOST_CHARS:
        return None
    spell = latin_view if config.to == "latin" else cyrillic_view
    views = [_plain(text, spell(text)) if stay else None for text, stay in zip(blocks, stays, strict=True)]
    return views if any(views) else None


def _plain(text: str, view: View) -> dict[str, Any] | None:
    if view.text == text:
        return None
    return {"text": view.text, "breakpoints": [{"view": mine, "text": theirs} for mine, theirs in view.breaks]}
