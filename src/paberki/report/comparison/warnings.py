"""Where a comparison makes no sense: other languages, other scripts, hardly a word in common, sizes that differ much."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from paberki.report.words.joint_words import joint_counts, most_frequent_of
from paberki.report.words.rank_measures import WORDS
from paberki.report.words.word_source import WordSource

_SAMPLE: Final = 3_000
_IN_COMMON: Final = 0.1
_TIMES: Final = 10


def sample_text(source: WordSource) -> str:
    """Some tokens of the corpus in a row."""
    for piece in source.pieces("word"):
        ids = piece.ids["word"][:_SAMPLE]
        return " ".join(source.values().strings.take(pa.array(ids)).to_pylist())
    return ""


def language_of(source: WordSource) -> str | None:
    """The language that a corpus says it is in, or that its beginning is in."""
    if source.lang is None and source.word_tokens >= 20:
        from paberki.identification import identify

        source.lang = identify(sample_text(source)).lang
    return source.lang


def script_of(source: WordSource) -> str:
    """The script of most letters of the most frequent words, by the names of the characters."""
    words = source.values().strings.take(pa.array(source.most_frequent(200))).to_pylist()
    letters = Counter(unicodedata.name(one, "").split(" ")[0] for word in words for one in word if one.isalpha())
    return letters.most_common(1)[0][0].capitalize() if letters else ""


def comparison_warnings(sources: Sequence[WordSource]) -> list[str]:
    """What readers must know before they trust a number."""
    warnings = []
    languages = {source.name: language_of(source) for source in sources}
    if len({lang for lang in languages.values() if lang}) > 1:
        name_list = ", ".join(f"{name} {lang}" for name, lang in languages.items())
        warnings.append(
            f"The corpora are in different languages ({name_list}): ranks, χ², entropy and keywords make no sense."
        )
    scripts = {source.name: script_of(source) for source in sources}
    if len(set(scripts.values()) - {""}) > 1:
        name_list = ", ".join(f"{name} {script}" for name, script in scripts.items())
        warnings.append(
            f"The corpora are in different scripts ({name_list}): words cannot be compared as they are written."
        )
    sizes = [source.tokens for source in sources]
    if max(sizes) > _TIMES * max(min(sizes), 1):
        warnings.append(f"One corpus is more than {_TIMES} times as large as another: χ² grows with size.")
    return warnings + _few_in_common(sources)


def _few_in_common(sources: Sequence[WordSource]) -> list[str]:
    _, table = joint_counts(sources)
    frequent = table[:, most_frequent_of(table, WORDS)]
    common = float(np.mean((frequent > 0).all(axis=0))) if frequent.size else 0.0
    if common >= _IN_COMMON:
        return []
    return [f"Only {common:.0%} of the most frequent words stand in all corpora: rank correlation makes no sense."]
