"""Words, numbers and punctuation marks apart: enough for a vertical file without linguistic annotation.

Languages written without spaces (Chinese, Japanese) give one character for each token; abbreviations, clitics and
dates are not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from paberki.quality.permissions.personal import types

_CJK = "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u00ad\u0300-\u036f\u0483-\u0487\u200c\u200d\u3099\u309a\ufe00-\ufe0f"
_LETTER = rf"[^\W_{_CJK}]"
_WORD = rf"{_LETTER}+(?:[{_MARKS}]+{_LETTER}*)*"
_MASK = rf"\[(?:{'|'.join(types())})\]"
_TOKEN = re.compile(
    rf"{_MASK}"  # what stands in the place of personal data is one token
    rf"|\d+(?:[.,:]\d+)+(?!{_LETTER})"  # 1.234,5 and 12:30
    rf"|[{_CJK}][{_MARKS}]*"
    rf"|{_WORD}(?:['’‐‑-]{_WORD})*"
    r"|(?P<mark>[^\w\s]|_)(?P=mark)*"  # ... and !!! are one token
    r"|\S"
)


def tokens(text: str) -> Iterator[tuple[str, bool]]:
    """Each token, and whether it follows the one before without a space."""
    end = -1
    for match in _TOKEN.finditer(text):
        yield match.group(), match.start() == end
        end = match.end()
