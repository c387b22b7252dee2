"""Token layers into a segment: forms from texts, words from dictionaries, names as regions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from paberki.kernels import load
from paberki.query.index.segment import Segment
from paberki.query.index.writing.segment_writer import SegmentWriter
from paberki.query.sources.layers import ANNOTATED, add_pages, annotated_pages, layer_schema
from paberki.query.sources.splitting import split_pages

TEXTS = [["navigacija", "Ana ide. Pas ¡laje!"], None, ["Čaj 😀x"]]
STARTS = [[0, 4, 7, 9, 13, 14, 18], None, [0, 4, 5]]
ENDS = [[3, 7, 8, 12, 14, 18, 19], None, [3, 5, 6]]
WORD = pa.dictionary(pa.int32(), pa.string())


def words(*pages: list[str | None] | None) -> pa.Array:
    return pa.array(pages, pa.list_(pa.string())).cast(pa.list_(WORD))


COLUMNS = {
    "sent_block": pa.array([[1, 1], None, [0]], pa.list_(pa.int32())),
    "sent_length": pa.array([[3, 4], None, [3]], pa.list_(pa.int32())),
    "tok_start": pa.array(STARTS, pa.list_(pa.int32())),
    "tok_end": pa.array(ENDS, pa.list_(pa.int32())),
    "tok_head": pa.array([[2, 0, 2, 3, 3, 0, 3], None, [0, 1, 1]], pa.list_(pa.int32())),
    "tok_oov": pa.array([[False] * 6 + [True], None, [None] * 3], pa.list_(pa.bool_())),
    "tok_lemma": words(list("abcdefg"), None, ["čaj", None, "x"]),
    "tok_upos": words(list("NVZNZVZ"), None, list("NSX")),
    "tok_xpos": words([], None, list("NSX")),
    "tok_feats": words(["A=1|B=2", "_", "", "A=1", "_", "_", "_"], None, ["_"] * 3),
    "tok_deprel": words(["x"] * 7, None, ["y"] * 3),
    "tok_ner": words(["B-per", "I-per", "O", "I-loc", "B-loc", "I-per", "I-per"], None, ["O", "B-per", "O"]),
}


def segment(tmp_path: Path) -> Segment:
    assert set(COLUMNS) == set(ANNOTATED)
    writer = SegmentWriter(tmp_path, layer_schema("hr", annotated=True))
    pages = annotated_pages(COLUMNS, pa.array(TEXTS, pa.list_(pa.string())))
    add_pages(writer, pages, COLUMNS, np.array([70, 71, 72]), np.array([1, 1, 4]))
    structures = writer.structures()
    entry = writer.close(tmp_path / "x.segment")
    return Segment(tmp_path / "x.segment", 0, entry.digest, 0, structures)


def values(one: Segment, name: str) -> list[str]:
    attribute = one.attribute(name)
    return attribute.values(attribute.ids)


def test_all_layers(tmp_path: Path) -> None:
    one = segment(tmp_path)
    assert values(one, "word") == ["Ana", "ide", ".", "Pas", "¡", "laje", "!", "Čaj", "😀", "x"]
    assert one.glue.at(np.arange(10)).tolist() == [at in (2, 5, 6, 9) for at in range(10)]
    assert values(one, "lemma") == [*"abcdefg", "čaj", "_", "x"]
    assert values(one, "xpos") == ["_"] * 7 + list("NSX")
    assert values(one, "feats") == ["|A=1|B=2|", "|", "|", "|A=1|", "|", "|", "|", "|", "|", "|"]
    assert values(one, "oov") == ["false"] * 6 + ["true"] + ["false"] * 3
    assert one.head.tolist() == [1, 0, -1, 2, 1, 0, -1, 0, -1, -2]


def test_regions(tmp_path: Path) -> None:
    one = segment(tmp_path)
    spans = {name: (own.starts.tolist(), own.ends.tolist()) for name in one.structures for own in [one.structure(name)]}
    assert spans["doc"] == ([0, 7], [7, 10])
    assert spans["p"] == ([0, 7], [7, 10])
    assert spans["s"] == ([0, 3, 7], [3, 7, 10])
    assert spans["name"] == ([0, 3, 4, 5, 8], [2, 4, 5, 7, 9])
    types = one.structure("name").attribute("type")
    assert types.values(types.ids) == ["per", "loc", "loc", "per", "per"]
    assert one.structure("doc").attribute("page_number").whole_numbers.tolist() == [70, 72]
    assert one.structure("doc").attribute("commit").whole_numbers.tolist() == [1, 4]
    assert one.structure("s").attribute("sentence_number").whole_numbers.tolist() == [0, 1, 0]
    assert one.structure("p").attribute("block_number").whole_numbers.tolist() == [1, 0]


@given(st.lists(st.text(max_size=12), min_size=1, max_size=4), st.data())
def test_characters_become_bytes(texts: list[str], data: st.DataObject) -> None:
    array = pa.array([text.encode("utf-8", "replace").decode() for text in texts], pa.string())
    tokens = []
    for block, text in enumerate(array.to_pylist()):
        marks = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
        tokens += [(block, low, high) for low, high in zip(marks[::2], marks[1::2], strict=False)]
    blocks, starts, ends = (np.array([one[at] for one in tokens], np.int32) for at in range(3))
    _, offsets, content = array.buffers()
    bytes_ = np.frombuffer(content, np.uint8) if content is not None and content.size else np.zeros(1, np.uint8)
    edges = np.frombuffer(offsets, np.int32, len(array) + 1)
    low, high, glue = np.zeros(len(tokens), np.int32), np.zeros(len(tokens), np.int32), np.zeros(len(tokens), np.uint8)
    load("paberki.query.sources.words_kernel").place_tokens(bytes_, edges, blocks, starts, ends, low, high, glue)
    forms = [bytes_[a:b].tobytes().decode() for a, b in zip(low, high, strict=True)]
    assert forms == [array[block].as_py()[start:end] for block, start, end in tokens]


def test_pages_that_nobody_annotated_are_split() -> None:
    texts = pa.array(TEXTS, pa.list_(pa.string()))
    kept = pa.array([[False, True], None, [True]], pa.list_(pa.bool_()))
    for lang in ("hr", "xx", ""):
        pages = split_pages(texts, kept, lang)
        assert pages.sentence_blocks.tolist()[0] == 1
        first = [TEXTS[0][1][start:end] for start, end in zip(pages.starts, pages.ends, strict=True)][:3]
        assert first == ["Ana", "ide", "."]
        assert pages.sentence_lengths.sum() == len(pages.starts)
        assert pages.sentence_counts[1] == 0
