"""The report in a real browser, from file://: figures are drawn, nothing is fetched, nothing from pages runs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from corpora import article
from paberki.corpus import Corpus
from paberki.report.written_report import report

pytestmark = pytest.mark.browser
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed; as root: apt-get install chromium")
@pytest.mark.filterwarnings("ignore")  # the driver's own
@pytest.mark.slow
def test_report_opens_from_a_file(
    corpus: Callable[..., Corpus], pages: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    hostile = article(99).replace("Članak 99", "</title><script>document.title='hacked'</script>").encode()
    made = corpus(pages(30, {"<img src=x onerror=alert(1)>.html": hostile, "copy.html": article(3).encode()}))
    made.build(jobs=2)
    page_file = report(made.directory, made.plan(), made.recipe)
    with playwright.sync_playwright() as driver:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=flags)
        page = browser.new_page()
        problems: list[str] = []
        fetched: list[str] = []
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.on("request", lambda request: fetched.append(request.url))
        page.goto(page_file.as_uri())
        assert "hacked" not in page.title()
        assert page.locator("svg").count() >= 2
        assert all(box and box["width"] > 100 for box in (page.locator("svg").nth(at).bounding_box() for at in (0, 1)))
        assert "duplicate" in page.inner_text("body")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1")
        browser.close()
    assert problems == []
    assert fetched == [page_file.as_uri()]
