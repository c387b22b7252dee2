"""The public module, packages of others that are new or broken, and filters of datatrove."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from paberki import plugin
from paberki.errors import ConfigError, ContractError, StoreError
from paberki.plugin.template import new_plugin
from paberki.stage import stages
from paberki.stage.registry import _STAGES
from paberki.store.batch import Batch


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    """Stages that a test registers are gone after it."""
    before = stages()
    yield
    for name in set(_STAGES) - set(before):
        del _STAGES[name]


def run_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command that sees the packages of a folder."""
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", *words]
    return subprocess.run(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False
    )


def install(folder: Path, name: str, content: str) -> None:
    """A module with an entry point for stages."""
    (folder / f"{name}.py").write_text(content, "utf-8")
    package = folder / f"{name}-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    (package / "entry_points.txt").write_text(f"[paberki.stages]\n{name} = {name}\n", "utf-8")


def test_every_public_name_exists_and_is_listed() -> None:
    assert sorted(plugin.__all__) == plugin.__all__ or len(set(plugin.__all__)) == len(plugin.__all__)
    assert [name for name in plugin.__all__ if not hasattr(plugin, name)] == []


def test_a_new_plugin_passes_its_own_test(tmp_path: Path) -> None:
    files = new_plugin("shout", tmp_path / "shout")
    assert {path.name for path in files} == {"pyproject.toml", "shout.py", "test_shout.py", "README.md"}
    run = run_in(tmp_path / "shout", "pytest", "-q", "-p", "no:cacheprovider")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "1 passed" in run.stdout


@pytest.mark.parametrize("word", ["", "Shout", "2fast", "a-b", "class", "../x"])
def test_a_name_that_python_cannot_have_is_refused(word: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="small letters"):
        new_plugin(word, tmp_path / "x")


def test_a_folder_with_files_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    with pytest.raises(StoreError, match="not empty"):
        new_plugin("shout", tmp_path)


def test_a_broken_plugin_is_named_and_costs_nobody_else_anything(tmp_path: Path) -> None:
    install(tmp_path, "broken", "raise OSError('no such library')")
    listed = run_in(tmp_path, "paberki", "plugin", "list", "--json")
    assert "OSError: no such library" in listed.stdout
    assert run_in(tmp_path, "paberki", "stages", "--quiet").returncode == 0
    wanted = run_in(tmp_path, "paberki", "settings", "broken.share.v1")
    assert wanted.returncode == 2
    assert "the stages of broken do not load (OSError: no such library)" in wanted.stderr


BLOCKS = pa.array(
    [
        [{"text": "A short page.", "kept": True}],
        [{"text": "not kept", "kept": False}],
        [{"text": "word " * 60, "kept": True}],
    ]
)


def test_a_filter_of_datatrove_labels_pages() -> None:
    pytest.importorskip("datatrove")
    from datatrove.pipeline.filters.base_filter import BaseFilter

    class LongEnough(BaseFilter):
        name = "long enough"

        def __init__(self, words: int) -> None:
            super().__init__()
            self.words = words

        def filter(self, doc: object) -> object:
            return True if len(doc.text.split()) >= self.words else (False, "too_short")  # type: ignore[attr-defined]

    stage = plugin.datatrove_filter("quality.longenough.v1", LongEnough, words=20)
    columns = stage.map.run(Batch(np.arange(3), {"extract.blocks": BLOCKS}), None)
    assert columns == {
        "longenough_keep": [False, None, True],
        "longenough_reason": ["too_short", None, None],
    }


def test_an_extractor_of_datatrove_adds_its_text() -> None:
    class Upper:
        def extract(self, text: str) -> str:
            return text.upper()

    stage = plugin.datatrove_extractor("extract.upper.v1", Upper)
    assert [column.name for column in stage.adds] == ["upper_text"]
    assert stage.adds[0].personal
    batch = {"decoded": ["<p>a</p>", None]}
    assert stage.map.run(batch, None) == {"upper_text": ["<P>A</P>", None]}


def test_a_name_without_dots_is_refused() -> None:
    with pytest.raises(ContractError, match="of the form"):
        plugin.datatrove_filter("gopher", object)
