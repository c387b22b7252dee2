"""A real server on loopback and a real browser; one small corpus for all tests that only read it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from browser_serving import Server, serve
from small_web import build, pages, warc

from paberki.store.lock import hold

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = CHROMIUM is None
    for item in items:
        if "tests/browser" in str(item.path).replace(os.sep, "/"):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.filterwarnings("ignore"))  # the driver's own
            item.add_marker(pytest.mark.xdist_group("browser"))
            if missing:
                item.add_marker(pytest.mark.skip(reason="chromium is not installed; as root: apt-get install chromium"))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus, built by the first process that needs it; tests copy it if they change it.

    PABERKI_BROWSER_CORPUS names one that was built before.
    """
    if ready := os.environ.get("PABERKI_BROWSER_CORPUS"):
        return Path(ready)
    base = tmp_path_factory.getbasetemp()
    base = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    with hold(base / "browser-corpus.lock", doing="building", wait=True):
        if not (base / "browser-corpus" / "built").exists():
            build(base / "browser-corpus", warc(base / "browser-pages.warc.gz", pages()))
            (base / "browser-corpus" / "built").touch()
    return base / "browser-corpus"


@pytest.fixture(scope="session")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    own = tmp_path_factory.mktemp("served") / "corpus"
    shutil.copytree(built, own)
    server = serve(own, "--edit")
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Watch:
    """What must not happen in a page."""

    problems: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def on(self, page: Any) -> None:
        page.on("dialog", lambda dialog: (self.problems.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("pageerror", lambda error: self.problems.append(f"error {error}"))
        page.on("console", lambda message: self.problems.append(message.text) if _is_problem(message) else None)
        page.on("request", lambda request: self.foreign.append(request.url) if not _is_ours(request.url) else None)


def _is_ours(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "data:", "about:", "blob:"))


def _is_problem(message: Any) -> bool:
    """Errors of our own pages; what a sandboxed page of the web is refused is no error of ours."""
    expected = ("status of 400", "status of 403", "/original", "sandboxed", "status of 410")
    return message.type == "error" and not any(
        text in message.text or text in str(message.location) for text in expected
    )


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def page(browser: Any, watch: Watch) -> Iterator[Any]:
    """A fresh tab; at the end nothing was refused by the content policy and no script failed."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(30_000)
    watch.on(page)
    yield page
    context.close()
    assert watch.problems == []
    assert watch.foreign == []
