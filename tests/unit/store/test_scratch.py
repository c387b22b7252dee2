"""Folders that go with their process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from paberki.store.scratch import Scratch, sweep_scratch


def test_folders_of_dead_processes_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = "import os; from paberki.store.scratch import Scratch; print(Scratch().path, flush=True); os.kill(os.getpid(), 9)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    left, ours = Path(done.stdout.strip()), Scratch()
    (left / "run-1.keys").write_bytes(b"x")
    (tmp_path / "paberki-scratch-new").mkdir()
    sweep_scratch()
    assert not left.exists()
    assert ours.path.exists()
    assert (tmp_path / "paberki-scratch-new").exists(), "it may be one that is being made"
    ours.close()
    assert not ours.path.exists()
