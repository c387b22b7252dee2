"""What a build notes about its layers, so that readers need not make the plan again."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from paberki.store.built_layers import remember, remembered_layers
from paberki.store.columns import BUILTIN, Column
from paberki.store.directory import Directory

LAYERS = ["archive", "extract"]
COLUMNS = [column for column in BUILTIN if column.layer in LAYERS]


@pytest.fixture
def directory(tmp_path: Path) -> Directory:
    made = Directory(tmp_path)
    made.recipe.write_text('lang = ["hr"]\n')
    made.private.mkdir()
    return made


def test_layers_and_columns_come_back(directory: Directory) -> None:
    remember(directory, LAYERS, COLUMNS)
    layout = remembered_layers(directory)
    assert layout is not None
    assert layout.layers == LAYERS
    assert list(layout.columns.values()) == COLUMNS


def test_another_recipe_makes_the_note_void(directory: Directory) -> None:
    remember(directory, LAYERS, COLUMNS)
    directory.recipe.write_text('lang = ["sl"]\n')
    assert remembered_layers(directory) is None


def test_columns_of_other_packages_are_not_noted(directory: Directory) -> None:
    remember(directory, [*LAYERS, "shout"], [*COLUMNS, Column("upper_share", "shout", pa.float32(), "capitals")])
    assert remembered_layers(directory) is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"recipe": 1}', '{"recipe": "x", "layers": 3, "columns": ["no.such"]}']
)
def test_a_damaged_note_is_no_note(directory: Directory, text: str) -> None:
    (directory.private / "layout.json").write_text(text)
    assert remembered_layers(directory) is None
