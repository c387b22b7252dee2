"""Cutting text into candidates for tokens: one regular expression that keeps addresses, hashtags and emoticons whole.

What a full stop belongs to (the word before it, or nothing) and where sentences end is decided afterwards, see
:mod:`paberki.annotation.splitting`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

CJK: Final = "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS: Final = "\u00ad\u0300-\u036f\u0483-\u0487\u200c\u200d\ufe0e\ufe0f"
_W: Final = rf"[^\W_{CJK}]"
_WORD: Final = rf"{_W}(?:[\w{_MARKS}])*"
_EMOTICON: Final = (
    r"[<>]?[:;=8][\-o*']?[)\](\[dDpP/\\:}{@|*]+(?![^\W\d_])"  # :-) ;P =D
    r"|[)\](\[][\-o*']?[:;=8](?!\w)"  # (-:
    r"|<3+|\^_+\^|[xX]D+(?!\w)|:'\(|o_O|-_-"
)
_EMOJI: Final = "[\U0001f1e6-\U0001f1ff]{2}|[\U0001f300-\U0001faff\u2600-\u27bf][\ufe0f\U0001f3fb-\U0001f3ff]?(?:\u200d[\U0001f300-\U0001faff\u2600-\u27bf]\ufe0f?)*"
TOKEN: Final = re.compile(
    rf"[^\W\d_{CJK}]+(?=[\s;)]|[,.]\s)"  # most words; all that follows is for the rest
    r"|[,;](?=\s)|\.(?=\s)"
    rf"|(?:https?://|ftp://|www\.)[^\s<>\"„“”«»]*[\w/#=&%~+-]"
    rf"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    rf"|[@\#][\w{_MARKS}]+(?:-[\w{_MARKS}]+)*"
    rf"|(?<!\w)(?:{_EMOTICON})"
    rf"|{_EMOJI}"
    rf"|\b(?:[a-z0-9-]+\.)+(?:com|org|net|info|hr|rs|ba|si|cz|sk|de|at|se|eu|uk|me|mk|pl|io|tv|edu|gov)\b(?:/[^\s<>\"]*[\w/])?"
    rf"|\d+(?:[.,:]\d+)+(?:{_WORD})?"
    rf"|\d+(?:[-’']{_WORD}|{_WORD})*"
    rf"|{_WORD}(?:[-‐‑’'&]{_WORD})*"
    rf"|[{CJK}]"
    r"|\.{2,}|…+|-{2,}|(?P<mark>[!?*=_~+\-–—])(?P=mark)+|[!?]+"
    r"|\S"
)
"""A candidate for a token."""


def cut(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    """Places of the candidates in a stretch of text."""
    return [found.span() for found in TOKEN.finditer(text, begin, end)]


_BREAK: Final = re.compile(r"[^\n]+")


def lines_of(text: str) -> Sequence[tuple[int, int]]:
    """Places of the lines: no sentence goes over the end of one."""
    return [found.span() for found in _BREAK.finditer(text)]
