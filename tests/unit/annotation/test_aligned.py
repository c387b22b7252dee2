"""Sentences of other tools, aligned with the text."""

from __future__ import annotations

import pytest

from paberki.annotation.adapters.aligned import align, fill, split
from paberki.annotation.document import Document
from paberki.annotation.files.conllu_reading import Tree, TreeWord
from paberki.errors import InputError


def test_words_are_placed_in_order() -> None:
    trees = [Tree([TreeWord("Pas"), TreeWord("pas")]), Tree([TreeWord("laje", lemma="lajati")])]
    document = align("Pas, pas laje", trees, "hr", "tool")
    assert list(zip(document.starts, document.ends, strict=True)) == [(0, 3), (5, 8), (9, 13)]
    assert document.edges == [0, 2, 3]
    assert document.lemma == ["_", "_", "lajati"]


def test_a_word_that_is_not_in_the_text_is_named() -> None:
    with pytest.raises(InputError, match="tool gave a word that is not in the text: 'mačka'"):
        align("Pas laje", [Tree([TreeWord("mačka")])], "hr", "tool")


def test_layers_need_the_same_number_of_tokens() -> None:
    with pytest.raises(InputError, match="gave 1 words for 0 tokens"):
        fill(Document(text=""), [Tree([TreeWord("Pas")])], "tool")


def test_trees_are_all_or_nothing() -> None:
    document = Document(text="Pas laje", forms=["Pas", "laje"], starts=[0, 4], ends=[3, 8], edges=[0, 2])
    fill(document, [Tree([TreeWord("Pas", head=2), TreeWord("laje")])], "tool")
    assert document.head is None
    fill(document, [Tree([TreeWord("Pas", head=2, misc="NER=B-per"), TreeWord("laje", head=0)])], "tool")
    assert document.head == [2, 0]
    assert document.ner == ["B-per", "O"]


@pytest.mark.parametrize("lang", ["hr", "xx"])
def test_our_own_rules_split_for_tools_without(lang: str) -> None:
    assert split("Pas laje. Mačka spava.", lang).forms == ["Pas", "laje", ".", "Mačka", "spava", "."]
