"""Furniture: blocks that stand on many pages of one host, such as cookie notices, buttons of forums, "print this page".

An extractor sees one page and cannot tell. Here the kept blocks of all pages of a host are counted by their text;
in short ones digits are set aside ("#2 Reply" and "#3 Reply" are the same). A block is furniture when enough different
pages of the host have it, in number and in share. Copies, near-copies and captures of one page count once: an article
under ten addresses is not furniture. The rules of select do not matter, so that a changed rule does not come here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.stage import Columns, Memory, Read, join_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts, lengths_of
from paberki.store.columns import builtin
from paberki.store.group_hashes import hashes
from paberki.store.portions import Portions

TEXT: Final = ("extract.blocks.text", "extract.blocks.kept")
_DIGITS: Final = re.compile(r"\d+")
_EMITTED: Final = pa.schema(
    [
        ("group", pa.uint64()),
        ("page", pa.int64()),
        ("unit", pa.uint64()),
        ("digest", pa.uint64()),
        ("block", pa.int32()),
    ]
)
_PAGE: Final = -1
"""Number of a row that stands for the page itself, so that pages of the host can be counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FurnitureConfig:
    """When a block counts as furniture."""

    min_pages: int = 5
    """Different pages of the host that have the block."""
    min_share: float = 0.2
    """Share of the host's pages that have it."""
    long_share: float = 0.5
    """The same for blocks of more than ``long_chars`` characters: notices rather than text."""
    long_chars: int = 300
    """Longer blocks must stand on more pages."""
    digit_chars: int = 60
    """In longer blocks digits count: reports of weather and sport may differ in nothing else."""


def _needs(config: FurnitureConfig, columns: Mapping[str, str]) -> Sequence[str]:
    clusters = [columns["dup_cluster"]] if "dup_cluster" in columns else []
    return (*TEXT, "archive.host", "archive.url", *clusters)


@join_stage(
    "quality.furniture.v1", layer="furniture", needs=_needs, adds=builtin("furniture"), config=FurnitureConfig
)  # fmt: skip
class FurnitureBlocks:
    """Label kept blocks that stand on many pages of their host (no paper; P5 §3.2 and P1 §2.2 look at one page or domain).

    Hosts with few pages have no furniture.
    """

    @staticmethod
    def emit(batch: Batch, config: FurnitureConfig) -> pa.Table:
        """One row for each page with text and for each of its kept blocks, in the group of its host."""
        kept_blocks = kept_texts(*(batch.arrow(name) for name in TEXT))
        hosts = batch.arrow("archive.host")
        counts = (np.diff(kept_blocks.edges) > 0) & hosts.is_valid().to_numpy(zero_copy_only=False)
        groups = hashes(hosts.fill_null("")).to_numpy()
        units = hashes(_units(batch)).to_numpy()
        rows = np.flatnonzero(counts)
        mine = np.flatnonzero(counts[kept_blocks.pages])
        owners = np.r_[rows, kept_blocks.pages[mine]]
        digests = _digests(kept_blocks.texts.take(pa.array(mine, pa.int64())).to_pylist(), config)
        columns = (
            groups[owners],
            np.asarray(batch.pages)[owners],
            units[owners],
            np.r_[np.zeros(len(rows), np.uint64), digests],
            np.r_[np.full(len(rows), _PAGE), kept_blocks.numbers[mine]].astype(np.int32),
        )
        table = pa.table([pa.array(np.ascontiguousarray(one)) for one in columns], schema=_EMITTED)
        return table.sort_by([("page", "ascending"), ("block", "ascending")])

    @staticmethod
    def resolve(rows: pa.Table, config: FurnitureConfig) -> pa.Table:
        """Blocks whose text is on enough different pages of the host."""
        names = ("group", "digest", "unit", "page", "block")
        order = [(name, "ascending") for name in names]
        group, digest, unit, page, block = (rows.sort_by(order).column(name).to_numpy() for name in names)
        pages = _different(group[block == _PAGE], unit[block == _PAGE])
        text = block != _PAGE
        group, digest, unit, page, block = (one[text] for one in (group, digest, unit, page, block))
        new = np.ones(len(group), bool)
        new[1:] = (group[1:] != group[:-1]) | (digest[1:] != digest[:-1])
        fresh = new.copy()
        fresh[1:] |= unit[1:] != unit[:-1]
        number = np.cumsum(new) - 1
        units = np.bincount(number, weights=fresh, minlength=int(new.sum())).astype(np.int64)[number]
        hosts, totals = pages
        share = units / np.maximum(totals[np.searchsorted(hosts, group)], 1) if len(group) else np.zeros(0)
        least = np.where(digest & np.uint64(1), config.long_share, config.min_share)
        mask = (units >= config.min_pages) & (share >= least)
        return pa.table({"page": page[mask], "block": block[mask]})

    @staticmethod
    def solve(portions: Portions, read: Read, config: FurnitureConfig, memory: Memory) -> Iterator[pa.Table]:
        """All such blocks of a page in one row."""
        for rows in portions:
            rows = rows.sort_by([("page", "ascending"), ("block", "ascending")])
            pages, starts = np.unique(rows.column("page").to_numpy(), return_index=True)
            edges = pa.array(np.r_[starts, rows.num_rows].astype(np.int32))
            blocks = pa.ListArray.from_arrays(edges, pa.array(rows.column("block").to_numpy()))
            yield pa.table([pa.array(pages, pa.int64()), blocks], names=["page", "block"])

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: FurnitureConfig) -> Columns:
        """1 for the blocks of the decisions, 0 for all others."""
        texts = batch.arrow(TEXT[0])
        offsets = np.r_[0, np.cumsum(lengths_of(texts))]
        labels = np.zeros(offsets[-1], np.int8)
        for row, blocks in enumerate(decisions.column("block").to_pylist()):
            labels[offsets[row] + np.array(blocks or (), np.int64)] = 1
        lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(labels), mask=texts.is_null())
        return {"furniture": lists}


def _units(batch: Batch) -> pa.Array:
    """What a page counts as: its cluster of near-duplicates, or its address."""
    urls = batch.arrow("archive.url").fill_null("")
    name = "near.dup_cluster"
    return pc.coalesce(batch.arrow(name), urls) if name in batch.names() else urls


def _digests(texts: Sequence[str], config: FurnitureConfig) -> npt.NDArray[np.uint64]:
    """Hashes of texts in small letters, of short ones without their digits; the last bit says whether a text is long."""
    most, digests = config.digit_chars, []
    for text in texts:
        words = " ".join(text.split()).lower()
        words = _DIGITS.sub("0", words) if len(words) <= most else words
        digests.append(blake2b(words.encode("utf-8", "replace"), digest_size=8).digest())
    long = np.fromiter((len(text) > config.long_chars for text in texts), np.uint64, len(texts))
    return np.frombuffer(b"".join(digests), "<u8") >> np.uint64(1) << np.uint64(1) | long


def _different(groups: Any, units: Any) -> tuple[Any, Any]:
    """The hosts in order, with the number of their different pages."""
    pairs = np.unique(np.stack([groups, units]), axis=1) if len(groups) else np.zeros((2, 0), np.uint64)
    return np.unique(pairs[0], return_counts=True)
