"""What the names in a query mean in an index: attributes, structures, attributes of structures, features, labels."""

from __future__ import annotations

import re
from typing import NoReturn

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.index.reader import Index
from paberki.query.matching.conditions.regions import is_nested
from paberki.query.syntax.terms import Attribute, Place


class Names:
    """The names of an index."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.default = index.default
        self.multi = frozenset(getattr(index, "multi", ()))

    def token_attribute(self, name: str) -> str | None:
        """The real name of a positional attribute, None if there is none."""
        if not name:
            return self.default
        real = self.index.aliases.get(name, name)
        return real if real in self.index.attributes else None

    def structure_attribute(self, name: str) -> tuple[str, str] | None:
        """``doc_year`` as structure and attribute."""
        for at, sign in enumerate(name):
            if sign == "_" and name[at + 1 :] in self.index.structures.get(name[:at], ()):
                return name[:at], name[at + 1 :]
        return None

    def is_structure(self, name: str) -> bool:
        """Whether there are regions of this name."""
        return name in self.index.structures

    def structure(self, name: str, at: Place) -> str:
        """A structure by its name, or an error with the nearest one."""
        if name not in self.index.structures:
            self.unknown("structure", name, tuple(self.index.structures), at)
        return name

    def nested(self, structure: str) -> bool:
        """Whether regions of a structure lie within each other somewhere."""
        return any(is_nested(segment.structure(structure)) for segment in self.index.segments)

    def structures_like(self, pattern: str, at: Place) -> list[str]:
        """Structures whose names match a pattern."""
        try:
            regex = re.compile(pattern)
        except re.error as error:
            raise QueryError(
                f"the pattern of names {pattern!r} is wrong: {error}", position=at[0], length=at[1]
            ) from None
        names = [name for name in self.index.structures if regex.fullmatch(name)]
        if not names:
            self.unknown("structure", pattern, tuple(self.index.structures), at)
        return names

    def tag(self, name: str, at: Place) -> tuple[str, str | None]:
        """The structure of a tag, and its attribute where CQP writes ``s_id``."""
        if self.is_structure(name):
            return name, None
        pair = self.structure_attribute(name)
        if pair is None:
            self.unknown("structure", name, tuple(self.index.structures), at)
        return pair

    def attribute_of(self, structure: str, attribute: Attribute) -> str:
        """An attribute of a structure, or an error with the nearest one."""
        names = self.index.structures[structure]
        if attribute.name not in names:
            self.unknown(f"attribute of {structure}", attribute.name, names, attribute.at)
        return attribute.name

    def feature(self, name: str) -> tuple[str, str] | None:
        """``Case`` as the set-valued attribute that has members ``Case=…`` and the spelling it has there."""
        for attribute in self.multi:
            for segment in self.index.segments:
                for value in segment.attribute(attribute).set_values.strings.to_pylist():
                    key = value.partition("=")[0]
                    if "=" in value and key.lower() == name.lower():
                        return attribute, key
        return None

    def unknown_attribute(self, attribute: Attribute) -> NoReturn:
        """No attribute has this name."""
        if self.is_structure(attribute.name):
            self._is_no_attribute(attribute)
        names = (*self.index.attributes, *self.index.aliases, *self.index.structures)
        self.unknown("attribute", attribute.name, names, attribute.at)

    def _is_no_attribute(self, attribute: Attribute) -> NoReturn:
        """The name of a structure stands where only an attribute makes sense."""
        full_names = tuple(f"{attribute.name}_{one}" for one in self.index.structures[attribute.name])
        position, length = attribute.at
        place = f" (character {position + 1})" if position >= 0 else ""
        attributes = f"its attributes are {', '.join(full_names[:30])}" if full_names else "it has no attributes"
        raise QueryError(
            f"{attribute.name!r} is a structure, not an attribute{place}; {attributes}",
            position=position if position >= 0 else None,
            length=length,
            expected=full_names,
        )

    def unknown(self, kind: str, name: str, names: tuple[str, ...], at: Place) -> NoReturn:
        """An error that says what there is instead."""
        hint = nearest(name, tuple(one for one in names if one != name))
        choices = ", ".join(names[:30]) or "none"
        place = f" (character {at[0] + 1})" if at[0] >= 0 else ""
        raise QueryError(
            f"there is no {kind} {name!r}{place}{hint}; there are: {choices}",
            position=at[0] if at[0] >= 0 else None,
            length=at[1],
            expected=names,
            suggestion=hint.partition("mean '")[2].removesuffix("'?") or None,
        )
