"""Connected text: pages in which the frequent function words of the language are too rare are lists, tag clouds or
another language (P5 §3.3).

The profile is learnt from the corpus itself: a fixed-size sample of pages in the wanted languages, chosen by the
smallest keys, so that the sample is the same whatever the number of workers or shards.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.lexicon import Lexicon, sums_of
from paberki.model import Model
from paberki.stage import Columns, fit_stage, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

_SIGNS = re.compile("[\u00a0-\u00bf\u2000-\u206f\u3000-\u303f]+")
_LETTERS = bytes(byte if byte > 127 or chr(byte).isalpha() else 32 for byte in range(256))
SAMPLE = pa.schema([("lang", pa.string()), ("key", pa.string()), ("text", pa.string())])
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
    min_chars: int = 600
    """Pages with less kept text are not learnt from."""
    max_chars: int = 20_000
    """Characters of a page that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedConfig:
    """When a page counts as connected text."""

    limit: float = 10.0
    """Pages with a higher badness are labelled ``connected = false``."""


def words_of(text: str) -> list[bytes]:
    """Lower-cased runs of letters as UTF-8 (P5: letters between non-letters).

    By translating bytes, which takes a fifth of the time of a regular expression; signs beyond ASCII other than
    quotes, dashes and the like count as letters, which does not show in the frequencies of function words.
    """
    return _SIGNS.sub(" ", text.lower()).encode("utf-8", "replace").translate(_LETTERS).split()


@fit_stage(
    "quality.profile.v1",
    layer="quality.profile",
    needs=(*NEEDS, "extract.kept_char_count", "archive.key"),
    config=ProfileConfig,
)
class Profile:
    """Mean and standard deviation of the relative frequencies of a language's most frequent words (P5 §3.3, eq. 1).

    The mean is weighted by length, so it is Σ count ÷ Σ length. P5 prints σ² where the standard deviation is meant.
    Deviation: P5 picked 400 pages by hand; we take the 400 long enough pages with the smallest keys.
    """

    @staticmethod
    def observe(batch: Batch, config: ProfileConfig, seen: pa.Table | None = None) -> pa.Table:
        """The text of the candidate pages of this batch; words are counted only when the sample is final.

        ``seen`` is what the shard gave so far: pages that could not get into its sample are not read at all.
        """
        lang, key = batch.arrow("identify.lang"), batch.arrow("archive.key")
        long = pc.greater_equal(batch.arrow("extract.kept_char_count"), config.min_chars).fill_null(False)
        other = pc.is_in(lang, value_set=pa.array(sorted(UNSEGMENTED)))
        pages = pa.table({"lang": lang, "key": key, "row": pa.array(range(len(batch)), pa.int64())})
        long = pc.and_(long, pa.array(_in_reach(lang, key, seen, config.documents), pa.bool_()))
        pages = _smallest(pages.filter(pc.and_(pc.and_(long, lang.is_valid()), pc.invert(other))), config.documents)
        rows = pages.column("row").combine_chunks()
        kept = kept_texts(*(batch.arrow(name).take(rows) for name in NEEDS[:2]))
        texts = ["\n".join(kept.of_page(page))[: config.max_chars] for page in range(len(rows))]
        return pages.drop_columns(["row"]).append_column("text", pa.array(texts, pa.string()))

    @staticmethod
    def merge(tables: list[pa.Table], config: ProfileConfig) -> pa.Table:
        """Of each language the pages with the smallest keys: order and grouping of the tables do not matter."""
        return _smallest(pa.concat_tables(tables), config.documents)

    @staticmethod
    def finish(table: pa.Table, config: ProfileConfig) -> pa.Table:
        """The profile: for each language its most frequent words with mean and deviation."""
        found: list[tuple[str, str, float, float]] = []
        for lang in sorted(set(table.column("lang").to_pylist())):
            texts = table.filter(pc.equal(table.column("lang"), lang)).column("text")
            found += [(lang, *row) for row in profile((words_of(text.as_py()) for text in texts), config.types)]
        return _table(found, PROFILE)


