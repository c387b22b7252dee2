"""Characters that do not belong in text: U+FFFD in the page itself, control characters, noncharacters.

They come from a wrong encoding further back, in somebody's database or editor, so that the bytes of the page decode and
its text is damaged all the same (P1 §2.3, P2 §3 step 1). Scripts and style sheets are not counted.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from paberki.kernels import load

_INVALID: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffd-\uffff]")
_REFERENCE: Final = re.compile(r"&#(?:0*65533|x0*fffd|0+|x0+)(?![0-9a-f]);?", re.IGNORECASE)
"""U+FFFD as a character reference, and NUL, which is read as U+FFFD."""
_NO_TEXT: Final = re.compile(r"<(script|style)\b.*?</\1\s*>|<(?:script|style)\b.*", re.IGNORECASE | re.DOTALL)


def count_invalid(text: str) -> int:
    """Number of characters, written plainly or as references, that do not belong in text.

    >>> count_invalid("Dobar dan\\x80, <b>ka\\ufffda</b> &#xFFFD;<script>'\\ufffd'</script>")
    3
    """
    if not _suspect(text):
        return 0
    visible = _NO_TEXT.sub(" ", text)
    return len(_INVALID.findall(visible)) + len(_REFERENCE.findall(visible))


def _suspect(text: str) -> bool:
    """A quick look at the bytes, since most pages have none: one compiled pass."""
    data = text.encode("utf-8", "replace")
    return bool(load("paberki.decoding.invalid_kernel").suspect(np.frombuffer(data, np.uint8)))
