"""Document rules as a stage: every measure of Gopher, C4, FineWeb, OSCAR and P1 a column, none of them applied."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import pyarrow.compute as pc

from paberki.model import Model
from paberki.quality.rules.document_rules import GOPHER_STOP_WORDS, StopLists, measures, stop_lists
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

NEEDS: Final = ("extract.blocks.text", "extract.blocks.kept", "identify.lang")


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesConfig:
    """Where stop words come from."""

    stop_words: int = 10
    """Most frequent words of a language, as the corpus's profile has them, that count as its stop words."""
    english: bool = False
    """Take Gopher's own eight words for English pages instead."""


@map_stage(
    "quality.rules.v1",
    layer="rules",
    needs=NEEDS,
    adds=builtin("rules"),
    config=RulesConfig,
    models=("quality.profile",),
    behaviour="stop words by script",
)
def document_rules(batch: Batch, config: RulesConfig, model: Model) -> Columns:
    """What the rules of Gopher, C4, FineWeb and OSCAR measure of the kept text, and the share of punctuation (P1 §2.3).

    Stop words are those of the page's language in this corpus, not English ones. See :mod:`paberki.quality.rules.document_rules` for
    the definitions, and where they differ from datatrove's.
    """
    kept_blocks = kept_texts(batch.arrow(NEEDS[0]), batch.arrow(NEEDS[1]))
    table = measures(kept_blocks.joined(), batch["identify.lang"], _stop_lists(model, config))
    missing = batch.arrow(NEEDS[0]).is_null()
    columns = {name: table.column(name).combine_chunks() for name in table.column_names}
    if missing.true_count:
        columns = {name: pc.if_else(missing, None, column) for name, column in columns.items()}
    return columns


@lru_cache(maxsize=8)
def _stop_lists(model: Model, config: RulesConfig) -> StopLists:
    """Of each language the stop words of all its scripts."""
    lists: dict[str, list[str]] = {}
    ranks: Counter[tuple[str, str]] = Counter()
    for lang, script, word in zip(*(model.table[name].to_pylist() for name in ("lang", "script", "word")), strict=True):
        ranks[lang, script] += 1
        if ranks[lang, script] <= config.stop_words:
            lists.setdefault(lang, []).append(word)
    if config.english or "en" not in lists:
        lists["en"] = list(GOPHER_STOP_WORDS)
    return stop_lists(lists)
