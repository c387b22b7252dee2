"""Where compiled code is kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import paberki
from paberki.kernels import MODULES, digest

pytest.importorskip("numba")


def _run(code: str, **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=kept | environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_nothing_imports_numba_before_a_kernel_is_needed() -> None:
    code = (
        "import sys, paberki.kernels, paberki.extraction.stage; paberki.kernels.cached(); print('numba' in sys.modules)"
    )
    assert _run(code) == "False"


def test_cache_is_where_xdg_says(tmp_path: Path) -> None:
    code = "from paberki import kernels; print(kernels.cache_directory(), kernels.cached())"
    place, cached = _run(code, XDG_CACHE_HOME=str(tmp_path)).split()
    assert Path(place).parent == tmp_path / "paberki"
    assert Path(place).name.startswith("numba-")
    assert cached == "False"


def test_a_place_that_cannot_be_written_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code = "from paberki import kernels; print(kernels.cache_directory())"
    assert "paberki-numba-" in _run(code, XDG_CACHE_HOME=str(tmp_path / "file"))


def test_the_users_choice_is_kept(tmp_path: Path) -> None:
    code = "from paberki import kernels; print(kernels.cache_directory())"
    assert _run(code, NUMBA_CACHE_DIR=str(tmp_path)) == str(tmp_path)


def test_after_compilation_the_cache_is_filled() -> None:
    code = "from paberki import kernels; print(*kernels.compile_all(), kernels.cached())"
    *compiled, cached = _run(code).split()
    assert cached == "True"
    assert set(compiled) == set(MODULES)


def test_code_is_compiled_again_when_a_module_it_takes_constants_from_changes(tmp_path: Path) -> None:
    shutil.copytree(Path(paberki.__file__).parent, tmp_path / "paberki", ignore=shutil.ignore_patterns("*.model"))
    code = (
        "from paberki.kernels import digest; print(digest('paberki.extraction.kernel'), digest('paberki.dedup.kernel'))"
    )
    before = _run(code, PYTHONPATH=str(tmp_path)).split()
    with (tmp_path / "paberki" / "extraction" / "stack.py").open("a") as file:
        file.write("# changed\n")
    extraction, dedup = _run(code, PYTHONPATH=str(tmp_path)).split()
    assert extraction != before[0]
    assert dedup == before[1]
    assert digest("paberki.dedup.kernel") == dedup, "the same sources elsewhere are the same code"
