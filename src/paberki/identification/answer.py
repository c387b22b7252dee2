"""What identification answers, and how a choice of languages is understood by every method alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final

LEAST_SHARE: Final = 0.001
"""Languages with a smaller probability are not listed."""
ONLY_NAMED: Final = frozenset({"bs"})
"""Languages that are answered only if they are named: one sentence cannot tell them from their neighbours."""
_probability: Final = itemgetter(1)


@dataclass(frozen=True, slots=True)
class Identification:
    """The likeliest language (None without evidence), the probabilities behind it, the ISO 15924 script."""

    lang: str | None
    probs: dict[str, float] = field(default_factory=dict)
    script: str = "Zyyy"


NOTHING: Final = Identification(None)


def only(language: str, script: str, choices: frozenset[str] | None) -> Identification:
    """The one language of a script, if it may be chosen."""
    if choices is not None and language not in choices:
        return Identification(None, {}, script)
    return Identification(language, {language: 1.0}, script)


def answer(shares: Iterable[tuple[str, float]], script: str) -> Identification:
    """The answer from probabilities: the small ones left out, the rest in order, summing to 1."""
    ranking = sorted([one for one in shares if one[1] >= LEAST_SHARE], key=_probability, reverse=True)
    total = sum([share for _, share in ranking])
    if not total:
        return Identification(None, {}, script)
    return Identification(ranking[0][0], {name: share / total for name, share in ranking}, script)


def choice(languages: Sequence[str] | None, model_languages: Iterable[str]) -> frozenset[str] | None:
    """The languages to choose from; None for all that need not be named."""
    if languages is None:
        return None
    from paberki.errors import ConfigError
    from paberki.nearest import nearest

    model_languages = frozenset(model_languages)
    for name in languages:
        if name not in model_languages:
            names = ", ".join(sorted(model_languages))
            raise ConfigError(f"unknown language {name!r}{nearest(name, model_languages)}; known: {names}")
    return frozenset(languages)
