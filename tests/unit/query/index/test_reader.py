"""An index as a whole."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from paberki.errors import QueryError, StoreError
from paberki.query.index.reader import Index, open_index

Make = Callable[..., Index]


def test_what_an_index_says_about_itself(make: Make) -> None:
    with make(lang="hr") as index:
        assert (index.tokens, index.name, index.lang, index.default) == (9, "out", "hr", "word")
        assert index.attributes == ("word", "lc", "lemma", "tag", "feats", "deprel")
        assert index.multi == {"feats"}
        assert len(index.build) == 12
        assert index.selection(None) is index.selection("all") is None
        segment = index.segments[0]
        assert segment.head.tolist() == [1, 0, -1, -2, 1, 1, 0, 0, -1]
        assert segment.head.dtype == np.int8
        assert np.flatnonzero(segment.glue.at(np.arange(9))).tolist() == [3]
        word = segment.attribute("word")
        assert word.value(word.ids_at(np.array([8]))[0]) == "<"


def test_names_of_attributes(make: Make) -> None:
    index = make("a\tb\tc\n", ("word", "upos", "xpos"))
    assert index.aliases == {"tag": "xpos", "pos": "upos"}
    assert [index.resolve(name) for name in ("tag", "pos", "word", "lc")] == ["xpos", "upos", "word", "lc"]
    with pytest.raises(QueryError, match="did you mean 'upos'"):
        index.resolve("uposs")
    with pytest.raises(QueryError, match="no selection 'kept'"):
        index.selection("kept")


def test_segments_lie_one_after_the_other(make: Make) -> None:
    whole = make()
    forms = whole.segments[0].attribute("word").values(whole.segments[0].attribute("word").ids)
    index = make(segment_tokens=2)
    assert [(segment.number, segment.base, segment.tokens) for segment in index.segments] == [(0, 0, 7), (1, 7, 2)]
    joined = [form for one in index.segments for form in one.attribute("word").values(one.attribute("word").ids)]
    assert joined == forms
    assert index.build != whole.build


def test_a_directory_without_an_index(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no index here; type: paberki index"):
        open_index(tmp_path)
    (tmp_path / "corpus.toml").touch()
    with pytest.raises(StoreError, match=f"index: no index here; type: paberki index {tmp_path}$"):
        open_index(tmp_path)


def test_an_index_of_another_version_says_what_to_type(make: Make, tmp_path: Path) -> None:
    path = make().path / "index.json"
    content = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**content, "paberki_index": 99}), "utf-8")
    with pytest.raises(
        StoreError,
        match=r"format 99, this version of paberki reads format 1; make it again: paberki index .* --vertical FILE"
        r" --attributes 'word,lemma,tag,feats\*,head,deprel'",
    ):
        open_index(path.parent)
    path.write_text(json.dumps({**content, "paberki_index": 99, "source": "conllu"}), "utf-8")
    with pytest.raises(StoreError, match="make it again: paberki index .* --conllu FILE"):
        open_index(path.parent)
    path.write_text('{"paberki_index": 1}', "utf-8")
    with pytest.raises(StoreError, match="damaged"):
        open_index(path.parent)
    path.write_text("[]", "utf-8")
    with pytest.raises(StoreError, match="format None"):
        open_index(path.parent)


def test_opening_reads_no_columns(make: Make) -> None:
    make("".join(f"{number % 977}\t{number}\n" for number in range(200_000)), ("word", "lemma"))
    began = time.perf_counter()
    index = make.__closure__[0].cell_contents / "out"
    opened = open_index(index)
    assert time.perf_counter() - began < 0.2
    assert opened.tokens == 200_000
