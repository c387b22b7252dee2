"""Text of strangers on a terminal: control characters are shown, not sent.

A page title with an escape sequence could move the cursor, rename the window or hide what follows; a bidirectional
override could show a host name backwards.
"""

from __future__ import annotations

import re
from typing import Final

_SUSPECT: Final = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional marks, embeddings, overrides, isolates
    "\u2028\u2029\ud800-\udfff"  # line separators; lone surrogates, which no terminal can be sent
    "]"
)
_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f]")
_C0_END, _C0_PICTURES = 0x20, 0x2400
"""Unicode has a picture for each C0 control: U+001B is shown as U+241B."""
_DELETE, _DELETE_PICTURE = "\x7f", "\u2421"


def visible(text: str, *, lines: bool = False) -> str:
    """The text with control characters, bidirectional marks and lone surrogates in a visible form.

    With ``lines`` tabs and line feeds stay as they are.
    """
    return _SUSPECT.sub(_line_form if lines else _form, text)


def without_controls(text: str) -> str:
    """The text with control characters alone in a visible form, tabs and line feeds as they are: for files and pipes.

    Marks that direct the writing stay: Hebrew, Arabic and Persian words may hold them.
    """
    return _CONTROL.sub(_line_form, text)


def _form(match: re.Match[str]) -> str:
    char = match[0]
    if char == _DELETE:
        return _DELETE_PICTURE
    return chr(_C0_PICTURES + ord(char)) if ord(char) < _C0_END else f"<U+{ord(char):04X}>"


def _line_form(match: re.Match[str]) -> str:
    return match[0] if match[0] in "\t\n" else _form(match)
