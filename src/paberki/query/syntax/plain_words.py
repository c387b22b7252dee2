"""Plain words as a query: several words are a sequence, ``*`` and ``?`` stand for letters, case does not matter.

A word matches as it is written or as a lemma. Text with brackets or double quotes is CQL already.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from paberki.query.index.reader import Index

__all__ = ["cql_of", "is_cql"]

_SIGNS: Final = re.compile(r'[\[\]"]|^\s*<')
_SPECIAL: Final = re.compile(r"[.+()|{}\\^$/]")


def is_cql(text: str) -> bool:
    """Whether a text can only be meant as CQL."""
    return bool(_SIGNS.search(text))


def cql_of(text: str, index: Index) -> str:
    """The query that a text stands for; CQL stays as it is, also if it is wrong."""
    if is_cql(text) or not text.split():
        return text
    attributes = [name for name in (index.default, "lemma") if name in index.attributes]
    return " ".join(_token(word, attributes) for word in text.split())


def _token(word: str, attributes: list[str]) -> str:
    pattern = _SPECIAL.sub(r"\\\g<0>", word).replace("*", ".*").replace("?", ".")
    return "[" + " | ".join(f'{name}="{pattern}"%c' for name in dict.fromkeys(attributes)) + "]"
