"""Attributes that an imported file gave its pages, paragraphs and sentences: they are written again under their names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

NAME: Final = re.compile(r"[^\W\d][\w.:-]{0,60}|\d{1,2}graph\w{0,20}")
"""Names that tags can have, in any script; P3's ``3graph`` is legal in vertical files alone."""
_PAIR: Final = re.compile(r"#?\s*([\w.:-]+)\s*=\s?(.*)")
_OWN: Final = frozenset(("text", "scheme", "newpar id", "newdoc id"))


def more_attributes(pairs: Sequence[dict[str, Any]] | None, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Attributes of a page or paragraph that are no columns of the corpus."""
    seen_names = set(names)
    for pair in pairs or ():
        if pair["name"] not in seen_names and NAME.fullmatch(pair["name"]):
            seen_names.add(pair["name"])
            yield pair["name"], pair["value"]


def comment_attribute(comment: str) -> tuple[str, str] | None:
    """Name and value of a comment of a sentence that can be an attribute of ``<s>``."""
    match = _PAIR.fullmatch(comment.strip())
    if match is None or match[1] in _OWN or not NAME.fullmatch(match[1]):
        return None
    return match[1], match[2]
