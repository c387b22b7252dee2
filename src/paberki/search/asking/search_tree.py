"""A search as a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Operator = Literal["AND", "OR"]


@dataclass(frozen=True, slots=True)
class Words:
    """A word or several in quotes, as typed; the index decides what its tokens are."""

    text: str
    field: str = ""
    """Empty for the text and the title of pages."""
    phrase: bool = False
    position: int = 0


@dataclass(frozen=True, slots=True)
class NearWords:
    """Words within so many words of each other: in any order, or in this one."""

    words: tuple[Words, ...]
    window: int
    ordered: bool


@dataclass(frozen=True, slots=True)
class Value:
    """A condition on a column: ``lang:hr``, ``date:2019..2021``, ``badness:<5``."""

    column: str
    text: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class TermGroup:
    """Parts of which all or some must hold; ``related`` parts must stand in a relation of grammar."""

    operator: Operator
    parts: tuple[Node, ...]
    related: bool = False


@dataclass(frozen=True, slots=True)
class Negation:
    """What must not hold."""

    part: Node


Node = Words | NearWords | Value | TermGroup | Negation
