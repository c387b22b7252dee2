"""Connected text: pages in which the frequent function words of the language are too rare are lists, tag clouds or
another language (P5 §3.3).

The profile is learnt from the corpus itself: a fixed-size sample of pages in the wanted languages, chosen by the
smallest keys, so that the sample is the same whatever the number of workers or shards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.model import Model
from paberki.stage import Columns, fit_stage, map_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin

_WORD = re.compile(r"[^\W\d_]+")
SAMPLE = pa.schema([("lang", pa.string()), ("key", pa.string()), ("word", pa.string()), ("count", pa.int64()), ("length", pa.int64())])
PROFILE = pa.schema([("lang", pa.string()), ("word", pa.string()), ("mean", pa.float64()), ("deviation", pa.float64())])
UNSEGMENTED = frozenset({"ja", "zh", "th", "lo", "km", "my"})
"""Written without spaces, so that runs of letters are not words; their pages get no badness."""
NEEDS = ("extract.blocks.text", "extract.blocks.kept", "identify.lang")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileConfig:
    """How the profile of function words is learnt."""

    types: int = 10
    """Most frequent word types in the profile of a language (n in P5)."""
    documents: int = 400
    """Pages that a language's profile is learnt from (m in P5)."""
    min_words: int = 100
    """Shorter pages are not learnt from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedConfig:
    """When a page counts as connected text."""

    limit: float = 10.0
    """Pages with a higher badness are labelled ``connected = false``."""


def words_of(blocks: list[str] | None, kept: list[bool] | None) -> list[str]:
    """Lower-cased runs of letters in the kept blocks (P5: letters between non-letters)."""
    if not blocks or not kept:
        return []
    return _WORD.findall("\n".join(text for text, stays in zip(blocks, kept, strict=True) if stays).lower())


@fit_stage("quality.profile.v1", layer="quality.profile", needs=(*NEEDS, "archive.key"), config=ProfileConfig)
class Profile:
    """Mean and standard deviation of the relative frequencies of a language's most frequent words (P5 §3.3, eq. 1).

    The mean is weighted by length, so it is Σ count ÷ Σ length. P5 prints σ² where the standard deviation is meant.
    Deviation: P5 picked 400 pages by hand; we take the 400 long enough pages with the smallest keys.
    """

    @staticmethod
    def observe(batch: Batch, config: ProfileConfig) -> pa.Table:
        """Word counts of the candidate pages of this batch."""
        rows: list[tuple[str, str, str, int, int]] = []
        columns = (batch[name] for name in ("archive.key", "identify.lang", *NEEDS[:2]))
        for key, lang, texts, kept in zip(*columns, strict=True):
            words = words_of(texts, kept) if lang and lang not in UNSEGMENTED else []
            if len(words) >= config.min_words:
                rows += [(lang, key, word, count, len(words)) for word, count in sorted(Counter(words).items())]
        return Profile.merge([_table(rows, SAMPLE)], config)

    @staticmethod
    def merge(tables: list[pa.Table], config: ProfileConfig) -> pa.Table:
        """Of each language the pages with the smallest keys: order and grouping of the tables do not matter."""
        table = pa.concat_tables(tables)
        pages = table.select(["lang", "key"]).group_by(["lang", "key"]).aggregate([])
        chosen: list[str] = []
        by_lang: dict[str, list[str]] = {}
        for lang, key in zip(pages.column("lang").to_pylist(), pages.column("key").to_pylist(), strict=True):
            by_lang.setdefault(lang, []).append(key)
        for keys in by_lang.values():
            chosen += sorted(keys)[: config.documents]
        kept = table.filter(pc.is_in(table.column("key"), value_set=pa.array(chosen, pa.string())))
        return kept.sort_by([("lang", "ascending"), ("key", "ascending"), ("word", "ascending")])

    @staticmethod
    def finish(table: pa.Table, config: ProfileConfig) -> pa.Table:
        """The profile: for each language its most frequent words with mean and deviation."""
        found: list[tuple[str, str, float, float]] = []
        samples: dict[str, list[tuple[str, str, int, int]]] = {}
        for row in table.to_pylist():
            samples.setdefault(row["lang"], []).append((row["key"], row["word"], row["count"], row["length"]))
        for lang, rows in sorted(samples.items()):
            total = sum({key: length for key, _, _, length in rows}.values())
            counts: Counter[str] = Counter()
            squares: dict[str, float] = {}
            for _, word, count, length in rows:
                counts[word] += count
                squares[word] = squares.get(word, 0.0) + count * count / length
            for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[: config.types]:
                mean = count / total
                found.append((lang, word, mean, float(np.sqrt(max(squares[word] / total - mean * mean, 0.0)))))
        return _table(found, PROFILE)


def _table(rows: Sequence[tuple[Any, ...]], shape: pa.Schema) -> pa.Table:
    if not rows:
        return shape.empty_table()
    columns = zip(*rows, strict=True)
    return pa.table([pa.array(list(one), field.type) for one, field in zip(columns, shape, strict=True)], schema=shape)


@lru_cache(maxsize=8)
def _by_language(model: Model) -> dict[str, dict[str, tuple[float, float]]]:
    profiles: dict[str, dict[str, tuple[float, float]]] = {}
    for row in model.table.to_pylist():
        profiles.setdefault(row["lang"], {})[row["word"]] = (row["mean"], row["deviation"])
    return profiles


def badness(words: list[str], profile: dict[str, tuple[float, float]]) -> float:
    """B(d) = Σ max((μ − f) ÷ σ, 0) over the words of the profile (P5 §3.3, eq. 2–3)."""
    counts = Counter(word for word in words if word in profile)
    total = 0.0
    for word, (mean, deviation) in profile.items():
        if deviation > 0:
            total += max((mean - counts[word] / len(words)) / deviation, 0.0)
    return total


@map_stage(
    "quality.connected.v1",
    layer="quality",
    needs=NEEDS,
    adds=builtin("quality", "badness", "connected"),
    config=ConnectedConfig,
    models=("quality.profile",),
)
def connected(batch: Batch, config: ConnectedConfig, model: Model) -> Columns:
    """Badness of the kept text against the profile of its language (P5 §3.3).

    Null for pages without words and for languages that the corpus has too little of to learn a profile.
    """
    profiles = _by_language(model)
    scores: list[float | None] = []
    for texts, kept, lang in zip(*(batch[name] for name in NEEDS), strict=True):
        words = words_of(texts, kept)
        scores.append(badness(words, profiles[lang]) if words and lang in profiles else None)
    return {"badness": scores, "connected": [None if score is None else score <= config.limit for score in scores]}
