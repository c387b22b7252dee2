"""Templates of URLs: what the URLs of one list, calendar or series of articles have in common."""

from __future__ import annotations

import re

_MOST_SEGMENTS = 8
_MOST_NAMES = 20
_DIGITS = re.compile(r"[0-9]+")
_HASH = re.compile(r"(?=[a-f]*+[0-9])(?=[0-9]*+[a-f])[0-9a-f]{8,}\Z|[0-9A-Za-z_\-]{0,3}[0-9a-f]{32,}", re.I)
_RANDOM = re.compile(r"[a-z]*+[0-9]++[a-z]++[0-9][a-z0-9]*+\Z", re.I)
"""Alternating letters and digits, as in no word."""
_UUID = re.compile(r"\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?", re.I)
_EXTENSION = re.compile(r"\.[a-z]{2,5}\Z", re.I)
_CODED = re.compile(r"%[0-9A-F]{2}")
_WORD_MARKS = re.compile(r"[-_+,]|%20")
_LANGUAGE = frozenset(("lang", "language", "lng", "hl", "locale", "l"))
_CODE = re.compile(r"[A-Za-z]{2}(?:[-_][A-Za-z]{2,4})?\Z")
"""Values of a parameter that chooses the language: pages in another language are of another template."""
_LONG = 24
_SHORT = 5
_MARKS_OF_A_SLUG = 2


def template(url: str) -> str:
    """Path and query of a normalised URL with the varying parts replaced.

    Digits become ``0``, hashes ``#``, long names of articles ``-``, the query the sorted names of its parameters.
    ``/2024/05/17/kisa-nad-zagrebom.html?b=1&a=2`` → ``/0/0/0/-.html?a&b``
    """
    path, mark, query = url[url.index("/", 8) :].partition("?")
    segments = path.split("/")
    if len(segments) > _MOST_SEGMENTS + 1:
        segments = [*segments[: _MOST_SEGMENTS + 1], "…"]
    shape = "/".join(_shape(segment) if segment else "" for segment in segments)
    return f"{shape}?{_names(query)}" if mark else shape


def _shape(segment: str) -> str:
    extension = _EXTENSION.search(segment)
    suffix = extension[0].lower() if extension else ""
    name = segment[: len(segment) - len(suffix)] if suffix else segment
    if _UUID.match(name) or _HASH.match(name) or (len(name) > _SHORT and _RANDOM.match(name)):
        return "#" + suffix
    if len(_WORD_MARKS.findall(name)) >= _MARKS_OF_A_SLUG or len(name) >= _LONG or len(_CODED.findall(name)) > 2:
        return "-" + suffix
    return _DIGITS.sub("0", name) + suffix


def _names(query: str) -> str:
    parts = (part.partition("=") for part in re.split("[&;]", query))
    names = {f"lang={value}" if name in _LANGUAGE and _CODE.match(value) else name for name, _, value in parts}
    return "&".join(sorted({_DIGITS.sub("0", name)[:_LONG] for name in names})[:_MOST_NAMES])
