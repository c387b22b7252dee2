"""The documents name files, folders and pages that exist, and the example of CONTRIBUTING.md runs as it is printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "paberki"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PRESENT = [path for path in DOCUMENTS if path.name != "CHANGELOG.md"]
"""Documents about the code as it is now; the changelog may name what is gone."""
LINK = re.compile(r"\]\(([^)#:]+?)(?:#[^)]*)?\)")
FILE = re.compile(
    r"`((?:src/|tests/|benchmarks/|docs/)?[a-z_0-9]+(?:/[a-z_0-9]+)+\.(?:py|md|toml|model|npz|json|crf))`"
)
PLACES = (ROOT, PACKAGE, ROOT / "tests")
MODULE = re.compile(r"`([a-z_0-9]+\.py)`")
"""A module named without its folder, where the sentence says which folder it is in."""
MADE_BY_USERS = {"crawl/status.json"}
"""Files of a corpus directory, which look like files of the package."""


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_links_lead_to_files(document: Path) -> None:
    links = LINK.findall(document.read_text("utf-8"))
    assert [link for link in links if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", PRESENT, ids=_name)
def test_files_that_a_document_names_exist(document: Path) -> None:
    names = set(FILE.findall(document.read_text("utf-8"))) - MADE_BY_USERS
    assert sorted(name for name in names if not any((place / name).exists() for place in PLACES)) == []


@pytest.mark.parametrize("document", PRESENT, ids=_name)
def test_modules_that_a_document_names_exist(document: Path) -> None:
    modules = {path.name for place in (PACKAGE, ROOT / "tests", ROOT / "benchmarks") for path in place.rglob("*.py")}
    assert sorted(set(MODULE.findall(document.read_text("utf-8"))) - modules) == []


def _question_table() -> str:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    return text.partition("## Which folder")[2].partition("\n## ")[0]


def test_every_folder_has_its_question() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert sorted(folder for folder in folders if f"`{folder}/`" not in _question_table()) == []


def test_every_sub_package_is_in_the_table_of_questions() -> None:
    rows = {row.split("|")[1].strip(" `/"): row for row in _question_table().splitlines() if row.startswith("| `")}
    missing = [
        f"{path.parent.parent.name}/{path.parent.name}"
        for path in PACKAGE.glob("*/*/__init__.py")
        if f"`{path.parent.name}`" not in rows.get(path.parent.parent.name, "")
    ]
    assert sorted(missing) == []


def test_architecture_takes_ten_minutes() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text("utf-8").splitlines()) <= 150


def test_the_list_of_pages_has_all_pages() -> None:
    links = LINK.findall((ROOT / "docs" / "README.md").read_text("utf-8"))
    pages = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")} - {"README.md"}
    assert pages - set(links) == set()


def test_glossary_defines_each_word_once() -> None:
    words = re.findall(r"^\| \*\*(.+?)\*\*", (ROOT / "docs" / "glossary.md").read_text("utf-8"), re.MULTILINE)
    assert len(words) > 50
    assert sorted({word for word in words if words.count(word) > 1}) == []


def _example() -> dict[str, str]:
    """The files of the example, by the name that its first line gives."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    blocks = re.findall(r"```\w+\n(?:#|//) (\S+)\n(.*?)```", text, re.DOTALL)
    return dict(blocks)


def test_the_example_of_a_stage_runs_as_it_is_printed(tmp_path: Path) -> None:
    files = _example()
    for name, content in files.items():
        (tmp_path / name).write_text(content, "utf-8")
    assert {"shout.py", "test_shout.py"} <= files.keys()
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_shout.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.slow
def test_the_example_obeys_the_contract_of_all_stages(tmp_path: Path) -> None:
    """A stage of another package is loaded by its entry point, and the contract suite runs on it as on ours."""
    (tmp_path / "shout.py").write_text(_example()["shout.py"], "utf-8")
    package = tmp_path / "shout-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: shout\nVersion: 1.0\n", "utf-8")
    (package / "entry_points.txt").write_text("[paberki.stages]\nshout = shout\n", "utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/contract", "-k", "shout.caps.v1"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert " passed" in run.stdout
