"""The overview: every verb is in it, and it comes without the libraries of any."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from in_process import paberki

from paberki import cli
from paberki.cli import verbs

FOLDER = Path(cli.__file__).parent
LIBRARIES = ("typer", "rich", "numpy", "pyarrow", "duckdb", "numba")


def test_every_module_with_a_verb_is_in_a_group() -> None:
    texts = {path.stem.strip("_"): path.read_text("utf-8") for path in FOLDER.glob("*.py")}
    with_verb = {name for name, text in texts.items() if re.search(r"^(def run\(|app = typer)", text, re.MULTILINE)}
    assert with_verb == set(verbs.names())


@pytest.mark.parametrize("name", verbs.names())
def test_a_verb_has_a_summary(name: str) -> None:
    summary = verbs.summary_of(name).summary
    assert summary.endswith(".")
    assert len(summary) < 140


def test_an_example_is_the_first_of_the_docstring() -> None:
    assert verbs.summary_of("build").example == "paberki build hr"


def test_the_overview_names_every_verb_and_exits_with_2_without_words() -> None:
    end = paberki("--help")
    assert end.code == 0
    assert {name for name in verbs.names() if f"\n  {name} " not in end.out} == set()
    assert paberki() == end._replace(code=2)


def test_the_overview_imports_no_library() -> None:
    code = "import sys; from paberki.cli import main; sys.argv = ['paberki', '--help']\ntry: main()\nexcept SystemExit: pass\n"
    code += f"print('loaded:', [name for name in {LIBRARIES} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.endswith("loaded: []\n")


def test_help_names_kinds_of_values_in_words_and_flags_have_none() -> None:
    out = paberki("build", "--help").out
    assert "--engine TEXT" in out
    assert "-j, --jobs NUMBER" in out
    assert re.search(r"--refit {2,}Learn", out)
    assert "<" not in out


def test_examples_are_not_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    out = paberki("build", "--help").out
    assert (
        "  paberki build hr --part 3/8        (eight of these at once, then --joins, until status names nothing" in out
    )
    assert max(map(len, out.partition("Options:")[2].splitlines())) <= 60
