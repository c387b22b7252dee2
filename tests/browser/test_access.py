"""Everybody can use it: by keyboard, offline, within the budget, beside others who ask."""

from __future__ import annotations

import gzip
import json
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import brotli
import psutil
import pytest
from asking import GRAD, settled, total
from browser_serving import Server

from paberki.serve.assets import STYLES, asset


def test_a_session_by_keyboard(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance"))
    page.keyboard.press("/")
    page.keyboard.type("grad")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-testid=kwic-line]")
    settled(page)
    page.locator("body").press("]")
    page.wait_for_url("**sort=right**")
    settled(page)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.dataset.testid") == "kwic-line"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Enter")
    page.get_by_test_id("provenance").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Space")
    assert page.locator(".current .tick").is_checked()
    page.keyboard.press("u")
    page.wait_for_function("() => !location.search.includes('sort=')")
    settled(page)
    page.keyboard.press("?")
    page.get_by_test_id("keys").wait_for()
    page.keyboard.press("Escape")
    for _ in range(6):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement !== document.body")


def tab_to(page: Any, selector: str) -> None:
    """Go on with the tabulator until an element has the focus, which must be seen there."""
    look = (
        "selector => { const one = document.activeElement, { outlineStyle, boxShadow } = getComputedStyle(one);"
        " return one.matches(selector) ? [outlineStyle, boxShadow] : null; }"
    )
    for _ in range(400):
        page.keyboard.press("Tab")
        if style := page.evaluate(look, selector):
            assert style != ["none", "none"], selector
            return
    raise AssertionError(f"the tabulator does not reach {selector}")


def by_id(name: str) -> str:
    return f"[data-testid='{name}']"


def entered(page: Any, selector: str, text: str, part: str) -> None:
    """Reach something, type or press Enter, and wait for the address."""
    tab_to(page, selector)
    if text:
        page.keyboard.press("Control+a")
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{part}**")
    settled(page)


