"""Torn words and sentences that run together."""

from __future__ import annotations

import pytest

from paberki.extraction.repair.dehyphenate import (
    PageWords,
    WordCounts,
    dehyphenate,
    drop_soft_hyphens,
    run_on,
    split_run_ons,
    torn,
)

COUNTS = WordCounts(
    {"knjižnica": 9, "knji-": 1, "žnica": 1, "crno-bijeli": 7, "bijeli": 2, "dan": 5, "danas": 4, "kuća": 3}
)


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("nova knji- žnica u gradu", "nova knjižnica u gradu"),
        ("nova knji\u2010 žnica", "nova knjižnica"),
        ("crno- bijeli film", "crno-bijeli film"),
        ("dan- kuća", "dan- kuća"),
        ("2- žnica", "2- žnica"),
        ("-knji- žnica", "-knji- žnica"),
    ],
)
def test_halves_are_joined_where_the_whole_is_a_frequent_word(text, joined):
    assert dehyphenate(text, COUNTS, own=False) == joined


def test_capitalised_halves_keep_their_hyphen():
    words = WordCounts({"müllerstraße": 3})
    assert dehyphenate("Müller- Straße", words, own=False) == "Müller-Straße"
    assert dehyphenate("MÜLLER- STRASSE", WordCounts({"müllerstrasse": 3}), own=False) == "MÜLLERSTRASSE"


def test_halves_of_the_page_itself_count_one_less():
    page = ["knji- žnica", "knjižnica"]
    assert dehyphenate(page[0], WordCounts.of(page), own=True) == "knjižnica"
    assert dehyphenate(page[0], WordCounts.of(page), own=False) == page[0]


@pytest.mark.parametrize(
    ("text", "whole"),
    [("knji\u00adžnica", "knjižnica"), ("knji\u00ad žnica", "knjižnica"), ("kraj\u00ad", "kraj"), ("a b", "a b")],
)
def test_soft_hyphens_go(text, whole):
    assert drop_soft_hyphens(text) == whole


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("Lijep dan.Danas je", "Lijep dan. Danas je"),
        ('rekao je dan!"Danas', 'rekao je dan!" Danas'),
        ("Dan.Danas", "Dan.Danas"),
        ("dan.danas", "dan.danas"),
        ("www.Danas", "www.Danas"),
        ("dan.Nepoznato", "dan.Nepoznato"),
        ("dan.Danas@kuća", "dan.Danas@kuća"),
    ],
)
def test_sentences_are_parted_between_words(text, split):
    assert split_run_ons(text, COUNTS, own=False) == split


def test_quick_looks_find_what_repairs_change():
    assert torn("knji- žnica")
    assert not torn("knji-žnica")
    assert run_on("dan.Danas")
    assert not run_on("dan. Danas")


def test_words_of_a_page_end_and_begin_at_letters_and_hyphens():
    words = PageWords(["dan danas", "Dan-dva dan"])
    assert (words["dan"], words["danas"], words["dan-dva"]) == (2, 1, 1)
    assert words.more_than("dan", 1)
    assert not words.more_than("dan", 2)
