"""The token stream of an HTML page: the only module that knows turbohtml.

turbohtml follows the WHATWG tokenizer in linear time and tells line and column of every token. A text token ends
where the next token starts, so character offsets are all we need to know about the source.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from turbohtml import Token, TokenType, tokenize

__all__ = ["DOCTYPE", "END", "START", "TEXT", "Token", "line_starts", "tokens"]

TEXT: Final = TokenType.TEXT
START: Final = TokenType.START_TAG
END: Final = TokenType.END_TAG
DOCTYPE: Final = TokenType.DOCTYPE


def tokens(html: str) -> Iterator[Token]:
    """All tokens in document order; character references are resolved."""
    return tokenize(html)


def line_starts(html: str) -> list[int]:
    """Character offset of every line, first line at index 1: ``starts[token.line] + token.col`` is an offset.

    CRLF, CR and LF each end one line; no other character does.
    """
    if html.count("\r") == html.count("\r\n"):
        lengths = [len(line) + 1 for line in html.split("\n")]
    else:
        lengths = [len(line) for line in io.StringIO(html, newline="")]
    return [0, 0, *accumulate(lengths)]
