"""Letters per script, and P3's two figures for Cyrillic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.identification.scripts import NAMES, count_scripts


def test_cyrillic_figures():
    counts = count_scripts("Књига 123 book, ЂЋ!")
    assert (counts.letters, counts.cyrillic_num) == (11, 7)
    assert counts.cyrillic_perc == pytest.approx(700 / 11)
    assert counts.per_script == {"Latn": 4, "Cyrl": 7}


def test_no_letters():
    counts = count_scripts("123 – 45 %")
    assert (counts.letters, counts.per_script, counts.cyrillic_perc) == (0, {}, 0.0)


def test_japanese_is_three_scripts():
    assert count_scripts("本をカメラ").per_script == {"Hira": 1, "Kana": 3, "Hani": 1}


@given(st.text(st.sampled_from("aĆžЖђ漢か한שΩ1 \n𝄞\ud800"), max_size=80))
def test_every_letter_counts_once(text):
    counts = count_scripts(text)
    assert counts.letters == sum(char not in "1 \n𝄞\ud800" for char in text)
    assert set(counts.per_script) <= set(NAMES)