def _in_reach(lang: pa.Array, key: pa.Array, seen: pa.Table | None, count: int) -> list[bool]:
    """Whether a page's key is small enough for a sample that is full already."""
    if seen is None:
        return [True] * len(lang)
    last: dict[str, str] = {}
    full: Counter[str] = Counter(seen.column("lang").to_pylist())
    for name, largest in zip(seen.column("lang").to_pylist(), seen.column("key").to_pylist(), strict=True):
        last[name] = max(largest, last.get(name, ""))
    pairs = zip(lang.to_pylist(), key.to_pylist(), strict=True)
    return [full[name] < count or one < last[name] for name, one in pairs]


def _smallest(table: pa.Table, count: int) -> pa.Table:
    """Of each language the rows with the smallest keys, sorted."""
    table = table.sort_by([("lang", "ascending"), ("key", "ascending")]).combine_chunks()
    langs = table.column("lang").combine_chunks()
    first = pc.index_in(langs, value_set=langs)  # of each row, where its language begins
    return table.filter(pc.less(pc.subtract(pa.array(np.arange(len(langs))), first), count))


def profile(pages: Iterable[Sequence[bytes]], types: int) -> list[tuple[str, float, float]]:
    """The most frequent words of some pages with length-weighted mean and deviation of their relative frequency."""
    counts: Counter[bytes] = Counter()
    by_page: list[Counter[bytes]] = []
    for words in pages:
        by_page.append(Counter(words))
        counts.update(by_page[-1])
    total = counts.total()
    frequent = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:types]
    return [(word.decode("utf-8", "replace"), count / total, _deviation(word, count / total, by_page, total))
            for word, count in frequent]  # fmt: skip


def _deviation(word: bytes, mean: float, by_page: Sequence[Counter[bytes]], total: int) -> float:
    squares = sum(page[word] ** 2 / page.total() for page in by_page if word in page)
    return math.sqrt(max(squares / total - mean**2, 0.0))


def _table(rows: Sequence[tuple[Any, ...]], shape: pa.Schema) -> pa.Table:
    if not rows:
        return shape.empty_table()
    columns = zip(*rows, strict=True)
    return pa.table([pa.array(list(one), field.type) for one, field in zip(columns, shape, strict=True)], schema=shape)


@dataclass(frozen=True, slots=True)
class _Profiles:
    """The profiles of all languages, ready to be looked up in one go."""

    lexicon: Lexicon
    by_language: dict[str, tuple[int, list[tuple[float, float]]]]
    """First column of a language's words, and the mean and deviation of each."""


@lru_cache(maxsize=8)
def _profiles(model: Model) -> _Profiles:
    columns: dict[str, list[tuple[int, int]]] = {}
    by_language: dict[str, tuple[int, list[tuple[float, float]]]] = {}
    for column, row in enumerate(model.table.sort_by("lang").to_pylist()):
        columns.setdefault(row["word"], []).append((column, 1))
        by_language.setdefault(row["lang"], (column, []))[1].append((row["mean"], row["deviation"]))
    return _Profiles(Lexicon(columns, model.table.num_rows), by_language)


def badness(counts: Sequence[int], words: int, profile: Sequence[tuple[float, float]]) -> float:
    """B(d) = Σ max((μ − f) ÷ σ, 0) over the words of the profile (P5 §3.3, eq. 2–3)."""
    total = 0.0
    for count, (mean, deviation) in zip(counts, profile, strict=True):
        if deviation > 0:
            total += max((mean - count / words) / deviation, 0.0)
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
    profiles = _profiles(model)
    kept = kept_texts(batch.arrow(NEEDS[0]), batch.arrow(NEEDS[1]))
    found = profiles.lexicon.look_up(kept.texts)
    counts, words = (sums_of(rows, kept.edges).tolist() for rows in (found.scores, found.words[:, None]))
    scores: list[float | None] = []
    for mine, (total,), lang in zip(counts, words, batch["identify.lang"], strict=True):
        first, profile = profiles.by_language.get(lang, (0, []))
        scores.append(badness(mine[first : first + len(profile)], total, profile) if profile and total else None)
    return {"badness": scores, "connected": [None if score is None else score <= config.limit for score in scores]}
