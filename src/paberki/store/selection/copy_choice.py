"""Which of several copies stays, decided before select: for stages that compare a page with those that survive.

A paragraph is no repetition if only dropped pages have it, and ranks are ranks among the pages of the corpus. ``copies.v1``
applies the rules whose columns exist so far and chooses among the copies that survive them. Select follows its choice, so
that copies of the same bytes and pages that are merely alike get different reasons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paberki.stage import Columns, Memory, Read, join_stage
from paberki.store.batch import Batch
from paberki.store.columns import builtin
from paberki.store.portions import Portions
from paberki.store.selection.select import Select, SelectConfig, judge
from paberki.store.selection.select import needs as needs_of_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiesConfig:
    """Rules that pages must survive."""

    select: SelectConfig = field(default_factory=SelectConfig)
    """The rules of [select] whose columns are there by now; the recipe fills this in."""


def rule_columns(config: Any, columns: Mapping[str, str]) -> Sequence[str]:
    """Columns that a stage with the setting ``select`` needs to tell which pages survive."""
    return needs_of_rules(config.select, columns)


def survivors(batch: Batch, config: SelectConfig) -> npt.NDArray[np.bool_]:
    """Whether each page survives the rules of this config."""
    alive: npt.NDArray[np.bool_] = judge(batch, config).reason.is_null().to_numpy(zero_copy_only=False)
    return alive


@join_stage("copies.v1", layer="copies", needs=rule_columns, adds=builtin("copies"), config=CopiesConfig)
class Copies:
    """Name the copy that stays, among the pages that survive all rules so far (P1 §2.1, P5 §3.4: perfect duplicates)."""

    @staticmethod
    def emit(batch: Batch, config: CopiesConfig) -> pa.Table:
        """Survivors that have copies."""
        return Select.emit(batch, config.select)

    @staticmethod
    def resolve(rows: pa.Table, config: CopiesConfig) -> pa.Table:
        """The longest copy stays, then the earliest."""
        return Select.resolve(rows, config.select)

    @staticmethod
    def solve(portions: Portions, read: Read, config: CopiesConfig, memory: Memory) -> Iterator[pa.Table]:
        """One decision for each page."""
        return Select.solve(portions, read, config.select, memory)

    @staticmethod
    def apply(batch: Batch, decisions: pa.Table, config: CopiesConfig) -> Columns:
        """The decisions are the columns."""
        return {
            "copy_of": decisions.column("dup_of"),
            "copy_taken_down": pc.invert(decisions.column("lives")),
        }
