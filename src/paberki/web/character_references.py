"""Resolves HTML character references as browsers do, also hostile ones."""

from __future__ import annotations

import html
import re

_ZEROS = re.compile(r"&#([xX]?+)0++(?=[0-9A-Fa-f])")
_TOO_LARGE = re.compile(r"&#(?:[xX][0-9A-Fa-f]{9,}+|[0-9]{9,}+);?+")
"""Numbers beyond Unicode; the standard library converts all their digits, and fails on thousands of them."""


def resolve_references(text: str) -> str:
    """Resolve all character references of a text."""
    if "&#" in text:
        text = _TOO_LARGE.sub("\ufffd", _ZEROS.sub(r"&#\1", text))
    return html.unescape(text)
