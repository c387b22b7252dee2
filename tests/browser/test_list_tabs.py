"""Lists of a result, and words: every number leads to as many lines."""

from __future__ import annotations

from typing import Any

import pytest
from asking import GRAD, settled, total
from browser_serving import Server

from paberki.corpus import Corpus


@pytest.mark.parametrize(("path", "name"), [("/frequency", "frequency-row"), ("/collocations", "collocate-row")])
def test_a_row_leads_to_its_lines(page: Any, server: Server, path: str, name: str) -> None:
    for number in (0, 2):
        page.goto(server.url(path, q='[upos="NOUN"]' if path == "/frequency" else '[lemma="biti"]'))
        row = page.get_by_test_id(name).nth(number)
        hits = int(row.get_attribute("data-hits"))
        row.get_by_role("link").click()
        page.wait_for_url("**/concordance?**")
        settled(page)
        assert total(page) == hits > 0


def test_a_collocate_twice_beside_one_hit_counts_once(page: Any, server: Server) -> None:
    page.goto(server.url("/collocations", q='[lemma="biti"]', by="lemma", window="-15..15", order="hits"))
    for number in range(0, 12, 3):
        row = page.get_by_test_id("collocate-row").nth(number)
        hits, address = int(row.get_attribute("data-hits")), row.get_by_role("link").get_attribute("href")
        tab = page.context.new_page()
        tab.goto(server.url() + address.lstrip("/"))
        assert total(tab) == hits
        tab.close()


def test_distribution_sums_to_the_total(page: Any, server: Server) -> None:
    page.goto(server.url("/distribution", q=GRAD, by="host"))
    rows = page.get_by_test_id("distribution-row")
    facts = rows.evaluate_all(
        "rows => rows.map(row => [row.dataset.value, Number(row.dataset.hits), Number(row.dataset.per)])"
    )
    assert page.get_by_test_id("distribution").is_visible()
    assert sum(hits for _, hits, _ in facts) == total(page)
    host, hits, per = facts[0]
    tokens = Corpus(server.root).part(f"host = '{host}'")._scope().tokens
    assert per == pytest.approx(hits * 1e6 / tokens)


def test_dispersion_has_few_marks_and_a_twin(page: Any, server: Server) -> None:
    page.goto(server.url("/dispersion", q=GRAD))
    assert 1 <= page.get_by_test_id("dispersion").locator("rect, circle, line, path").count() <= 1000
    assert page.get_by_test_id("dispersion-table").locator("tbody tr").count() == 50
    assert page.get_by_test_id("dispersion").locator("svg text").all_text_contents()[0] == "hits"
    assert page.locator(".top nav [aria-current=page]").inner_text() == "Concordance"


def test_keys_change_the_tab(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    for key, path in (("f", "/frequency"), ("c", "/collocations"), ("d", "/distribution"), ("p", "/dispersion")):
        page.locator("body").press(key)
        page.wait_for_url(f"**{path}?**")
        settled(page)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/words", "word-row"),
        ("/ngrams", "ngram-row"),
        ("/keywords", "keyword-row"),
        ("/sketch/grad", "sketch-row"),
        ("/trend?q=%5Blemma%3D%22grad%22%5D", "trend"),
    ],
)
def test_words_lead_to_lines(page: Any, server: Server, path: str, name: str) -> None:
    page.goto(server.url(path))
    row = page.get_by_test_id(name).first
    row.wait_for()
    if name == "trend":
        assert row.locator("rect").count() >= 3
        assert row.locator("svg text").first.text_content() == "per million"
        return
    hits = row.get_attribute("data-hits")
    row.get_by_role("link").first.click()
    page.wait_for_url("**/concordance?**")
    assert total(page) == int(hits) if hits else total(page) > 0


def test_documents_are_found(page: Any, server: Server) -> None:
    page.goto(server.url("/search", q="koncert"))
    assert page.get_by_test_id("document").count() > 0
    page.get_by_test_id("document").first.get_by_role("link").first.click()
    page.wait_for_url("**/page/**")
    assert page.get_by_test_id("original").is_visible()
