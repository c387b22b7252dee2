"""Files are whole or not there."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from paberki.errors import StoreError
from paberki.store.files import explain, read_json, replacing, sweep, write_json, write_text


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_success_replaces(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.txt"
    with replacing(path) as beside:
        assert beside.parent == path.parent
        assert not path.exists()
        beside.write_text("one")
    assert path.read_text() == "one"
    with replacing(path) as beside:
        beside.write_text("two")
        assert path.read_text() == "one"
    assert path.read_text() == "two"
    assert names(path.parent) == ["a.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(error), replacing(path) as beside:
        beside.write_text("half")
        raise error
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_nothing_written_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), replacing(tmp_path / "a.txt"):
        pass
    assert names(tmp_path) == []


def test_readers_never_see_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_json(path, ["x"] * 1000)
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            write_json(path, [f"{number}"] * 1000)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(200):
            found = read_json(path)
            assert len(found) == 1000
            assert len(set(found)) == 1
    finally:
        stop.set()
        thread.join()


def test_killed_writer_leaves_what_sweep_removes(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path; from paberki.store.files import replacing\n"
        "with replacing(Path(sys.argv[1])) as beside:\n    beside.write_text('half'); os.kill(os.getpid(), signal.SIGKILL)"
    )
    path = tmp_path / "sub" / "a.txt"
    done = subprocess.run([sys.executable, "-c", script, str(path)])
    assert done.returncode == -signal.SIGKILL
    assert not path.exists()
    assert len(names(path.parent)) == 1
    write_text(tmp_path / "keep.txt", "x")
    sweep(tmp_path)
    assert names(path.parent) == []
    assert names(tmp_path) == ["keep.txt", "sub"]


def test_damaged_json_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for data in (b"{", b"\xff\xfe", b""):
        path.write_bytes(data)
        with pytest.raises(StoreError, match=r"a\.json"):
            read_json(path)
    with pytest.raises(FileNotFoundError):
        read_json(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOSPC, "no space left"),
        (errno.EDQUOT, "no space left"),
        (errno.EFBIG, "size limit"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "no permission"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_disk_errors_in_words(code: int, words: str) -> None:
    said = str(explain(OSError(code, os.strerror(code), "/x/y"), "testing"))
    assert words in said
    assert "/x/y" in said
    assert "testing" in said
