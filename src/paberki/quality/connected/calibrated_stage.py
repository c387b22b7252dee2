"""Connected text with cuts that lose next to no text: the third version of the stage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import pyarrow as pa

from paberki.model import Model
from paberki.quality.connected.common_words import LIST
from paberki.quality.connected.connected_stage import ConnectedConfig, badness_columns, counted_texts
from paberki.quality.connected.connectedness import reasons
from paberki.quality.connected.profiles import TextCounts
from paberki.quality.connected.sampling import NEEDS
from paberki.quality.connected.word_order import FILE, function_words, known_languages
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

BADNESS: Final = "badness above the limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedConfig:
    """When a page counts as connected text."""

    limit: float | None = None
    """Pages with a higher badness are labelled ``connected = false``, and nothing else is looked at: 10 in P5. If not
    given, a page is connected unless it has few function words, or none in their place, or those of another language."""
    variant: Literal["contrast", "2012", "2013"] = "contrast"
    """How badness is computed; see ``paberki settings quality.connected.v2``."""
    types: int = 10
    """Words of the profile (n in P5)."""
    profiles: Literal["own", "all"] = "own"
    """Compare with the profile of the page's language, or with all of them, whatever the language is said to be."""
    enough: float | None = None
    """With several profiles the first one under this badness counts and no other is tried; half the limit if not
    given (texrex: 15 of 35)."""


@map_stage(
    "quality.connected.v3",
    layer="quality",
    reads=(LIST, FILE),
    needs=NEEDS,
    adds=builtin("quality"),
    config=CalibratedConfig,
    models=("quality.profile",),
)
def connected_calibrated(batch: Batch, config: CalibratedConfig, model: Model) -> Columns:
    """Badness as in ``quality.connected.v2`` (P5 §3.3), and whether the page is connected text by all that is known.

    Deviation from P5: its limit of 10 was made for throwing away. Short texts and texts of a genre lack some of ten
    function words by chance; here a hundred are counted, with the error of small numbers, and pairs of them tell text from
    shuffled words (:mod:`paberki.quality.connected.connectedness`). ``limit`` brings P5's cut back. Null for pages without
    words, and for languages that neither we nor the corpus know.
    """
    plain = ConnectedConfig(
        variant=config.variant, types=config.types, limit=config.limit, profiles=config.profiles, enough=config.enough
    )
    text_counts = counted_texts(batch, config.types, model)
    columns = badness_columns(batch, plain, text_counts)
    share, order, why = _measures(batch, text_counts, columns["badness_profile"].to_pylist())
    is_measured = np.array([one is not None for one in why], bool)
    if config.limit is None:
        columns["connected"] = pa.array([None if one is None else not one for one in why], pa.bool_())
    else:
        why = [{True: "", False: BADNESS, None: None}[one] for one in columns["connected"].to_pylist()]
    return {
        **columns,
        "function_share": pa.array(share, pa.float32(), mask=~is_measured),
        "word_order": pa.array(order, pa.float32(), mask=~is_measured),
        "disconnection": pa.array([one or None for one in why], pa.string()).dictionary_encode(),
    }


def _measures(batch: Batch, text_counts: TextCounts, profiles: list[str | None]) -> tuple[Any, Any, list[str | None]]:
    """Of each page the share of function words, the order of its words, and why it is not connected: empty if it is."""
    texts = kept_texts(batch.arrow(NEEDS[0]), batch.arrow(NEEDS[1])).joined()
    share, order = np.zeros(len(texts)), np.zeros(len(texts))
    why: list[str | None] = [None] * len(texts)
    langs = [own or lang for own, lang in zip(profiles, batch["identify.lang"], strict=True)]
    for lang in sorted({one for one in langs if one}):
        is_learnt = lang in text_counts.profiles.languages
        list_language = lang if lang in known_languages() else text_counts.profiles.known_as(lang) if is_learnt else ""
        rows = np.array([row for row, one in enumerate(langs) if one == lang and text_counts.words[row] > 0], np.int64)
        if not len(rows) or not (list_language or is_learnt):
            continue
        own = texts.take(pa.array(rows))
        measures = function_words(list_language, text_counts.profiles.shares(lang) if is_learnt else {}).measure(own)
        lead = text_counts.lead(lang, rows)[0] if is_learnt else np.zeros(len(rows))
        share[rows], order[rows] = measures.share, measures.order
        for row, reason in zip(rows.tolist(), reasons(own.to_pylist(), measures, lead), strict=True):
            why[row] = reason
    return share, order, why
