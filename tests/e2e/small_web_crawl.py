"""A crawl of the small web that comes with paberki, with delays that only a machine of one's own allows."""

from __future__ import annotations

from paberki.cli.crawl import crawl_corpus
from paberki.corpus import Corpus
from paberki.crawl import CrawlConfig
from paberki.demo.web import MiniWeb


def crawl_small_web(corpus: Corpus, max_pages: int | None = None) -> MiniWeb:
    """Crawl it into a corpus, all of it or so many pages; the web knows what is true of it and what was asked for."""
    with MiniWeb() as web:
        config = CrawlConfig(
            seeds=tuple(web.seeds), hosts=("*.test",), delay=0.005, ip_delay=0.0, max_crawl_delay=0.02,
            retry_delay=0.2, max_per_template=25, allow_networks=(web.network,), user_agent="paberki-demo/1.0",
            max_pages=max_pages,
        )  # fmt: skip
        resolve = {host: (where.ip, where.port) for host, where in web.addresses.items()}
        crawl_corpus(corpus.directory, config, quiet=True, resolve=resolve)
        web.truth()
    return web
