"""Languages of blocks inside pages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from paberki.identification.stages.page_stages import (
    GeneralConfig,
    IdentifyMethodConfig,
    identify_by_method,
    identify_pages,
)
from paberki.identification.stages.words_stage import IdentifyConfig
from paberki.identification.stages.words_stage import identify_pages as identify_by_words
from paberki.store.batch import Batch

CROATIAN = "Stanovnici se žale da autobus ne vozi redovito i da ih nitko ne sluša, iako su već više puta pisali gradu."
ENGLISH = "I do not want to go on a trip, because it is too far and there is nothing that they would like to see there."
DEFAULT = GeneralConfig()


def columns(*pages: list[tuple[str, bool]] | None, stage=identify_pages, config=DEFAULT) -> dict[str, list[Any]]:
    blocks = [None if page is None else [{"text": text, "kept": kept} for text, kept in page] for page in pages]
    array = pa.array(
        blocks, pa.list_(pa.struct([("text", pa.string()), ("kept", pa.bool_()), ("source", pa.string())]))
    )
    batch = Batch(np.arange(len(pages), dtype=np.int64), {"extract.blocks": array})
    return {
        name: values.to_pylist() if isinstance(values, pa.Array) else list(values)
        for name, values in stage(batch, config).items()
    }


def test_a_quotation_has_its_own_language() -> None:
    found = columns([(CROATIAN, True), (CROATIAN, True), (ENGLISH, True), ("Početna", False), (ENGLISH, False)])
    assert found["lang"] == ["hr"]
    assert found["block_lang"] == [["hr", "hr", "en", None, None]]


def test_pages_without_text_have_no_language() -> None:
    found = columns(None, [], [("Kratko.", True)])
    assert found["lang"][:2] == [None, None]
    assert found["block_lang"] == [None, [], [None]]


def test_a_doubtful_block_is_in_the_language_of_its_page() -> None:
    either = "Ivan i Ana su na moru od petka do utorka, a potom se vlakom preko planina vraćaju kući."
    serbian = "Ko želi da učestvuje na takmičenju, mora da se prijavi opštini i da priloži lekarsko uverenje sa slikom."
    found = columns([(serbian, True), (serbian, True), (either, True)], [(CROATIAN, True), (either, True)])
    assert found["lang"] == ["sr", "hr"]
    assert found["block_lang"] == [["sr", "sr", "sr"], ["hr", "hr"]]


def test_pages_do_not_depend_on_their_neighbours() -> None:
    pages = [[(CROATIAN, True), (ENGLISH, True)], None, [(ENGLISH, True)], [], [("Књига је на столу.", True)]]
    together = columns(*pages)
    for number, page in enumerate(pages):
        assert {name: values[number] for name, values in together.items()} == {
            name: values[0] for name, values in columns(page).items()
        }


def test_cyrillic_figures() -> None:
    found = columns([("Књига 123 book, ЂЋ!", True), ("не", False)])
    assert found["cyrillic_num"] == [7]
    assert found["cyrillic_perc"] == [100.0 * 7 / 11]


@pytest.mark.parametrize(
    ("stage", "config"),
    [
        (identify_by_words, IdentifyConfig()),
        (identify_by_method, IdentifyMethodConfig(method="markov")),
        (identify_by_method, IdentifyMethodConfig(method="ngram", languages=("hr", "sl", "en"))),
        (identify_by_method, IdentifyMethodConfig(method="vote")),
    ],
)
def test_other_methods(stage, config) -> None:
    found = columns(
        [(CROATIAN, True), (CROATIAN, True), (ENGLISH, True), ("Početna", False)], None, stage=stage, config=config
    )
    assert found["lang"] == ["hr", None]
    assert found["block_lang"] == [["hr", "hr", "en", None], None]


def test_what_a_page_says_about_its_languages() -> None:
    found = columns([(CROATIAN, True), (CROATIAN, True), (ENGLISH, True)], [("12", True)])
    shares = {one["lang"]: one["share"] for one in found["lang_shares"][0]}
    assert shares["en"] == pytest.approx(len(ENGLISH) / (len(ENGLISH) + 2 * len(CROATIAN)))
    assert sum(one["share"] for one in found["lang_probs"][0]) == pytest.approx(1.0)
    parts = [float(part.partition(":")[2]) for part in found["langdistr"][0].split("|")]
    assert sum(parts) == pytest.approx(-1.0, abs=0.002)
    assert found["block_lang_p"][0][2] > 0.9
    assert [found[name][1] for name in ("lang", "lang_probs", "langdistr", "lang_shares")] == [None, [], None, []]


def test_languages_can_be_limited() -> None:
    found = columns([(CROATIAN, True)], config=GeneralConfig(languages=("bs", "sr")))
    assert found["lang"][0] in ("bs", "sr")


def test_short_blocks_follow_the_page() -> None:
    short = "U petak i subotu na moru"
    found = columns([(CROATIAN, True), (short + ".", True)], config=GeneralConfig(min_block_chars=10))
    assert found["block_lang"] == [["hr", "hr"]]


def test_japanese() -> None:
    japanese = "昨日、町に新しい図書館が開館し、八時前から多くの人が訪れました。"
    found = columns([(japanese, True)], [("东京是日本的首都", True)])
    assert (found["lang"], found["japanese"]) == (["ja", "zh"], [True, False])
    shares = [found[name][0] for name in ("hiragana_share", "katakana_share", "kanji_share")]
    assert sum(shares) == pytest.approx(1.0)
    assert found["particle_share"][0] == pytest.approx(4 / 29)
