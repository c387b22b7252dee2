"""Values without capitals (``%c``) or without diacritics (``%d``).

Queries and index fold with the same functions: a value that is not in the folded lexicon does not occur.
"""

from __future__ import annotations

from typing import Final, Literal

from paberki.arrow import pa, pc

Kind = Literal["c", "d", "cd"]
KINDS: Final[tuple[Kind, ...]] = ("c", "d", "cd")
_MARKS: Final = r"\p{Mn}+"


def fold_strings(values: pa.Array, kind: Kind) -> pa.Array:
    """The values in small letters (``c``), without combining marks (``d``), or both."""
    if "c" in kind:
        values = pc.utf8_lower(values)
    if "d" in kind:
        values = pc.utf8_normalize(values, "NFD")
        values = pc.replace_substring_regex(values, _MARKS, "")
        values = pc.utf8_normalize(values, "NFC")
    return values


def fold_text(text: str, kind: Kind) -> str:
    """The same for one value, as of a query."""
    folded_text: str = fold_strings(pa.array([text], pa.large_string()), kind)[0].as_py()
    return folded_text
