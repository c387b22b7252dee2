"""A new package with a stage of its own, a test, and the entry point by which paberki finds it."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import Final

from paberki.errors import ConfigError, StoreError
from paberki.store.files import explain, write_text

__all__ = ["new_plugin"]

_PROJECT: Final = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "paberki-{word}"
version = "0.1.0"
description = "A stage for paberki"
requires-python = ">=3.11"
dependencies = ["paberki>=0.2"]

[project.entry-points."paberki.stages"]
{word} = "{word}"

[tool.hatch.build.targets.wheel]
only-include = ["{word}.py"]
"""
_STAGE: Final = '''\
"""The stage {word}.share.v1: the share of capitals among the letters of a page."""

from dataclasses import dataclass

from paberki.plugin import Batch, Column, Columns, boolean, float32, map_stage


@dataclass(frozen=True, slots=True, kw_only=True)
class {title}Config:
    """When is a page too loud?"""

    limit: float = 0.3
    """Pages with a larger share of capitals are labelled."""


SHARE = Column("{word}_share", "{word}", float32, "share of letters that are capitals")
LABEL = Column("{word}_label", "{word}", boolean, "the share of capitals is above the limit")


@map_stage(
    "{word}.share.v1",
    layer="{word}",
    needs=("extract.blocks.text",),
    adds=(SHARE, LABEL),
    config={title}Config,
)
def {word}(batch: Batch, config: {title}Config) -> Columns:
    """Share of capitals among the letters of all blocks (no paper)."""
    shares = [upper_share("".join(blocks or ())) for blocks in batch["extract.blocks.text"]]
    return {{"{word}_share": shares, "{word}_label": [share > config.limit for share in shares]}}


def upper_share(text: str) -> float:
    letters = [letter for letter in text if letter.isalpha()]
    return sum(letter.isupper() for letter in letters) / max(len(letters), 1)
'''
_TEST: Final = '''\
"""What the stage says about three pages."""

import numpy as np
import pyarrow as pa
from {word} import {title}Config, {word}

from paberki.plugin import Batch


def test_capitals_are_counted() -> None:
    blocks = pa.array([[{{"text": "BUY NOW"}}], [{{"text": "A quiet"}}, {{"text": "page"}}], []])
    columns = {word}(Batch(np.arange(3), {{"extract.blocks": blocks}}), {title}Config(limit=0.5))
    assert columns["{word}_share"] == [1.0, 0.1, 0.0]
    assert columns["{word}_label"] == [True, False, False]
'''
_README: Final = """\
# paberki-{word}

    pip install -e .                      # paberki finds the stage by its entry point
    python -m pytest                      # the test of the stage
    paberki stages                        # lists {word}.share.v1

In a recipe: `add = ["{word}.share.v1"]`, settings under `[{word}]`, its columns in rules.
"""
_FILES: Final = {
    "pyproject.toml": _PROJECT,
    "{word}.py": _STAGE,
    "test_{word}.py": _TEST,
    "README.md": _README,
}


def new_plugin(word: str, folder: Path) -> list[Path]:
    """Write the package; the files that were written."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", word) or keyword.iskeyword(word):
        raise ConfigError(f"{word!r}: a plugin has a name of small letters, digits and underscores, e.g. shout")
    if folder.exists() and any(folder.iterdir()):
        raise StoreError(f"{folder}: exists and is not empty; choose another folder with --out")
    title = word.title().replace("_", "")
    files = {folder / name.format(word=word): text.format(word=word, title=title) for name, text in _FILES.items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            write_text(path, text)
    except OSError as error:
        raise explain(error, f"making {folder}") from error
    return list(files)
