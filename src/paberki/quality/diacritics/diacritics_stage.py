"""Diacritics as stages: a model learnt from the corpus, and views of the pages that lack theirs (P2 §5)."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.languages import Language
from paberki.model import Model
from paberki.quality.connected.sampling import SAMPLE
from paberki.quality.diacritics.restoration import (
    Restorer,
    accuracy,
    changed_words,
    count_letters,
    having_diacritics,
    learn,
    without_words,
)
from paberki.stage import Columns, fit_stage, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import RESTORED, builtin

NEEDS: Final = ("extract.blocks.text", "extract.blocks.kept", "identify.lang")
WEIGHTS: Final = pa.schema([("lang", pa.string()), ("slot", pa.uint32()), ("weights", pa.list_(pa.int16(), 4))])
_MOST_CHARS: Final = 200_000
"""Longer pages are no text that anybody wrote without diacritics."""
_HELD_OUT: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class DiacriticsConfig:
    """What restoration is learnt from."""

    chars: int = 3_000_000
    """Characters of each language that are learnt from; the pages with the smallest keys."""
    page_chars: int = 10_000
    """Characters of a page that are looked at."""
    lang: tuple[Language, ...] = ()
    """Languages of the corpus; all that it has when there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreConfig:
    """What is done with words that lack their diacritics."""

    mode: Literal["leave", "drop", "restore"] = "restore"
    """On pages that lack diacritics: leave the text as it is, drop the words that lack any, or restore them."""
    below: float = 0.25
    """A page is bare when it has less than this share of the diacritics that are usual in its language."""
    min_letters: int = 300
    """Shorter pages are left alone: nobody can tell whether they lack anything."""


@fit_stage(
    "quality.diacritics.v1",
    layer="quality.diacritics",
    needs=(*NEEDS, "archive.key"),
    config=DiacriticsConfig,
    behaviour="pages that have diacritics",
)
class LearnDiacritics:
    """Weights that tell which diacritic a bare letter had, from the corpus's own pages that have theirs (P2 §5).

    P2 leaves the method open; see :mod:`paberki.quality.diacritics.restoration`. One page in ten is held out, and the model says how
    many of its words come out right.
    """

    @staticmethod
    def observe(batch: Batch, config: DiacriticsConfig, seen: pa.Table | None = None) -> pa.Table:
        """Text of the pages with the smallest keys."""
        page_texts = pc.utf8_slice_codeunits(
            kept_texts(*(batch.arrow(n) for n in NEEDS[:2])).joined(), 0, config.page_chars
        )
        table = pa.table([batch.arrow(NEEDS[2]), batch.arrow("archive.key"), page_texts], schema=SAMPLE)
        stays = table["lang"].is_valid()
        if config.lang:
            stays = pc.and_(stays, pc.is_in(table["lang"], value_set=pa.array(config.lang, pa.string())))
        return _sample(table.filter(stays), config.chars)

    @staticmethod
    def merge(tables: list[pa.Table], config: DiacriticsConfig) -> pa.Table:
        """Of each language the pages with the smallest keys, up to the number of characters."""
        return _sample(pa.concat_tables(tables), config.chars)

    @staticmethod
    def finish(table: pa.Table, config: DiacriticsConfig) -> pa.Table:
        """The weights of each language that writes diacritics."""
        parts, metadata = [WEIGHTS.empty_table()], {}
        for lang in sorted(set(table.column("lang").to_pylist())):
            texts = having_diacritics(table.filter(pc.equal(table["lang"], lang)).column("text").to_pylist())
            restorer = learn(text for number, text in enumerate(texts) if number % _HELD_OUT)
            if not restorer.forms:
                continue
            bare_accuracy, restored_accuracy = accuracy(restorer, texts[::_HELD_OUT])
            metadata[lang] = json.dumps(
                {
                    "forms": dict(restorer.forms),
                    "usual": restorer.usual,
                    "bits": restorer.bits,
                    "bare": bare_accuracy,
                    "restored": restored_accuracy,
                },
                sort_keys=True,
            )
            weights = pa.FixedSizeListArray.from_arrays(pa.array(restorer.values.reshape(-1), pa.int16()), 4)
            count = len(restorer.slots)
            parts.append(pa.table([pa.array([lang] * count, pa.string()), restorer.slots, weights], schema=WEIGHTS))
        return pa.concat_tables(parts).replace_schema_metadata(metadata)


