"""Numbers of the tokens of a sentence in CoNLL-U after some of them became one: in multiword tokens, empty nodes, dependencies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from paberki.quality.permissions.personal import Personal

Group = tuple[Personal | None, list[int]]
"""Tokens that become one, counted from 0, and what covers them."""
_FIELDS: Final = 10
_NOTHING: Final = "_"


class NewNumbers:
    """The number of each group, from 1; empty nodes follow the group of the token that they followed."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self._place = {at + 1: number for number, (_, members) in enumerate(groups, 1) for at in members}
        self._cover = {at + 1: cover for cover, members in groups if cover is not None for at in members}
        self._nodes: dict[str, str] = {}

    def of_token(self, number: int) -> int:
        """The new number of a token; numbers of no token, such as 0 for the root, stay."""
        return self._place.get(number, number)

    def dependencies(self, value: str | None, own: str) -> str | None:
        """Enhanced dependencies; a token that depended on one that it became one with depends on nothing there."""
        if not value or value == _NOTHING:
            return value
        pairs = [item.partition(":") for item in value.split("|")]
        parts = [f"{head}:{relation}" for old, _, relation in pairs if (head := self._of(old)) != own]
        return "|".join(dict.fromkeys(parts)) or _NOTHING

    def nodes(self, lines: str) -> str | None:
        """Lines of multiword tokens and empty nodes; a multiword token that was covered goes."""
        rows = [line.split("\t") for line in lines.split("\n")]
        counts = Counter[int]()
        for row in rows:
            first, dot, _ = row[0].partition(".")
            if dot and first.isdigit():
                place = self.of_token(int(first))
                counts[place] += 1
                self._nodes[row[0]] = f"{place}.{counts[place]}"
        return "\n".join("\t".join(row) for row in map(self._node, rows) if row) or None

    def _node(self, row: list[str]) -> list[str]:
        if row[0] in self._nodes and len(row) == _FIELDS:
            cover = self._cover.get(int(row[0].partition(".")[0]))
            words = [f"[{cover.type}]"] * 2 if cover is not None else row[1:3]
            own = self._nodes[row[0]]
            return [own, *words, *row[3:8], self.dependencies(row[8], own) or _NOTHING, row[9]]
        first, dash, last = row[0].partition("-")
        if not (dash and first.isdigit() and last.isdigit()):
            return row
        tokens = range(int(first), int(last) + 1)
        if any(token in self._cover for token in tokens):
            return []
        return [f"{self.of_token(int(first))}-{self.of_token(int(last))}", *row[1:]]

    def _of(self, name: str) -> str:
        return self._nodes.get(name) or (str(self.of_token(int(name))) if name.isdigit() else name)
