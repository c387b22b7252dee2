"""Words looked up in Arrow buffers, against the same in plain Python."""

import re

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from paberki.lexicon import Lexicon, sums_of, texts_of

WORDS = {"je": [(0, 3)], "čaša": [(0, 1), (2, 5)], "и": [(1, 7)], "x": [(2, 1)]}
STEMS = {"knjiž": [(1, 10)], "dog": [(0, 1)], "knjižni": [(1, 100)]}
LEXICON = Lexicon(WORDS, 3, stems=STEMS)


def in_python(text: str) -> tuple[list[int], int]:
    words = re.findall(r"[^\W\d_]+", text.lower())
    scores = [0, 0, 0]
    for word in words:
        stems = [word[:5]] + ([word[:7]] if len(word) > 6 else [])
        for column, weight in [*WORDS.get(word, []), *(pair for stem in stems for pair in STEMS.get(stem, []))]:
            scores[column] += weight
    return scores, len(words)


@given(st.lists(st.text(st.sampled_from("jeČčašŠAи ИX.1_\n漢𠀀😀Knižjadog"), max_size=60), max_size=6))
def test_as_in_python(texts):
    found = LEXICON.look_up(texts_of(texts))
    assert list(zip(found.scores.tolist(), found.words.tolist(), strict=True)) == [in_python(text) for text in texts]


@given(st.lists(st.text(st.sampled_from("je čaša knjižnica"), max_size=40), min_size=3, max_size=8))
def test_slices_and_nulls(texts):
    array = pa.concat_arrays([texts_of(texts), pa.array([None, "je"])])
    whole, cut = LEXICON.look_up(array).scores, LEXICON.look_up(array.slice(2)).scores
    assert whole[2:].tolist() == cut.tolist()
    assert cut[-2:].tolist() == [[0, 0, 0], [3, 0, 0]]


def test_stems_of_short_and_long_words():
    found = LEXICON.look_up(texts_of(["knjiž knjižn knjižni knjižnica dog dogma", ""]))
    assert found.scores.tolist() == [[1, 4 * 10 + 2 * 100, 0], [0, 0, 0]]


def test_classes_are_counted():
    classes = pa.array([0] * 0x10000, pa.uint8()).to_numpy().copy()
    classes[ord("č")] = 1
    found = Lexicon({}, 1, classes=classes).look_up(texts_of(["čaša, Čič", "𠀀"]))
    assert found.classes[:, 1].tolist() == [2, 0]


def test_sums():
    rows = LEXICON.look_up(texts_of(["je", "je je", "x"])).scores
    assert sums_of(rows, pa.array([0, 2, 2, 3]).to_numpy()).tolist() == [[9, 0, 0], [0, 0, 0], [0, 0, 1]]
