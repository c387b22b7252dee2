"""A query's tokens, read one after another, with errors that say where and what was expected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

from paberki.errors import QueryError
from paberki.query.syntax.dialects import Dialect
from paberki.query.syntax.lexemes import Lexeme, lexemes
from paberki.query.syntax.terms import Place

DEEPEST: Final = 60
"""Brackets inside brackets; the tree is walked by recursion, and Python's stack is short."""


class Reader:
    """The tokens of a query and where we are among them."""

    def __init__(self, text: str, dialect: Dialect, variables: dict[str, tuple[str, ...]]) -> None:
        self.text = text
        self.dialect = dialect
        self.variables = variables
        self._tokens = lexemes(text, dialect.doubled_quotes)
        self._at = 0
        self._depth = 0

    def peek(self, ahead: int = 0) -> Lexeme:
        """A token that is still to be read."""
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)]

    def take(self) -> Lexeme:
        """The next token."""
        token = self.peek()
        self._at += 1
        return token

    def sees(self, *signs: str) -> bool:
        """Whether the next token is one of these signs."""
        token = self.peek()
        return token.kind == "sign" and token.text in signs

    def sees_word(self, *words: str) -> bool:
        """Whether the next token is one of these words, in any case."""
        token = self.peek()
        return token.kind == "name" and token.text.lower() in words

    def accept(self, *signs: str) -> Lexeme | None:
        """The next token if it is one of these signs."""
        return self.take() if self.sees(*signs) else None

    def accept_word(self, *words: str) -> Lexeme | None:
        """The next token if it is one of these words."""
        return self.take() if self.sees_word(*words) else None

    def expect(self, sign: str) -> Lexeme:
        """The next token, which must be this sign."""
        return self.accept(sign) or self.fail(f"'{sign}'")

    def expect_kind(self, kind: str, what: str) -> Lexeme:
        """The next token, which must be of this kind."""
        return self.take() if self.peek().kind == kind else self.fail(what)

    def whole(self) -> int:
        """The next token as a whole number, perhaps negative."""
        negative = self.accept("-")
        token = self.expect_kind("number", "a number")
        if "." in token.text or len(token.text) > 15:
            self.error(f"{token.text} is not a usable whole number", token)
        return -int(token.text) if negative else int(token.text)

    def fail(self, *alternatives: str) -> NoReturn:
        """The next token is not what can stand here."""
        token = self.peek()
        place = f"character {token.start + 1}" if token.kind != "end" else "the end"
        actual = "" if token.kind == "end" else f", not {token}"
        raise QueryError(
            f"expected {' or '.join(alternatives)} at {place}{actual}",
            position=token.start,
            length=token.length,
            expected=alternatives,
        )

    def error(self, message: str, token: Lexeme, suggestion: str | None = None) -> NoReturn:
        """A token that can stand here makes no sense."""
        raise QueryError(
            f"{message} (character {token.start + 1})",
            position=token.start,
            length=token.length,
            suggestion=suggestion,
        )

    def place(self, first: Lexeme) -> Place:
        """From a token to the last one that was read."""
        last = self._tokens[self._at - 1]
        return first.start, last.start + last.length - first.start

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Inside, one more bracket is open."""
        self._depth += 1
        if self._depth > DEEPEST:
            self.error(f"more than {DEEPEST} brackets are open; write the query with fewer", self.peek())
        yield
        self._depth -= 1
