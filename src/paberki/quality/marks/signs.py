"""Signs in the bytes of a page that it is machine translated, or hides links: one pass, then a look at a few places."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from paberki.quality.marks.anchors import Anchors

_MOST_BYTES: Final = 2 << 20
_TRANSLATORS: Final = (
    ("gtranslate", (b"gtranslate", b"gt_switcher"), None),
    ("google", (b"google_translate_element", b"goog-te-"), None),
    ("google", (b"translate.google",), rb"translate\.google(?:apis)?\.com/translate_a/element"),
    ("weglot", (b"weglot",), None),
    ("qtranslate", (b"qtranslate",), None),
    ("translatepress", (b"translatepress", b"trp-language-switcher"), None),
    ("transposh", (b"transposh",), None),
    ("conveythis", (b"conveythis",), None),
    ("linguise", (b"linguise",), None),
    ("bablic", (b"bablic.com",), None),
    ("localize", (b"localizejs.com",), None),
    ("autoglot", (b"autoglot",), None),
    ("said-so", (b"machine-translated", b"machine translated", b"automatically translated"), None),
    ("said-so", (b"strojno prevedeno", b"strojni prijevod"), None),
    ("said-so", (b"strojov",), rb"strojov. p.eklad"),
)
"""Name of the translator, strings that give it away, and what must stand where the string does, if there is more."""
_HIDING: Final = (
    (b"display", rb"display\s*:\s*none"),
    (b"visibility", rb"visibility\s*:\s*hidden"),
    (b"text-indent", rb"text-indent\s*:\s*-\d{3,}"),
    (b"left", rb"left\s*:\s*-\d{4,}"),
)
_HIDDEN_LINKS: Final = re.compile(
    rb"(?i)style\s*=\s*[\"'][^\"']{0,200}(?:"
    + rb"|".join(pattern for _, pattern in _HIDING)
    + rb")[^\"']{0,200}[\"'][^>]{0,200}>(?:[^<]{0,300}<a\b[^>]{0,300}>[^<]{0,200}</a>){3}"
)
_STYLE: Final = b"style"
_MOST_STYLE: Final = 200
"""Bytes of a style attribute before the property that hides."""
_MOST_SPACE: Final = 100


@dataclass(frozen=True, slots=True)
class Signs:
    """What the bytes of a page give away."""

    translator: str | None
    hidden_links: bool


def signs_in(payload: bytes) -> Signs:
    """The first sign of machine translation, and whether three links in a row are hidden by style."""
    anchors, meanings = _meanings()
    payload = payload[:_MOST_BYTES]
    translator: str | None = None
    hides_links = False
    for place, number in anchors.find(payload):
        name, pattern = meanings[number]
        if (hides_links if name is None else translator) or not (pattern is None or pattern.match(payload, place)):
            continue
        if name is None:
            hides_links = _hides_links(payload, place)
        else:
            translator = name
    return Signs(translator, hides_links)


@lru_cache(maxsize=1)
def _meanings() -> tuple[Anchors, list[tuple[str | None, re.Pattern[bytes] | None]]]:
    """Anchors with the translator that each stands for, none for what hides, and the expression that must hold there."""
    literals: list[bytes] = []
    meanings: list[tuple[str | None, re.Pattern[bytes] | None]] = []
    for name, strings, pattern in _TRANSLATORS:
        literals += strings
        meanings += [(name, re.compile(pattern, re.I) if pattern else None)] * len(strings)
    for string, pattern in _HIDING:
        literals.append(string)
        meanings.append((None, re.compile(pattern, re.I)))
    return Anchors(literals), meanings


def _hides_links(payload: bytes, place: int) -> bool:
    """Whether the property at a place stands in a style attribute whose element begins with three links."""
    first = max(place - _MOST_STYLE - 1, 0)
    quote = max(payload.rfind(b'"', first, place), payload.rfind(b"'", first, place))
    if quote < 0:
        return False
    before = payload[max(quote - _MOST_SPACE, 0) : quote].rstrip()
    name = before[:-1].rstrip() if before.endswith(b"=") else b""
    if not name.lower().endswith(_STYLE):
        return False
    begin = max(quote - _MOST_SPACE, 0) + len(name) - len(_STYLE)
    return _HIDDEN_LINKS.match(payload, begin) is not None
