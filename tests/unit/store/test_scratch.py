"""Folders that go with their process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from paberki.serve.exports import Exports
from paberki.store.scratch import Scratch, scratch_folder, sweep_scratch


def test_folders_of_dead_processes_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = "import os; from paberki.store.scratch import Scratch; print(Scratch().path, flush=True); os.kill(os.getpid(), 9)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    left = Path(done.stdout.strip())
    (left / "run-1.keys").write_bytes(b"x")
    ours = Scratch()
    (tmp_path / "paberki-scratch-new").mkdir()
    sweep_scratch()
    assert not left.exists()
    assert ours.path.exists()
    assert (tmp_path / "paberki-scratch-new").exists(), "it may be one that is being made"
    ours.close()
    assert not ours.path.exists()


def test_a_new_folder_removes_those_of_dead_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "paberki-scratch-old").mkdir()
    (tmp_path / "paberki-scratch-old" / "lock").touch()
    with scratch_folder() as folder:
        assert [one.name for one in tmp_path.iterdir()] == [folder.parent.name]
        assert not list(folder.iterdir())
    assert not list(tmp_path.iterdir())


def test_exports_of_a_killed_server_go_when_the_next_one_makes_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = """if True:
        import os
        from paberki.serve.exports import Exports
        (Exports().folder() / "pages.jsonl").write_text("text of a page")
        os.kill(os.getpid(), 9)
    """
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "TMPDIR": str(tmp_path)}, check=False)
    assert list(tmp_path.rglob("pages.jsonl"))
    exports = Exports()
    exports.folder()
    assert not list(tmp_path.rglob("pages.jsonl"))
    exports.stop()
    assert not list(tmp_path.iterdir())
