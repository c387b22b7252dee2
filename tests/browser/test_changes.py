"""A corpus that changes under a running server: it grows, is rebuilt, loses a page."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asking import GRAD, total, whole_lines
from browser_serving import Server, serve
from small_web import html, paragraphs, warc

from paberki.corpus import Corpus


@pytest.fixture
def own(built: Path, tmp_path: Path) -> Iterator[Server]:
    """A copy of the corpus with a server of its own."""
    root = tmp_path / "own"
    shutil.copytree(built, root)
    server = serve(root, "--edit")
    yield server
    server.stop()


def grow(server: Server, tmp_path: Path) -> None:
    """Add pages, and build as a person would beside the server."""
    made = {
        f"http://peti.hr/{seed}": (html(f"Novo {seed}", paragraphs(300 + seed)).encode(), "2022-01-01T08:00:00Z")
        for seed in range(3)
    }
    Corpus(server.root).add([warc(tmp_path / "more.warc.gz", made)])
    command = [sys.executable, "-m", "paberki", "build", str(server.root), "--jobs", "1", "--quiet"]
    subprocess.run(command, check=True, timeout=120, capture_output=True)


def test_the_corpus_grows_and_old_links_still_mean_the_same(page: Any, own: Server, tmp_path: Path) -> None:
    build = own.json("corpus")["build"]
    page.goto(own.url("/concordance", q=GRAD, build=build))
    before, lines = total(page), whole_lines(page)
    page.locator("body").press("j")
    with page.expect_response(lambda answer: "/lines/label" in answer.url):
        page.locator(".current").press("7")
    labelled = page.locator(".current").get_attribute("data-value"), whole_lines(page)[0]

    grow(own, tmp_path)
    page.get_by_test_id("growth").wait_for(timeout=15_000)
    assert whole_lines(page) == lines
    page.get_by_test_id("growth").get_by_role("button").first.click()
    page.wait_for_load_state()
    now = total(page)
    assert now > before

    # The label is on the same words.
    marked = page.locator("[data-testid=kwic-line]:has([data-testid=category][data-value='7'])")
    assert marked.count() == 1
    assert marked.get_attribute("data-value") == labelled[0]
    assert marked.get_by_test_id("right").text_content().strip() == labelled[1][2]

    # The old link says what has changed, and can show what was.
    page.goto(own.url("/concordance", q=GRAD, build=build))
    note = page.get_by_test_id("then-now")
    assert (int(note.get_attribute("data-then")), int(note.get_attribute("data-now"))) == (before, now)
    page.get_by_test_id("as-it-was").click()
    page.wait_for_url("**state=**")
    assert total(page) == before
    assert whole_lines(page) == lines


def test_a_server_that_only_reads_leaves_categories_in_the_browser(page: Any, built: Path) -> None:
    server = serve(built)
    try:
        page.goto(server.url("/concordance", q=GRAD))
        page.locator("body").press("j")
        page.locator(".current").press("4")
        page.reload()
        marks = page.get_by_test_id("category").evaluate_all("all => all.map(one => one.dataset.value || '')")
        assert marks[0] == "4"
        assert set(marks[1:]) == {""}
        page.goto(server.url("/page/000000000"))
        assert page.get_by_test_id("take-down").count() == 0
    finally:
        server.stop()


def test_a_page_goes_on_with_a_server_that_was_started_again(page: Any, own: Server) -> None:
    page.goto(own.url("/concordance", q=GRAD))
    page.locator("body").press("j")
    own.stop()
    own.process = serve(own.root, "--edit", port=own.port).process
    with page.expect_response(lambda answer: "/lines/label" in answer.url and answer.status == 200):
        page.locator(".current").press("5")
    page.reload()
    assert page.locator("[data-testid=category][data-value='5']").count() == 1


def test_a_page_taken_down_is_gone_at_once(page: Any, own: Server) -> None:
    page.goto(own.url("/concordance", q=GRAD))
    before = total(page)
    first = page.get_by_test_id("kwic-line").first
    number, start, end = (first.get_attribute(f"data-{name}") for name in ("page", "start", "end"))
    mine = page.locator(f"[data-testid=kwic-line][data-page='{number}']").count()
    page.goto(own.url(f"/page/{number}"))
    page.get_by_text("Take down …").click()
    page.get_by_test_id("take-down-reason").fill("the author asks for it")
    page.get_by_test_id("take-down").click()
    page.wait_for_url(own.url("/"))
    for address in (
        f"/page/{number}",
        f"/page/{number}/original",
        f"/page/{number}/text",
        f"/page/{number}/provenance",
        f"/tree?start={start}&end={end}",
        f"/wider?start={start}&end={end}",
    ):
        assert page.goto(own.url(address)).status in (404, 410), address
    page.goto(own.url("/concordance", q=GRAD))
    assert total(page) <= before - mine
    assert page.locator(f"[data-testid=kwic-line][data-page='{number}']").count() == 0
    answer = page.request.get(own.url("/export", q=GRAD, format="jsonl"))
    assert number not in [line.split('"doc.id": "')[1][:9] for line in answer.text().splitlines()[1:]]
