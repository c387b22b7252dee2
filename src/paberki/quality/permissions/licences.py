"""Licences that a page names: Creative Commons and others, with place and confidence.

A link with ``rel=license`` or a ``license`` in JSON-LD is about the page; a plain link to a licence mostly does, and
the name in words may be about anything. Several different licences on a page weaken each other: the i-th found is worth
½ + ½ ÷ i of itself (as in Dolma).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from paberki.quality.marks.anchors import Anchors

_MOST_BYTES: Final = 4 << 20
_MOST: Final = 50
_DECLARED, _LINKED, _NAMED = 0.95, 0.8, 0.5
_URL: Final = rb"(?i)https?:(?:\\?/){2}(?:www\.)?"
_CC: Final = "Creative Commons"
_LINKS: Final = (
    (_CC, b"creativecommons.org", rb"creativecommons\.org(?:\\?/)(?:licenses|publicdomain)(?:\\?/)([a-z+-]{2,20})(?:\\?/)(\d\.\d)?", 40),
    ("GFDL", b"gnu.org/", rb"gnu\.org/(?:licenses/(?:old-licenses/)?fdl|copyleft/fdl)", 40),
    ("ODbL", b"opendatacommons.org/", rb"opendatacommons\.org/licenses/odbl", 40),
    ("OGL", b"nationalarchives.gov.uk/", rb"nationalarchives\.gov\.uk/doc/open-government-licence", 40),
    ("MIT", b"opensource.org/", rb"opensource\.org/licenses?/mit", 20),
    ("Apache-2.0", b"apache.org/", rb"apache\.org/licenses/LICENSE-2\.0", 20),
)  # fmt: skip
"""Licence, a string of its address, the address behind the scheme, and how much more of it may follow."""
_NAMES: Final = (
    (_CC, (b"cc by", b"cc-by"), rb"\bCC[ -](BY(?:-(?:NC|SA|ND)){0,2})[ -]?(\d\.\d)?\b"),
    ("CC0-1.0", (b"cc0",), rb"\bCC0\b"),
    ("GFDL", (b"gnu free documentation license",), rb"(?i)\bGNU Free Documentation License\b"),
    ("all-rights-reserved", (b"all rights reserved",), rb"(?i)\ball rights reserved\b"),
    ("all-rights-reserved", (b"sva prava pridr",), rb"(?i)\bsva prava pridr\xc5\xbeana\b"),
    ("all-rights-reserved", (b"vse pravice pridr",), rb"(?i)\bvse pravice pridr\xc5\xbeane\b"),
)
"""Licence, the strings that its name begins with, and the name."""
LICENCE_ANCHORS: Final = (*(one[1] for one in _LINKS), *(beginning for one in _NAMES for beginning in one[1]))
"""Strings at which a licence may stand."""
_SCHEME_BYTES: Final = 16
"""Of ``https:\\/\\/www.``, with some to spare."""
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


def licences(payload: bytes, places: Iterable[tuple[int, int]] | None = None) -> list[Licence]:
    """The licences that a page names, the surest first; ``places`` of :data:`LICENCE_ANCHORS` where these are known already."""
    payload = payload[:_MOST_BYTES]
    best: dict[str, Licence] = {}
    for one in _mentions(payload, _anchors().find(payload) if places is None else places):
        surest = best.get(one.name)
        if surest is None or one.confidence > surest.confidence:
            best[one.name] = one
        if len(best) >= _MOST:
            break
    by_confidence = sorted(best.values(), key=lambda one: (-one.confidence, one.start))
    return [
        Licence(one.name, one.url, one.start, one.end, one.confidence * (0.5 + 0.5 / number))
        for number, one in enumerate(by_confidence, 1)
    ]


def _mentions(payload: bytes, places: Iterable[tuple[int, int]]) -> Iterator[Licence]:
    """Every licence that is linked or named, in the order of the tables above, then of places."""
    meanings = _meanings()
    for number, place in sorted((number, place) for place, number in places):
        name, pattern, is_link = meanings[number]
        begin = _scheme(payload, place) if is_link else place
        match = pattern.match(payload, begin) if begin >= 0 else None
        if match is None:
            continue
        spdx = _creative_commons(match[1], match[2]) if name == _CC else name
        if is_link:
            yield _licence(payload, match, spdx)
        else:
            yield Licence(spdx, None, match.start(), match.end(), _NAMED)


def _scheme(payload: bytes, place: int) -> int:
    """Where the address begins whose host stands at a place; −1 if there is none."""
    first = max(place - _SCHEME_BYTES, 0)
    at = payload[first:place].lower().rfind(b"http")
    return first + at if at >= 0 else -1


def _licence(payload: bytes, match: re.Match[bytes], name: str) -> Licence:
    """A link; declared when the element around it says so."""
    first = max(payload.rfind(b"<", max(0, match.start() - _NEAR), match.start()), match.start() - _NEAR, 0)
    last = payload.find(b">", match.end(), match.end() + _NEAR)
    around = payload[first : last if last > 0 else match.end()]
    sure = _DECLARED if _DECLARES.search(around) else _LINKED
    url = match[0].decode("ascii", "replace").replace("\\/", "/")
    return Licence(name, url, match.start(), match.end(), sure)


def _creative_commons(kind: bytes, version: bytes | None) -> str:
    conditions, number = kind.decode("ascii").upper().strip("-"), (version or b"").decode()
    if conditions in ("ZERO", "CC0"):
        return "CC0-1.0"
    if conditions in ("MARK", "PUBLICDOMAIN"):
        return "public-domain"
    return f"CC-{conditions}-{number}" if number else f"CC-{conditions}"


@lru_cache(maxsize=1)
def _meanings() -> list[tuple[str, re.Pattern[bytes], bool]]:
    """Of each anchor the licence that it stands for, the expression that must hold, and whether it is a link."""
    links = [
        (name, re.compile(_URL + address + rb"[^\s\"'<>]{0,%d}" % more), True) for name, _, address, more in _LINKS
    ]
    names = [(name, re.compile(pattern), False) for name, beginnings, pattern in _NAMES for _ in beginnings]
    return links + names


@lru_cache(maxsize=1)
def _anchors() -> Anchors:
    return Anchors(LICENCE_ANCHORS)
