"""Connected text: pages in which the frequent function words of the language are too rare are lists, tag clouds or
another language (P5 §3.3). Profiles are learnt from the corpus itself, or brought along.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.model import Model
from paberki.quality.connected.common_words import LIST
from paberki.quality.connected.profiles import (
    Profiles,
    ProfileWord,
    TextCounts,
    Variant,
    limit_of,
    profile_of,
    read_profile,
)
from paberki.quality.connected.sampling import NEEDS, sample, scripts_of, smallest
from paberki.stage import Columns, fit_stage, map_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts
from paberki.store.columns import builtin

COLUMNS: Final = (
    "badness", "connected", "badness_profile", "badness_other", "function_types", "function_tokens",
)  # fmt: skip
_MEASURES: Final = ("mean", "deviation", "log_mean", "log_deviation")
PROFILE: Final = pa.schema(
    [
        ("lang", pa.string()),
        ("script", pa.string()),
        ("word", pa.string()),
        *((name, pa.float64()) for name in _MEASURES),
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfilesConfig:
    """How profiles of function words are learnt, or where they are."""

    function_words: int = 100
    """Most frequent words of a language that are kept; the first ten or so are its profile, all its function words."""
    documents: int = 400
    """Pages that the profile of a language in one script is learnt from (m in P5)."""
    min_chars: int = 600
    """Pages with less kept text are not learnt from."""
    max_chars: int = 20_000
    """Characters of a page that are looked at."""
    supplied: tuple[str, ...] = ()
    """Profiles to use instead of learning, as LANGUAGE=FILE, or LANGUAGE-SCRIPT=FILE (sr-Cyrl) for a language with several
    scripts; the files as texprof writes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectedConfig:
    """When a page counts as connected text."""

    variant: Literal["contrast", "2012", "2013"] = "contrast"
    """``contrast``: frequencies, and common words that another language explains better; ``2012``: frequencies alone,
    as in P5; ``2013``: logarithms of frequencies, each term at most 5, as in texrex."""
    types: int = 10
    """Words of the profile (n in P5)."""
    limit: float | None = None
    """Pages with a higher badness are labelled ``connected = false``. If not given, 10 (35 for 2013) with ten words in
    the profile, and in proportion with more or fewer."""
    profiles: Literal["own", "all"] = "own"
    """Compare with the profile of the page's language, or with all of them, whatever the language is said to be."""
    enough: float | None = None
    """With several profiles the first one under this badness counts and no other is tried; half the limit if not
    given (texrex: 15 of 35)."""


@fit_stage(
    "quality.profile.v2",
    layer="quality.profile",
    needs=(*NEEDS, "extract.kept_char_count", "archive.key"),
    config=ProfilesConfig,
    behaviour="by script",
)
class LearnProfiles:
    """Mean and deviation of the frequencies of a language's most frequent words, and of their logarithms, for each script
    that it is written in (P5 §3.3).

    Deviation: P5 picked 400 pages by hand; we take the 400 long enough pages with the smallest keys.
    """

    @staticmethod
    def observe(batch: Batch, config: ProfilesConfig, seen: pa.Table | None = None) -> pa.Table:
        """The text of the candidate pages."""
        return sample(batch, seen, pages=config.documents, min_chars=config.min_chars, max_chars=config.max_chars)

    @staticmethod
    def merge(tables: list[pa.Table], config: ProfilesConfig) -> pa.Table:
        """Of each language the pages with the smallest keys."""
        return smallest(pa.concat_tables(tables), config.documents)

    @staticmethod
    def finish(table: pa.Table, config: ProfilesConfig) -> pa.Table:
        """Words in the order of their frequency, language by language and script by script."""
        profiles: dict[tuple[str, str], Sequence[ProfileWord]] = {}
        for language_and_script in sorted(set(table.column("lang").to_pylist())):
            lang, _, script = language_and_script.rpartition("-")
            texts = table.filter(pc.equal(table.column("lang"), language_and_script)).column("text").combine_chunks()
            profiles[lang, script] = profile_of(texts, config.function_words, script)
        for option in config.supplied:
            language_and_script, _, path = option.partition("=")
            lang, _, script = language_and_script.strip().partition("-")
            profiles = {
                key: words for key, words in profiles.items() if key[0] != lang or (script and key[1] != script)
            }
            profiles[lang, script] = read_profile(Path(path.strip()))
        rows = [
            {"lang": lang, "script": script, "word": one.word, **{name: getattr(one, name) for name in _MEASURES}}
            for lang, script in sorted(profiles)
            for one in profiles[lang, script]
        ]
        return pa.Table.from_pylist(rows, PROFILE)


