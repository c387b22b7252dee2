"""Languages of blocks inside pages."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from paberki.identification.evidence import plainly
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


def test_short_words_that_many_languages_share_do_not_tell() -> None:
    assert plainly(CROATIAN, "hr", "Latn")
    assert not plainly(ENGLISH, "hr", "Latn")
    assert not plainly(CROATIAN, "en", "Latn")
    assert not plainly(CROATIAN, "xx", "Latn")
