"""Paragraphs that a domain has more than once, word for word: what P1 did instead of looking for near-duplicates."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.dedup.repeats.surviving_pages import alive, columns_of
from paberki.dedup.signatures.signature_stage import TEXT
from paberki.languages import Language
from paberki.stage import Columns, Memory, Read, join_stage
from paberki.store.batch import Batch
from paberki.store.blocks import kept_texts, lengths_of
from paberki.store.columns import builtin
from paberki.store.portions import Portions
from paberki.store.selection.copy_choice import rule_columns, survivors
from paberki.store.selection.select import SelectConfig

_EMITTED = pa.schema([("group", pa.uint64()), ("page", pa.int64()), ("digest", pa.uint64()), ("block", pa.int32())])


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatsConfig:
    """Which pages count."""

    ignore: tuple[str, ...] = ()
    """Conditions for more pages that do not count."""
    lang: tuple[Language, ...] = ()
    """Languages of the corpus, as $lang in the condition."""
    select: SelectConfig = field(default_factory=SelectConfig)
    """The rules of [select] whose columns are there by now, which pages that count survive; the recipe fills this in."""


def _needs(config: RepeatsConfig, columns: Mapping[str, str]) -> Sequence[str]:
    ignored = columns_of(config.ignore, columns, "repeats")
    return tuple(dict.fromkeys((*TEXT, "archive.domain", *ignored, *rule_columns(config, columns))))


@join_stage(
    "dedup.repeats.v1", layer="repeats", needs=_needs, adds=builtin("repeats"), config=RepeatsConfig,
    behaviour="survivors",
)  # fmt: skip
class Repeats:
    """Label kept blocks whose text stands on an earlier page of the same domain, or earlier on the page (P1 §2.2).

    The text is compared as it is, without its outer white space. Pages without a domain are not compared. Only pages that
    survive every other rule count: else a paragraph would go with the first page that has it.
    """

    @staticmethod
    def emit(batch: Batch, config: RepeatsConfig) -> pa.Table:
        """Every kept block under its domain and text."""
        kept_blocks = kept_texts(batch.arrow(TEXT[0]), batch.arrow(TEXT[1]))
        domains = batch.arrow("archive.domain").take(pa.array(kept_blocks.pages))
        values = pc.binary_join_element_wise(domains, pc.utf8_trim_whitespace(kept_blocks.texts), "\n").to_pylist()
        counts = (alive(batch, config.ignore, config.lang) & survivors(batch, config.select))[kept_blocks.pages]
        mine = [at for at, value in enumerate(values) if value is not None and counts[at]]
        digests = b"".join(hashlib.blake2b(values[at].encode(), digest_size=16).digest() for at in mine)
        group, digest = np.frombuffer(digests, "<u8").reshape(-1, 2).T
        columns = [
            group,
            np.asarray(batch.pages)[kept_blocks.pages[mine]],
            digest,
            kept_blocks.numbers[mine].astype(np.int32),
        ]
        return pa.table([np.ascontiguousarray(column) for column in columns], schema=_EMITTED)

    @staticmethod
    def resolve(rows: pa.Table, config: RepeatsConfig) -> pa.Table:
        """Blocks that are not the first with their text, and which one is."""
        order = [(name, "ascending") for name in ("group", "digest", "page", "block")]
        group, page, digest, block = (column.to_numpy() for column in rows.sort_by(order).columns)
        new = np.ones(len(group), bool)
        new[1:] = (group[1:] != group[:-1]) | (digest[1:] != digest[:-1])
        first = np.maximum.accumulate(np.where(new, np.arange(len(new)), 0)) if len(new) else np.empty(0, np.int64)
        again = ~new
        places = (page[first] << 20) | block[first]
        return pa.table({"page": page[again], "block": block[again], "of": places[again]})

    @staticmethod
    def solve(portions: Portions, read: Read, config: RepeatsConfig, memory: Memory) -> Iterator[pa.Table]:
        """All such blocks of a page in one row."""
        for rows in portions:
            rows = rows.sort_by([("page", "ascending"), ("block", "ascending")])
            pages, starts = np.unique(rows.column("page").to_numpy(), return_index=True)
            edges = pa.array(np.r_[starts, rows.num_rows].astype(np.int32))
            columns = (pa.array(rows.column(name).to_numpy()) for name in ("block", "of"))
            lists = (pa.ListArray.from_arrays(edges, column) for column in columns)
            yield pa.table([pa.array(pages, pa.int64()), *lists], names=["page", "block", "of"])

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: RepeatsConfig) -> Columns:
        """1 for the blocks of the decisions, 0 for all others."""
        texts = batch.arrow(TEXT[0])
        offsets = np.r_[0, np.cumsum(lengths_of(texts))]
        labels, originals = np.zeros(offsets[-1], np.int8), np.full(offsets[-1], None, object)
        for row, (blocks, of) in enumerate(
            zip(decisions.column("block").to_pylist(), decisions.column("of").to_pylist(), strict=True)
        ):
            for block, place in zip(blocks or (), of or (), strict=True):
                labels[offsets[row] + block] = 1
                originals[offsets[row] + block] = f"{place >> 20:09d}:{place & 0xFFFFF}"
        shape, mask = pa.array(offsets, pa.int32()), texts.is_null()
        return {
            "repeated": pa.ListArray.from_arrays(shape, pa.array(labels), mask=mask),
            "repeats_of": pa.ListArray.from_arrays(shape, pa.array(originals.tolist(), pa.string()), mask=mask),
        }
