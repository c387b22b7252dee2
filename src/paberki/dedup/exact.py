"""Exact duplicates: pages with the same payload, by SHA-224 (P1 §2.1) or P5's fingerprint, or with the same words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paberki.errors import ConfigError
from paberki.stage import Columns, join_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin
from paberki.store.group_hashes import hashes


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactConfig:
    """How to tell that two pages are the same."""

    by: Literal["sha224", "fingerprint", "text"] = "sha224"
    """sha224 compares whole payloads; fingerprint 128 evenly spread bytes (P5), which can take different pages for
    one and is there to repeat that corpus; text the words of the kept text, whatever is around them."""


def _needs(config: ExactConfig, columns: Mapping[str, str]) -> Sequence[str]:
    digest = "signatures.text_digest" if config.by == "text" else f"archive.{config.by}"
    if digest not in columns.values():
        raise ConfigError("dedup: by = 'text' needs dedup.signatures.v1 before dedup.exact.v1 in the stages")
    return (digest, "archive.key", "archive.payload_bytes")


@join_stage(
    "dedup.exact.v1",
    layer="dedup",
    needs=_needs,
    adds=builtin("dedup", "dup_exact", "dup_exact_count"),
    config=ExactConfig,
)
class Exact:
    """Label groups of pages with the same payload (P1 §2.1 [SHA-224], P5 §3.4 [fingerprint]) or the same words.

    Every member of a group, the first included, gets the key of the page with the smallest id, which never changes
    when the corpus grows. Empty payloads do not count as duplicates. Which copy stays is for select to decide.
    """

    @staticmethod
    def emit(batch: Batch, config: ExactConfig) -> pa.Table:
        """Pages by their digest."""
        digest = _digests(batch, config)
        table = pa.table(
            {
                "group": hashes(digest),
                "page": pa.array(batch.pages, pa.int64()),
                "digest": digest,
                "key": batch.arrow("archive.key"),
            }
        )
        sizes = batch.arrow("archive.payload_bytes").fill_null(0).to_numpy(zero_copy_only=False)
        return table.filter(pa.array((sizes > 0) & digest.is_valid().to_numpy(zero_copy_only=False)))

    @staticmethod
    def resolve(rows: pa.Table, config: ExactConfig) -> pa.Table:
        """Groups of at least two; the digest itself is compared, not only its 64-bit hash."""
        rows = rows.sort_by([("group", "ascending"), ("digest", "ascending"), ("page", "ascending")]).combine_chunks()
        digest = rows.column("digest")
        new = pc.not_equal(digest.slice(1), digest.slice(0, max(len(digest) - 1, 0)))
        first = np.r_[np.ones(min(len(digest), 1), bool), new.to_numpy().astype(bool)]
        starts = np.flatnonzero(first)
        sizes = np.diff(np.r_[starts, len(digest)])
        head = np.repeat(starts, sizes)
        size = np.repeat(sizes, sizes)
        keys = rows.column("key").take(pa.array(head, pa.int64()))
        table = pa.table(
            {"page": rows.column("page"), "dup_exact": keys, "dup_exact_count": pa.array(size, pa.int32())}
        )
        return table.filter(pa.array(size > 1))

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: ExactConfig) -> Columns:
        """The decisions are the columns; a page without copies counts one."""
        return {
            "dup_exact": decisions.column("dup_exact"),
            "dup_exact_count": decisions.column("dup_exact_count").fill_null(1),
        }


def _digests(batch: Batch, config: ExactConfig) -> pa.Array:
    if config.by != "text":
        return batch.arrow(f"archive.{config.by}")
    digests = batch["signatures.text_digest"]
    return pa.array([None if one is None else one.hex() for one in digests], pa.string())
