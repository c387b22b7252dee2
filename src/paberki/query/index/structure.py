"""Structures of a segment: regions of tokens with attributes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from paberki.arrow import pa, pc
from paberki.errors import QueryError
from paberki.kernels import load
from paberki.nearest import nearest
from paberki.query.index.attribute import COLUMNS
from paberki.query.index.container import Container
from paberki.query.index.lexicon import Ids, ValueLexicon


class StructureAttribute(ValueLexicon):
    """A value for each region. A region without the attribute has the empty value."""

    def __init__(self, container: Container, structure: str, name: str) -> None:
        prefix = f"s/{structure}/{name}"
        super().__init__(container.array(f"{prefix}/bytes"), container.array(f"{prefix}/lengths"))
        self.name = name
        self.ids: npt.NDArray[Any] = container.array(f"{prefix}/ids")

    @cached_property
    def by_code_point(self) -> Ids:
        """Ids in the order of code points, in which they are stored."""
        return np.arange(self.size, dtype=np.uint32)

    @property
    def whole_numbers(self) -> npt.NDArray[np.int64]:
        """The numbers where all are whole."""
        numbers = self.numbers
        if numbers is None:
            raise TypeError(f"{self.name} is not a number")
        return numbers.astype(np.int64)

    @cached_property
    def value_numbers(self) -> npt.NDArray[np.float64] | None:
        """The values as numbers, NaN for the empty one; None where one is not a number, or all are empty."""
        strings = self.strings
        texts = pc.if_else(pc.equal(strings, ""), pa.scalar(None, pa.large_string()), strings)
        try:
            numbers = pc.cast(texts, pa.float64())
        except pa.ArrowInvalid:
            return None
        values: npt.NDArray[np.float64] = numbers.to_numpy(zero_copy_only=False)
        return values if numbers.null_count < len(values) else None

    @cached_property
    def numbers(self) -> npt.NDArray[np.float64] | None:
        """The number of each region, NaN where it has none; None where values are not numbers."""
        values = self.value_numbers
        return None if values is None else values[self.ids]


class NumberAttribute(StructureAttribute):
    """An attribute that is stored as numbers; its values as strings are made when somebody asks for them."""

    def __init__(self, name: str, column: npt.NDArray[Any]) -> None:
        self.name, self._column = name, column

    @cached_property
    def numbers(self) -> npt.NDArray[np.float64]:
        """The number of each region, NaN where it has none."""
        return self._column.astype(np.float64)

    @property
    def whole_numbers(self) -> npt.NDArray[np.int64]:
        """The numbers as they are stored, where all are whole."""
        return self._column.astype(np.int64)

    @cached_property
    def _dictionary(self) -> tuple[ValueLexicon, npt.NDArray[np.int64]]:
        distinct, numbers = np.unique(self._column, return_inverse=True)
        texts = [_text(one) for one in distinct.tolist()]
        order = sorted(range(len(texts)), key=texts.__getitem__)
        ranks = np.empty(len(texts), np.int64)
        ranks[order] = np.arange(len(texts))
        raw = [texts[at].encode() for at in order]  # without Arrow: its import would take longer than a first page
        content = np.frombuffer(b"".join(raw), np.uint8)
        return ValueLexicon(content, np.array([len(one) for one in raw], np.int64)), ranks[numbers]

    @cached_property
    def ids(self) -> npt.NDArray[Any]:  # type: ignore[override]
        """Number of the value of each region."""
        return self._dictionary[1]

    @cached_property
    def lexicon_bytes(self) -> npt.NDArray[np.uint8]:  # type: ignore[override]
        """Bytes of the values."""
        return self._dictionary[0].lexicon_bytes

    @cached_property
    def _lengths(self) -> npt.NDArray[Any]:  # type: ignore[override]
        return self._dictionary[0]._lengths


class EmptyAttribute(StructureAttribute):
    """An attribute that no region of this segment has."""

    def __init__(self, name: str, size: int) -> None:
        ValueLexicon.__init__(self, np.zeros(0, np.uint8), np.zeros(1, np.uint8))
        self.name = name
        self.ids = np.zeros(size, np.uint8)


def _text(number: float) -> str:
    if number != number:
        return ""
    return str(number) if isinstance(number, int) else f"{number:.6g}"


class Structure:
    """Regions, half-open, sorted by start and the longer of several first."""

    def __init__(self, container: Container, name: str, attributes: Sequence[str], columns: Container | None) -> None:
        self.name, self.attributes = name, tuple(attributes)
        self._containers = [one for one in (container, columns) if one is not None]
        none = np.zeros(0, np.int32)
        if f"s/{name}/edges" in container:
            edges = container.array(f"s/{name}/edges")
            self.starts, self.ends = edges[:-1], edges[1:]
        elif f"s/{name}/starts" in container:
            self.starts, self.ends = container.array(f"s/{name}/starts"), container.array(f"s/{name}/ends")
        else:
            self.starts = self.ends = none
        outer = f"s/{name}/outer"
        self._outer = container.array(outer) if outer in container else none
        self._values: dict[str, StructureAttribute] = {}

    @property
    def size(self) -> int:
        """Number of regions."""
        return len(self.starts)

    @property
    def nested(self) -> bool:
        """Whether some regions overlap."""
        return bool((self.starts[1:] < self.ends[:-1]).any())

    def attribute(self, name: str) -> StructureAttribute:
        """An attribute of the regions."""
        if name not in self._values:
            if name not in self.attributes:
                raise QueryError(f"{self.name} has no attribute {name!r}{nearest(name, self.attributes)}")
            self._values[name] = self._read(name)
        return self._values[name]

    def _read(self, name: str) -> StructureAttribute:
        prefix = f"s/{self.name}/{name}"
        for container in self._containers:
            if f"{prefix}/numbers" in container:
                return NumberAttribute(name, container.array(f"{prefix}/numbers"))
            if f"{prefix}/ids" in container:
                return StructureAttribute(container, self.name, name)
        return EmptyAttribute(name, self.size)

    def region_of(self, positions: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Number of the innermost region at each position, −1 for none."""
        places = np.ascontiguousarray(positions, np.int64)
        out = np.empty(len(places), np.int64)
        load(COLUMNS).innermost(self.starts, self.ends, self._outer, places, out)
        return out
