"""Locks name their process and end with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from paberki.errors import StoreError
from paberki.store.lock import hold, holder

HOLD = """
import sys, time
from pathlib import Path
from paberki.store.lock import hold
with hold(Path(sys.argv[1]), doing="testing", shared=sys.argv[2] == "shared"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def other(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    process = _hold(tmp_path / "x.lock", "alone")
    yield process
    _end(process)


def _hold(path: Path, how: str) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path), how], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def test_free_lock_has_no_holder(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "x.lock"
    assert holder(path) is None
    with hold(path, doing="testing"):
        assert f"process {os.getpid()} " in str(holder(path))
    assert holder(path) is None


def test_other_process_is_named(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    path = tmp_path / "x.lock"
    assert f"process {other.pid} " in str(holder(path))
    with pytest.raises(StoreError, match=rf"process {other.pid} on .* is testing already"), hold(path, doing="testing"):
        pass


def test_killed_holder_frees_the_lock(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    path = tmp_path / "x.lock"
    os.kill(other.pid, signal.SIGKILL)
    other.wait()
    assert holder(path) is None
    with hold(path, doing="testing"):
        pass


def test_waiting_takes_over(tmp_path: Path, other: subprocess.Popen[str]) -> None:
    killer = subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -9 {other.pid}"])
    began = time.monotonic()
    with hold(tmp_path / "x.lock", doing="testing", wait=True):
        assert time.monotonic() - began > 0.1
    killer.wait()


def test_shared_locks_exclude_only_exclusive_ones(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    one = _hold(path, "shared")
    try:
        with hold(path, doing="testing", shared=True):
            assert holder(path) is not None
        with pytest.raises(StoreError, match="is testing already"), hold(path, doing="testing"):
            pass
    finally:
        _end(one)
    with hold(path, doing="testing"):
        pass


def test_an_exception_frees_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with pytest.raises(ValueError, match="inside"), hold(path, doing="testing"):
        raise ValueError("inside")
    assert holder(path) is None


def test_nonsense_in_the_file_is_no_problem(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    for text in ("", "{", "[]", '{"pid": 1}'):
        path.write_text(text)
        assert holder(path) is None
        with hold(path, doing="testing"):
            path.write_text(text)
            assert holder(path) == "another process"


def test_asking_for_the_holder_disturbs_nobody(tmp_path: Path) -> None:
    path, ended = tmp_path / "lock", threading.Event()
    path.touch()

    def ask() -> None:
        while not ended.wait(0.0005):
            holder(path)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            with hold(path, doing="building"):
                pass
    finally:
        ended.set()
        asking.join()
