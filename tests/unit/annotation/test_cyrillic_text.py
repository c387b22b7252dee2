"""Cyrillic text read as Latin, with the place of every character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.annotation.cyrillic_text import has_cyrillic, latin_forms, to_cyrillic, to_latin

SERBIAN = st.text("абвгдђежзијклљмнњопрстћуфхцчџш АБВЉЊЏ.,", max_size=40)


@pytest.mark.parametrize(
    ("cyrillic", "latin"), [("Љубав", "Ljubav"), ("ЉУБАВ", "LJUBAV"), ("њега", "njega"), ("Џ", "Dž"), ("abc", "abc")]
)
def test_words(cyrillic: str, latin: str) -> None:
    assert to_latin(cyrillic)[0] == latin


@given(SERBIAN)
def test_every_latin_letter_knows_where_it_comes_from(text: str) -> None:
    latin, places = to_latin(text)
    assert len(places) == len(latin)
    assert sorted(set(places.tolist())) == list(range(len(text)))
    assert all(latin[at] == text[place] for at, place in enumerate(places.tolist()) if not has_cyrillic(text[place]))


@given(st.text("абвгдђежзијклљмнњопрстћуфхцчџш", max_size=12))
def test_there_and_back_in_lower_case(word: str) -> None:
    latin = to_latin(word)[0]
    assert to_latin(to_cyrillic(latin))[0] == latin


def test_only_cyrillic_forms_are_spelled_anew() -> None:
    assert latin_forms(["пас", "pas", "Пас"]) == {"пас": "pas", "Пас": "Pas"}
    assert latin_forms([]) == {}
