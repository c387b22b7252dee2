"""What no other concordancer has: cost and likeness of queries, watches, presets, tinted blocks, labels in queries, the report."""

from __future__ import annotations

import json
import re
from typing import Any

from asking import GRAD, settled, total
from browser_serving import Server

from paberki.corpus import Corpus


def test_the_cost_of_a_query_is_told_while_it_is_typed(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance"))
    page.get_by_test_id("query").fill(f'{GRAD} [upos="VERB"]')
    page.wait_for_selector("[data-testid=estimate][data-seconds]")
    text = page.get_by_test_id("estimate").inner_text()
    assert f"{GRAD} {Corpus(server.root).query(GRAD).count():,}" in text
    assert re.search(r"about \d+ ms|about [\d.]+ s", text)


def test_ticked_words_of_a_tree_become_a_query(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    page.locator("body").press("j")
    page.keyboard.press("t")
    page.get_by_test_id("tree").wait_for()
    page.get_by_text("Like this sentence").click()
    page.get_by_test_id("like-lemma").check()
    page.get_by_test_id("like").click()
    page.wait_for_url("**mode=builder**")
    assert page.get_by_test_id("query").input_value() == '[lemma="grad" & upos="NOUN"]'
    page.get_by_test_id("token-card").wait_for()
    assert total(page) > 0


def test_blocks_of_the_original_are_tinted(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    page.locator("body").press("j")
    page.keyboard.press("o")
    frame = page.frame_locator("[data-testid=original]")
    frame.get_by_test_id("hit-1").wait_for()
    page.get_by_test_id("tint").click()
    frame.locator("[data-block=kept]").first.wait_for()
    assert frame.get_by_test_id("hit-1").is_visible()


def test_a_pinned_query_is_watched(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD, where="host = 'prvi.hr'"))
    count = total(page)
    page.get_by_text("★ save").click()
    page.get_by_test_id("pin-name").fill("gradovi")
    page.get_by_test_id("pin").click()
    page.wait_for_url("**/saved")
    assert int(page.get_by_test_id("watch").get_attribute("data-value")) == count
    assert page.get_by_test_id("watch-curve").is_visible()
    page.get_by_role("link", name="gradovi", exact=True).click()
    page.wait_for_url("**/concordance?**")
    assert total(page) == count
    page.get_by_test_id("chip").wait_for()


def test_presets_stand_side_by_side(page: Any, server: Server) -> None:
    page.goto(server.url("/select", q=GRAD))
    assert {"modern", "cow2012", "hrwac2011"} <= set(page.get_by_test_id("presets").inner_text().split())
    page.goto(server.url("/concordance", q=GRAD))
    before = total(page)
    page.get_by_test_id("preset").select_option("preset czweb2010")
    page.get_by_test_id("lines-lost").wait_for()
    settled(page)
    lost, won = (int(page.get_by_test_id(f"lines-{name}").get_attribute("data-value")) for name in ("lost", "won"))
    assert total(page) == before - lost + won
    assert won > 0


def test_labels_can_be_asked_and_are_exported(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD, sort="left"))
    page.locator("body").press("j")
    node = page.locator(".current").get_attribute("data-value")
    with page.expect_response(lambda answer: "/lines/label" in answer.url):
        page.locator(".current").press("8")
    page.goto(server.url("/concordance", q='<code label="8"/>'))
    assert total(page) == 1
    assert page.get_by_test_id("kwic-line").get_attribute("data-value") == node
    answer = page.request.get(server.url("/export", q=f'{GRAD} within <code label="8"/>', format="jsonl"))
    assert [json.loads(line)["code.label"] for line in answer.text().splitlines()[1:]] == ["8"]


def test_a_host_of_the_crawl_is_stopped(page: Any, server: Server) -> None:
    folder = server.root / "crawl"
    folder.mkdir(exist_ok=True)
    facts = {"pages": 9, "good": 5, "top_hosts": [["prvi.hr", 6, 4], ["drugi.hr", 3, 1]], "by_trap": {"depth": 2}}
    (folder / "status.json").write_text(json.dumps(facts), "utf-8")
    page.goto(server.url("/crawl"))
    page.get_by_role("button", name="stop this host: drugi.hr").click()
    page.get_by_test_id("stopped-host").wait_for()
    assert (folder / "stopped-hosts.txt").read_text("utf-8") == "drugi.hr\n"
    page.get_by_test_id("go-on-host").click()
    page.get_by_test_id("stopped-host").wait_for(state="detached")


def test_bars_of_the_report_lead_to_their_pages(page: Any, server: Server) -> None:
    Corpus(server.root).report()
    page.goto(server.url("/report"))
    row = page.get_by_test_id("report-reason").locator("tbody tr").first
    reason, count = row.locator("td").first.inner_text(), int(row.locator("td").last.inner_text())
    section = page.get_by_test_id("section-languages")
    section.locator("img").scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('[data-testid=section-languages] img').naturalWidth > 0")
    row.get_by_role("link").first.click()
    page.wait_for_url("**/pages?**")
    assert page.locator("tbody tr").count() == count
    assert set(page.locator("tbody td:last-child").all_inner_texts()) == {reason}
