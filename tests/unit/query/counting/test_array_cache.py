"""Arrays of a part of a corpus are kept apart from those of the whole."""

from __future__ import annotations

import contextlib
from pathlib import Path

import paberki
from paberki.errors import QueryError
from smallcorpus import make_index


def test_a_part_without_tokens_does_not_spoil_what_is_known_of_the_whole(tmp_path: Path) -> None:
    path = make_index(tmp_path).path
    corpus = paberki.open(path)
    with contextlib.suppress(QueryError):
        corpus.part("year = 1800").sketch("grad")
    assert paberki.open(path).sketch("grad").num_rows > 0
