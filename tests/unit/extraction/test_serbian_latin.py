"""Serbian blocks in Cyrillic letters, read in Latin ones."""

from __future__ import annotations

import pyarrow as pa

from paberki.extraction.repair.edits import Origins
from paberki.extraction.repair.serbian_latin import in_latin, serbian_blocks


def test_blocks_of_serbian_pages_are_chosen_and_no_others():
    texts = pa.array(["Latinica", "Љубав и мир", "Это русский текст", "ещё один", "Добар дан"])
    assert serbian_blocks(texts, [0, 2, 4]) == {1, 4}


def test_a_page_in_both_languages_is_not_serbian():
    assert serbian_blocks(pa.array(["Љубав и мир", "Это русский"]), [0]) == frozenset()


def test_letters_remember_where_they_came_from():
    text = "Љубав!"
    origins = Origins(len(text))
    assert in_latin(text, origins) == "Ljubav!"
    assert origins.begins == [0, 1, 1, 2, 3, 4, 5]
    assert origins.ends[:2] == [1, 1]
