"""Characters that no text has: U+FFFD that the page itself holds, control characters, noncharacters.

They come from a wrong encoding further back, in somebody's database or editor, so that the bytes of the page decode and
its text is damaged all the same (P1 §2.3, P2 §3 step 1). What scripts and style sheets hold is no text.
"""

from __future__ import annotations

import re
from typing import Final

_CONTROLS: Final = bytes(value for value in (*range(0x20), 0x7F) if value not in b"\t\n\v\f\r")
_INVALID: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffd-\uffff]")
_REFERENCE: Final = re.compile(r"&#(?:0*65533|x0*fffd|0+|x0+)(?![0-9a-f]);?", re.IGNORECASE)
"""U+FFFD as a character reference, and NUL, which is read as U+FFFD."""
_REFERENCE_START: Final = re.compile(rb"&#(?:0*65533|0+(?![0-9])|[xX]0*[fF]{3}[dD]|[xX]0+(?![0-9a-fA-F]))")
"""The same in bytes, which begins with letters that are searched for quickly."""
_SUSPECTS: Final = tuple(map(re.compile, (rb"\xc2[\x80-\x9f]", rb"\xef\xbf[\xbd-\xbf]", rb"\xef\xb7[\x90-\xaf]")))
"""Each begins with a byte of its own, which is searched for many times as fast as one of several."""
_NO_TEXT: Final = re.compile(r"<(script|style)\b.*?</\1\s*>|<(?:script|style)\b.*", re.IGNORECASE | re.DOTALL)


def count_invalid(text: str) -> int:
    """How many characters of a page, be they written plainly or as references, are none of a text.

    >>> count_invalid("Dobar dan\\x80, <b>ka\\ufffda</b> &#xFFFD;<script>'\\ufffd'</script>")
    3
    """
    if not _suspect(text):
        return 0
    shown = _NO_TEXT.sub(" ", text)
    return len(_INVALID.findall(shown)) + len(_REFERENCE.findall(shown))


def _suspect(text: str) -> bool:
    """A quick look at the bytes, since most pages have none."""
    data = text.encode("utf-8", "replace")
    if len(data.translate(None, _CONTROLS)) < len(data) or _REFERENCE_START.search(data):
        return True
    return len(data) > len(text) and any(pattern.search(data) for pattern in _SUSPECTS)
