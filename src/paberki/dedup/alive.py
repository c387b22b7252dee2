"""Which pages count when it is asked what was seen before: a page that is no part of the corpus makes nobody a copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paberki.errors import ConfigError
from paberki.nearest import nearest
from paberki.store.batch import Batch
from paberki.store.condition import parse


def columns_of(condition: str, columns: Mapping[str, str], stage: str) -> Sequence[str]:
    """Full names of the columns that a condition mentions; unknown ones are errors with the nearest right name."""
    wanted = parse(condition).names if condition.strip() else ()
    for name in wanted:
        if name not in columns:
            raise ConfigError(f"{stage}: alive: there is no column {name!r}{nearest(name, columns)}")
    return [columns[name] for name in wanted]


def alive(batch: Batch, condition: str, lang: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Whether the condition holds for each page; all of them where there is none, taken-down ones never."""
    counts = np.ones(len(batch), bool)
    if condition.strip():
        variables: dict[str, Any] = {"lang": tuple(lang)}
        holds = parse(condition).evaluate(lambda name: batch.arrow(batch.full_name(name)), variables)
        if isinstance(holds, pa.Scalar):
            holds = pa.array([holds.as_py()] * len(batch), pa.bool_())
        counts = holds.fill_null(False).to_numpy(zero_copy_only=False).copy()
    counts[list(batch.gone)] = False
    return counts
