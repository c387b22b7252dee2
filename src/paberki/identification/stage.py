"""Identify as a stage: language and script of every page and block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from paberki.identification import Identification, identify_blocks
from paberki.identification.evidence import plainly
from paberki.identification.scripts import count_scripts
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_blocks, lengths_of
from paberki.store.columns import builtin

NEEDS = ("extract.blocks.text", "extract.blocks.kept")
MAX_BLOCK_CHARS = 240
"""Of a block that are looked at: some forty words tell as much as all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyConfig:
    """How languages are told apart."""

    min_block_chars: int = 80
    """Kept blocks with fewer characters get no language of their own."""
    max_chars: int = 20_000
    """Characters of kept text that are looked at; more do not change the answer."""


@map_stage("identify.words.v1", layer="identify", needs=NEEDS, adds=builtin("identify"), config=IdentifyConfig)
def identify_pages(batch: Batch, config: IdentifyConfig) -> Columns:
    """Language by function words, typical letters and script, per page and per block.

    References: P1 §4 (function words, per paragraph), P3 §5 (``cyrillic_num``, ``cyrillic_perc`` of letters).
    """
    blocks, numbers = kept_blocks(*(batch.arrow(name) for name in NEEDS))
    texts = ["\n".join(mine) for mine in blocks]
    found = identify_blocks([text[: config.max_chars] for text in texts])
    scripts = [count_scripts(text) for text in texts]
    missing = batch.arrow(NEEDS[0]).is_null().to_pylist()
    columns: dict[str, list[Any]] = {
        "lang": [one.lang for one in found],
        "lang_p": [one.probs.get(one.lang) if one.lang else None for one in found],
        "script": [one.script for one in found],
        "cyrillic_num": [one.cyrillic_num for one in scripts],
        "cyrillic_perc": [one.cyrillic_perc for one in scripts],
        "block_lang": _block_languages(batch, blocks, numbers, found, config),
    }
    return {
        name: [None if absent else value for value, absent in zip(values, missing, strict=True)]
        for name, values in columns.items()
    }


def _block_languages(
    batch: Batch,
    blocks: list[list[str]],
    numbers: list[list[int]],
    pages: list[Identification],
    config: IdentifyConfig,
) -> list[list[str | None]]:
    """Of kept blocks only: nobody asks for the language of a menu, and there are ten times as many of them.

    A block with telling words of the page's language is in that language; only the others are looked at closely.
    """
    languages: list[list[str | None]] = [[None] * length for length in lengths_of(batch.arrow(NEEDS[0])).tolist()]
    places, texts = [], []
    for page, (mine, where, whole) in enumerate(zip(blocks, numbers, pages, strict=True)):
        for text, number in zip(mine, where, strict=True):
            if len(text) < config.min_block_chars:
                continue
            text = text[:MAX_BLOCK_CHARS]
            if whole.lang and plainly(text, whole.lang, whole.script):
                languages[page][number] = whole.lang
            else:
                places.append((page, number))
                texts.append(text)
    for (page, number), found in zip(places, identify_blocks(texts), strict=True):
        languages[page][number] = found.lang
    return languages
