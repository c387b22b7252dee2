from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from loopback import SETTINGS, Web

from paberki.crawl import CrawlConfig, CrawlStats, crawl


@pytest.fixture
def web() -> Iterator[Web]:
    web = Web()
    yield web
    web.close()


@pytest.fixture
def run(web: Web, tmp_path: Path) -> Callable[..., CrawlStats]:
    """Crawl the web from seeds into ``tmp_path``; keyword arguments are settings."""

    def run(*seeds: str, stop: threading.Event | None = None, **settings: object) -> CrawlStats:
        config = CrawlConfig(**{**SETTINGS, "seeds": seeds, **settings})  # type: ignore[arg-type]
        return crawl(config, warc=tmp_path / "warc", state=tmp_path / "state", resolve=web.resolve, stop=stop)

    return run
