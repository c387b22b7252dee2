"""Contextual Query Language (SRU): the whole grammar is read, whatever an endpoint makes of it.

A query is search clauses (``index relation term``, or a term alone) joined by and, or, not and prox, with modifiers behind
slashes, prefix assignments before it and a sort clause behind it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from paberki.errors import QueryError

MOST_CHARS: Final = 10_000
DEEPEST: Final = 50
BOOLEANS: Final = ("and", "or", "not", "prox")
_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<sign><=|>=|<>|==|[()=<>/])|(?P<word>[^\s()=<>"/]+))""", re.DOTALL
)
_COMPARISONS: Final = frozenset({"=", "==", "<>", "<", ">", "<=", ">="})
DEFAULT_INDEX, DEFAULT_RELATION = "cql.serverChoice", "="


@dataclass(frozen=True, slots=True)
class Modifier:
    """A modifier of a relation, a boolean or a sort key: ``/name=value``."""

    name: str
    comparison: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """A search clause."""

    term: str
    index: str = DEFAULT_INDEX
    relation: str = DEFAULT_RELATION
    modifiers: tuple[Modifier, ...] = ()
    position: int = 0


@dataclass(frozen=True, slots=True)
class Boolean:
    """Two queries, joined."""

    operator: str
    left: Clause | Boolean
    right: Clause | Boolean
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class ContextualQuery:
    """A query with its prefixes and sort keys."""

    root: Clause | Boolean
    prefixes: tuple[tuple[str, str], ...] = ()
    sort_keys: tuple[tuple[str, tuple[Modifier, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class _ContextualToken:
    kind: str
    text: str
    position: int

    @property
    def value(self) -> str:
        """The text without quotation marks and their escapes."""
        return re.sub(r"\\(.)", r"\1", self.text[1:-1], flags=re.DOTALL) if self.kind == "quoted" else self.text


def parse(text: str) -> ContextualQuery:
    """Read a query; an error says where it is wrong."""
    if len(text) > MOST_CHARS:
        raise QueryError(f"a query has at most {MOST_CHARS} characters")
    reader = _ContextualReader(_tokens(text), len(text))
    prefixes = reader.prefixes()
    root = reader.query(0)
    keys = reader.sort_keys()
    if reader.token.kind != "end":
        raise reader.error("the query should end here")
    return ContextualQuery(root, prefixes, keys)


def _tokens(text: str) -> list[_ContextualToken]:
    tokens, at = [], 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            start = len(text) - len(text[at:].lstrip())
            raise QueryError(f"a quotation mark is not closed at character {start + 1}", position=start)
        kind = match.lastgroup or ""
        tokens.append(_ContextualToken(kind, match[kind], match.start(kind)))
        at = match.end()
    return tokens


class _ContextualReader:
    def __init__(self, tokens: list[_ContextualToken], length: int) -> None:
        self.tokens, self.at, self.length = tokens, 0, length

    @property
    def token(self) -> _ContextualToken:
        return self._ahead(0)

    def _ahead(self, steps: int) -> _ContextualToken:
        place = self.at + steps
        return self.tokens[place] if place < len(self.tokens) else _ContextualToken("end", "", self.length)

    def error(self, message: str) -> QueryError:
        return QueryError(f"{message}, at character {self.token.position + 1}", position=self.token.position)

    def _is_sign(self, sign: str) -> bool:
        return self.token.kind == "sign" and self.token.text == sign

    def _is_word(self, *words: str) -> bool:
        return self.token.kind == "word" and self.token.text.lower() in words

    def _take(self) -> _ContextualToken:
        token = self.token
        self.at += 1
        return token

    def _text(self, what: str) -> _ContextualToken:
        if self.token.kind not in ("word", "quoted"):
            raise self.error(f"{what} is missing")
        return self._take()

    def prefixes(self) -> tuple[tuple[str, str], ...]:
        """``> name = "identifier"``, any number of them."""
        pairs = []
        while self._is_sign(">"):
            self.at += 1
            first = self._text("the name of a context set")
            if self._is_sign("="):
                self.at += 1
                pairs.append((first.value, self._text("the identifier of a context set").value))
            else:
                pairs.append(("", first.value))
        return tuple(pairs)

    def query(self, depth: int) -> Clause | Boolean:
        """Clauses joined by booleans; all of them bind alike, from left to right."""
        if depth > DEEPEST:
            raise self.error(f"brackets are nested more than {DEEPEST} deep")
        left = self._clause(depth)
        while self._is_word(*BOOLEANS):
            operator = self._take().text.lower()
            modifiers = self._modifiers()
            left = Boolean(operator, left, self._clause(depth), modifiers)
        return left

    def _clause(self, depth: int) -> Clause | Boolean:
        if self._is_sign("("):
            self.at += 1
            self.prefixes()
            inner = self.query(depth + 1)
            if not self._is_sign(")"):
                raise self.error("a bracket is not closed")
            self.at += 1
            return inner
        if self._is_word(*BOOLEANS, "sortby"):
            raise self.error("a search term is missing")
        first = self._text("a search term")
        if not self._is_relation():
            return Clause(first.value, position=first.position)
        relation = self._take().text.lower()
        modifiers = self._modifiers()
        term = self._text("a search term")
        return Clause(term.value, first.value, relation, modifiers, term.position)

    def _is_relation(self) -> bool:
        """A comparison sign, or a word that a term or a modifier follows."""
        if self.token.kind == "sign":
            return self.token.text in _COMPARISONS
        if self.token.kind != "word" or self._is_word(*BOOLEANS, "sortby"):
            return False
        following = self._ahead(1)
        if following.kind == "word":
            return following.text.lower() not in (*BOOLEANS, "sortby")
        return following.kind == "quoted" or following.text == "/"

    def _modifiers(self) -> tuple[Modifier, ...]:
        modifiers = []
        while self._is_sign("/"):
            self.at += 1
            name = self._text("the name of a modifier").value
            if self.token.kind == "sign" and self.token.text in _COMPARISONS:
                comparison = self._take().text
                modifiers.append(Modifier(name, comparison, self._text("the value of a modifier").value))
            else:
                modifiers.append(Modifier(name))
        return tuple(modifiers)

    def sort_keys(self) -> tuple[tuple[str, tuple[Modifier, ...]], ...]:
        """What stands behind ``sortBy``."""
        if not self._is_word("sortby"):
            return ()
        self.at += 1
        keys = [(self._text("a sort key").value, self._modifiers())]
        while self.token.kind in ("word", "quoted"):
            keys.append((self._take().value, self._modifiers()))
        return tuple(keys)
