"""Frozen records that cost nothing to declare.

``dataclass`` writes and compiles the source of five functions for every class, about a millisecond each: a process that
answers one query would spend a tenth of a second on declarations. Records share their functions instead.

>>> class Place(Record):
...     name: str
...     number: int = 0
>>> Place("here") == Place("here", 0), Place("there", number=2)
(True, Place(name='there', number=2))
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, ClassVar, Final, Self, dataclass_transform

__all__ = ["Record"]

_UNCOMPARED: Final = frozenset({"at"})


class _Declaration(type):
    """Reads the fields of a record from its annotations."""

    def __new__(mcs, name: str, bases: tuple[type, ...], content: dict[str, Any]) -> Any:
        fields = tuple(content.get("__annotations__", ())) if bases else ()
        defaults = {field: content.pop(field) for field in fields if field in content}
        own: dict[str, Any] = {}
        if bases:
            compared_fields = [field for field in fields if field not in _UNCOMPARED]
            own = {"__slots__": fields, "__match_args__": fields, "fields": fields, "defaults": defaults}
            own["_content"] = staticmethod(attrgetter(*compared_fields) if compared_fields else bool)
        return super().__new__(mcs, name, bases, {**content, **own})


@dataclass_transform(frozen_default=True)
class Record(metaclass=_Declaration):
    """Named values that never change. Two of one class are equal if all values are; ``at``, the place where something
    was read, does not count."""

    __slots__ = ()
    fields: ClassVar[tuple[str, ...]]
    """Names of all values."""
    defaults: ClassVar[dict[str, Any]]
    _content: ClassVar[Callable[[Any], Any]]
    """What is compared."""

    def __init__(self, *values: Any, **more_values: Any) -> None:
        fields = self.fields
        if len(values) > len(fields):
            raise TypeError(f"{type(self).__name__} has {len(fields)} values, not {len(values)}")
        set_field = object.__setattr__
        for field, value in zip(fields, values, strict=False):
            set_field(self, field, value)
        for field in fields[len(values) :]:
            if field in more_values:
                set_field(self, field, more_values.pop(field))
            elif field in self.defaults:
                set_field(self, field, self.defaults[field])
            else:
                raise TypeError(f"{type(self).__name__} needs {field!r}")
        if more_values:
            raise TypeError(f"{type(self).__name__} cannot take {next(iter(more_values))!r}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self is other or bool(type(self)._content(self) == type(self)._content(other))

    def __hash__(self) -> int:
        return hash((type(self), type(self)._content(self)))

    def __repr__(self) -> str:
        field_texts = (f"{field}={getattr(self, field)!r}" for field in self.fields if field not in _UNCOMPARED)
        return f"{type(self).__name__}({', '.join(field_texts)})"

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} never changes; use changed({name}=…)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} never changes")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, field) for field in self.fields)

    def changed(self, **values: Any) -> Self:
        """The same record with some other values."""
        return type(self)(**{**{field: getattr(self, field) for field in self.fields}, **values})
