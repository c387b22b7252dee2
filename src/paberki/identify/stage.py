"""Identify as a stage: language and script of every page and block."""

from __future__ import annotations

from dataclasses import dataclass

from paberki.identify import identify, identify_blocks
from paberki.identify.scripts import count_scripts
from paberki.stage import Columns, map_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin

NEEDS = ("extract.blocks.text", "extract.blocks.kept")


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyConfig:
    """How languages are told apart."""

    min_block_chars: int = 40
    """Kept blocks with fewer characters get no language of their own."""
    max_chars: int = 20_000
    """Characters of kept text that are looked at; more do not change the answer."""


@map_stage(
    "identify.words.v1", layer="identify", needs=NEEDS, adds=builtin("identify"), config=IdentifyConfig
)
def identify_pages(batch: Batch, config: IdentifyConfig) -> Columns:
    """Language by function words, typical letters and script, per page and per block.

    References: P1 §4 (function words, per paragraph), P3 §5 (``cyrillic_num``, ``cyrillic_perc`` of letters).
    """
    columns: dict[str, list[object]] = {column.name: [] for column in builtin("identify")}
    for texts, kept in zip(batch[NEEDS[0]], batch[NEEDS[1]], strict=True):
        if texts is None:
            for values in columns.values():
                values.append(None)
            continue
        text = "\n".join(text for text, stays in zip(texts, kept, strict=True) if stays)
        found = identify(text[: config.max_chars])
        scripts = count_scripts(text)
        columns["lang"].append(found.lang)
        columns["lang_p"].append(found.probs.get(found.lang) if found.lang else None)
        columns["script"].append(found.script or None)
        columns["cyrillic_num"].append(scripts.cyrillic_num)
        columns["cyrillic_perc"].append(scripts.cyrillic_perc)
        columns["block_lang"].append(_block_languages(texts, kept, config))
    return columns


def _block_languages(texts: list[str], kept: list[bool], config: IdentifyConfig) -> list[str | None]:
    """Of kept blocks only: nobody asks for the language of a menu, and there are ten times as many of them."""
    long = [at for at, text in enumerate(texts) if kept[at] and len(text) >= config.min_block_chars]
    languages: list[str | None] = [None] * len(texts)
    for at, found in zip(long, identify_blocks([texts[at][:2000] for at in long]), strict=True):
        languages[at] = found.lang
    return languages
