"""What the three dialects of CQL understand differently. All of them accept each other's spellings otherwise."""

from __future__ import annotations

from typing import Final

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.record import Record


class Dialect(Record):
    """Rules of a dialect."""

    name: str
    strategy: str
    """Matching strategy where neither the query nor the caller names one."""
    flags: str
    """Flags of strings without flags: BlackLab ignores case and diacritics."""
    doubled_quotes: bool
    """Two quotes inside a string are one: CQP. In the others they are the end of one string and the start of the next."""
    equal_precedence: bool
    """``&``, ``|`` and ``->`` bind alike, from left to right: BlackLab."""
    filters_from_right: bool
    """``A within B within C`` is ``A within (B within C)``: BlackLab."""
    empty_matches: bool
    """Patterns that can match nothing are allowed, and their empty matches dropped: BlackLab."""
    captures_count: bool
    """Equal spans with different labels are different hits: BlackLab."""
    in_documents: bool
    """Matches do not go from one page to the next: BlackLab."""


DIALECTS: Final = {
    "cqp": Dialect("cqp", "standard", "", True, False, False, False, False, False),
    "manatee": Dialect("manatee", "all", "", False, False, False, False, False, False),
    "blacklab": Dialect("blacklab", "all", "cd", False, True, True, True, True, True),
}


def dialect_of(name: str) -> Dialect:
    """The dialect of this name."""
    if name not in DIALECTS:
        hint = nearest(name, DIALECTS)
        raise QueryError(f"there is no dialect {name!r}{hint}; choose from {', '.join(DIALECTS)}")
    return DIALECTS[name]
