"""An index of a foreign treebank whose language is written from right to left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asking import click, total
from browser_serving import Server, serve

from paberki.query.sources.conllu_source import index_conllu

WORDS = [
    ("ذهب", "VERB", 0, "root"),
    ("الولد", "NOUN", 1, "nsubj"),
    ("إلى", "ADP", 4, "case"),
    ("المدرسة", "NOUN", 1, "obl"),
    ("<b>", "X", 4, "dep"),
]
QUERY = '[word="الولد"]'


@pytest.fixture(scope="module")
def arabic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("arabic")
    sentence = "".join(
        f"{at}\t{word}\t{word}\t{upos}\t_\t_\t{head}\t{relation}\t_\t_\n"
        for at, (word, upos, head, relation) in enumerate(WORDS, 1)
    )
    (folder / "ar.conllu").write_text("".join(f"# newdoc id = d{at}\n{sentence}\n" for at in range(3)), "utf-8")
    index_conllu(folder / "ar.conllu", folder / "ar", lang="ar")
    server = serve(folder / "ar")
    yield server
    server.stop()


def across(page: Any, name: str) -> tuple[float, float]:
    """Left and right edge of the text of the first element with a name."""
    edges = page.get_by_test_id(name).first.evaluate(
        "one => { const range = document.createRange(); range.selectNodeContents(one);"
        " const box = range.getBoundingClientRect(); return [box.left, box.right]; }"
    )
    return edges[0], edges[1]


@pytest.mark.parametrize(("view", "width"), [("kwic", 1280), ("sentence", 1280), ("table", 1280), ("kwic", 390)])
def test_what_comes_before_the_hit_stands_at_its_right(page: Any, arabic: Server, view: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(arabic.url("/concordance", q=QUERY, view=view, width=2))
    before, node, after = (across(page, name) for name in ("left", "node", "right"))
    assert before[0] >= node[1] - 1
    assert after[1] <= node[0] + 1
    assert before[0] - node[1] < 60  # beside it


def test_a_tree_begins_at_the_right(page: Any, arabic: Server) -> None:
    page.goto(arabic.url("/concordance", q=QUERY))
    assert total(page) == 3
    page.locator("body").press("j")
    page.locator(".current").press("t")
    page.get_by_test_id("tree").wait_for()
    places = page.get_by_test_id("tree-word").evaluate_all("words => words.map(word => +word.getAttribute('x'))")
    assert places == sorted(places, reverse=True)
    assert page.get_by_test_id("tree-arc").count() == len(WORDS) - 1
    page.keyboard.press("Escape")
    page.locator(".current").press("o")
    assert page.frame_locator("[data-testid=original]").get_by_test_id("hit-1").inner_text() == "الولد"


def test_lists_of_a_foreign_index_lead_to_lines(page: Any, arabic: Server) -> None:
    page.goto(arabic.url("/frequency", q="[]", by="word"))
    row = page.get_by_test_id("frequency-row").filter(has_text="<b>")
    hits = int(row.get_attribute("data-hits"))
    row.get_by_role("link").click()
    page.wait_for_url("**/concordance?**")
    assert total(page) == hits == 3
    click(page, "sort-right-1")
    assert total(page) == hits
