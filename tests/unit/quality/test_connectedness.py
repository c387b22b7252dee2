"""Cuts for connected text: short texts and texts of a genre stay, lists and shuffled words do not."""

from __future__ import annotations

import random

import numpy as np
import pytest
from test_connected_stage import CONFIG, batch

from corpora import SENTENCES, WORDS
from paberki.lexicon import texts_of
from paberki.model import Model
from paberki.quality.connected.calibrated_stage import BADNESS, CalibratedConfig, connected_calibrated
from paberki.quality.connected.connected_stage import LearnProfiles
from paberki.quality.connected.connectedness import FEW, FOREIGN, SHUFFLED, has_sentences, is_list, reasons
from paberki.quality.connected.profiles import Profiles, learn
from paberki.quality.connected.word_order import function_words, known_languages

SHORT = "Enameled cast iron pan and metal? I have a pan and I was told not to use metal on it, but my friend does. Is it really that bad?"
RECIPE = (
    "Peel the onions and chop them. Melt 50 g butter in a pan, add the onions and fry until golden. Stir in the flour, "
    "then 1 l of stock, little by little. Season with salt and pepper. Simmer for 20 minutes. Serve with bread."
)
LAW = (
    "Članak 12. (1) Poslodavac je dužan radniku isplatiti plaću u roku od petnaest dana. (2) Ako poslodavac ne isplati "
    "plaću u roku iz stavka 1. ovoga članka, dužan je do kraja mjeseca u kojem je plaća dospjela radniku uručiti obračun."
)
VERSE = "Tyger Tyger, burning bright,\nIn the forests of the night;\nWhat immortal hand or eye,\nCould frame thy fearful symmetry?"


def why(text: str, lang: str, lead: float = 0.0) -> str:
    """The reason why a text is not connected."""
    return reasons([text], function_words(lang, {}).measure(texts_of([text])), np.array([lead]))[0]


@pytest.mark.parametrize(("text", "lang"), [(SHORT, "en"), (RECIPE, "en"), (VERSE, "en"), (LAW, "hr")])
def test_short_texts_and_genres_are_text(text: str, lang: str) -> None:
    assert why(text, lang) == ""


def test_long_pages_that_are_half_a_list_are_text() -> None:
    names = " ".join(random.Random(1).choices(["Müller", "Berlin", "Weber", "Köln", "Schmidt", "Bonn"], k=900))
    assert why(f"{SHORT}\n{RECIPE}\n" * 4 + names, "en") == ""


@pytest.mark.parametrize("lang", ["hr", "en", "ja", "ru"])
def test_lists_are_not(lang: str) -> None:
    words = {"hr": WORDS, "en": ["red", "shoes", "black", "boots", "men", "size", "leather", "sale", "new", "price"],
             "ja": ["東京", "大阪", "価格", "商品", "電話", "番号"], "ru": ["цена", "купить", "товар", "размер", "красный", "обувь", "мужской"]}  # fmt: skip
    some = random.Random(3).choices(words[lang], k=200)
    assert why("\n".join(some), lang) == FEW
    assert why(" | ".join(f"{one} {number},99 EUR" for number, one in enumerate(some)), lang) == FEW


NAMES = "Ana Horvat\n012 5749\nIvan Kozlić\n048 917\nVesna Tomašek\n090 515\nPetra Lončarić\n039 559\nLuka Čudina\n087 707\n"
NOTICE = "Prijavite se na naše tjedne obavijesti i ne propustite ništa.\n"


def test_short_lists_with_one_sentence_of_the_template_are_lists() -> None:
    assert why(NAMES * 3 + NOTICE, "hr") == FEW
    assert why(NOTICE * 3 + NAMES, "hr") == ""
    events = "1.\nVatrogasnom domu, 15 h\n4.\nČitaonici uz more, 10 h\n7.\nGradskoj knjižnici, 16 h\n"
    assert why(events * 4, "hr") == FEW


def test_verse_and_lists_of_clauses_are_no_lists() -> None:
    assert is_list(NAMES)
    assert not is_list(VERSE)
    assert not is_list("- operite ruke,\n- narežite luk;\n- pržite ga na ulju,\n- poslužite s kruhom.")


def test_the_same_phrase_with_other_names_is_a_link_farm() -> None:
    pick = random.Random(5)
    farm = " | ".join(f"{pick.choice(WORDS)} za {pick.choice(WORDS)}" for _ in range(100))
    assert why(farm, "hr") == FEW


@pytest.mark.parametrize(("texts", "lang"), [([SHORT, RECIPE, VERSE] * 2, "en"), (list(SENTENCES) * 3, "hr")])
def test_shuffled_words_are_no_text(texts: list[str], lang: str) -> None:
    assert why(" ".join(texts), lang) == ""
    words = " ".join(texts).split()
    random.Random(7).shuffle(words)
    assert why(" ".join(words), lang) == SHUFFLED


def test_another_language_must_lead_by_far() -> None:
    assert why(RECIPE, "en", lead=9.0) == ""
    assert why(RECIPE, "en", lead=40.0) == FOREIGN
    assert why((RECIPE + SHORT + VERSE) * 20, "en", lead=40.0) == ""


def test_sentences_begin_with_capitals_more_often_than_other_words_do() -> None:
    assert has_sentences("Prva. Druga rečenica. Treća je Ana. Četvrta. Peta i šesta. Sedma.", 12)
    assert has_sentences("prva Druga. rečenica. je treća. Ana. četvrta. i Peta. šesta Sedma. osma", 12) is False
    assert has_sentences("sve je malim slovima. nitko ne piše velika. tako je. da. ne. možda. jest.", 14) is None
    assert has_sentences("riječ " * 120, 120) is False


def test_forty_languages_are_known() -> None:
    assert len(known_languages()) == 40
    assert {"hr", "sr", "sl", "ja", "cs", "de"} <= set(known_languages())


def test_languages_that_we_do_not_know_are_judged_by_their_own_words() -> None:
    text = "Bu kitob va bu daftar bilan men maktabga bordim, lekin u yerda hech kim yo'q edi. " * 4
    profiles = Profiles({"uz": learn([text] * 5)})
    assert profiles.known_as("uz") == ""
    words = function_words("", profiles.shares("uz"))
    good, bad = words.measure(texts_of([text, "olma anor uzum nok gilos behi shaftoli o'rik " * 9])).share
    assert good > 0.9
    assert bad == 0.0


def test_the_stage_judges_and_a_limit_brings_the_cut_of_the_paper_back() -> None:
    pages = [("hr", "Latn", " ".join(SENTENCES)) for _ in range(6)]
    table = LearnProfiles.finish(LearnProfiles.merge([LearnProfiles.observe(batch(pages), CONFIG)], CONFIG), CONFIG)
    model = Model("x", table)
    judged = batch(
        [("hr", "Latn", LAW), ("hr", "Latn", " ".join(WORDS * 9)), ("hr", "Latn", ""), ("xx", "Latn", "a b")]
    )
    columns = connected_calibrated(judged, CalibratedConfig(), model)
    assert columns["connected"].to_pylist() == [True, False, None, None]
    assert columns["disconnection"].to_pylist() == [None, FEW, None, None]
    strict = connected_calibrated(judged, CalibratedConfig(limit=1.0), model)
    assert strict["connected"].to_pylist() == [False, False, None, None]
    assert strict["disconnection"].to_pylist() == [BADNESS, BADNESS, None, None]
    assert strict["badness"].equals(columns["badness"])
