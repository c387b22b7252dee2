"""Whether words stand within a window of a text: exact, for what the engine can only narrow down."""

from __future__ import annotations

from collections.abc import Sequence

from paberki.search.asking.search_tree import NearWords


def stands_near(tokens: Sequence[str], near: NearWords) -> bool:
    """Whether all words of a window are there, within its size, in their order where that matters."""
    words = [word.text for word in near.words]
    return _in_order(tokens, words, near.window) if near.ordered else _in_any_order(tokens, words, near.window)


def _in_order(tokens: Sequence[str], words: Sequence[str], window: int) -> bool:
    """For each end of the first words, the latest start that leads there."""
    latest = [-1] * len(words)
    for at, token in enumerate(tokens):
        for number in range(len(words) - 1, -1, -1):
            if token == words[number]:
                latest[number] = at if number == 0 else latest[number - 1]
        if latest[-1] >= 0 and at - latest[-1] < window and token == words[-1]:
            return True
    return False


def _in_any_order(tokens: Sequence[str], words: Sequence[str], window: int) -> bool:
    word_counts: dict[str, int] = {}
    for word in words:
        word_counts[word] = word_counts.get(word, 0) + 1
    missing = len(words)
    counts = dict.fromkeys(word_counts, 0)
    left = 0
    places = [(at, token) for at, token in enumerate(tokens) if token in word_counts]
    for at, token in places:
        counts[token] += 1
        missing -= counts[token] <= word_counts[token]
        while at - places[left][0] >= window:
            first_token = places[left][1]
            missing += counts[first_token] <= word_counts[first_token]
            counts[first_token] -= 1
            left += 1
        if missing == 0:
            return True
    return False
