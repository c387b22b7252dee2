"""Draws random queries from a window of frequency ranks."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from paberki.errors import ConfigError
from paberki.seeding.frequent_words import RankedWord


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """How queries are drawn. The defaults are P1's and P3's bigrams; :data:`TRIPLES` are P5's."""

    size: int = 2
    """Words per query."""
    first_rank: int = 1_000
    """First rank of the window; the most frequent word has rank 1."""
    last_rank: int = 10_000
    """Last rank of the window."""
    content: bool = False
    """Whether only content words are ranked."""
    count: int = 1_000
    """Queries."""
    seed: int = 1
    """Equal seeds give equal queries."""


TRIPLES = Draw(size=3, first_rank=1_001, last_rank=6_000, content=True)
"""P5 §2: triples of nouns, verbs, adjectives and adverbs ranked 1,001 to 6,000."""


def window(words: Sequence[RankedWord], draw: Draw, function_words: frozenset[str]) -> list[str]:
    """Word forms in the window of ranks."""
    if not 1 <= draw.first_rank <= draw.last_rank:
        raise ConfigError(f"ranks {draw.first_rank}-{draw.last_rank}: write the lower rank first, e.g. 1000-10000")
    forms = [word.form for word in words if not draw.content or word.is_content(function_words)]
    window_forms = list(dict.fromkeys(forms[draw.first_rank - 1 : draw.last_rank]))
    if len(window_forms) < draw.size:
        raise ConfigError(
            f"the list has {len(forms)} words, too few for ranks {draw.first_rank}-{draw.last_rank}; choose other --ranks"
        )
    return window_forms


def queries(
    words: Sequence[RankedWord], draw: Draw, function_words: frozenset[str] = frozenset()
) -> list[tuple[str, ...]]:
    """Different sets of different words, in random order; fewer than ``draw.count`` only if there are no more."""
    forms = window(words, draw, function_words)
    dice = random.Random(draw.seed)  # noqa: S311 - reproducible on purpose
    query_count = min(draw.count, math.comb(len(forms), draw.size))
    drawn_queries: dict[frozenset[str], tuple[str, ...]] = {}
    while len(drawn_queries) < query_count:
        query = tuple(dice.sample(forms, draw.size))
        drawn_queries.setdefault(frozenset(query), query)
    return list(drawn_queries.values())
