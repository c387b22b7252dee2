"""Languages of the interface: a line of ``messages.tsv`` is one text, English first, which is also its name."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

__all__ = ["LANGUAGES", "language_of", "messages", "translation"]

LANGUAGES: Final = {"en": "English", "hr": "Hrvatski", "sl": "Slovenščina", "cs": "Čeština"}
_CLOSE: Final = {"bs": "hr", "sr": "hr", "sh": "hr", "sk": "cs"}
"""Languages whose speakers rather read one of ours than English."""
ONE: Final = {
    "{n} hits": "{n} hit",
    "at least {n} hits": "at least {n} hit",
    "{n} values": "{n} value",
    "{n} documents": "{n} document",
    "{n} tokens": "{n} token",
    "{n} bytes, read as {encoding}": "{n} byte, read as {encoding}",
    "{n} new pages since you opened this": "{n} new page since you opened this",
    "{n} pages were taken down": "{n} page was taken down",
    "and {n} copies": "and {n} copy",
}
"""English texts about a single thing; the other languages say it in a way that needs no plural."""
_RANGE: Final = re.compile(r"([A-Za-z]{2,3})(?:-[A-Za-z0-9-]+)?\s*(?:;\s*q=([0-9.]+))?")


@cache
def messages(language: str) -> dict[str, str]:
    """Translations into a language, by the English text."""
    column = list(LANGUAGES).index(language)
    lines = (files("paberki.serve.pages") / "messages.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return {row[0]: row[column] for row in rows}


def translation(text: str, language: str, n: object = None) -> str:
    """A text in another language; English where there is no translation. ``n`` is how many things it is about."""
    own = messages(language).get(text, text)
    return ONE.get(own, own) if n == 1 else own


def language_of(header: str) -> str:
    """The best of our languages for a header Accept-Language."""
    wishes = []
    for place, match in enumerate(_RANGE.finditer(header[:400])):
        code = match[1].lower()
        weight = float(match[2]) if match[2] and re.fullmatch(r"[01](\.\d+)?", match[2]) else 1.0
        wishes.append((-weight, place, code if code in LANGUAGES else _CLOSE.get(code, "")))
    return next((code for _, _, code in sorted(wishes) if code), "en")
