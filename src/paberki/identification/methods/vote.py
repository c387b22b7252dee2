"""The vote of several methods: the mean of their probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from paberki.identification.answer import Identification, answer
from paberki.identification.methods.method_registry import Method, find_method

DEFAULT: Final = ("general", "markov", "words")


class Vote:
    """Several methods with equal weight; a method that finds no language does not vote."""

    def __init__(self, methods: Sequence[Method]) -> None:
        self._methods = methods

    def identify(self, texts: Sequence[str], languages: Sequence[str] | None = None) -> list[Identification]:
        """Language of each text."""
        rounds = [method.identify(texts, languages) for method in self._methods]
        return [_count_votes(votes) for votes in zip(*rounds, strict=True)]


def _count_votes(votes: Sequence[Identification]) -> Identification:
    shares: dict[str, float] = {}
    for vote in votes:
        for name, share in vote.probs.items():
            shares[name] = shares.get(name, 0.0) + share
    total = sum(shares.values())
    if sum(vote.lang is None for vote in votes) * 2 > len(votes) or not total:
        return Identification(None, {}, votes[0].script)
    return answer([(name, share / total) for name, share in shares.items()], votes[0].script)


def load_vote(names: Sequence[str] = DEFAULT) -> Vote:
    """The vote of the methods of these names."""
    return Vote([find_method(name) for name in names])
