"""Machine code that is called without numba."""

from __future__ import annotations

import gc
import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from paberki import kernels
from paberki.kernels import native
from paberki.kernels.array_cache import derived


def _compiled(source: str, counted: bool = False) -> native.Plain:
    """A kernel compiled as :mod:`paberki.kernels` does it, in this process."""
    from numba import njit, types

    longs = types.Array(types.int64, 1, "C")
    names: dict[str, object] = {"np": np}
    exec(source, names)
    signature = types.int64(longs, types.int64)
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy", "_nrt": counted}
    bare = njit(signature, **options)
    return native.plain("f", bare(names["f"]))


@pytest.fixture(scope="module")
def adding() -> bytes:
    source = "def f(a, n):\n  s = 0\n  for i in range(len(a)):\n    s += a[i] * n\n    a[i] = s\n  return s"
    return native.pack([_compiled(source)], {"LIMIT": 7})


def test_a_kernel_is_called_and_writes_into_its_arrays(adding: bytes) -> None:
    module = native.link(adding)
    assert module is not None
    numbers = np.arange(5)
    assert module.f(numbers, -3) == -30
    assert numbers.tolist() == [0, -3, -9, -18, -30]
    assert module.LIMIT == 7
    assert module.f(np.array([1 << 40]), 1 << 20) == 1 << 60


@pytest.mark.parametrize(
    "array",
    [np.arange(5, dtype=np.int32), np.arange(10)[::2], np.zeros((2, 2), np.int64)],
    ids=["type", "gaps", "shape"],
)
def test_an_array_of_another_kind_is_refused(adding: bytes, array: np.ndarray) -> None:
    module = native.link(adding)
    assert module is not None
    with pytest.raises(TypeError, match="is wanted"):
        module.f(array, 1)


def test_arguments_are_counted(adding: bytes) -> None:
    module = native.link(adding)
    assert module is not None
    with pytest.raises(TypeError, match="takes 2 arguments, not 1"):
        module.f(np.arange(3))


def test_an_array_that_took_the_place_of_another_is_seen_anew(adding: bytes) -> None:
    module = native.link(adding)
    assert module is not None
    for size in range(1, 200):  # ids of dead arrays come back
        assert module.f(np.ones(size, np.int64), 1) == size


def test_damaged_or_foreign_code_is_not_linked(adding: bytes) -> None:
    assert native.link(b"") is None
    assert native.link(adding[:-1]) is None
    for name in ("processor", "numba", "llvmlite", "numpy"):
        assert native.link(_sealed(adding, f'"{name}": "'.encode(), f'"{name}": "other '.encode())) is None
    assert native.link(_sealed(adding, b"", b"")) is not None
    assert native.link(adding[:-9] + bytes([adding[-9] ^ 1]) + adding[-8:]) is None


def _sealed(content: bytes, old: bytes, new: bytes) -> bytes:
    """The content with something else in it, and the right digest."""
    at = len(native._MAGIC) + native._DIGEST
    body = content[at:].replace(old, new, 1)
    return native._MAGIC + hashlib.sha256(body).hexdigest().encode() + body


def test_a_kernel_that_raises_fails_in_python() -> None:
    source = "def f(a, n):\n  if n > 3:\n    raise ValueError('no')\n  return n"
    module = native.link(native.pack([_compiled(source)], {}))
    assert module is not None
    assert module.f(np.arange(1), 3) == 3
    with pytest.raises(RuntimeError, match="f failed"):
        module.f(np.arange(1), 4)


def test_a_kernel_that_makes_an_array_is_not_plain() -> None:
    with pytest.raises(native.NotPlain, match="NRT"):
        _compiled("def f(a, n):\n  return np.sort(a)[n]", counted=True)


