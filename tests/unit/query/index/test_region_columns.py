"""Columns of every type as attributes of regions."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from paberki.query.index.container import Container, ContainerWriter
from paberki.query.index.region_columns import can_be_attribute, write_region_column
from paberki.query.index.structure import Structure, StructureAttribute


def stored(path: Path, values: pa.Array) -> StructureAttribute:
    out = ContainerWriter(path / "x")
    out.add("s/p/edges", np.arange(len(values) + 1, dtype=np.int32))
    write_region_column(out, "s/p/a", values)
    out.close({})
    return Structure(Container(path / "x"), "p", ["a"], None).attribute("a")


@pytest.mark.parametrize(
    ("values", "texts", "numbers"),
    [
        (pa.array(["b", None, "a", "b"]), ["b", "", "a", "b"], None),
        (pa.array(["b", None, "a"]).dictionary_encode(), ["b", "", "a"], None),
        (pa.array([3, 1, 10]), ["3", "1", "10"], [3, 1, 10]),
        (pa.array([3, None, 10], pa.int8()), ["3", "", "10"], [3, None, 10]),
        (pa.array([0.5, None, 1e9], pa.float32()), ["0.5", "", "1e+09"], [0.5, None, 1e9]),
        (pa.array([True, None, False]), ["true", "", "false"], None),
        (pa.array([date(2020, 2, 1), None]), ["2020-02-01", ""], None),
        (pa.array([datetime(2020, 2, 1, 3, 4, 5, 6000)], pa.timestamp("ms")), ["2020-02-01T03:04:05Z"], None),
        (pa.array([["a", "b"], [], None]), ["|a|b|", "|", ""], None),
        (pa.array(["", ""]), ["", ""], None),
        (pa.array([], pa.string()), [], None),
    ],
)
def test_columns(tmp_path: Path, values: pa.Array, texts: list[str], numbers: list[float | None] | None) -> None:
    assert can_be_attribute(values.type)
    attribute = stored(tmp_path, values)
    assert attribute.values(attribute.ids) == texts
    if numbers is None:
        assert attribute.numbers is None
    else:
        found = [None if np.isnan(one) else one for one in attribute.numbers.tolist()]
        assert found == numbers
    for text in set(texts):
        assert attribute.value(attribute.id_of(text)) == text


def test_what_cannot_be_told_in_a_word() -> None:
    for kind in (
        pa.binary(),
        pa.struct([("a", pa.int8())]),
        pa.list_(pa.int8()),
        pa.list_(pa.struct([("a", pa.int8())])),
    ):
        assert not can_be_attribute(kind)
