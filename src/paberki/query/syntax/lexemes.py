"""The tokens of query text: strings, names, numbers, signs and relation arrows, each with its place."""

from __future__ import annotations

import re
from typing import Final

from paberki.errors import QueryError
from paberki.record import Record

LONGEST: Final = 1_000_000
"""Characters of a query; more are refused."""

_ARROW: Final = r"""(?P<arrow>[!^]?-(?:"(?:[^"\\]|\\.)*"|(?!>)(?:(?!->)[^\s'"\[\]])+)?->>?)"""
_PATTERN: Final = re.compile(
    r"(?P<space>(?:\s+|\#[^\n\]\d][^\n]*)+)"
    r"|(?P<label>(?:[^\W\d]\w*|\d+)(?=:(?![:\]])))"
    rf"|{_ARROW}"
    r"|(?P<variable>\$[^\W\d]\w*)"
    r"|(?P<flags>%[A-Za-z]+)"
    r"|(?P<number>\d+(?:\.\d+(?!\w))?)"
    r"""|(?P<name>_(?!\w)|[^\W\d]\w*(?:-(?![^\s'"\[\]]*->)\w+)*)"""
    r"|(?P<sign>\[::\]|\[:|:\]|::|!==|!=|==|!<=|!>=|<=|>=|->|/>|</|<<|>>|\(\?(?:<?[=!])|\(\?|[\[\](){}<>|&!?*+,=:;/.\-#@~^])",
)
_STRINGS: Final = {
    '"': re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL),
    "'": re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL),
}
_DOUBLED: Final = {
    '"': re.compile(r'"((?:[^"\\]|\\.|"")*)"', re.DOTALL),
    "'": re.compile(r"'((?:[^'\\]|\\.|'')*)'", re.DOTALL),
}
_TYPOGRAPHIC: Final = {
    "„": re.compile(r"„((?:[^“”\\]|\\.)*)[“”]", re.DOTALL),
    "“": re.compile(r"“((?:[^”\\]|\\.)*)”", re.DOTALL),
}
"""Quotes as word processors write them."""
_QUOTE: Final = re.compile(r"\\(.)", re.DOTALL)


class Lexeme(Record):
    """One token of query text; ``kind`` is string, literal, arrow, label, variable, flags, number, name, sign or end."""

    kind: str
    text: str
    start: int
    length: int

    def __str__(self) -> str:
        return "the end of the query" if self.kind == "end" else repr(self.text)


def lexemes(text: str, doubled_quotes: bool = True) -> list[Lexeme]:
    """All tokens of a query, the last one of kind ``end``."""
    _check_characters(text)
    tokens: list[Lexeme] = []
    at = 0
    while at < len(text):
        if text[at] in "\"'„“" or (text[at] in "lL" and text[at + 1 : at + 2] in {'"', "'"}):
            token = _string(text, at, doubled_quotes)
        else:
            match = _PATTERN.match(text, at)
            if match is None:
                raise QueryError(f"{text[at]!r} at character {at + 1} means nothing in a query", position=at, length=1)
            token = Lexeme(str(match.lastgroup), match[0], at, len(match[0]))
        if token.kind != "space":
            tokens.append(token)
        at += token.length
    tokens.append(Lexeme("end", "", len(text), 0))
    return tokens


def _check_characters(text: str) -> None:
    if len(text) > LONGEST:
        raise QueryError(f"the query has {len(text)} characters; {LONGEST} are allowed", position=LONGEST)
    for at, sign in enumerate(text):
        if sign == "\0" or "\ud800" <= sign <= "\udfff":
            what = "a NUL character" if sign == "\0" else "a byte that is not UTF-8"
            raise QueryError(f"the query has {what} at character {at + 1}; remove it", position=at, length=1)


def _string(text: str, at: int, doubled_quotes: bool) -> Lexeme:
    kind = "literal" if text[at] in "lL" else "string"
    begin = at + (kind == "literal")
    quote = text[begin]
    patterns = _TYPOGRAPHIC if quote in _TYPOGRAPHIC else _DOUBLED if doubled_quotes else _STRINGS
    match = patterns[quote].match(text, begin)
    if match is None:
        raise QueryError(
            f"the string that begins at character {begin + 1} has no closing {quote}",
            position=begin,
            length=len(text) - begin,
            expected=(quote,),
        )
    inside = match[1].replace(quote * 2, quote) if doubled_quotes else match[1]
    inside = _QUOTE.sub(lambda pair: pair[1] if pair[1] in "\"'" else pair[0], inside)
    return Lexeme(kind, inside, at, match.end() - at)
