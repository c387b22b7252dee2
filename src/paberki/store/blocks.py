"""Blocks of many pages at once. A tenth of all blocks is kept, so they are selected in Arrow before Python sees any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Ints = npt.NDArray[np.int64]


def lengths_of(lists: pa.Array) -> Any:
    """Number of items in each list; 0 for null."""
    return lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)


@dataclass(frozen=True, slots=True)
class KeptTexts:
    """The kept blocks of a batch, one after the other."""

    texts: pa.StringArray
    edges: Ints
    """Where the blocks of each page begin among the texts, and after the last page where they end."""
    pages: Ints
    """Page of each text, as its row in the batch."""
    numbers: Ints
    """Number of each text among all blocks of its page."""

    def char_counts(self) -> Ints:
        """Length of each text."""
        import pyarrow.compute as pc  # when needed: it takes a while to import

        counts: Ints = pc.utf8_length(self.texts).to_numpy(zero_copy_only=False).astype(np.int64)
        return counts

    def joined(self) -> pa.StringArray:
        """The text of each page: its blocks, one after the other on lines of their own."""
        import pyarrow.compute as pc  # when needed: it takes a while to import

        edges = pa.array(self.edges, pa.int32())
        return pc.binary_join(pa.ListArray.from_arrays(edges, self.texts), "\n")

    def of_page(self, page: int) -> list[str]:
        """The texts of one page."""
        texts: list[str] = self.texts.slice(self.edges[page], self.edges[page + 1] - self.edges[page]).to_pylist()
        return texts


def kept_texts(texts: pa.Array, block_flags: pa.Array) -> KeptTexts:
    """The kept blocks of many pages, from the texts of all blocks and a flag for each that says whether it is kept."""
    mask = block_flags.flatten()
    where = np.flatnonzero(mask.to_numpy(zero_copy_only=False))
    starts: Ints = np.r_[0, np.cumsum(lengths_of(texts))]
    edges = np.searchsorted(where, starts)
    pages = np.repeat(np.arange(len(texts)), np.diff(edges))
    return KeptTexts(texts.flatten().filter(mask), edges, pages, where - starts[pages])
