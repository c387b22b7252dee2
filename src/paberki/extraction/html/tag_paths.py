"""Tag paths: one string for the (tag, id, class) triples from below ``body`` to an element (P1 §2.2 step 2)."""

from __future__ import annotations

import re
import zlib
from typing import Final

PATH_CHARS: Final = 512
"""Longest path string; a longer one becomes a checksum of the whole and its last steps."""

_TAIL_CHARS: Final = 400
_SPACES: Final = re.compile(r"[\s>]+")


def path_below(parent: str, tag: str, identifier: str | None, classes: str | None) -> str:
    """The path of an element, given the path of its parent (empty for ``body``)."""
    path = _step(tag, identifier, classes)
    if parent:
        path = f"{parent}>{path}"
    if len(path) <= PATH_CHARS:
        return path
    checksum = zlib.crc32(path.encode("utf-8", "surrogatepass"))
    return f"~{checksum:08x}…{path[-_TAIL_CHARS:]}"


def _step(tag: str, identifier: str | None, classes: str | None) -> str:
    step = tag
    if identifier:
        step += "#" + _SPACES.sub("_", identifier.strip())
    if classes:
        step += "." + ".".join(_SPACES.sub(" ", classes).split())
    return step
