"""What the tab key offers."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from in_process import paberki, refused

from paberki.cli.candidates import candidates
from paberki.cli.completion import SCRIPTS
from paberki.cli.verbs import names
from paberki.stage import stages


def test_verbs_come_first() -> None:
    assert candidates([""]) == sorted(names())
    assert candidates(["qu"]) == ["query"]
    assert candidates(["nonsense", ""]) == []


def test_verbs_of_a_verb_and_options() -> None:
    assert "parser" in candidates(["train", ""])
    assert candidates(["build", "hr", "--un"]) == ["--until"]


def test_stages_are_those_that_exist() -> None:
    assert set(candidates(["settings", ""])) == {name for name in stages() if not name.startswith(("shout", "poison"))}


def test_corpora_are_directories_with_a_recipe_or_an_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, file in (("hr", "corpus.toml"), ("foreign", "index.json"), ("other", "notes.txt")):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text("")
    monkeypatch.chdir(tmp_path)
    assert candidates(["status", ""]) == ["foreign", "hr"]


def test_formats_and_columns() -> None:
    assert candidates(["export", "hr", "par"]) == ["parquet"]
    assert "badness" in candidates(["tune", "hr", "badn"])


def test_reasons_are_those_of_the_corpus(corpus: Path) -> None:
    _, rows = (
        __import__("paberki").open(corpus).sql("select distinct reason from pages where reason is not null order by 1")
    )
    assert candidates(["peek", str(corpus), "--reason", ""]) == [row[0] for row in rows]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_a_script(shell: str) -> None:
    assert paberki("completion", shell).out == SCRIPTS[shell]


def test_an_unknown_shell_is_refused() -> None:
    assert "bash, zsh, fish" in refused("completion", "tcsh")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes(tmp_path: Path) -> None:
    program = tmp_path / "paberki"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m paberki "$@"\n')
    program.chmod(0o755)
    script = SCRIPTS["bash"] + 'COMP_WORDS=(paberki qu) COMP_CWORD=1; _paberki; echo "${COMPREPLY[@]}"'
    run = subprocess.run(
        ["bash", "-c", f"PATH={tmp_path}:$PATH\n{script}"], capture_output=True, text=True, check=False
    )
    assert run.stdout == "query\n", run.stderr


def test_the_manual_page_in_the_wheel_is_the_one_that_is_made() -> None:
    from paberki.cli.manual import manual

    made = manual()
    assert made == (Path(__file__).parents[3] / "docs" / "paberki.1").read_text("utf-8"), (
        "paberki completion man > docs/paberki.1"
    )
    assert all(f"paberki {name}" in made.replace("\\", "") for name in names())
    assert made.isascii()
