"""Queries of FCS as queries of ours: FCS-QL nearly is CQL of corpora; contextual queries are words with and, or, not and prox.

What ``not`` leaves out may not stand in the same sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from paberki.errors import QueryError
from paberki.serve.fcs.contextual import Boolean, Clause, parse
from paberki.serve.fcs.diagnostics import SruError, sru
from paberki.serve.fcs.proximity import near_each_other

LAYERS: Final = {"text": "word", "word": "word", "lemma": "lemma", "pos": "upos"}
"""Layers of FCS, and our attributes for them."""
_WITHIN: Final = {
    "sentence": "s", "s": "s", "utterance": "s", "u": "s", "paragraph": "p", "p": "p", "turn": "p", "t": "p",
    "text": "doc", "session": "doc",
}  # fmt: skip
_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<regex>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')(?:/(?P<flags>[A-Za-z]+))?
    |(?P<name>[A-Za-z][A-Za-z0-9_-]*(?::[A-Za-z][A-Za-z0-9_-]*)?)
    |(?P<count>\{\s*\d*\s*(?:,\s*\d*\s*)?\})|(?P<sign>!=|[\[\]()=!&|?*+]))""",
    re.VERBOSE | re.DOTALL,
)
_SPECIAL: Final = re.compile(r'[.?*+()|{}\[\]\\^$/"&<>~@#-]')
_MOST_TERMS: Final = 6
_INDEXES: Final = ("cql.serverchoice", "words", "fcs.words", "cql.anywhere", "text", "word")
_RELATIONS: Final = ("=", "==", "scr", "exact", "adj", "all", "any", "cql.scr", "cql.adj")


def from_fcs_ql(query: str, attributes: Collection[str]) -> str:
    """Our query for one in FCS-QL: layers renamed, flags translated, structures as ours are called."""
    parts: list[str] = []
    at = 0
    while query[at:].strip():
        match = _TOKEN.match(query, at)
        if match is None:
            place = len(query) - len(query[at:].lstrip())
            raise QueryError(f"nothing in FCS-QL begins like this, at character {place + 1}", position=place)
        at = match.end()
        if match["regex"]:
            parts.append(_regex(match))
        elif match["name"] == "within":
            structure = re.compile(r"\s*([A-Za-z]+)\s*$").match(query, at)
            if structure is None or structure[1] not in _WITHIN:
                raise QueryError(f"within is followed by one of {', '.join(_WITHIN)}", position=at)
            parts.append(f"within <{_WITHIN[structure[1]]}/>")
            at = structure.end()
        elif match["name"]:
            parts.append(_attribute(match["name"], match.start("name"), attributes))
        else:
            parts.append("".join(match[match.lastgroup or "sign"].split()))
    return " ".join(parts)


def _attribute(name: str, position: int, attributes: Collection[str]) -> str:
    layer = name.rpartition(":")[2]
    if LAYERS.get(layer) not in attributes:
        available_layers = [one for one, own in LAYERS.items() if own in attributes]
        raise QueryError(f"there is no layer {layer!r}; there are {', '.join(available_layers)}", position=position)
    return LAYERS[layer]


def _regex(match: re.Match[str]) -> str:
    text, flags = match["regex"][1:-1], match["flags"] or ""
    unknown = set(flags) - set("iIcCld")
    if unknown:
        raise QueryError(f"there is no flag {sorted(unknown)[0]!r}", position=match.start("flags"))
    if "l" in flags:
        text = _literal(re.sub(r"\\(.)", r"\1", text))
    elif match["regex"][0] == "'":
        text = text.replace("\\'", "'").replace('"', '\\"')
    own = ("c" if {"i", "c"} & set(flags) else "") + ("d" if "d" in flags else "")
    return f'"{text}"' + (f"%{own}" if own else "")


def from_contextual(query: str, split: Callable[[str], list[str]], structures: Collection[str]) -> str:
    """Our query for a contextual one: words in a row, whatever their case; words joined by ``and`` are in one sentence."""
    tree = parse(query)
    if tree.sort_keys:
        raise SruError(sru(80))
    return _Translation(split, structures).query(tree.root)


@dataclass(slots=True)
class _Parts:
    """What must be there, whether within a sentence, and what must not stand in the same one."""

    own: str
    together: bool = False
    never: tuple[str, ...] = ()


@dataclass(slots=True)
class _Translation:
    split: Callable[[str], list[str]]
    structures: Collection[str]
    terms: int = 0

    def query(self, node: Clause | Boolean) -> str:
        """A query as it stands for itself."""
        parts = self._parts(node)
        unit = next((one for one in ("s", "p", "doc") if one in self.structures), "")
        own = f"({parts.own}) within <{unit}/>" if parts.together and unit else parts.own
        if not parts.never:
            return own
        if not unit:
            raise SruError(sru(37, "not"))
        return f"({own}) within (<{unit}/> !containing ({' | '.join(parts.never)}))"

    def _parts(self, node: Clause | Boolean) -> _Parts:
        if isinstance(node, Clause):
            self.terms += 1
            if self.terms > _MOST_TERMS:
                raise SruError(sru(48, f"more than {_MOST_TERMS} terms"))
            return _Parts(_clause(node, self.split))
        if node.operator == "prox":
            left, right = self.query(node.left), self.query(node.right)
            return _Parts(near_each_other(left, right, node.modifiers, self.structures))
        if node.modifiers:
            raise SruError(sru(46, f"{node.operator}/{node.modifiers[0].name[:80]}"))
        if node.operator == "or":
            return _Parts(f"(({self.query(node.left)}) | ({self.query(node.right)}))")
        left_parts = self._parts(node.left)
        if node.operator == "not":
            never = f"({self.query(node.right)})"
            return _Parts(left_parts.own, left_parts.together, (*left_parts.never, never))
        right_parts = self._parts(node.right)
        one, other = left_parts.own, right_parts.own
        both = f"((({one}) []* ({other})) | (({other}) []* ({one})))"
        return _Parts(both, together=True, never=(*left_parts.never, *right_parts.never))


def _clause(node: Clause, split: Callable[[str], list[str]]) -> str:
    if node.index.lower() not in _INDEXES:
        raise SruError(sru(16, node.index[:80]))
    if node.relation not in _RELATIONS:
        raise SruError(sru(19, node.relation[:80]))
    if node.modifiers:
        raise SruError(sru(20, node.modifiers[0].name[:80]))
    tokens = [f'"{_literal(token)}"%c' for token in split(node.term)]
    if not tokens:
        raise QueryError("a search term is empty", position=node.position)
    return " | ".join(tokens) if node.relation == "any" else " ".join(tokens)


def _literal(text: str) -> str:
    """A pattern that matches this text and nothing else."""
    return _SPECIAL.sub(lambda match: f"\\{match[0]}", text)
