"""Labels that blocks learn from."""

from __future__ import annotations

from paberki.extraction.evaluation.gold_pages import GoldPage
from paberki.extraction.learned.block_training import example
from paberki.extraction.learned.features import NAMES

HTML = """<html><head><title>Nova izložba u gradu - Novine</title></head><body><p>Novine</p>
<h1>Nova izložba u gradu</h1><p>Jučer je u gradu otvorena nova izložba starih knjiga.</p><p>Sva prava pridržana.</p>"""


def test_blocks_of_the_gold_text_are_text_and_the_address_counts() -> None:
    gold = "Jučer je u gradu otvorena nova izložba starih knjiga."
    page = example(GoldPage("a", "1", HTML, gold, url="http://a.hr/forum/1"))
    assert page is not None
    assert page.chances.tolist() == [0, 0, 1, 0]
    assert page.features[:, NAMES.index("hint_forum")].tolist() == [3.0] * 4


def test_hints_stand_in_for_gold_and_snippets_for_hints() -> None:
    page = GoldPage("a", "1", HTML, None, ["Jučer je u gradu otvorena"], [])
    assert example(page) is None
    labelled = example(page, [0.25, 0.5, 0.5, 0.0])
    assert labelled is not None
    assert labelled.chances.tolist() == [0.25, 0.5, 1, 0]
