"""UTF-8 that was read as another encoding."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.extraction.repair.edits import Origins
from paberki.extraction.repair.mojibake import repair_controls, repair_mojibake

SENTENCE = "Još će čitatelji naći članke o načinu života u Šibeniku."
WORDS = ["čovjek", "žena", "više", "kuća", "još", "naći", "također", "društvo", "riječ", "općina"]


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (SENTENCE, "cp1250"),
        ("Über die Größe der Gärten lässt sich streiten.", "cp1252"),
        ("Съешь ещё этих мягких булок, да выпей чаю.", "cp1251"),
    ],
)
def test_a_sentence_comes_back(text, codec):
    wrong = text.encode().decode(codec)
    assert repair_mojibake(wrong) == text


def test_text_that_was_damaged_twice_comes_back():
    text = "père et mère, ça été"
    once = text.encode().decode("cp1252")
    assert repair_mojibake(once.encode().decode("cp1252")) == text


@pytest.mark.parametrize("text", [SENTENCE, "NESTLÉ®", "Ärger über Öl", "plain ASCII", "Ä‘", "50 °C – 60 °C", "„čaj“"])
def test_right_text_stays(text):
    assert repair_mojibake(text) == text


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12))
def test_right_words_stay(words):
    text = " ".join(words)
    assert repair_mojibake(text) == text


def test_origins_point_at_the_damaged_characters():
    wrong = "naÄ\u008din".replace("\u008d", "Ť")
    origins = Origins(len(wrong))
    right = repair_mojibake(wrong, origins)
    assert right == "način"
    assert [wrong[begin:end] for begin, end in zip(origins.begins, origins.ends, strict=True)] == [
        "n",
        "a",
        "ÄŤ",
        "i",
        "n",
    ]


def test_c1_controls_become_the_signs_of_windows_1252():
    assert repair_controls("\x93tako\x94 \x96 da") == "“tako” – da"
    assert repair_controls("a\x81") == "a\x81"
