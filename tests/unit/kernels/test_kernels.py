"""Where compiled code is kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import paberki
from paberki.kernels import MODULES, digest, used_by
from paberki.kernels.kernel_uses import kernels_behind
from paberki.kernels.native import KNOWN_VERSIONS


def _run(code: str, **environment: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=kept | environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_nothing_imports_numba_before_a_kernel_is_needed() -> None:
    code = "import sys, paberki.kernels, paberki.extraction.extract_stage; paberki.kernels.cached(); print('numba' in sys.modules)"
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
    code = "from paberki.kernels import digest; print(digest('paberki.extraction.compiled.segmenter_kernel'), digest('paberki.dedup.signatures.shingle_kernel'))"
    before = _run(code, PYTHONPATH=str(tmp_path)).split()
    with (tmp_path / "paberki" / "extraction" / "html" / "open_elements.py").open("a") as file:
        file.write("# changed\n")
    extraction, dedup = _run(code, PYTHONPATH=str(tmp_path)).split()
    assert extraction != before[0]
    assert dedup == before[1]
    assert digest("paberki.dedup.signatures.shingle_kernel") == dedup, "the same sources elsewhere are the same code"


def test_the_cache_is_for_nobody_else(tmp_path: Path) -> None:
    code = "from paberki import kernels; print(kernels.cache_directory())"
    place = Path(_run(code, XDG_CACHE_HOME=str(tmp_path / "cache")))
    assert place.is_relative_to(tmp_path / "cache")
    assert [one.stat().st_mode & 0o777 for one in (place, place.parent)] == [0o700, 0o700]
    place.chmod(0o755)
    assert Path(_run(code, XDG_CACHE_HOME=str(tmp_path / "cache"))) == place
    assert place.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "NUMBA_CACHE_DIR"])
def test_a_place_that_others_may_write_to_is_not_used(tmp_path: Path, variable: str) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    place = Path(_run("from paberki import kernels; print(kernels.cache_directory())", **{variable: str(shared)}))
    assert not place.is_relative_to(shared)
    assert place.stat().st_mode & 0o777 == 0o700
    assert shared.stat().st_mode & 0o777 == 0o777


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a directory away")
def test_a_directory_of_somebody_else_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "paberki").mkdir()
    os.chown(tmp_path / "paberki", 12345, 12345)
    code = "from paberki import kernels; print(kernels.cache_directory())"
    assert not Path(_run(code, XDG_CACHE_HOME=str(tmp_path))).is_relative_to(tmp_path)
    assert not Path(_run(code, NUMBA_CACHE_DIR=str(tmp_path / "paberki"))).is_relative_to(tmp_path)


def test_damaged_code_is_compiled_again(tmp_path: Path) -> None:
    code = (
        "import numpy as np; from paberki import kernels; kernels.load('paberki.kernels.radix_kernel');"
        "print(kernels.cache_directory())"
    )
    place = Path(_run(code, XDG_CACHE_HOME=str(tmp_path)))
    (kept,) = place.glob("paberki.kernels.radix_kernel-*.kernels")
    good = kept.read_bytes()
    for damage in (good[: len(good) // 2], good[:-200] + bytes(200), b"", good.replace(b'{"', b'["', 1)):
        kept.write_bytes(damage)
        _run(code, XDG_CACHE_HOME=str(tmp_path))
        assert kept.read_bytes() == good


def test_versions_that_nobody_has_seen_are_left_to_numba(tmp_path: Path) -> None:
    code = (
        "import sys; from paberki import kernels; from paberki.kernels import native; native.KNOWN_VERSIONS['numba'] = ((0, 1), (0, 2));"
        "kernels.load('paberki.kernels.radix_kernel'); print('numba' in sys.modules, kernels.cache_directory())"
    )
    by_numba, place = _run(code, XDG_CACHE_HOME=str(tmp_path)).split()
    assert by_numba == "True"
    assert not list(Path(place).glob("*.kernels"))


def test_bounds_of_versions_are_those_of_the_package() -> None:
    text = (Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8")
    for name, ((major, minor), (last_major, last_minor)) in KNOWN_VERSIONS.items():
        assert f'"{name}>={major}.{minor},<{last_major}.{last_minor}"' in text


def test_kernels_of_a_stage_are_read_off_its_sources() -> None:
    assert "paberki.extraction.compiled.segmenter_kernel" in used_by(["extract.tagpath.v1"])
    assert "paberki.decoding.charset_kernel" in used_by(["decode.model.v1"])
    assert "paberki.dedup.repeats.word_runs_kernel" in used_by(["dedup.paragraphs.v1"])
    assert used_by(["captures.v1"]) == []
    assert not any("learning" in name for name in used_by(["annotate.v1"]))
    assert kernels_behind(["paberki.store.layer"]) == []
