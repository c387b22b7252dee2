"""Which pages count as originals: dropped pages do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.errors import ConfigError
from paberki.nearest import nearest
from paberki.store.batch import Batch
from paberki.store.selection.condition import parse


def columns_of(ignore: Sequence[str], columns: Mapping[str, str], stage: str) -> Sequence[str]:
    """Full names of the columns that conditions mention; unknown ones are errors with the nearest right name."""
    names = [name for condition in ignore if condition.strip() for name in parse(condition).names]
    for name in names:
        if name not in columns:
            raise ConfigError(f"{stage}: ignore: there is no column {name!r}{nearest(name, columns)}")
    return [columns[name] for name in names]


def alive(batch: Batch, ignore: Sequence[str], lang: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Whether each page counts: pages for which a condition holds do not, and neither do pages that were taken down.

    Conditions that mention $lang are ignored where the recipe names no language, as in select.
    """
    counts = np.ones(len(batch), bool)
    for source in ignore:
        condition = parse(source) if source.strip() else None
        if condition is None or ("lang" in condition.variables and not lang):
            continue
        variables: dict[str, Any] = {"lang": tuple(lang)}
        holds = condition.evaluate(lambda name: batch.arrow(batch.full_name(name)), variables)
        if isinstance(holds, pa.Scalar):
            holds = pa.array([holds.as_py()] * len(batch), pa.bool_())
        counts &= ~holds.fill_null(False).to_numpy(zero_copy_only=False)
    counts[list(batch.taken_down)] = False
    return counts
