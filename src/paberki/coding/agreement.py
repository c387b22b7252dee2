"""Agreement between coders: raw agreement and Cohen's κ per variable (P5 Table 5).

κ = (pₒ − pₑ) ÷ (1 − pₑ), where pₒ is the share of items on which two coders agree and pₑ = Σ p₁(v)·p₂(v) is the share
on which they would by chance. It is not defined where both used a single value. With more than two coders the figures
are means over all pairs (Light 1971), and each pair is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from paberki.coding.coding_file import CodingFile, Place
from paberki.errors import InputError


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two coders agree on one variable."""

    coders: tuple[str, str]
    items: int
    """Items that both coded."""
    agreement: float | None
    kappa: float | None
    missing: int
    """Items that only one of them coded."""


def raw_agreement(first: Sequence[str], second: Sequence[str]) -> float:
    """Share of items on which both say the same."""
    return sum(one == other for one, other in zip(first, second, strict=True)) / len(first)


def kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Cohen's κ; None where it is not defined."""
    if not first:
        return None
    items = len(first)
    ones, others = Counter(first), Counter(second)
    by_chance = sum(ones[value] * others[value] for value in ones) / items**2
    agreement = raw_agreement(first, second)
    return None if by_chance >= 1 else (agreement - by_chance) / (1 - by_chance)


def agree(files: Sequence[CodingFile]) -> dict[str, dict[str, Any]]:
    """Agreement and κ of every variable that at least two coders have."""
    if len(files) < 2:
        raise InputError("agreement needs the files of at least two coders")
    return {name: _variable(name, files) for name in shared_variables(files)}


def shared_variables(files: Sequence[CodingFile]) -> list[str]:
    """Variables that at least two coders have, in the order of the first file that has them."""
    counts = Counter(name for file in files for name in file.scheme.names)
    names = [name for name, count in counts.items() if count > 1]
    if not names:
        raise InputError(f"{' and '.join(file.coder for file in files)} have no variable in common")
    return names


def _variable(name: str, files: Sequence[CodingFile]) -> dict[str, Any]:
    coders = [file for file in files if name in file.scheme.names]
    pairs = [_pair(name, one, other) for one, other in combinations(coders, 2)]
    agreements = [pair.agreement for pair in pairs if pair.agreement is not None]
    kappas = [pair.kappa for pair in pairs if pair.kappa is not None]
    unknown = [
        {"coder": file.coder, "line": problem.line, "value": problem.value}
        for file in coders
        for problem in file.problems
        if problem.variable == name
    ]
    return {
        "agreement": fmean(agreements) if agreements else None,
        "kappa": fmean(kappas) if kappas else None,
        "items": min(pair.items for pair in pairs),
        "missing": max(pair.missing for pair in pairs),
        "unknown": unknown,
        "pairs": [asdict(pair) for pair in pairs],
    }


def _pair(name: str, one: CodingFile, other: CodingFile) -> Agreement:
    first, second = one.labels(name), other.labels(name)
    both = common_places(first, second)
    ours, theirs = [first[place] for place in both], [second[place] for place in both]
    missing = len(first.keys() | second.keys()) - len(both)
    share = raw_agreement(ours, theirs) if both else None
    return Agreement((one.coder, other.coder), len(both), share, kappa(ours, theirs), missing)


def common_places(first: Mapping[Place, str], second: Mapping[Place, str]) -> list[Place]:
    """Places that both have, in the order of the first."""
    return [place for place in first if place in second]
