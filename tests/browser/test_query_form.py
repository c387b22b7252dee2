"""Writing a query: errors, suggestions, completion, words, cards."""

from __future__ import annotations

import json
from typing import Any
from urllib.request import urlopen

import pytest
from asking import GRAD, settled, total, whole_lines
from browser_serving import Server

import paberki

QUERIES = [
    '"grad"', '[lemma="grad"]', '[lemma="grad" & upos="NOUN"]', '[lemma="grad" | lemma="more"]', '[upos!="NOUN"]', '"grad"%c', '"grad"%cd',
    '[word=="gr."]', '[feats contains "Case=Gen"]', '[]', '"a" [] "b"', '"a" []{0,3} "b"', '"a" []* "b"', '[upos="ADJ"]+ [upos="NOUN"]',
    '[upos="ADJ"]? [upos="NOUN"]', 'A:[upos="NOUN"] [] B:[upos="VERB"]', '[lemma="grad"] within <s/>', '"a" []{2} "b" within <s/>',
    '[upos="VERB"] -obj-> [upos="NOUN"]', '[upos="VERB"] -nsubj-> [lemma="grad"] -amod-> [upos="ADJ"]', '[upos="VERB"] -->> [upos="NOUN"]',
    '[(word="a" | word="b") & upos="NOUN"]', '("a" | "b") "c"', '<s> [upos="VERB"]', '[lemma="grad"] containing "a"',
    'A:[] "i" B:[] :: A.lemma = B.lemma', '(meet "a" "b" -5 5)', '[word="a\\"b"]', '[!(upos="NOUN")]', '(?longest) "a"+',
]  # fmt: skip


SHOWN = "document.querySelector('#builder').dataset.cql"


def test_an_error_has_its_place_and_lines_stay(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    before = whole_lines(page)
    page.get_by_test_id("query").fill('[word="a"')
    page.get_by_test_id("query").press("Control+Enter")
    error = page.get_by_test_id("query-error")
    error.wait_for()
    assert int(error.get_attribute("data-position")) == len('[word="a"')
    assert "^" in error.inner_text()
    assert whole_lines(page) == before


def test_a_wrong_attribute_gets_the_nearest(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q='[lema="x"]'))
    text = page.get_by_test_id("query-error").inner_text()
    assert "lemma" in text
    assert page.get_by_test_id("query-error").get_attribute("data-suggestion") == "lemma"


def test_cql_in_the_simple_box_is_offered(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance"))
    page.get_by_test_id("simple").fill(GRAD)
    page.get_by_test_id("offer-cql").wait_for()
    page.locator("#take-cql").click()
    assert page.get_by_test_id("query").input_value() == GRAD


def test_words_find_forms(page: Any, server: Server) -> None:
    page.goto(server.url("/"))
    page.get_by_test_id("simple").fill("grad")
    page.get_by_test_id("simple").press("Enter")
    page.wait_for_selector("[data-testid=kwic-line]")
    assert total(page) >= 1
    assert "grad" in page.get_by_test_id("query").input_value()


def test_completion_by_arrow_keys(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance"))
    query = page.get_by_test_id("query")
    query.click()
    query.press_sequentially('[lemma="gr')
    page.get_by_role("option").first.wait_for()
    query.press("ArrowDown")
    active = query.get_attribute("aria-activedescendant")
    assert active
    chosen = page.locator(f"#{active}")
    assert chosen.get_attribute("aria-selected") == "true"
    query.press("Enter")
    assert query.input_value().startswith('[lemma="gr')
    assert query.input_value().endswith('"')


def test_builder_and_cql_say_the_same(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", mode="cql"))
    for text in QUERIES:
        page.get_by_test_id("mode-cql").click()
        page.get_by_test_id("query").fill(text)
        page.get_by_test_id("mode-builder").click()
        page.wait_for_selector("[data-testid=token-card], [data-testid=raw-card]")  # never those of the query before
        rebuilt = page.evaluate(SHOWN)
        assert paberki.parse(rebuilt) == paberki.parse(text), text


def test_a_card_writes_cql(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance"))
    page.get_by_test_id("mode-builder").click()
    card = page.get_by_test_id("token-card").first
    card.get_by_label("value").fill("grad")
    assert page.get_by_test_id("query").input_value() == GRAD
    page.get_by_label("add a gap").click()
    assert page.get_by_test_id("query").input_value() == f"{GRAD} []{{0,3}}"


def test_nothing_found_is_explained(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q='[lemma="gradd"] [upos="NOUN"]'))
    why = page.get_by_test_id("why-nothing")
    assert "grad" in why.inner_text()
    why.get_by_role("link").first.click()
    page.wait_for_selector("[data-testid=kwic-line]")
    settled(page)
    assert total(page) > 0


@pytest.mark.parametrize("language", ["hr", "sl", "cs"])
def test_the_interface_speaks_four_languages(page: Any, server: Server, language: str) -> None:
    page.goto(server.url("/help", ui=language))
    assert page.locator("html").get_attribute("lang") == language
    title = page.locator("h1").inner_text()
    page.goto(server.url("/help"))
    assert page.locator("h1").inner_text() == title != "How to ask"


def test_cards_come_as_json(server: Server) -> None:
    with urlopen(server.url("/builder", q=GRAD), timeout=20) as answer:
        cards = json.load(answer)["cards"]
    assert cards == [{"kind": "token", "join": "&", "low": 1, "high": 1, "label": "",
                      "conditions": [{"attribute": "lemma", "operator": "=", "negated": False, "value": "grad", "flags": ""}]}]  # fmt: skip
