"""A segment: an immutable part of the index with all columns of its tokens, memory-mapped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from paberki.errors import QueryError
from paberki.nearest import nearest
from paberki.query.index.attribute import TokenAttribute
from paberki.query.index.container import Container
from paberki.query.index.structure import Structure

if TYPE_CHECKING:
    from paberki.query.sources.overlay import Overlay


class BoolReader:
    """A bit for each token."""

    def __init__(self, bits: npt.NDArray[np.uint8]) -> None:
        self._bits = bits

    def at(self, positions: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        """The bits at these positions; all false where none are stored."""
        places = np.asarray(positions, np.int64)
        if not len(self._bits):
            return np.zeros(len(places), np.bool_)
        bits: npt.NDArray[np.bool_] = (self._bits[places >> 3] >> (places & 7).astype(np.uint8)) & 1 == 1
        return bits


class Segment:
    """Tokens, structures, heads. Positions are local; ``base`` is the global position of the first token."""

    def __init__(
        self,
        path: Path,
        number: int,
        digest: str,
        base: int,
        structures: Mapping[str, Sequence[str]],
        columns: Path | None = None,
    ) -> None:
        self.number, self.digest, self.base = number, digest, base
        self.file = path.name
        self._container = Container(path)
        self._columns = Container(columns) if columns else None
        self._schema = structures
        about = self._container.about
        self.tokens = int(about["tokens"])
        self._attributes: dict[str, TokenAttribute] = {}
        self._structures: dict[str, Structure] = {}
        self.attributes: tuple[str, ...] = tuple(about["attributes"])
        self.structures: tuple[str, ...] = tuple(structures)
        self.overlay: Overlay | None = None
        self.head: npt.NDArray[Any] | None = self._container.array("head") if "head" in self._container else None
        glue = self._container.array("glue") if "glue" in self._container else np.zeros(0, np.uint8)
        self.glue = BoolReader(glue)

    def attribute(self, name: str) -> TokenAttribute:
        """A positional attribute by its real name."""
        if name not in self._attributes:
            about = self._container.about["attributes"][name]
            base = self.attribute(about["from"]) if "from" in about else None
            self._attributes[name] = TokenAttribute(self._container, name, about, base)
        return self._attributes[name]

    def structure(self, name: str) -> Structure:
        """A structure."""
        if name not in self._structures:
            if name not in self._schema:
                raise QueryError(f"there is no structure {name!r}{nearest(name, self._schema)}")
            if self.overlay is not None and self.overlay.name == name:
                self._structures[name] = self.overlay.structure(self)
            else:
                self._structures[name] = Structure(self._container, name, self._schema[name], self._columns)
        return self._structures[name]

    def with_overlay(self, overlay: Overlay) -> Segment:
        """The same segment with one more structure."""
        other = copy(self)
        other.overlay = overlay
        other._schema = {**self._schema, overlay.name: overlay.attributes}
        other.structures = tuple(other._schema)
        other._structures = {name: one for name, one in self._structures.items() if name != overlay.name}
        return other

    def rest(self) -> None:
        """Give the memory of mapped columns back."""
        for container in (self._container, self._columns):
            if container is not None:
                container.rest()

    def sizes(self) -> dict[str, int]:
        """Bytes of every array, for statistics about the index."""
        sizes = {name: self._container.size_of(name) for name in self._container}
        return sizes | {name: self._columns.size_of(name) for name in self._columns or ()} if self._columns else sizes
