"""Which pages the profile of a language is learnt from: of each language and script the pages with the smallest keys, so
that the sample is the same whatever the number of workers or shards.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts

SAMPLE: Final = pa.schema([("lang", pa.string()), ("key", pa.string()), ("text", pa.string())])
"""``lang`` is a language, or a language and a script: ``sr-Cyrl``."""
NEEDS: Final = ("extract.blocks.text", "extract.blocks.kept", "identify.lang", "identify.script")
_MIXED: Final = {"ja": "Jpan", "ko": "Kore"}
"""Languages that mix scripts within a sentence: the main one of a page says nothing about its words."""


def scripts_of(batch: Batch) -> list[str]:
    """The script whose profile each page is compared with, ISO 15924; empty where it is unknown."""
    pairs = zip(batch["identify.lang"], batch["identify.script"], strict=True)
    return [_MIXED.get(lang or "", script or "") for lang, script in pairs]


def _written_languages(batch: Batch) -> pa.Array:
    """Language and script of each page, ``sr-Cyrl``; null for pages without a language."""
    pairs = zip(batch["identify.lang"], scripts_of(batch), strict=True)
    return pa.array([None if lang is None else f"{lang}-{script}" for lang, script in pairs], pa.string())


def sample(batch: Batch, partial_sample: pa.Table | None, *, pages: int, min_chars: int, max_chars: int) -> pa.Table:
    """The text of the candidate pages of this batch; words are counted only when the sample is final.

    ``partial_sample`` is what the shard gave so far: pages that could not get into its sample are not read at all.
    """
    lang, key = _written_languages(batch), batch.arrow("archive.key")
    long = pc.greater_equal(batch.arrow("extract.kept_char_count"), min_chars).fill_null(False)
    candidates = pa.table({"lang": lang, "key": key, "row": pa.array(range(len(batch)), pa.int64())})
    long = pc.and_(long, pa.array(_in_reach(lang, key, partial_sample, pages), pa.bool_()))
    candidates = smallest(candidates.filter(pc.and_(long, lang.is_valid())), pages)
    rows = candidates.column("row").combine_chunks()
    kept_blocks = kept_texts(*(batch.arrow(name).take(rows) for name in NEEDS[:2]))
    texts = ["\n".join(kept_blocks.of_page(page))[:max_chars] for page in range(len(rows))]
    return candidates.drop_columns(["row"]).append_column("text", pa.array(texts, pa.string()))


def _in_reach(lang: pa.Array, key: pa.Array, partial_sample: pa.Table | None, count: int) -> list[bool]:
    """Whether a page's key is small enough for a sample that is full already."""
    if partial_sample is None:
        return [True] * len(lang)
    last: dict[str, str] = {}
    full: Counter[str] = Counter(partial_sample.column("lang").to_pylist())
    for name, largest in zip(
        partial_sample.column("lang").to_pylist(), partial_sample.column("key").to_pylist(), strict=True
    ):
        last[name] = max(largest, last.get(name, ""))
    pairs = zip(lang.to_pylist(), key.to_pylist(), strict=True)
    return [full[name] < count or one < last[name] for name, one in pairs]


def smallest(table: pa.Table, count: int) -> pa.Table:
    """Of each language the rows with the smallest keys, sorted."""
    table = table.sort_by([("lang", "ascending"), ("key", "ascending")]).combine_chunks()
    langs = table.column("lang").combine_chunks()
    first = pc.index_in(langs, value_set=langs)  # of each row, where its language begins
    return table.filter(pc.less(pc.subtract(pa.array(np.arange(len(langs))), first), count))
