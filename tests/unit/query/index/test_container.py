"""Files of arrays: what goes in comes out, and a damaged file is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paberki.errors import StoreError
from paberki.query.index.container import Container, ContainerWriter


def written(path: Path) -> str:
    out = ContainerWriter(path)
    out.add("one", np.arange(5, dtype=np.int16))
    assert out.stream("two", np.uint64, (np.full(3, at, np.uint64) for at in range(3))) == 9
    out.add("none", np.zeros(0, np.uint8))
    return out.close({"tokens": 3})


def test_arrays_are_mapped_and_aligned(tmp_path: Path) -> None:
    digest = written(tmp_path / "a")
    assert digest == written(tmp_path / "b")
    container = Container(tmp_path / "a")
    assert container.about == {"tokens": 3}
    assert list(container) == ["one", "two", "none"]
    assert container.array("one").tolist() == [0, 1, 2, 3, 4]
    two = container.array("two")
    assert two.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert two.ctypes.data % 64 == 0
    assert not two.flags.writeable
    assert container.size_of("two") == 72
    assert len(container.array("none")) == 0


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-1], lambda data: data[:40], lambda data: b"", lambda data: b"x" + data[1:]]
)
def test_damaged_files_are_named(tmp_path: Path, damage) -> None:
    written(tmp_path / "a")
    (tmp_path / "b").write_bytes(damage((tmp_path / "a").read_bytes()))
    with pytest.raises(StoreError, match="b: damaged or incomplete"):
        Container(tmp_path / "b")


def test_a_footer_that_points_outside_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "a")
    data = (tmp_path / "a").read_bytes().replace(b'"<u8", 128, 9]', b'"<u8", 128, 9999]'.replace(b"9999]", b"99]"))
    data = data if b"99]" in data else data.replace(b", 9]", b",99]")
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(StoreError):
        Container(tmp_path / "a").array("two")


def test_abandoned_files_vanish(tmp_path: Path) -> None:
    out = ContainerWriter(tmp_path / "a")
    out.abandon()
    assert not (tmp_path / "a").exists()
