"""Licences that a page names: Creative Commons and others, with place and confidence.

A link with ``rel=license`` or a ``license`` in JSON-LD speaks about the page; a plain link to a licence mostly does, and
the name in words may speak of anything. Several different licences on a page weaken each other: the i-th found is worth
½ + ½ ÷ i of itself (as in Dolma).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_MOST_BYTES: Final = 4 << 20
_MOST: Final = 50
_DECLARED, _LINKED, _NAMED = 0.95, 0.8, 0.5
_CC_URL: Final = (
    rb"(?i)https?:(?:\\?/){2}(?:www\.)?creativecommons\.org(?:\\?/)(?:licenses|publicdomain)(?:\\?/)"
    rb"([a-z+-]{2,20})(?:\\?/)(\d\.\d)?[^\s\"'<>]{0,40}"
)
_OTHER_URLS: Final = (
    ("GFDL", rb"(?i)https?://(?:www\.)?gnu\.org/(?:licenses/(?:old-licenses/)?fdl|copyleft/fdl)[^\s\"'<>]{0,40}"),
    ("ODbL", rb"(?i)https?://(?:www\.)?opendatacommons\.org/licenses/odbl[^\s\"'<>]{0,40}"),
    ("OGL", rb"(?i)https?://(?:www\.)?nationalarchives\.gov\.uk/doc/open-government-licence[^\s\"'<>]{0,40}"),
    ("MIT", rb"(?i)https?://(?:www\.)?opensource\.org/licenses?/mit[^\s\"'<>]{0,20}"),
    ("Apache-2.0", rb"(?i)https?://(?:www\.)?apache\.org/licenses/LICENSE-2\.0[^\s\"'<>]{0,20}"),
)
_NAMES: Final = (
    (
        "",
        rb"\bCC[ -](BY(?:-(?:NC|SA|ND)){0,2})[ -]?(\d\.\d)?\b",
    ),
    ("CC0-1.0", rb"\bCC0\b"),
    ("GFDL", rb"(?i)\bGNU Free Documentation License\b"),
    (
        "all-rights-reserved",
        rb"(?i)\ball rights reserved\b|\bsva prava pridr\xc5\xbeana\b|\bvse pravice pridr\xc5\xbeane\b",
    ),
)
_DECLARES: Final = re.compile(
    rb"(?i)rel\s*=\s*[\"']?[\w ]{0,40}\blicen[sc]e\b|[\"']licen[sc]e[\"']\s*:|itemprop\s*=\s*[\"']?licen[sc]e"
)
_NEAR: Final = 200
_CLOSED: Final = frozenset({"all-rights-reserved"})


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence, its address if there is one, bytes ``start`` to ``end`` of the page, how sure it is."""

    name: str
    """As SPDX has it: ``CC-BY-SA-4.0``."""
    url: str | None
    start: int
    end: int
    confidence: float

    @property
    def open(self) -> bool:
        """Whether it allows anything at all."""
        return self.name not in _CLOSED


def licences(payload: bytes) -> list[Licence]:
    """The licences that a page names, the surest first."""
    payload = payload[:_MOST_BYTES]
    best: dict[str, Licence] = {}
    for one in _found(payload):
        known = best.get(one.name)
        if known is None or one.confidence > known.confidence:
            best[one.name] = one
        if len(best) >= _MOST:
            break
    ordered = sorted(best.values(), key=lambda one: (-one.confidence, one.start))
    return [
        Licence(one.name, one.url, one.start, one.end, one.confidence * (0.5 + 0.5 / number))
        for number, one in enumerate(ordered, 1)
    ]


def _found(payload: bytes) -> Iterator[Licence]:
    if b"creativecommons.org" in payload:
        for match in re.finditer(_CC_URL, payload):
            yield _licence(payload, match, _creative_commons(match[1], match[2]))
    for name, pattern in _patterns():
        for match in pattern.finditer(payload):
            yield _licence(payload, match, name)
    for name, pattern in _names():
        for match in pattern.finditer(payload):
            said = name or _creative_commons(match[1], match[2])
            yield Licence(said, None, match.start(), match.end(), _NAMED)


def _licence(payload: bytes, match: re.Match[bytes], name: str) -> Licence:
    """A link; declared when the element around it says so."""
    first = max(payload.rfind(b"<", max(0, match.start() - _NEAR), match.start()), match.start() - _NEAR, 0)
    last = payload.find(b">", match.end(), match.end() + _NEAR)
    around = payload[first : last if last > 0 else match.end()]
    sure = _DECLARED if _DECLARES.search(around) else _LINKED
    url = match[0].decode("ascii", "replace").replace("\\/", "/")
    return Licence(name, url, match.start(), match.end(), sure)


def _creative_commons(kind: bytes, version: bytes | None) -> str:
    said, number = kind.decode("ascii").upper().strip("-"), (version or b"").decode()
    if said in ("ZERO", "CC0"):
        return "CC0-1.0"
    if said in ("MARK", "PUBLICDOMAIN"):
        return "public-domain"
    return f"CC-{said}-{number}" if number else f"CC-{said}"


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[str, re.Pattern[bytes]]]:
    return [(name, re.compile(pattern)) for name, pattern in _OTHER_URLS]


@lru_cache(maxsize=1)
def _names() -> list[tuple[str, re.Pattern[bytes]]]:
    return [(name, re.compile(pattern)) for name, pattern in _NAMES]
