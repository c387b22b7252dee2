"""A positional attribute of a segment: a value for each token, as an id, and for each value the tokens that have it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from paberki.kernels import load
from paberki.query.index.container import Container
from paberki.query.index.folding import Kind
from paberki.query.index.lexicon import Folded, Ids, ValueLexicon, fold

COLUMNS: Final = "paberki.query.index.columns_kernel"
POSTINGS: Final = "paberki.query.index.postings_kernel"
SCANNED_SHARE: Final = 16
"""A value that more than one token of so many has is not in the postings: to read the column takes no longer."""
SORTED_BY_BITS: Final = 512
"""Places of several values are sorted by bits where one token of so many has one of them; fewer are sorted as numbers."""
NARROW: Final = 12
SCANNED_SHARE_NARROW: Final = 32
"""The same for columns of so many bits or less, which are read faster."""


class TokenAttribute(ValueLexicon):
    """Values of a segment's tokens. Ids are in the order of falling frequency."""

    def __init__(
        self, container: Container, name: str, about: Mapping[str, Any], base: TokenAttribute | None = None
    ) -> None:
        prefix = str(about.get("lexicon") or f"a/{name}")
        super().__init__(container.array(f"{prefix}/bytes"), container.array(f"{prefix}/lengths"))
        self.name = name
        self.multi = bool(about.get("multi"))
        self.derived_from = base
        self._container, self._prefix = container, f"a/{name}"
        self._width = int(about.get("width", 0))
        self._scanned_count = int(about.get("scanned", 0))
        self._raw_lists: tuple[int, ...] = tuple(about.get("raw_lists", ()))
        self.tokens = int(container.about["tokens"])
        self._folded_lexicons: dict[str, Folded] = {}
        if base is not None:
            self.derived_ids: Ids = container.array(f"{prefix}/ids")
        else:
            self._words = container.array(f"a/{name}/ids")

    def _array(self, name: str) -> npt.NDArray[Any]:
        return self._container.array(f"{self._prefix}/{name}")

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often each value occurs."""
        return np.repeat(self._array("count_values").astype(np.int64), self._array("count_runs"))

    @cached_property
    def by_code_point(self) -> Ids:
        """Ids in the order of code points."""
        return self._array("by_code_point")

    @cached_property
    def collation_rank(self) -> Ids:
        """Rank of each id in the alphabet of the language."""
        return self._array("collation_rank")

    def folded_lexicon(self, kind: Kind) -> Folded:
        """The values without capitals (``c``), diacritics (``d``) or both; those of large lexicons are stored."""
        if kind not in self._folded_lexicons:
            prefix = f"f/{self.name}/{kind}"
            if f"{prefix}/ids" in self._container:
                arrays = [self._container.array(f"{prefix}/{part}") for part in ("bytes", "lengths", "ids")]
                self._folded_lexicons[kind] = Folded(*arrays)
            else:
                self._folded_lexicons[kind] = fold(self, self.counts, kind)
        return self._folded_lexicons[kind]

    # Sets: ids are those of whole sets, and these have members.

    @cached_property
    def set_offsets(self) -> npt.NDArray[np.int64]:
        """Where the members of each set begin in :attr:`set_members`, and last where they end."""
        return self._array("set_offsets").astype(np.int64)

    @cached_property
    def set_members(self) -> Ids:
        """Ids of members, in the lexicon :attr:`set_values`."""
        return self._array("set_members")

    @cached_property
    def set_values(self) -> ValueLexicon:
        """The members of all sets."""
        return ValueLexicon.in_container(self._container, f"{self._prefix}/set")

    # Tokens to values.

    @property
    def ids(self) -> Ids:
        """Ids of all tokens, unpacked: large, and made anew at each call."""
        return self.ids_between(0, self.tokens)

    def ids_between(self, start: int, stop: int) -> Ids:
        """Ids of the tokens from ``start`` to ``stop``."""
        start = max(0, start)
        stop = max(start, min(stop, self.tokens))
        if self.derived_from is not None:
            return self.derived_ids[self.derived_from.ids_between(start, stop)]
        out = np.empty(stop - start, np.uint32)
        load(COLUMNS).between(self._words, self._width, start, out)
        return out

    def ids_at(self, positions: npt.NDArray[Any]) -> Ids:
        """Ids of the tokens at these positions."""
        if self.derived_from is not None:
            return self.derived_ids[self.derived_from.ids_at(positions)]
        places = np.ascontiguousarray(positions, np.int64)
        out = np.empty(len(places), np.uint32)
        if not load(COLUMNS).at_places(self._words, self._width, places, self.tokens, out):
            raise IndexError(f"a position outside of the segment, which has {self.tokens} tokens")
        return out

    def gather(self, table: npt.NDArray[Any], start: int, stop: int, out: npt.NDArray[Any]) -> None:
        """``out[i] |= table[id of token start + i]``; table and out are of uint8, uint32 or uint64, one entry per id."""
        if len(table) < self.size or len(out) < stop - start or not 0 <= start <= stop <= self.tokens:
            raise IndexError(
                f"a table for {self.size} ids and tokens within the {self.tokens} of the segment are needed"
            )
        if self.derived_from is not None:
            self.derived_from.gather(table[self.derived_ids], start, stop, out)
            return
        kernels = load(COLUMNS)
        runs = {8: kernels.gather_wide, 4: kernels.gather, 1: kernels.gather_bytes}
        run = runs[out.dtype.itemsize]
        run(self._words, self._width, table, start, out[: stop - start])

    # Values to tokens.

    def positions(self, ids: Any, start: int = 0, stop: int | None = None) -> npt.NDArray[np.int64]:
        """Positions from ``start`` to ``stop`` of all tokens with one of these ids, in order."""
        value_ids = np.atleast_1d(np.asarray(ids, np.int64))
        start, stop = max(0, start), self.tokens if stop is None else min(stop, self.tokens)
        if not len(value_ids) or start >= stop:
            return np.zeros(0, np.int64)
        if self.derived_from is not None:
            table = np.zeros(self.size, np.uint8)
            table[value_ids] = 1
            return self.derived_from.positions(np.flatnonzero(table[self.derived_ids]), start, stop)
        counts = self.counts[value_ids]
        total = int(counts.sum())
        if int(value_ids.min()) < self._scanned_count or total * SCANNED_SHARE > self.tokens:
            return self._scan(value_ids, total, start, stop)
        begins = self._begins(value_ids)
        kernels = load(POSTINGS)
        out = np.empty(total + kernels.BLOCK, np.int64)
        count = kernels.unpack_lists(self._array("postings").view(np.uint64), begins, counts, start, stop, out)
        places = out[:count]
        if len(value_ids) > 1 and count * SORTED_BY_BITS > stop - start:
            count = kernels.sort_places(places, start, np.zeros((stop - start + 63) // 64, np.uint64))
            return out[:count]
        if len(value_ids) > 1:
            places.sort()
        return places

    def position_lists(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64] | None:
        """Positions of each of these ids, one list behind the other; None where an id is too frequent to have a list."""
        if self.derived_from is not None or (len(ids) and int(ids.min()) < self._scanned_count):
            return None
        kernels, counts = load(POSTINGS), np.ascontiguousarray(self.counts[ids])
        out = np.empty(int(counts.sum()) + kernels.BLOCK, np.int64)
        postings = self._array("postings").view(np.uint64)
        count = kernels.unpack_lists(postings, self._begins(np.asarray(ids, np.int64)), counts, 0, self.tokens, out)
        return out[:count]

    def _begins(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Bytes where the lists of these ids begin. Those of rare values have a fixed length, so that none is stored."""
        threes, twos, ones, base = self._raw_lists
        begins = base + 4 * (
            3 * (np.clip(ids, threes, twos) - threes)
            + 2 * (np.clip(ids, twos, ones) - twos)
            + np.maximum(ids - ones, 0)
        )
        have_begins = ids < threes
        begins[have_begins] = self._array("begins")[ids[have_begins] - self._scanned_count]
        return begins

    def _scan(self, ids: npt.NDArray[np.int64], total: int, start: int, stop: int) -> npt.NDArray[np.int64]:
        table = np.zeros(self.size, np.uint8)
        table[ids] = 1
        out = np.empty(min(total, stop - start) + 1, np.int64)
        count = load(COLUMNS).scan(self._words, self._width, table, start, stop, out)
        return out[:count]
