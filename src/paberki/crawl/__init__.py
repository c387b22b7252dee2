"""Polite crawler that spends its requests where the text is: from seeds to WARC files (P1 §2.1, P3 §3, P5 §2).

1. ``frontier/admission`` lets links into the ``frontier/frontier``: those in scope (:mod:`paberki.web.scope`),
   normalised (:mod:`paberki.web.urls`) and not met before (``frontier/seen_urls``).
2. ``steering/strategy`` ranks hosts and chooses among their URLs by ``steering/template_yields``; ``steering/schedule``
   hands out hosts when their gap, and that of their address, is over.
3. ``steering/turns`` spends a host's turn: it looks up the address (``fetching/allowed_addresses``), fetches a file
   about crawling (``fetching/site_files``; ``fetching/notices`` remembers what it says), or fetches a page
   (``fetching/fetch``).
4. ``steering/outcomes`` handles the answer: it retries, or stores records (``storing/storage``), judges the page
   (``reading/page_reading``, ``steering/page_value``) and admits its links, back to 1.
5. ``crawler`` repeats this and commits the database and the WARC files together about once a second.

``steering/recrawl`` puts stored pages back into the queue; ``sharding/crawl_shards`` runs several crawls side by side.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from paberki.crawl.crawl_config import CrawlConfig
from paberki.crawl.stats import CrawlStats
from paberki.errors import StoreError

__all__ = ["CrawlConfig", "CrawlStats", "crawl"]


def crawl(
    config: CrawlConfig,
    *,
    warc: Path,
    state: Path,
    resolve: Mapping[str, tuple[str, int | None]] | None = None,
    on_progress: Callable[[CrawlStats], None] | None = None,
    stop: threading.Event | None = None,
) -> CrawlStats:
    """Crawl until the frontier is empty, a limit is reached or ``stop`` is set.

    ``warc`` receives the WARC files, each with a sidecar that says how many of its bytes are committed. ``state``
    receives everything that a later run needs, and ``status.json`` for observers. The same call continues where the
    last one ended or was killed. ``resolve`` maps hosts that are not in the DNS to addresses and optional ports. The
    caller ensures that no two crawls share a directory.
    """
    if config.shards > 1:
        from paberki.crawl.sharding.crawl_shards import crawl_shards

        return crawl_shards(config, warc=warc, state=state, resolve=resolve, on_progress=on_progress, stop=stop)
    from paberki.crawl.crawler import Crawler  # imported late: reading settings must stay cheap
    from paberki.crawl.damaged_files import reading

    if (state / "shards.json").exists():
        raise StoreError(f"{state}: this crawl has several shards; go on with the same --shards")
    crawler = Crawler(config, warc, state, resolve, on_progress, stop or threading.Event())
    try:
        with reading(state, warc):
            return asyncio.run(crawler.run())
    finally:
        crawler.close()
