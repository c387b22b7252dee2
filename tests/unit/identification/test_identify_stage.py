"""Languages of blocks inside pages."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from paberki.identification.stage import IdentifyConfig, identify_pages
from paberki.store.batch import Batch

CROATIAN = "Stanovnici se žale da autobus ne vozi redovito i da ih nitko ne sluša, iako su već više puta pisali gradu."
ENGLISH = "I do not want to go on a trip, because it is too far and there is nothing that they would like to see there."


def columns(*pages: list[tuple[str, bool]] | None) -> dict[str, list[object]]:
    blocks = [None if page is None else [{"text": text, "kept": kept} for text, kept in page] for page in pages]
    array = pa.array(blocks, pa.list_(pa.struct([("text", pa.string()), ("kept", pa.bool_())])))
    batch = Batch(np.arange(len(pages), dtype=np.int64), {"extract.blocks": array})
    return {name: list(values) for name, values in identify_pages(batch, IdentifyConfig()).items()}


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
