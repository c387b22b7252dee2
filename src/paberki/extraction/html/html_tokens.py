"""The token stream of an HTML page: the only module that knows turbohtml.

turbohtml follows the WHATWG tokenizer in linear time and tells line and column of every token. A text token
ends where the next token starts, so character offsets are all we need to know about the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol, cast

import numpy as np
from turbohtml import TokenType, tokenize

__all__ = ["DOCTYPE", "END", "START", "TEXT", "HtmlToken", "line_starts", "tokens"]

TEXT: Final = TokenType.TEXT
START: Final = TokenType.START_TAG
END: Final = TokenType.END_TAG
DOCTYPE: Final = TokenType.DOCTYPE

_LF, _CR = 10, 13


class HtmlToken(Protocol):
    """What we use of a token. ``tag`` is set for tags, ``data`` for text, the rest for document types."""

    type: TokenType
    line: int
    col: int
    tag: str
    data: str
    self_closing: bool
    name: str | None
    public_id: str | None

    def attr(self, name: str, /) -> str | None:
        """Value of an attribute, empty if it has none, None if the tag does not have it."""


def tokens(html: str) -> Iterator[HtmlToken]:
    """All tokens in document order; character references are resolved."""
    return cast("Iterator[HtmlToken]", tokenize(html))


def line_starts(html: str) -> list[int]:
    """Character offset of every line, first line at index 1: ``starts[token.line] + token.col`` is an offset.

    CRLF, CR and LF each end one line; no other character does.
    """
    if html.isascii():
        chars = np.frombuffer(html.encode("ascii"), np.uint8)
        ends = chars == _LF
    else:
        wide = np.frombuffer(html.encode("utf-32-le", "surrogatepass"), np.uint32)
        ends = wide == _LF
    if "\r" in html:
        returns = (chars if html.isascii() else wide) == _CR
        returns[:-1] &= ~ends[1:]
        ends |= returns
    return [0, 0, *(np.flatnonzero(ends) + 1).tolist()]
