"""Which topics do two corpora share? (P1 §3: 15 of 20 between Croatian and Slovene) [81]

Topics are compared by the cosine of the probabilities of their hundred first words, and paired one to one, the most alike
first; pairs from a cosine of .25 on count as the same topic. Across languages words go through a bilingual list, two words
on a line; a word that the list does not have stays as it is, which serves names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from paberki.errors import InputError
from paberki.report.section import Section
from paberki.report.words.topics import Topic, TopicModel, topic_rows

SAME: Final = 0.25
"""Cosine from which two topics count as the same."""
_MOST_BYTES: Final = 1 << 28
Dictionary = Mapping[str, Sequence[str]]


def read_dictionary(path: Path) -> Dictionary:
    """A bilingual word list: a word, a tab (or a comma, semicolon), its translation; lines with # are comments."""
    try:
        with path.open("rb") as file:
            lines = file.read(_MOST_BYTES).decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: the word list cannot be read ({error}); give a text file in UTF-8") from error
    table: dict[str, list[str]] = defaultdict(list)
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        between = next((sign for sign in ("\t", ";", ",") if sign in line), None)
        cells = [cell.strip().lower() for cell in line.split(between)] if between else []
        if len(cells) < 2 or not cells[0] or not cells[1]:
            raise InputError(f"{path}, line {number}: two words with a tab between them are expected")
        table[cells[0]].append(cells[1])
        table[cells[1]].append(cells[0])
    return table


def profile(topic: Topic, dictionary: Dictionary | None, *, with_translations: bool) -> dict[str, float]:
    """Weights of words; with a dictionary, shared among the translations of each."""
    weights: dict[str, float] = defaultdict(float)
    for word, weight in zip(topic.words, topic.weights, strict=True):
        targets = (dictionary or {}).get(word, ()) if with_translations else ()
        for target in targets or (word,):
            weights[target] += weight / max(len(targets), 1)
    return weights


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Cosine of two sparse vectors."""
    product = sum(weight * other.get(word, 0.0) for word, weight in one.items())
    sizes = sum(weight**2 for weight in one.values()) * sum(weight**2 for weight in other.values())
    return float(product / sizes**0.5) if sizes else 0.0


def align(first: TopicModel, second: TopicModel, dictionary: Dictionary | None = None) -> list[tuple[int, int, float]]:
    """Pairs of topics that are the same: their numbers and the cosine, the most alike first."""
    left = [profile(one, dictionary, with_translations=True) for one in first.topics]
    right = [profile(one, dictionary, with_translations=False) for one in second.topics]
    alike = sorted(
        ((-cosine(one, other), a, b) for a, one in enumerate(left) for b, other in enumerate(right)),
    )
    pairs, used_a, used_b = [], set[int](), set[int]()
    for negative, a, b in alike:
        if -negative >= SAME and a not in used_a and b not in used_b:
            pairs.append((a, b, -negative))
            used_a.add(a)
            used_b.add(b)
    return pairs


def alignment_section(
    models: Sequence[tuple[str, TopicModel]], dictionary: Dictionary | None = None, warnings: Sequence[str] = ()
) -> Section:
    """Topics of all corpora, and for each two of them those that they share."""
    shared_topics: list[dict[str, Any]] = []
    counts: list[dict[str, Any]] = []
    for (name, first), (other, second) in combinations(models, 2):
        pairs = align(first, second, dictionary)
        counts.append({"a": name, "b": other, "shared": len(pairs), "of": min(len(first.topics), len(second.topics))})
        shared_topics += [
            {"a": name, "b": other, "a_topic": one + 1, "b_topic": two + 1, "cosine": value}
            | {"a_words": first.topics[one].first, "b_words": second.topics[two].first}
            for one, two, value in pairs
        ]
    notes = [f"{name}: {model.about}" for name, model in models]
    notes += [*warnings, f"Topics with a cosine of at least {SAME} are taken for the same (P1 §3: 15 of 20)."]
    caption = "Topics of each corpus, and those that two corpora share."
    values = {"aligned": counts, "shared": counts[0]["shared"] if counts else None}
    tables = {"Shared topics": shared_topics}
    return Section("topics", "Topics", caption, values, topic_rows(models), (), notes, tables=tables)
