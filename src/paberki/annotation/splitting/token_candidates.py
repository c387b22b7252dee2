"""Candidates for tokens: one regular expression that keeps addresses, hashtags and emoticons whole.

It is what is learnt with and what is meant; running text is cut by :mod:`paberki.annotation.splitting.token_candidates_kernel`, which finds
the same candidates.

What a full stop belongs to (the word before it, or nothing) and where sentences end is decided afterwards, see
:mod:`paberki.annotation.splitting.splitter`.
"""

from __future__ import annotations

import re
from typing import Final

from paberki.annotation.splitting.character_kinds import IDEOGRAPHS, MARKS, PICTURES, SIGNS

LONGEST: Final = 40
"""Characters of a word that decisions look at."""
MOST_TOKENS: Final = 5_000
"""A sentence is cut after this many tokens, because parsing a longer one takes much memory."""
TOP_DOMAINS: Final = (
    "com", "org", "net", "info", "hr", "rs", "ba", "si", "cz", "sk", "de", "at", "se", "eu", "uk", "me", "mk", "pl", "io",
    "tv", "edu", "gov",
)  # fmt: skip
"""Top-level domains that distinguish an address without protocol from two sentences without a space."""
FILE_ENDINGS: Final = (
    "pdf", "doc", "docx", "odt", "xls", "xlsx", "ppt", "pptx", "txt", "csv", "htm", "html", "php", "js", "jpg", "jpeg", "png",
    "gif", "zip", "exe", "mp3", "mp4", "avi",
)  # fmt: skip
"""And by these the name of a file."""
ENDINGS: Final = TOP_DOMAINS + FILE_ENDINGS
_W: Final = rf"[^\W_{IDEOGRAPHS}]"
_LETTERS: Final = rf"[^\W\d_{IDEOGRAPHS}]{{1,2}}"
DOTTED: Final = rf"{_LETTERS}(?:\.{_LETTERS}){{1,5}}"
"""Letters with full stops between them: *d.o.o*, *t.ex*, *U.S*."""
_WORD: Final = rf"{_W}(?:[\w{MARKS}])*"
_EMOTICON: Final = (
    r"[<>]?(?:[:;=][\-o*']?|8-)[)\](\[dDpP/\\:}{@|*]+(?![^\W_])"  # :-) ;P =D
    r"|[)\](\[][\-o*']?[:;=](?!\w)"  # (-:
    r"|<3+|\^_+\^|[xX]D+(?!\w)|:'\(|o_O|-_-"
)
_EMOJI: Final = f"[\U0001f1e6-\U0001f1ff]{{2}}|[{PICTURES}][\ufe0f\U0001f3fb-\U0001f3ff]?(?:\u200d[{PICTURES}]\ufe0f?)*"
TOKEN: Final = re.compile(
    rf"[^\W\d_{IDEOGRAPHS}]+(?=[\s;)]|[,.]\s)"  # most words; all that follows is for the rest
    r"|[,;](?=\s)|\.(?=\s)"
    rf"|(?:https?://|ftp://|www\.)[^\s<>\"„“”«»]*[\w/#=&%~+-]"
    rf"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    rf"|[@\#](?!\d+(?![\w{MARKS}]))[\w{MARKS}]+(?:-[\w{MARKS}]+)*"
    rf"|(?<!\w)(?:{_EMOTICON})"
    rf"|{_EMOJI}"
    rf"|\b(?:[A-Za-z0-9_-]+\.)+(?:{'|'.join(ENDINGS)})\b(?:/[^\s<>\"]*[\w/])?"
    rf"|(?:[A-ZÅÄÖ]{{2,}}|\d+):[a-zåäö]{{1,3}}(?![\w{MARKS}])"
    r"|\d+(?:[.,:]\d+)*%(?!\w)"
    rf"|\d+(?:[.,:/]\d+)+(?:{_WORD})?"
    rf"|\d+(?:[-’']{_WORD}|{_WORD})*"
    r"|(?<!\w)['’]\d\d(?!\w)"
    rf"|{DOTTED}(?![\w{MARKS}])"
    rf"|{_WORD}(?:[{SIGNS}]{_WORD})*(?:-(?=[\s,)]))?"
    rf"|[{IDEOGRAPHS}]"
    r"|\.{2,}|…+|-{2,}|(?P<mark>[!?*=_~+\-–—<>'’`$])(?P=mark)+|[!?]+"
    r"|\S"
)
"""A candidate for a token."""
