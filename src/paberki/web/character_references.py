"""Character references of strangers, resolved as browsers do it, however long they are."""

from __future__ import annotations

import html
import re

_ZEROS = re.compile(r"&#([xX]?+)0++(?=[0-9A-Fa-f])")
_TOO_LARGE = re.compile(r"&#(?:[xX][0-9A-Fa-f]{9,}+|[0-9]{9,}+);?+")
"""Numbers beyond Unicode; the library makes a number of all their digits, and refuses where there are thousands."""


def resolve_references(text: str) -> str:
    """The text with its character references resolved."""
    if "&#" in text:
        text = _TOO_LARGE.sub("\ufffd", _ZEROS.sub(r"&#\1", text))
    return html.unescape(text)
