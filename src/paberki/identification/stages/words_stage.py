"""The method ``words`` as a stage: language and script of every page and block, by function words alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from paberki.identification.answer import Identification
from paberki.identification.methods.function_words import identify_evidence
from paberki.identification.scripts import NAMES, script_totals
from paberki.identification.word_evidence import ALL_LANGUAGES, WordEvidence, evidence
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import KeptTexts, kept_texts, lengths_of
from paberki.store.columns import builtin

NEEDS = ("extract.blocks.text", "extract.blocks.kept")
ADDS = builtin("identify", "lang", "lang_p", "script", "cyrillic_num", "cyrillic_perc", "block_lang")
_SURROUNDINGS: Final = 3.0
_CYRILLIC: Final = NAMES.index("Cyrl")


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyConfig:
    """How languages are told apart."""

    min_block_chars: int = 80
    """Kept blocks with fewer characters get no language of their own."""


@map_stage("identify.words.v1", layer="identify", needs=NEEDS, adds=ADDS, config=IdentifyConfig)
def identify_pages(batch: Batch, config: IdentifyConfig) -> Columns:
    """Language by function words, typical letters and script, per page and per block.

    References: P1 §2.3 (function words, per paragraph), P3 §3 (``cyrillic_num``, ``cyrillic_perc`` of letters).
    """
    kept_blocks = kept_texts(*(batch.arrow(name) for name in NEEDS))
    blocks = evidence(kept_blocks.texts)
    whole = blocks.of_groups(kept_blocks.edges)
    pages = identify_evidence(whole)
    letters = script_totals(whole.classes)
    cyrillic, total = letters[:, _CYRILLIC], letters.sum(axis=1)
    missing = batch.arrow(NEEDS[0]).is_null().to_pylist()
    columns: dict[str, list[Any]] = {
        "lang": [page.lang for page in pages],
        "lang_p": [page.probs.get(page.lang) if page.lang else None for page in pages],
        "script": [page.script for page in pages],
        "cyrillic_num": cyrillic.astype(np.int64).tolist(),
        "cyrillic_perc": (100.0 * cyrillic / np.maximum(total, 1.0)).tolist(),
        "block_lang": _block_languages(batch, kept_blocks, blocks, pages, config),
    }
    return {
        name: [None if absent else value for value, absent in zip(values, missing, strict=True)]
        for name, values in columns.items()
    }


def _block_languages(
    batch: Batch, kept_blocks: KeptTexts, blocks: WordEvidence, pages: list[Identification], config: IdentifyConfig
) -> list[list[str | None]]:
    """Languages of kept blocks only: dropped blocks are ten times as many, and their language is not needed.

    A block leans to the language of its page: between close languages the page knows better than one paragraph.
    """
    languages: list[list[str | None]] = [[None] * length for length in lengths_of(batch.arrow(NEEDS[0])).tolist()]
    long = np.flatnonzero(kept_blocks.char_counts() >= config.min_block_chars)
    lean = np.array([name == page.lang for page in pages for name in ALL_LANGUAGES]) * _SURROUNDINGS
    lean = lean.reshape(len(pages), len(ALL_LANGUAGES))[kept_blocks.pages[long]]
    answers = identify_evidence(WordEvidence(blocks.words[long], blocks.classes[long]), lean=lean)
    places = zip(kept_blocks.pages[long].tolist(), kept_blocks.numbers[long].tolist(), answers, strict=True)
    for page, number, block in places:
        languages[page][number] = block.lang
    return languages
