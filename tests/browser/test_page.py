"""One page: as it was fetched, where it comes from, its tree; and pages that mean harm."""

from __future__ import annotations

import gzip
import re
from typing import Any

import pytest
from asking import GRAD
from browser_serving import Server
from small_web import HOSTILE_TITLE


def first_line(page: Any, key: str) -> None:
    page.locator("body").press("j")
    page.locator(".current").press(key)


def test_the_original_page_opens_at_the_hit(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    first_line(page, "o")
    frame = page.frame_locator("[data-testid=original]")
    mark = frame.get_by_test_id("hit-1")
    mark.wait_for()
    assert mark.inner_text() == page.get_by_test_id("kwic-line").first.get_attribute("data-value")
    page.wait_for_timeout(200)
    outer, inner = page.get_by_test_id("original").bounding_box(), mark.bounding_box()
    assert outer["y"] <= inner["y"] <= outer["y"] + outer["height"]
    page.keyboard.press("Escape")
    assert page.get_by_test_id("original").count() == 0


def test_a_hit_over_markup_in_an_old_encoding(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q='[lemma="star"] [lemma="grad"]', where="url like '%stara'"))
    if not page.get_by_test_id("kwic-line").count():
        page.goto(server.url("/concordance", q='"gradu"', where="url like '%stara'"))
    first_line(page, "o")
    frame = page.frame_locator("[data-testid=original]")
    frame.locator("mark").first.wait_for()
    text = "".join(frame.locator("mark[data-hit='1']").all_inner_texts())
    assert text.replace(" ", "").endswith("gradu")
    assert "čamac čeka" in frame.locator("body").inner_text()


def test_a_hostile_page_does_nothing(page: Any, server: Server, watch: Any) -> None:
    page.goto(server.url("/concordance", q=GRAD, where="url like '%zlo%'"))
    title = page.title()
    first_line(page, "o")
    page.frame_locator("[data-testid=original]").get_by_test_id("hit-1").wait_for()
    page.wait_for_timeout(300)
    assert page.title() == title
    assert page.frames[0].url.startswith(server.url())
    tab = page.context.new_page()
    answers: list[str] = []
    tab.on("dialog", lambda dialog: watch.problems.append("dialog"))
    tab.on("response", lambda response: answers.append(response.url))
    tab.goto(page.get_by_test_id("original").evaluate("frame => frame.src"))
    tab.wait_for_timeout(300)
    assert "hacked" not in tab.title()
    assert all(url.startswith(server.url()) for url in answers)
    tab.close()
    watch.foreign.clear()  # asked for, and refused by the content policy


@pytest.mark.parametrize(
    "path", ["/concordance", "/pages", "/search", "/words", "/frequency", "/distribution", "/help", "/saved", "/code"]
)
def test_markup_is_shown_and_not_run(page: Any, server: Server, path: str) -> None:
    evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
    page.add_init_script(
        "addEventListener('securitypolicyviolation', event => console.error('policy ' + event.violatedDirective))"
    )
    for parameters in (
        {"q": evil, "host": evil, "regex": evil, "by": evil, "where": f"host = '{evil}'", "coder": evil},
        {"q": "grad", "sort": evil, "set": evil, "corpus": ""},
    ):
        page.goto(server.url(path, **parameters))
        assert page.locator("img[src=x]").count() == 0
        assert page.evaluate("document.querySelectorAll('script:not([src])').length") == 0


def test_a_hostile_title_is_text(page: Any, server: Server, watch: Any) -> None:
    page.goto(server.url("/search", q="title:hacked OR koncert", set="all"))
    page.goto(server.url("/concordance", q=GRAD, where="url like '%zlo%'"))
    number = page.get_by_test_id("kwic-line").first.get_attribute("data-page")
    for part in ("", "/text", "/blocks", "/bytes", "/tokens", "/provenance", "/explain", "/copies", "/captures"):
        page.goto(server.url(f"/page/{number}{part}"))
        assert "hacked" not in page.title() or HOSTILE_TITLE.partition("<")[0] in page.title()
        assert page.evaluate("document.querySelectorAll('main script, main img').length") == 0
    watch.foreign.clear()  # the page itself asks in its frame, and is refused


def test_a_tree_has_words_arcs_and_a_twin(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q='"ribar"'))
    first_line(page, "t")
    page.get_by_test_id("tree").wait_for()
    words = page.get_by_test_id("tree-word").count()
    assert words >= 38
    assert page.get_by_test_id("tree-arc").count() == words - 1
    assert page.get_by_test_id("tree-table").locator("tbody tr").count() == words
    boxes = page.get_by_test_id("tree-label").evaluate_all(
        "all => all.map(one => { const b = one.getBBox(); return [b.x, b.y, b.x + b.width, b.y + b.height]; })"
    )
    for at, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[at + 1 :]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


def test_provenance_names_the_place_in_the_archive(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    node = page.get_by_test_id("kwic-line").first.get_attribute("data-value")
    first_line(page, "Enter")
    text = page.get_by_test_id("provenance").inner_text()
    name, offset, length = re.search(r"(\S+\.warc\.gz) · offset (\d+) · (\d+)", text).groups()
    low, high = map(int, re.search(r"(?m)^bytes\s*\n?(\d+)–(\d+)", text).groups())
    data = (server.root / "warc" / name).read_bytes()[int(offset) : int(offset) + int(length)]
    payload = gzip.decompress(data).partition(b"\r\n\r\n")[2].partition(b"\r\n\r\n")[2]
    assert payload[low:high].decode() == node


def test_wider_context_and_explanation_open_in_place(page: Any, server: Server) -> None:
    page.goto(server.url("/concordance", q=GRAD))
    first_line(page, "x")
    page.get_by_test_id("wider").wait_for()
    page.keyboard.press("Escape")
    page.locator(".current").press("e")
    page.locator(".drawer").wait_for()
    assert page.locator(".drawer h3").inner_text() == "Explain"
    assert "Verdict" in page.locator(".drawer").inner_text()
