"""Structures of a segment: regions of tokens with attributes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.errors import QueryError
from paberki.kernels import load
from paberki.nearest import nearest
from paberki.query.index.attribute import COLUMNS
from paberki.query.index.container import Container
from paberki.query.index.lexicon import Lexicon


class StructureAttribute(Lexicon):
    """A value for each region. A region without the attribute has the empty value."""

    def __init__(self, container: Container, structure: str, name: str) -> None:
        prefix = f"s/{structure}/{name}"
        super().__init__(container.array(f"{prefix}/bytes"), container.array(f"{prefix}/offsets"))
        self.name = name
        self.ids: npt.NDArray[Any] = container.array(f"{prefix}/ids")

    @cached_property
    def value_numbers(self) -> npt.NDArray[np.float64] | None:
        """The values as numbers, NaN for the empty one; None where one is not a number."""
        strings = self.strings
        filled = pc.if_else(pc.equal(strings, ""), pa.scalar(None, pa.large_string()), strings)
        try:
            numbers = pc.cast(filled, pa.float64())
        except pa.ArrowInvalid:
            return None
        values: npt.NDArray[np.float64] = numbers.to_numpy(zero_copy_only=False)
        return values

    @cached_property
    def numbers(self) -> npt.NDArray[np.float64] | None:
        """The number of each region, NaN where it has none; None where values are not numbers."""
        values = self.value_numbers
        return None if values is None else values[self.ids]


class Structure:
    """Regions, half-open, sorted by start and the longer of several first."""

    def __init__(
        self, container: Container, name: str, about: Mapping[str, Any], columns: Container | None = None
    ) -> None:
        self.name = name
        self._container, self._columns = container, columns or container
        self.attributes: tuple[str, ...] = tuple(about["attributes"])
        if f"s/{name}/edges" in container:
            edges = container.array(f"s/{name}/edges")
            self.starts, self.ends = edges[:-1], edges[1:]
        else:
            self.starts, self.ends = container.array(f"s/{name}/starts"), container.array(f"s/{name}/ends")
        outer = f"s/{name}/outer"
        self._outer = container.array(outer) if outer in container else np.zeros(0, np.int32)
        self._values: dict[str, StructureAttribute] = {}

    @property
    def size(self) -> int:
        """Number of regions."""
        return len(self.starts)

    @property
    def nested(self) -> bool:
        """Whether some regions lie within others."""
        return len(self._outer) > 0

    def attribute(self, name: str) -> StructureAttribute:
        """An attribute of the regions."""
        if name not in self._values:
            if name not in self.attributes:
                raise QueryError(f"{self.name} has no attribute {name!r}{nearest(name, self.attributes)}")
            self._values[name] = StructureAttribute(self._columns, self.name, name)
        return self._values[name]

    def region_of(self, positions: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Number of the innermost region at each position, −1 for none."""
        places = np.ascontiguousarray(positions, np.int64)
        out = np.empty(len(places), np.int64)
        load(COLUMNS).innermost(self.starts, self.ends, self._outer, places, out)
        return out
