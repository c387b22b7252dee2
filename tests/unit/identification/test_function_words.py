"""The method ``words``: function words and letters, without a model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_identify import CASES, PARAGRAPHS

from paberki.identification import identify
from paberki.identification.methods.function_words import FunctionWords, identify_evidence
from paberki.identification.word_evidence import evidence
from paberki.languages.telling_words import CONTRASTS, FUNCTION_WORDS
from paberki.lexicon import texts_of

KNOWN = [(language, text) for language, text in CASES if language in FunctionWords.languages]


def test_languages():
    found = FunctionWords().identify([text for _, text in KNOWN])
    assert [one.lang for one in found] == [language for language, _ in KNOWN]
    assert all(sum(one.probs.values()) == pytest.approx(1.0) for one in found)


def test_choice_can_be_limited():
    text = PARAGRAPHS["hr"][0]
    assert identify(text, languages=["sr", "sl"], method="words").lang == "sr"
    assert identify(text, languages=["ja"], method="words").lang is None


def test_word_lists_are_long_enough():
    assert all(len(set(words.split())) >= 50 for words in FUNCTION_WORDS.values())


def test_a_word_that_both_have_is_no_contrast():
    assert "zemlj" not in CONTRASTS["sr"].split()


@given(st.lists(st.text(max_size=60), max_size=6))
def test_any_texts(texts):
    found = identify_evidence(evidence(texts_of(texts)))
    assert [item.lang for item in found] == [FunctionWords().identify([text])[0].lang for text in texts]
    assert all(sum(item.probs.values()) == pytest.approx(1.0 if item.lang else 0.0) for item in found)
