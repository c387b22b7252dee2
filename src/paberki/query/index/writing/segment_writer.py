"""Makes a segment of batches of tokens: columns wait on disk, values in a table, regions in memory."""

from __future__ import annotations

import html
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.kernels import load
from paberki.query.index.attribute import COLUMNS
from paberki.query.index.container import ContainerWriter
from paberki.query.index.lexicon import Folded
from paberki.query.index.manifest import SegmentEntry
from paberki.query.index.scratch_columns import PIECE, ScratchColumn
from paberki.query.index.writing.attribute_writer import (
    as_sets,
    small,
    write_counts,
    write_dictionary,
    write_folds,
    write_ids,
    write_lemmas,
    write_orders,
    write_postings,
    write_sets,
    write_values,
)
from paberki.query.index.writing.interning import Interner
from paberki.store.files import TEMPORARY

Places = npt.NDArray[np.int32]
_REPLACED: Final = "\ufffd"
"""Stands for bytes that are no text: different ones may have become equal."""
LOWER: Final = "lc"
"""Attribute that is derived from the first one: its values in small letters."""
LEMPOS: Final = "lempos"
LEMMA: Final = "lemma"
"""Attribute that is derived from :data:`LEMPOS`: ``grad`` from ``grad-n``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """What every token of an index has."""

    attributes: tuple[str, ...]
    """Positional attributes that have a column, the default one first."""
    multi: frozenset[str] = frozenset()
    """Attributes whose values are sets, ``|one|two|``."""
    lang: str | None = None
    escaped: bool = False
    """Whether values of tokens may hold ``&amp;`` and the like."""
    escaped_tags: bool = False
    """The same for attributes of structures."""
    separators: Mapping[str, str] = field(default_factory=dict)
    """What stands between the values of sets, where it is not ``|``."""

    @property
    def all_attributes(self) -> tuple[str, ...]:
        """With the derived ones, each behind the one that it is derived from."""
        derived_names = {self.attributes[0]: [LOWER] if LOWER not in self.attributes else []}
        if self.has_derived_lemma:
            derived_names.setdefault(LEMPOS, []).append(LEMMA)
        return tuple(one for name in self.attributes for one in (name, *derived_names.get(name, ())))

    @property
    def has_derived_lemma(self) -> bool:
        """Whether there are lemmas with their part of speech, and none without."""
        return LEMPOS in self.attributes and LEMMA not in self.attributes and LEMPOS not in self.multi


@dataclass(slots=True)
class _Regions:
    """Regions of one structure as they come."""

    starts: list[npt.NDArray[Any]] = field(default_factory=list)
    ends: list[npt.NDArray[Any]] = field(default_factory=list)
    values: dict[str, list[npt.NDArray[np.uint32]]] = field(default_factory=dict)
    numbers: dict[str, list[npt.NDArray[np.int64]]] = field(default_factory=dict)
    count: int = 0


class SegmentWriter:
    """One segment in the making. Values are entries of :attr:`interner`, in columns named like the attributes."""

    def __init__(self, directory: Path, schema: Schema) -> None:
        self.schema, self.tokens = schema, 0
        self.interner = Interner()
        directory.mkdir(parents=True, exist_ok=True)
        self._scratch = Path(tempfile.mkdtemp(prefix=TEMPORARY, dir=directory))
        self._columns = {
            name: ScratchColumn(self._scratch / f"{number}.column", np.uint32)
            for number, name in enumerate(schema.attributes)
        }
        self._head: ScratchColumn | None = None
        self._glue: ScratchColumn | None = None
        self._regions: dict[str, _Regions] = {}

    def add(
        self,
        values: Mapping[str, npt.NDArray[np.uint32]],
        *,
        head: npt.NDArray[np.int32] | None = None,
        glue: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        """Add tokens: an entry of each attribute for each of them.

        ``head`` counts from 1 in the sentence (a region of ``s``), 0 is the root.
        """
        count = len(values[self.schema.attributes[0]])
        for name, column in self._columns.items():
            column.append(values[name])
        if head is not None:
            self._head = self._head or ScratchColumn(self._scratch / "head.column", np.int32)
            self._head.append(np.zeros(self.tokens - self._head.count, np.int32))
            self._head.append(head)
        if glue is not None and glue.any():
            self._glue = self._glue or ScratchColumn(self._scratch / "glue.column", np.uint8)
            self._glue.append(np.zeros(self.tokens - self._glue.count, np.uint8))
            self._glue.append(glue)
        self.tokens += count

    def add_regions(
        self,
        name: str,
        starts: npt.NDArray[Any],
        ends: npt.NDArray[Any],
        values: Mapping[str, npt.NDArray[np.uint32]],
        numbers: Mapping[str, npt.NDArray[Any]] | None = None,
    ) -> None:
        """Add regions, in any order: positions in this segment, and an entry of each attribute for each region.

        The column of an attribute is named ``structure.attribute``. ``numbers`` are attributes that are stored as such;
        all calls give the same ones.
        """
        regions = self._regions.setdefault(name, _Regions())
        regions.starts.append(starts)
        regions.ends.append(ends)
        for attribute in {**values, **regions.values}:
            before = regions.values.setdefault(attribute, [self._empty(name, attribute, regions.count)])
            before.append(values[attribute] if attribute in values else self._empty(name, attribute, len(starts)))
        for attribute, own in (numbers or {}).items():
            regions.numbers.setdefault(attribute, []).append(np.asarray(own, np.int64))
        regions.count += len(starts)

    def _empty(self, structure: str, attribute: str, count: int) -> npt.NDArray[np.uint32]:
        entry = self.interner.strings([""], f"{structure}.{attribute}")
        return np.repeat(entry, count)

    def close(self, path: Path) -> SegmentEntry:
        """Write the segment to a file that is not there yet."""
        out = ContainerWriter(path)
        try:
            attributes: dict[str, Any] = {}
            for name in self.schema.attributes:
                attributes |= self._write_attribute(out, name)
            self._write_flags(out)
            structures = {name: self._write_structure(out, name) for name in sorted(self._regions)}
            in_schema_order = {name: attributes[name] for name in self.schema.all_attributes}
            digest = out.close({"tokens": self.tokens, "attributes": in_schema_order, "structures": structures})
        except BaseException:
            out.abandon()
            raise
        finally:
            self.abandon()
        return SegmentEntry(path.name, digest, self.tokens)

    def abandon(self) -> None:
        """Remove what waits on disk."""
        for column in (*self._columns.values(), self._head, self._glue):
            if column is not None:
                column.remove()
        if self._scratch.is_dir():
            self._scratch.rmdir()

    def structures(self) -> dict[str, tuple[str, ...]]:
        """Structures so far and their attributes."""
        return {name: (*regions.numbers, *regions.values) for name, regions in self._regions.items()}

    def _write_attribute(self, out: ContainerWriter, name: str) -> dict[str, Any]:
        column = self._columns[name]
        counts = np.zeros(self.interner.entries, np.int64)
        count = load(COLUMNS).count
        for numbers in column.pieces():
            count(numbers, counts)
        present = np.flatnonzero(counts)
        values = self.interner.values(present)
        values, groups = _distinct(values, self.schema.escaped)
        if name in self.schema.multi:
            dictionary_array = as_sets(values, self.schema.separators.get(name, "|")).dictionary_encode()
            values, groups = dictionary_array.dictionary, dictionary_array.indices.to_numpy().astype(np.int64)[groups]
        totals = np.bincount(groups, counts[present], len(values)).astype(np.int64)
        order = np.argsort(-totals, kind="stable")
        ranks = np.empty(len(order), np.uint32)
        ranks[order] = np.arange(len(order), dtype=np.uint32)
        table = np.zeros(len(counts), np.uint32)
        table[present] = ranks[groups]
        values, totals = values.take(pa.array(order)), totals[order]
        lexicon = write_values(out, name, values, totals, self.schema.lang)
        width = write_ids(out, name, column, table, len(values))
        about: dict[str, Any] = {"width": width, **write_postings(out, name, column, table, totals, width)}
        column.remove()
        if name in self.schema.multi:
            about["multi"] = True
            write_sets(out, name, values)
        abouts = {name: about}
        if name == LEMPOS and self.schema.has_derived_lemma:
            self._write_derived(out, LEMMA, write_lemmas(out, f"d/{LEMMA}", lexicon, totals), totals)
            abouts[LEMMA] = {"from": name, "lexicon": f"d/{LEMMA}"}
        derives = name == self.schema.attributes[0] and LOWER not in self.schema.attributes
        lower = write_folds(out, name, lexicon, totals, small_letters=derives)
        if lower is not None:
            self._write_derived(out, LOWER, lower, totals)
            abouts[LOWER] = {"from": name, "lexicon": f"f/{name}/c"}
        return abouts

    def _write_derived(self, out: ContainerWriter, name: str, values: Folded, totals: npt.NDArray[np.int64]) -> None:
        write_counts(out, f"a/{name}", np.bincount(values.ids, totals).astype(np.int64))
        write_orders(out, f"a/{name}", values.strings, self.schema.lang)

    def _write_flags(self, out: ContainerWriter) -> None:
        if self._head is not None:
            self._head.append(np.zeros(self.tokens - self._head.count, np.int32))
            self._write_heads(out, self._head)
        if self._glue is not None:
            self._glue.append(np.zeros(self.tokens - self._glue.count, np.uint8))
            out.stream("glue", np.uint8, (np.packbits(one, bitorder="little") for one in self._glue.pieces(PIECE)))

    def _write_heads(self, out: ContainerWriter, column: ScratchColumn) -> None:
        """Distances to heads, in as few bytes as the longest needs."""
        starts, ends, _ = self._sorted_regions("s")

        def pieces() -> Iterator[npt.NDArray[np.int32]]:
            first = 0
            for numbers in column.pieces():
                distances = np.empty(len(numbers), np.int32)
                load(COLUMNS).head_offsets(numbers, starts, ends, first, distances)
                first += len(numbers)
                yield distances

        reach = max((int(np.abs(piece).max()) for piece in pieces()), default=0)
        kind = np.int8 if reach < 1 << 7 else np.int16 if reach < 1 << 15 else np.int32
        out.stream("head", kind, (piece.astype(kind) for piece in pieces()))

    def _sorted_regions(self, name: str) -> tuple[Places, Places, npt.NDArray[np.int64]]:
        """Starts and ends in order, empty regions left out, and which regions these are."""
        regions = self._regions.get(name, _Regions())
        starts = np.concatenate([*regions.starts, np.zeros(0, np.int32)]).astype(np.int32)
        ends = np.concatenate([*regions.ends, np.zeros(0, np.int32)]).astype(np.int32)
        order = np.lexsort((-ends, starts))
        order = order[ends[order] > starts[order]]
        return starts[order], ends[order], order

    def _write_structure(self, out: ContainerWriter, name: str) -> dict[str, Any]:
        regions = self._regions[name]
        starts, ends, order = self._sorted_regions(name)
        if len(starts) and (ends[:-1] == starts[1:]).all():
            out.add(f"s/{name}/edges", np.append(starts, ends[-1:]))
        else:
            out.add(f"s/{name}/starts", starts)
            out.add(f"s/{name}/ends", ends)
            outer = np.empty(len(ends), np.int32)
            if load(COLUMNS).enclose(ends, outer):
                out.add(f"s/{name}/outer", outer)
        for attribute, pieces in regions.values.items():
            self._write_region_values(out, f"s/{name}/{attribute}", np.concatenate(pieces)[order])
        for attribute, numbers in regions.numbers.items():
            out.add(f"s/{name}/{attribute}/numbers", small(np.concatenate(numbers)[order]))
        return {"attributes": [*regions.numbers, *regions.values], "size": len(starts)}

    def _write_region_values(self, out: ContainerWriter, prefix: str, entries: npt.NDArray[np.uint32]) -> None:
        present, places = np.unique(entries, return_inverse=True)
        values, groups = _distinct(self.interner.values(present.astype(np.int64)), self.schema.escaped_tags)
        write_dictionary(out, prefix, values, groups[places])


def _distinct(values: pa.Array, escaped: bool) -> tuple[pa.Array, npt.NDArray[np.int64]]:
    """Distinct values after ``&amp;`` and the like are resolved, and for each value which one it is."""
    if escaped and pc.any(pc.match_substring(values, "&")).as_py():
        plain = [html.unescape(one) if "&" in one else one for one in values.to_pylist()]
        values = pa.array(plain, pa.large_string())
    elif not pc.any(pc.match_substring(values, _REPLACED)).as_py():
        return values, np.arange(len(values))
    dictionary_array = values.dictionary_encode()
    return dictionary_array.dictionary, dictionary_array.indices.to_numpy().astype(np.int64)
