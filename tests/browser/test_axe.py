"""Everybody can use it: axe finds nothing on any page, light and dark, and small screens do not scroll sideways."""

from __future__ import annotations

from typing import Any

import pytest
from asking import GRAD
from browser_serving import Server

PAGES = [
    "/", f"/concordance?q={GRAD}&cut=badness+%3C%3D+3&fold=1", f"/concordance?q={GRAD}", "/concordance?q=%22nemoguce%22", "/concordance?q=%5Bword%3D%22a%22", f"/frequency?q={GRAD}", f"/collocations?q={GRAD}",
    f"/distribution?q={GRAD}", f"/dispersion?q={GRAD}", f"/trend?q={GRAD}", "/words?min=60", "/ngrams?min=60", "/keywords?min=30", "/sketch/grad", "/search?q=grad", "/page/000000000",
    "/page/000000000/blocks", "/page/000000000/tokens", "/page/000000000/provenance", "/page/000000000/tree/0", "/select", "/report", "/crawl", "/code", "/saved", "/help",
]  # fmt: skip
SHORT = "() => document.querySelectorAll('tbody, ol, ul').forEach(list => [...list.children].slice(12).forEach(one => one.remove()))"
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}


CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
"""The only rule that another colour scheme can break."""


def judged(axe: Any, page: Any, where: str) -> list[tuple[str, ...]]:
    """What is wrong with a page for somebody, in light and in dark; of long lists the first rows are as good as all."""
    page.evaluate(SHORT)
    problems = []
    for scheme, rules in (("light", RULES), ("dark", CONTRAST)):
        page.emulate_media(color_scheme=scheme)
        found = axe.run(page, options=rules).response["violations"]
        problems += [
            (where, scheme, one["id"], one["nodes"][0]["html"][:200], one["nodes"][0]["failureSummary"])
            for one in found
        ]
    page.emulate_media(color_scheme="light")
    return problems


@pytest.mark.parametrize("part", range(3))
def test_axe_finds_nothing_and_small_screens_do_not_scroll_sideways(browser: Any, server: Server, part: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context()
    page = context.new_page()
    problems: list[tuple[str, ...]] = []
    for path in PAGES[part::3]:
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(server.url() + path.lstrip("/"))
        problems += judged(axe, page, path)
        page.set_viewport_size({"width": 320, "height": 700})
        if (wide := page.evaluate("document.documentElement.scrollWidth")) > 320:
            problems.append((path, "wide", str(wide)))
    context.close()
    assert problems == []


def test_axe_finds_nothing_in_what_opens(browser: Any, server: Server) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(server.url("/concordance", q=GRAD, per_page=6))
    page.locator("body").press("j")
    problems: list[tuple[str, ...]] = []
    for key in ("Enter", "t", "x"):
        page.locator(".current").press(key)
        page.locator(".drawer").wait_for()
        problems += judged(axe, page, f"key {key}")
    page.locator("#show-keys").click()
    problems += judged(axe, page, "keys")
    context.close()
    assert problems == []
