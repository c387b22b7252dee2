"""The stage returns the columns that the plain Python segmenter gives, and those that it declares."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.extraction import block_columns as block_columns
from paberki.extraction import extract_stage, segment_text, to_bytes
from paberki.extraction.html.segmenter import segment as plain_segment
from paberki.extraction.learned.block_classifier import LearnedConfig
from paberki.extraction.methods.tagpath import TagPathConfig, tagpath
from paberki.extraction.repair.repeated_lines import label_repeats
from paberki.store import columns
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
        "decoded": pages,
        "decode.encoding": ["utf-8"] * len(pages),
        "archive.mime": mimes,
        "archive.url": [f"http://a.hr/{number}" for number in range(len(pages))],
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
    compiled = _columns(
        dict(extract_stage.extract_tagpath(_batch(texts, mimes), config)), builtin("extract", *extract_stage.COLUMNS)
    )
    _agrees(compiled, texts, mimes, config)
    learned = extract_stage.extract_learned(_batch(texts, mimes), LearnedConfig(views=False))
    learned = _columns(dict(learned), builtin("extract"))
    for name in ("title", "links", "char_count"):
        assert learned[name] == compiled[name]
    for mime, kept, known in zip(mimes, learned["kept_char_count"], learned["char_count"], strict=True):
        assert kept == known if mime == "text/plain" else (kept or 0) <= (known or 0)


def _agrees(compiled: dict[str, list], texts: list[str | None], mimes: list[str], config: TagPathConfig) -> None:
    for number, (text, mime) in enumerate(zip(texts, mimes, strict=True)):
        if text is None:
            assert compiled["blocks"][number] is None
            continue
        page = segment_text(text) if mime == "text/plain" else plain_segment(text)
        to_bytes(page, text.encode(), "utf-8")
        if mime != "text/plain":
            tagpath(page.blocks, config)
        label_repeats(page.blocks)
        for row, block in zip(compiled["blocks"][number], page.blocks, strict=True):
            for name in ("text", "start", "end", "path", "label", "kept", "reason"):
                assert row[name] == getattr(block, name)
            assert row["score"] == pytest.approx(block.score)
            assert (row["chars"], row["words"]) == (len(block.text), len(block.text.split(" ")))
            assert row["link_share"] == pytest.approx(block.link_density)
        assert compiled["char_count"][number] == sum(len(block.text) for block in page.blocks)
        assert compiled["title"][number] == (page.title.text if page.title and page.title.text else None)
        assert [link["target"] for link in compiled["links"][number]] == [link.target for link in page.links]


def test_a_field_of_blocks_is_one_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = (*columns.BLOCK_FIELDS, columns.BlockField("tag_count", pa.int32(), "inline tags in the block"))
    monkeypatch.setattr(block_columns, "BLOCK_FIELDS", fields)
    monkeypatch.setattr(block_columns, "BLOCK", pa.struct([(one.name, one.type) for one in fields]))
    made = extract_stage.extract_learned(
        _batch([f"<p>{SENTENCE} <b>x</b> <i>y</i></p>"], ["text/html"]), LearnedConfig()
    )
    assert made["blocks"].to_pylist()[0][0]["tag_count"] > 0


def test_a_repaired_text_is_the_text() -> None:
    made = extract_stage.extract_learned(
        _batch(["<p>Cijena je 5 &amp;amp; 6 kuna, kaže se!!!!!!!!</p>"], ["text/html"]), LearnedConfig()
    )
    [block] = made["blocks"].to_pylist()[0]
    assert block["text"] == "Cijena je 5 & 6 kuna, kaže se!!!"
    assert block["source"] == "Cijena je 5 &amp; 6 kuna, kaže se!!!!!!!!"
    assert (block["chars"], block["words"]) == (len(block["text"]), len(block["text"].split()))
