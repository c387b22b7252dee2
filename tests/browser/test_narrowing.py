"""Facets, sets, the cut, folded copies."""

from __future__ import annotations

from typing import Any

from asking import GRAD, click, settled, total
from browser_serving import Server

from paberki.corpus import Corpus


def test_a_host_narrows_and_becomes_a_chip(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    before = total(page)
    link = page.get_by_test_id("facet-host").get_by_role("link").first
    host = link.inner_text()
    link.click()
    page.get_by_test_id("chip").wait_for()
    settled(page)
    assert host in page.get_by_test_id("chip").inner_text()
    assert 0 < total(page) < before
    assert set(page.get_by_test_id("kwic-line").evaluate_all("all => all.map(one => one.dataset.host)")) == {host}
    page.get_by_test_id("chip").get_by_role("link").click()
    page.get_by_test_id("chip").wait_for(state="detached")
    settled(page)
    assert total(page) == before


def test_a_number_is_not_final_while_another_one_is_on_its_way(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    before = total(page)
    page.get_by_test_id("facet-host").get_by_role("link").first.click()
    assert total(page) != before
    page.go_back()
    page.get_by_test_id("chip").wait_for(state="detached")
    assert total(page) == before
    assert page.locator("#work[aria-busy]").count() == 0


def test_brushing_a_histogram_narrows(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    before = total(page)
    area = page.get_by_test_id("facet-badness")
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    page.mouse.move(box["x"] + 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + 20, steps=4)
    page.mouse.up()
    page.get_by_test_id("chip").wait_for()
    settled(page)
    assert "badness" in page.get_by_test_id("chip").inner_text()
    assert total(page) < before


def test_what_was_left_out_has_reasons(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    click(page, "set-dropped")
    assert "set=dropped" in page.url
    assert total(page) > 0
    reasons = page.get_by_test_id("reason").all_inner_texts()
    assert len(reasons) == page.get_by_test_id("kwic-line").count()
    assert all(reasons)
    click(page, "set-all")
    assert total(page) == sum(Corpus(server.root).query(GRAD, set=name).count() for name in ("kept", "dropped"))


def test_the_cut_explains_the_difference(page: Any, server: Server) -> None:
    for value in ("2", "14"):
        page.goto(server.url("/concordance", q=GRAD))
        before = total(page)
        page.get_by_test_id("cut").fill(value)
        page.get_by_test_id("lines-lost").wait_for()
        settled(page)
        lost, won = (int(page.get_by_test_id(f"lines-{name}").get_attribute("data-value")) for name in ("lost", "won"))
        assert total(page) == before - lost + won
        assert (lost if value == "2" else won) > 0
        assert "cut=" in page.url


def test_copies_are_folded(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD, set="all"))
    before = total(page)
    click(page, "fold")
    assert "fold=1" in page.url
    assert total(page) == Corpus(server.root).query(GRAD, set="all").fold().count() < before
    page.get_by_test_id("unfold").first.click()
    copies = page.get_by_test_id("copies")
    copies.wait_for()
    assert ".hr" in copies.inner_text()
    assert copies.locator("tbody tr").count() >= 1


def test_select_shows_rules_and_changes(page: Any, server: Server) -> None:
    page.goto(server.url("/select", q=GRAD))
    assert "not-connected" in page.get_by_test_id("attrition").inner_text()
    before = total(page)
    page.get_by_test_id("cut").fill("2")
    page.get_by_test_id("lines-lost").wait_for()
    lost, won = (int(page.get_by_test_id(f"lines-{name}").get_attribute("data-value")) for name in ("lost", "won"))
    assert total(page) == before - lost + won
    page.goto(server.url("/select", q=GRAD))
    page.locator("select[name=score]").select_option("selected_word_count")
    page.wait_for_url("**score=selected_word_count**")
    assert total(page) == before  # another score, the same query
