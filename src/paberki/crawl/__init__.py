"""Polite crawler that spends its requests where the text is: from seeds to WARC files (P1 §2.1, P3 §3, P5 §2).

1. ``admission`` lets links into the ``frontier``: in :mod:`paberki.web.scope`, normalised (``urls``), not met before (``seen``).
2. ``strategy`` says which host and which of its ``yields`` is most wanted; ``schedule`` hands out ``hosts`` whose
   gap, and whose address's gap, is over.
3. ``turns`` spends a host's turn: look up an address (``addresses``), run one of the ``errands`` for ``notices``
   (robots.txt and the files about rights), or ``fetch`` a page over a ``connection`` that speaks ``http1``.
4. ``pages`` follows up the answer: a retry, ``records`` in the ``warcs`` (``storing``), what it is ``worth``, and the
   links found by ``reading`` it back to 1.
5. ``crawler`` repeats this and commits ``state`` and ``warcs`` together about once a second.

``recrawl`` puts stored pages back into the queue; ``shards`` runs several of all this side by side.
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

    ``warc`` gets the WARC files, each with a sidecar that says how much of it counts; ``state`` gets all that
    is needed to go on later, and ``status.json`` for whoever watches. The same call again goes on where the
    last one ended or was killed. ``resolve`` gives addresses, and ports if need be, of hosts that are not in
    the DNS. The caller sees to it that no two crawls share a directory.
    """
    if config.shards > 1:
        from paberki.crawl.sharding.crawl_shards import crawl_shards

        return crawl_shards(config, warc=warc, state=state, resolve=resolve, on_progress=on_progress, stop=stop)
    from paberki.crawl.crawler import Crawler  # here, since settings need none of it
    from paberki.crawl.damaged_files import reading

    if (state / "shards.json").exists():
        raise StoreError(f"{state}: this crawl has several shards; go on with the same --shards")
    crawler = Crawler(config, warc, state, resolve, on_progress, stop or threading.Event())
    try:
        with reading(state, warc):
            return asyncio.run(crawler.run())
    finally:
        crawler.close()
