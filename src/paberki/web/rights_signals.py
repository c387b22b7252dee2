"""Statements of site owners about the use of a page, and how robots.txt lines and HTTP headers write them.

``Content-Usage`` is the IETF's (draft-ietf-aipref-attach: ``train-ai=n``), ``Content-Signal`` Cloudflare's
(``search=yes, ai-train=no``). In robots.txt a path may precede them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PREFERENCE = re.compile(r"([A-Za-z][A-Za-z0-9_.*-]*)\s*=\s*\"?(\?[01]|[A-Za-z0-9]+)")
_PATH = re.compile(r"([/*]\S*)\s*(.*)", re.S)
_VALUES = {
    **dict.fromkeys(("n", "no", "?0", "0", "false", "disallow", "deny"), "n"),
    **dict.fromkeys(("y", "yes", "?1", "1", "true", "allow"), "y"),
}
_LONGEST = 4096


@dataclass(frozen=True, slots=True)
class Signal:
    """One statement about use: its source, name and value."""

    source: str
    """``robots``, ``header``, ``meta``, ``tdmrep`` or ``ai.txt``."""
    name: str
    """In lower case: ``noindex``, ``noai``, ``tdm-reservation``, ``train-ai`` …"""
    value: str = ""
    """``1``, ``y``, ``n``, a date or address; empty if the name is enough."""

    def __str__(self) -> str:
        return f"{self.source}:{self.name}={self.value}" if self.value else f"{self.source}:{self.name}"


def preferences(value: str, source: str) -> tuple[str, tuple[Signal, ...]]:
    """The path at the start of a line (empty if there is none) and its preferences, with values ``y`` or ``n``."""
    path, rest = "", value[:_LONGEST].strip()
    if (match := _PATH.match(rest)) is not None:
        path, rest = match.groups()
    matches = (_PREFERENCE.match(part.strip()) for part in re.split("[,;]", rest))
    return path, tuple(
        Signal(source, match[1].lower(), _VALUES.get(match[2].lower(), match[2].lower())) for match in matches if match
    )
