"""Which rows a list shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from paberki.errors import InputError, QueryError
from paberki.query.counting.list_table import ListOptions, read_words

WORDS = pa.array(["grad", "selo", "gradić", "more"])
HITS = np.array([5, 3, 2, 0])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, ["grad", "selo", "gradić"]),
        ({"min": 3}, ["grad", "selo"]),
        ({"regex": "gra.*"}, ["grad", "gradić"]),
        ({"regex": "grad"}, ["grad"]),
        ({"include": ["selo", "more", "x"]}, ["selo"]),
        ({"exclude": ["selo"], "min": 3}, ["grad"]),
    ],
)
def test_rows_by_options(options: dict, words: list[str]) -> None:
    rows = ListOptions.of(options).rows(WORDS, HITS)
    assert WORDS.take(rows).to_pylist() == words


def test_wrong_options_say_what_is_wrong() -> None:
    with pytest.raises(QueryError, match="did you mean 'regex'"):
        ListOptions.of({"regexp": "x"})
    with pytest.raises(QueryError, match="--regex"):
        ListOptions(regex="(").rows(WORDS, HITS)


def test_words_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("\ufeffgrad\t12\n\n  selo \r\nčamac\n", "utf-8")
    assert read_words(file) == {"grad", "selo", "čamac"}
    with pytest.raises(InputError, match="one value per line"):
        read_words(tmp_path / "missing")
