"""Tag paths: one string for the (tag, id, class) triples from below ``body`` down to an element (P1 §3 step 2)."""

from __future__ import annotations

import re
import zlib
from typing import Final

PATH_CHARS: Final = 512
"""Longest path string; a longer one becomes a checksum of the whole and its last steps."""

_TAIL_CHARS: Final = 400
_SPACES: Final = re.compile(r"[\s>]+")


class Paths:
    """Builds the path strings of one page; equal steps below equal paths share one string."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str | None, str | None], str] = {}

    def below(self, parent: str, tag: str, identifier: str | None, classes: str | None) -> str:
        """The path of an element, given the path of its parent (empty for ``body``)."""
        key = (parent, tag, identifier, classes)
        path = self._known.get(key)
        if path is None:
            path = self._known[key] = _join(parent, _step(tag, identifier, classes))
        return path


def _step(tag: str, identifier: str | None, classes: str | None) -> str:
    step = tag
    if identifier:
        step += "#" + _SPACES.sub("_", identifier.strip())
    if classes:
        step += "." + ".".join(_SPACES.sub(" ", classes).split())
    return step


def _join(parent: str, step: str) -> str:
    path = f"{parent}>{step}" if parent else step
    if len(path) <= PATH_CHARS:
        return path
    checksum = zlib.crc32(path.encode("utf-8", "surrogatepass"))
    return f"~{checksum:08x}…{path[-_TAIL_CHARS:]}"
