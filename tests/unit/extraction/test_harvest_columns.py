"""The compiled stage returns the columns of the interpreted one, and the learned stage those that it declares."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numba")

from paberki.extraction import stage
from paberki.extraction.learned import LearnedConfig
from paberki.extraction.tagpath import TagPathConfig
from paberki.store.batch import Batch
from paberki.store.columns import Column, builtin

SENTENCE = "Ovo je rečenica koja ima barem osam dobrih riječi."
PIECES = [
    SENTENCE, f"„{SENTENCE}”", "日本語の文章はここにあります。とても長い文章です。", "kratko", "<p>", "<div class=x>",
    "<li>", "</div>", "<a href=u rel=nofollow>", "</a>", "x" * 1100, "<title>Naslov</title>", "<br>", "\n\n",
    "<meta name=keywords content='a b'>", "<html lang=hr>",
]  # fmt: skip
page = st.one_of(st.none(), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))


def _batch(pages: list[str | None], mimes: list[str]) -> Batch:
    values = {
        "payload": [b"" if text is None else text.encode() for text in pages],
        "text": pages,
        "decode.encoding": ["utf-8"] * len(pages),
        "archive.mime": mimes,
        "archive.url": ["http://a.hr/"] * len(pages),
    }
    return Batch(np.arange(len(pages)), {}, values=values)


def _columns(columns: dict[str, object], declared: tuple[Column, ...]) -> dict[str, list[object]]:
    found = {}
    assert set(columns) == {column.name for column in declared}
    for column in declared:
        values = columns[column.name]
        array = values if isinstance(values, pa.Array) else pa.array(values, column.type)
        assert array.type == column.type
        array.validate(full=True)
        found[column.name] = array.to_pylist()
    return found


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(page, st.sampled_from(["text/html", "text/html", "text/plain"])), max_size=8), st.booleans())
def test_same_columns(pages: list[tuple[str | None, str]], capital_start: bool) -> None:
    texts, mimes = [text for text, _ in pages], [mime for _, mime in pages]
    config = TagPathConfig(capital_start=capital_start)
    compiled = _columns(dict(stage.extract_tagpath(_batch(texts, mimes), config)), stage._FIRST_COLUMNS)
    assert compiled == _columns(dict(stage._interpreted(_batch(texts, mimes), config)), stage._FIRST_COLUMNS)
    learned = _columns(dict(stage.extract_learned(_batch(texts, mimes), LearnedConfig())), builtin("extract"))
    for name in ("title", "links", "char_count"):
        assert learned[name] == compiled[name]
    for mime, kept, known in zip(mimes, learned["kept_char_count"], learned["char_count"], strict=True):
        assert kept == known if mime == "text/plain" else (kept or 0) <= (known or 0)