@map_stage(
    "quality.connected.v2",
    layer="quality",
    reads=(LIST,),
    needs=NEEDS,
    adds=builtin("quality", *COLUMNS),
    config=ConnectedConfig,
    models=("quality.profile",),
    behaviour="by script",
)
def connected(batch: Batch, config: ConnectedConfig, model: Model) -> Columns:
    """Badness of the kept text against the profile of its language, or the best of all (P5 §3.3), and its function words.

    ``badness_other`` names the language whose common words fit better, if there is one. P5 cites WaCky's rule: at least
    10 types and 30 tokens of function words. Null for pages without words, and for languages and scripts that the corpus
    has too little of to learn a profile.
    """
    return badness_columns(batch, config, counted_texts(batch, config.types, model))


def counted_texts(batch: Batch, types: int, model: Model) -> TextCounts:
    """The words of the profiles in the kept text of each page."""
    kept_blocks = kept_texts(batch.arrow(NEEDS[0]), batch.arrow(NEEDS[1]))
    return _profiles(model, types).look_up(kept_blocks.joined())


def badness_columns(batch: Batch, config: ConnectedConfig, text_counts: TextCounts) -> dict[str, Any]:
    """The columns of :func:`connected`."""
    langs = np.array(batch["identify.lang"], object)
    if config.profiles == "all":
        scores, fitting = _best(text_counts, config)
    else:
        scores, fitting = _own(text_counts, langs, scripts_of(batch), config.variant)
    types, tokens = _function_words(text_counts, langs)
    absent = np.isnan(scores)
    return {
        "badness": pa.array(scores, pa.float32(), mask=absent),
        "connected": pa.array(scores <= limit_in(config), pa.bool_(), mask=absent),
        "badness_profile": pa.array(fitting, pa.string()).dictionary_encode(),
        "badness_other": pa.array(_others(text_counts, fitting), pa.string()).dictionary_encode(),
        "function_types": pa.array(types, pa.int32(), mask=types < 0),
        "function_tokens": pa.array(tokens, pa.int32(), mask=tokens < 0),
    }


def limit_in(config: ConnectedConfig) -> float:
    """Badness up to which these settings call a page connected."""
    return limit_of(config.variant, config.types) if config.limit is None else config.limit


@lru_cache(maxsize=8)
def _profiles(model: Model, types: int) -> Profiles:
    profiles: dict[str, list[ProfileWord]] = {}
    for row in model.table.to_pylist():
        words = profiles.setdefault(row["lang"], [])
        words.append(ProfileWord(**{name: row[name] for name in ("word", *_MEASURES, "script")}))
    return Profiles(profiles, types=types)


def _own(text_counts: TextCounts, langs: Any, scripts: Sequence[str], variant: Variant) -> tuple[Any, list[str | None]]:
    """Each page against the profile of its language, if there is one in its script."""
    scores = np.full(len(langs), np.nan)
    for lang in text_counts.profiles.languages:
        known_scripts = text_counts.profiles.scripts(lang)
        readable = np.array([not script or "" in known_scripts or script in known_scripts for script in scripts], bool)
        rows = np.flatnonzero((langs == lang) & (text_counts.words > 0) & readable)
        if len(rows):
            scores[rows] = text_counts.badness(lang, variant, rows)
    return scores, [None if np.isnan(score) else lang for score, lang in zip(scores, langs, strict=True)]


def _best(text_counts: TextCounts, config: ConnectedConfig) -> tuple[Any, list[str | None]]:
    """Each page against one profile after the other, until one fits well enough."""
    enough = limit_in(config) / 2 if config.enough is None else config.enough
    scores = np.full(len(text_counts.words), np.nan)
    fitting: list[str | None] = [None] * len(scores)
    open_rows = np.flatnonzero(text_counts.words > 0)
    for lang in text_counts.profiles.languages:
        if not len(open_rows):
            break
        mine = text_counts.badness(lang, config.variant, open_rows)
        better = ~(mine >= scores[open_rows])
        scores[open_rows[better]] = mine[better]
        for row in open_rows[better].tolist():
            fitting[row] = lang
        open_rows = open_rows[scores[open_rows] > enough]
    return scores, fitting


def _function_words(text_counts: TextCounts, langs: Any) -> tuple[Any, Any]:
    types, tokens = np.full(len(langs), -1), np.full(len(langs), -1)
    for lang in text_counts.profiles.languages:
        rows = np.flatnonzero((langs == lang) & (text_counts.words > 0))
        if len(rows):
            types[rows], tokens[rows] = text_counts.function_words(lang, rows)
    return types, tokens


def _others(text_counts: TextCounts, fitting: Sequence[str | None]) -> list[str | None]:
    """Of each page the language whose common words it has rather than those of its own, if there is one."""
    languages: list[str | None] = [None] * len(fitting)
    for lang in set(fitting) - {None}:
        rows = np.array([row for row, one in enumerate(fitting) if one == lang])
        leads, names = text_counts.lead(lang or "", rows)
        for row, lead, name in zip(rows.tolist(), leads.tolist(), names, strict=True):
            languages[row] = name if lead > 0 else None
    return languages