def test_kernels_that_are_kept_need_no_numba() -> None:
    kernels.load("paberki.lexicon.lexicon_kernel")
    code = "import sys; from paberki import kernels; kernels.load('paberki.lexicon.lexicon_kernel'); print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_derived_arrays_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paberki.kernels.array_cache.cache_directory", lambda: tmp_path)
    source = tmp_path / "source"
    source.write_bytes(b"1")
    made = []

    def make() -> dict[str, np.ndarray]:
        made.append(1)
        return {"squares": np.arange(4) ** 2}

    for _ in range(3):
        assert derived("some", [source], make)["squares"].tolist() == [0, 1, 4, 9]
    assert len(made) == 1
    source.write_bytes(b"22")
    derived("some", [source], make)
    assert len(made) == 2
    (kept,) = (path for path in tmp_path.glob("some-*/squares.npy") if path.stat().st_mtime_ns == _latest(tmp_path))
    good = kept.read_bytes()
    for times, damage in enumerate((b"broken", good[:-1], good[:-1] + bytes([good[-1] ^ 1]), None), 3):
        kept.unlink() if damage is None else kept.write_bytes(damage)
        assert derived("some", [source], make)["squares"].tolist() == [0, 1, 4, 9]
        assert len(made) == times
        assert derived("some", [source], make)["squares"].tolist() == [0, 1, 4, 9]
        assert len(made) == times
    (kept.parent / "files.json").write_text("[]")
    assert derived("some", [source], make)["squares"].tolist() == [0, 1, 4, 9]
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def _latest(folder: Path) -> int:
    return max(path.stat().st_mtime_ns for path in folder.glob("some-*/squares.npy"))


class Pair(NamedTuple):
    """A record of an array and a number."""

    numbers: np.ndarray
    factor: int


class Nested(NamedTuple):
    """A record that holds another."""

    pair: Pair
    sums: np.ndarray


class Other(NamedTuple):
    """The fields of a pair in another order."""

    factor: int
    numbers: np.ndarray


@pytest.fixture(scope="module")
def scaling() -> Any:
    """A kernel that takes a record."""
    from numba import njit

    from paberki.kernels.kernel_types import INT, reads, record, types, writes

    nested = record(Nested, sums=writes(types.int64), pair=record(Pair, factor=INT, numbers=reads(types.int64)))

    def scale(nested, add):  # type: ignore[no-untyped-def]
        for place in range(len(nested.pair.numbers)):
            nested.sums[place] += nested.pair.numbers[place] * nested.pair.factor + add
        return len(nested.pair.numbers)

    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy", "_nrt": False}
    bare = njit(types.int64(nested, INT), **options)(scale)
    module = native.link(native.pack([native.plain("scale", bare)], {}))
    assert module is not None
    return module.scale


def test_a_record_is_taken_by_name(scaling: Any) -> None:
    sums = np.zeros(3, np.int64)
    assert scaling(Nested(sums=sums, pair=Pair(factor=10, numbers=np.arange(3))), 1) == 3
    assert sums.tolist() == [1, 11, 21]


def test_another_record_is_refused(scaling: Any) -> None:
    sums = np.zeros(3, np.int64)
    with pytest.raises(TypeError, match="a record of numbers, factor, not Other"):
        scaling(Nested(Other(10, np.arange(3)), sums), 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a record of pair, sums, not ndarray"):
        scaling(sums, 1)
    with pytest.raises(TypeError, match="takes 2 arguments, not 1"):
        scaling(Nested(Pair(np.arange(3), 10), sums))


def test_arrays_of_a_record_are_checked(scaling: Any) -> None:
    sums = np.zeros(3, np.int32)
    with pytest.raises(TypeError, match="is wanted"):
        scaling(Nested(Pair(np.arange(3), 10), sums), 1)


def test_a_prepared_call_sees_what_arrays_hold_at_the_time(scaling: Any) -> None:
    numbers, sums = np.arange(2), np.zeros(2, np.int64)
    call = kernels.bound(scaling, Nested(Pair(numbers, 3), sums), 0)
    del numbers
    gc.collect()
    assert [call(), call()] == [2, 2]
    assert sums.tolist() == [0, 6]
    sums.flags.writeable = False
    with pytest.raises(TypeError, match="not to be written to"):
        call()


def test_a_record_of_other_fields_cannot_be_declared() -> None:
    from paberki.kernels.kernel_types import INT, record

    with pytest.raises(TypeError, match="Pair has the fields numbers, factor"):
        record(Pair, numbers=INT)


def test_a_function_without_preparation_is_called_each_time() -> None:
    calls: list[int] = []
    call = kernels.bound(calls.append, 5)
    call()
    call()
    assert calls == [5, 5]