def _sample(table: pa.Table, chars: int) -> pa.Table:
    """Rows in the order of keys while a language has not enough characters; the order of coming does not matter."""
    table = table.sort_by([("lang", "ascending"), ("key", "ascending")]).combine_chunks()
    counts: Counter[str] = Counter()
    stays = []
    lengths = pc.utf8_length(table["text"]).to_pylist()
    for lang, length in zip(table["lang"].to_pylist(), lengths, strict=True):
        stays.append(counts[lang] < chars)
        counts[lang] += length
    return table.filter(pa.array(stays, pa.bool_()))


@map_stage(
    "quality.restore.v1",
    layer="restored",
    needs=NEEDS,
    adds=builtin("restored"),
    config=RestoreConfig,
    models=("quality.diacritics",),
    behaviour="words of bare pages",
)
def restore(batch: Batch, config: RestoreConfig, model: Model) -> Columns:
    """Views of the kept blocks of pages that lack diacritics: with these restored, or without the words that lack any (P2 §5).

    The text itself is never touched. Null where nothing changes.
    """
    restorers = restorers_of(model)
    texts, flags = batch.arrow(NEEDS[0]), batch.arrow(NEEDS[1])
    langs = np.array(batch[NEEDS[2]], object)
    views: list[list[Any] | None] = [None] * len(batch)
    counts: list[int | None] = [0 if there else None for there in texts.is_valid().to_pylist()]
    for row in _rows_with_view(kept_texts(texts, flags).joined(), langs, restorers, config):
        page_views, count = _page_views(texts[row].as_py(), flags[row].as_py(), restorers[langs[row]], config)
        if count:
            views[row], counts[row] = page_views, count
    return {"restored": pa.array(views, pa.list_(RESTORED)), "restored_count": counts}


def _rows_with_view(
    pages: pa.StringArray, langs: Any, restorers: dict[str, Restorer], config: RestoreConfig
) -> list[int]:
    """Rows of the pages that have a view: those that lack diacritics."""
    lengths = pc.utf8_length(pages).fill_null(0).to_numpy(zero_copy_only=False)
    has_text = (lengths > 0) & (lengths <= _MOST_CHARS) & (config.mode != "leave")
    letters, lacking = count_letters(pages), np.zeros(len(pages), bool)
    for lang, restorer in restorers.items():
        bare_ones = restorer.bare_among(letters, share=config.below, least_letters=config.min_letters)
        lacking |= bare_ones & (langs == lang)
    rows: list[int] = np.flatnonzero(has_text & lacking).tolist()
    return rows


def _page_views(
    blocks: list[str], stays: list[bool], restorer: Restorer, config: RestoreConfig
) -> tuple[list[Any], int]:
    """The view of each block, null where it is the block itself, and the number of words that differ."""
    views: list[dict[str, Any] | None] = []
    count = 0
    for text, stay in zip(blocks, stays, strict=True):
        restored_text = restorer.restore(text) if stay else text
        if restored_text == text or len(restored_text) != len(text):
            views.append(None)
            continue
        view, breaks, words = restored_text, [(0, 0)], changed_words(text, restored_text)
        if config.mode == "drop":
            view, breaks, words = without_words(text, restored_text)
        count += words
        views.append({"text": view, "breakpoints": [{"view": one, "text": other} for one, other in breaks]})
    return views, count


@lru_cache(maxsize=4)
def restorers_of(model: Model) -> dict[str, Restorer]:
    """The restorer of each language of a model."""
    restorers = {}
    langs = model.table.column("lang").combine_chunks()
    for name, value in (model.table.schema.metadata or {}).items():
        lang, facts = name.decode(), json.loads(value)
        mine = model.table.filter(pc.equal(langs, lang))
        weights = mine.column("weights").combine_chunks()
        values = weights.flatten().to_numpy(zero_copy_only=False).reshape(-1, 4).astype(np.int16)
        restorers[lang] = Restorer(
            facts["forms"], mine.column("slot").to_numpy(), values, facts["usual"], facts["bits"]
        )
    return restorers
