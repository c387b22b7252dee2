"""Reads a search: words, "phrases", AND OR NOT in capitals, (groups), field:words, ~20w and ~20W.

``"old town"~20w`` asks for the words within twenty words in any order, ``~20W`` in this order; between two words or at the end
of a search the sign joins what stands beside it. ``~AND``, ``~OR`` and ``~FD`` behind quoted words say how these words
combine, as in TSUBAKI (P4): all, some, or in a relation of grammar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, cast

from paberki.errors import QueryError
from paberki.search.asking.search_tree import NearWords, Negation, Node, Operator, TermGroup, Value, Words

MOST_CHARS: Final = 10_000
MOST_PARTS: Final = 500
DEEPEST: Final = 40
MOST_WINDOW: Final = 10_000
_TOKEN: Final = re.compile(
    r"""\s*(?:
    (?P<open>\()|(?P<close>\))
    |(?P<sign>~(?:\d+[wWsS]|AND|OR|FD)(?![^\s()"]))
    |(?:(?P<field>[^\W\d]\w*):(?=["(<>=\w.*-]))?(?:"(?P<quoted>[^"]*)(?P<end>"|$)|(?P<group>(?<=:)\()|(?P<word>[^\s()"]+?)(?=~(?:\d+[wWsS]|AND|OR|FD)(?![^\s()"])|[\s()"]|$))
    )""",
    re.VERBOSE,
)
_NEAR: Final = re.compile(r"~(\d+)([wWsS])")
_OPERATORS: Final = ("AND", "OR", "NOT")


@dataclass(frozen=True, slots=True)
class _SearchToken:
    kind: str
    text: str
    field: str
    position: int
    attached: bool
    """Nothing stands between it and the token before."""


def _none(name: str) -> bool:
    return False


def _no_hint(name: str) -> str:
    return ""


def parse(
    text: str,
    *,
    operator: Operator = "AND",
    is_column: Callable[[str], bool] = _none,
    is_field: Callable[[str], bool] = _none,
    hint: Callable[[str], str] = _no_hint,
) -> Node:
    """The tree of a search; ``operator`` joins words that stand side by side.

    A name before a colon that is no field is part of a word, as in addresses; unless ``hint`` knows a field of nearly that name.
    """
    if len(text) > MOST_CHARS:
        raise QueryError(f"a search has at most {MOST_CHARS:,} characters, this one has {len(text):,}")
    tokens = _tokens(text, lambda name: is_column(name) or is_field(name), hint)
    if not tokens:
        raise QueryError("no words to search for", position=0, expected=("words",))
    if len(tokens) > MOST_PARTS:
        raise QueryError(f"a search has at most {MOST_PARTS} words and signs, this one has {len(tokens)}")
    reader = _SearchReader(tokens, operator, is_column, len(text))
    node = reader.either(0, "")
    if reader.at < len(tokens):
        raise QueryError(
            f"a bracket is closed that was not opened, at character {reader.token.position + 1}",
            position=reader.token.position,
            length=1,
        )
    return node


def _tokens(text: str, is_known: Callable[[str], bool], hint: Callable[[str], str]) -> list[_SearchToken]:
    tokens: list[_SearchToken] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match.end() == at:
            if not text[at:].strip():
                break
            at += 1  # a sign that means nothing here
            continue
        tokens.append(_token(match, at, is_known, hint))
        at = match.end()
    return tokens


def _token(match: re.Match[str], at: int, is_known: Callable[[str], bool], hint: Callable[[str], str]) -> _SearchToken:
    kind = cast("str", match.lastgroup if match.lastgroup != "end" else "quoted")
    start = match.start(kind)
    attached = start == at
    name = match["field"] or ""
    if kind == "quoted" and not match["end"]:
        raise QueryError(
            f"the quotation mark at character {start} is not closed", position=start - 1, length=1, expected=('"',)
        )
    if name and not is_known(name):
        suggestion = hint(name)
        if kind == "word" and (not suggestion or match[kind].startswith("//")):
            return _SearchToken("word", f"{name}:{match[kind]}", "", match.start("field"), attached)
        raise QueryError(f"there is no field {name!r}{suggestion}", position=match.start("field"), length=len(name))
    return _SearchToken(kind, match[kind], name, match.start("field") if name else start, attached)


class _SearchReader:
    """Recursive descent: OR binds weaker than AND, NOT strongest."""

    def __init__(
        self, tokens: Sequence[_SearchToken], operator: Operator, is_column: Callable[[str], bool], length: int
    ) -> None:
        self.tokens, self.operator, self.is_column, self.length = tokens, operator, is_column, length
        self.at = 0

    @property
    def token(self) -> _SearchToken:
        if self.at < len(self.tokens):
            return self.tokens[self.at]
        return _SearchToken("end", "", "", self.length, False)

    def either(self, depth: int, name: str) -> Node:
        """Parts joined by OR."""
        if depth > DEEPEST:
            raise QueryError(f"brackets are nested more than {DEEPEST} deep", position=self.token.position)
        parts = [self.every(depth, name)]
        while self._is_operator("OR"):
            self.at += 1
            parts.append(self.every(depth, name))
        return parts[0] if len(parts) == 1 else TermGroup("OR", tuple(parts))

    def every(self, depth: int, name: str) -> Node:
        """Parts joined by AND or by nothing."""
        parts = [self.one(depth, name)]
        has_and = False
        while self.token.kind not in ("end", "close") and not self._is_operator("OR"):
            if self._is_operator("AND"):
                self.at += 1
                has_and = True
            elif self.token.kind == "sign":
                self._join(parts, depth, name)
                continue
            parts.append(self.one(depth, name))
        if len(parts) == 1:
            return parts[0]
        negated = any(isinstance(part, Negation) for part in parts)
        return TermGroup("AND" if has_and or negated else self.operator, tuple(parts))

    def _join(self, parts: list[Node], depth: int, name: str) -> None:
        """A sign of its own: joins the part before with the next one, or all parts at the end of a search."""
        sign, attached = self.token, self.token.attached
        self.at += 1
        if attached or sign.text[1:] in ("AND", "OR", "FD"):
            parts[-1] = _apply(sign, [parts[-1]])
        elif self.token.kind in ("end", "close"):
            parts[:] = [_apply(sign, parts)]
        else:
            parts[-1] = _apply(sign, [parts[-1], self.one(depth, name)])

    def one(self, depth: int, name: str) -> Node:
        """A word, a phrase, a group, or what must not be."""
        token = self.token
        if self._is_operator("NOT"):
            self.at += 1
            return Negation(self.one(depth + 1 if depth < DEEPEST else self._too_deep(), name))
        self.at += 1
        match token.kind:
            case "open" | "group":
                inner = self.either(depth + 1, token.field or name)
                if self.token.kind != "close":
                    raise QueryError("a bracket is not closed", position=token.position, length=1, expected=(")",))
                self.at += 1
                return inner
            case "word" | "quoted" if token.text not in _OPERATORS or token.kind == "quoted":
                return self._words(token, token.field or name)
        raise QueryError(
            f"words are missing at character {token.position + 1}", position=token.position, expected=("words",)
        )

    def _words(self, token: _SearchToken, name: str) -> Node:
        if name and self.is_column(name):
            return Value(name, token.text, token.position)
        return Words(token.text, name, token.kind == "quoted", token.position)

    def _too_deep(self) -> int:
        raise QueryError(f"NOT is nested more than {DEEPEST} deep", position=self.token.position)

    def _is_operator(self, word: str) -> bool:
        return self.token.kind == "word" and self.token.text == word and not self.token.field


def _apply(sign: _SearchToken, parts: Sequence[Node]) -> Node:
    """Parts under a sign; it asks for words, whatever brackets were around them."""
    words = [word for part in parts for word in _leaves(part, sign)]
    near = _NEAR.fullmatch(sign.text)
    if near is None:
        singles = tuple(Words(text, word.field, False, word.position) for word in words for text in word.text.split())
        return TermGroup("OR" if sign.text == "~OR" else "AND", singles, related=sign.text == "~FD")
    window = int(near[1][:6])
    if not 1 <= window <= MOST_WINDOW:
        raise QueryError(f"a window has 1 to {MOST_WINDOW:,} words", position=sign.position, length=len(sign.text))
    return NearWords(tuple(words), window, near[2].isupper())


def _leaves(node: Node, sign: _SearchToken) -> list[Words]:
    match node:
        case Words():
            return [Words(text, node.field, False, node.position) for text in node.text.split()] or [node]
        case NearWords():
            return list(node.words)
        case TermGroup(operator="AND"):
            return [word for part in node.parts for word in _leaves(part, sign)]
    raise QueryError(f"{sign.text} joins words, and nothing else", position=sign.position, length=len(sign.text))


def near_all(node: Node, window: int) -> Node:
    """The same search with all its words of the text within a window."""
    parts = node.parts if isinstance(node, TermGroup) and node.operator == "AND" else (node,)
    words = [part for part in parts if isinstance(part, Words) and not part.field]
    if len(words) < 2 or not 1 <= window <= MOST_WINDOW:
        return node
    singles = tuple(Words(text, "", False, word.position) for word in words for text in word.text.split())
    rest = tuple(part for part in parts if part not in words)
    return TermGroup("AND", (NearWords(singles, window, False), *rest))