def test_all_of_it_by_keyboard_on_one_path(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", per_page=8))
    tab_to(page, by_id("query"))
    page.keyboard.type(GRAD)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(by_id("kwic-line"))
    settled(page)
    before = total(page)
    assert page.evaluate("[...document.querySelectorAll('[tabindex]')].every(one => one.tabIndex <= 0)")
    entered(page, by_id("filter-negative"), '[lemma="more"]', "filter=")
    tab_to(page, by_id("chain-step") + ":nth-of-type(2) " + by_id("chain-edit"))
    page.keyboard.press("Enter")
    page.keyboard.type('[lemma="nemoguce"]')
    page.keyboard.press("Enter")
    page.wait_for_url("**nemoguce**")
    settled(page)
    assert total(page) == before
    entered(page, by_id("sort-right-1"), "", "sort=right")
    entered(page, by_id("view-sentence"), "", "view=sentence")
    entered(page, by_id("view-kwic"), "", "sort=right")
    entered(page, by_id("sample"), "7", "sample=7")
    assert total(page) == 7
    for step in ("sort=", "sample="):  # undone from the last one on
        page.locator("body").press("u")
        page.wait_for_function("step => !location.search.includes(step)", arg=step)
        settled(page)
    entered(page, by_id("fold"), "", "fold=1")
    tab_to(page, by_id("attr-lemma"))
    page.keyboard.press("Space")
    assert page.get_by_test_id("gloss").first.is_visible()
    for key, name in (("Enter", "provenance"), ("t", "tree"), ("o", "original"), ("x", "wider")):
        page.locator("body").press("j")
        page.keyboard.press(key)
        page.get_by_test_id(name).wait_for()
        page.keyboard.press("Escape")
    entered(page, by_id("set-dropped"), "", "set=dropped")
    entered(page, by_id("set-kept"), "", "set=kept")
    entered(page, f"{by_id('facet-host')} a", "", "host")
    entered(page, "[data-score=badness] .high", "12", "badness")
    assert page.get_by_test_id("chip").count() == 2
    tab_to(page, by_id("cut"))
    page.keyboard.press("ArrowLeft")
    page.get_by_test_id("lines-lost").wait_for()
    settled(page)
    for key, name in (("f", "frequency-row"), ("c", "collocate-row"), ("d", "distribution-row"), ("p", "dispersion")):
        page.locator("body").press(key)
        page.get_by_test_id(name).first.wait_for()
        settled(page)


def test_single_keys_can_be_switched_off(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    page.locator("#show-keys").click()
    page.locator("#single-keys").uncheck()
    page.keyboard.press("Escape")
    page.locator("body").press("f")
    page.wait_for_timeout(200)
    assert "/concordance" in page.url


def test_the_theme_can_be_switched(page: Any, server: Server) -> None:
    page.goto(server.url("/"))
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    after = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert after != before
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == after


def test_an_unknown_address_is_a_page_for_people(page: Any, server: Server) -> None:
    answer = page.request.get(server.url("/nowhere"), headers={"Accept": "text/html"})
    assert answer.status == 404
    page.set_content(answer.text())
    assert "/nowhere" in page.get_by_test_id("trouble").inner_text()
    assert page.locator("meta[name=paberki-token]").count() == 1
    assert "error" in page.request.get(server.url("/api/v1/nowhere"), headers={"Accept": "text/html"}).json()
    assert page.goto(server.url("/sketch/km%2Fh")).status == 200  # a lemma may have a slash
    assert page.locator("#lemma-field").input_value() == "km/h"


def test_first_visit_is_small_and_quick(browser: Any, server: Server) -> None:
    context = browser.new_context()
    page = context.new_page()
    sizes: list[int] = []
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda answer: sizes.append(answer["encodedDataLength"]))
    page.goto(server.url("/concordance", q=GRAD))
    total(page)
    page.wait_for_timeout(300)
    assert 20_000 < sum(sizes) <= 60_000, sizes  # with headers
    sizes.clear()
    page.goto(server.url("/concordance", q='"nalazi"'))
    total(page)
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    assert 1_000 < sum(sizes) <= 15_000, sizes
    assert paint <= 1500  # the budget is 300 ms on an idle machine; tests share theirs
    context.close()


def test_strangers_are_refused(server: Server) -> None:
    def status(path: str, **options: Any) -> int:
        request = urllib.request.Request(server.url(path), **options)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    assert status("/", headers={"Host": "evil.example"}) == 400
    assert status("/lines/label", data=json.dumps({}).encode(), method="POST") == 403
    assert status("/code/tasks", data=b"{}", method="POST") == 403


@pytest.mark.parametrize(("coding", "unpack"), [("gzip", gzip.decompress), ("br", brotli.decompress)])
def test_answers_are_compressed(server: Server, coding: str, unpack: Any) -> None:
    for address, content in (
        (server.url("/concordance", q=GRAD), b"kwic-line"),
        (server.url(asset(STYLES)), b".line"),
    ):
        request = urllib.request.Request(address, headers={"Accept-Encoding": f"deflate, {coding}"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            assert answer.headers["Content-Encoding"] == coding
            assert "Accept-Encoding" in answer.headers["Vary"]
            assert content in unpack(answer.read())


def test_a_long_count_can_be_stopped(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q="[]{1,3000}", strategy="all"))
    assert page.get_by_test_id("total").get_attribute("data-state") == "running"
    assert page.get_by_test_id("kwic-line").count() == 50
    page.get_by_test_id("stop").click()
    page.wait_for_selector("[data-testid=total][data-state=stopped]", timeout=3000)
    process = psutil.Process(server.process.pid)
    time.sleep(1)
    before = sum(process.cpu_times()[:2])
    time.sleep(1)
    assert sum(process.cpu_times()[:2]) - before < 0.3


def test_a_page_does_not_wait_for_a_search_that_takes_long(page: Any, server: Server) -> None:
    began = time.monotonic()
    endless = "a:[] []{0,3000} b:[] :: a.deprel = b.xpos"  # every pair of tokens is looked at, and none is a hit
    page.goto(server.url("/concordance", q=endless, strategy="all"))
    assert time.monotonic() - began < 15
    page.get_by_test_id("searching").wait_for()
    page.get_by_test_id("stop").click()
    page.wait_for_selector("[data-testid=total][data-state=stopped]")


def test_many_ask_beside_a_catastrophe(server: Server) -> None:
    """Fifty readers, one query that never ends; the budget is 500 ms at the 95th percentile on an idle machine."""
    addresses = [server.url("/concordance", q=text) for text in (GRAD, '"nalazi"', '[upos="NOUN"]', '[lemma="biti"]')]
    stuck = threading.Thread(target=_get, args=(server.url("/api/v1/hits", q='[]{0,1000000} "qqq"'),), daemon=True)
    stuck.start()
    for address in addresses:
        _get(address)
    with ThreadPoolExecutor(50) as pool:
        times = sorted(pool.map(_get, (addresses * 13)[:50]))
    assert times[len(times) * 95 // 100] < 10  # all at once, on a machine that tests share


def _get(address: str) -> float:
    began = time.perf_counter()
    with suppress(urllib.error.HTTPError), urllib.request.urlopen(address, timeout=60) as answer:
        answer.read()
    return time.perf_counter() - began
