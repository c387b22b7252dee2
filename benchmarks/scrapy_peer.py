"""Scrapy as a corpus crawler: broad-crawl settings, JOBDIR, robots.txt, WARC records by a pipeline.

python benchmarks/scrapy_peer.py FOLDER SEED_URL... --pages 1000 --delay 0.05
"""

from __future__ import annotations

import argparse
import socket
from io import BytesIO
from pathlib import Path

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter


class WarcPipeline:
    """Writes each page as a response record."""

    def open_spider(self, spider) -> None:
        self._file = open(Path(spider.folder) / "scrapy.warc.gz", "wb")  # noqa: SIM115 - closed below
        self._writer = WARCWriter(self._file, gzip=True)

    def close_spider(self, spider) -> None:
        self._file.close()

    def process_item(self, item, spider):
        response = item["response"]
        fields = [(k.decode(), v[0].decode("latin-1")) for k, v in response.headers.items()]
        head = StatusAndHeaders(f"{response.status} OK", fields, protocol="HTTP/1.1")
        record = self._writer.create_warc_record(
            response.url, "response", payload=BytesIO(response.body), http_headers=head
        )
        self._writer.write_record(record)
        return {"url": response.url}


class Everything(scrapy.Spider):
    """Follows all links, shallow ones first."""

    name = "everything"
    links = LinkExtractor()

    def parse(self, response):
        if isinstance(response, scrapy.http.HtmlResponse):
            yield {"response": response}
            for link in self.links.extract_links(response):
                yield scrapy.Request(link.url)


def know(hosts_file: Path) -> None:
    """Find the hosts of a file at the addresses that it gives."""
    addresses = {name: address for address, name in map(str.split, hosts_file.read_text().splitlines())}
    look_up = socket.getaddrinfo
    socket.getaddrinfo = lambda host, *more, **options: look_up(addresses.get(host, host), *more, **options)  # type: ignore[assignment,misc]
    socket.gethostbyname = lambda host: addresses.get(host, host)  # type: ignore[assignment]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder")
    options.add_argument("seeds", nargs="+")
    options.add_argument("--pages", type=int, default=1000)
    options.add_argument("--delay", type=float, default=0.0)
    options.add_argument("--hosts-file", type=Path, help="lines of an address and a host name")
    arguments = options.parse_args()
    if arguments.hosts_file:
        know(arguments.hosts_file)
    process = CrawlerProcess(
        {
            "LOG_LEVEL": "ERROR",
            "JOBDIR": f"{arguments.folder}/job",
            "ROBOTSTXT_OBEY": True,
            "ITEM_PIPELINES": {WarcPipeline: 1},
            "CONCURRENT_REQUESTS": 64,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
            "DOWNLOAD_DELAY": arguments.delay,
            "RANDOMIZE_DOWNLOAD_DELAY": False,
            "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
            "DEPTH_PRIORITY": 1,
            "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
            "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
            "COOKIES_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "CLOSESPIDER_PAGECOUNT": arguments.pages,
            "USER_AGENT": "scrapy-peer/1.0",
        }
    )
    process.crawl(Everything, start_urls=arguments.seeds, folder=arguments.folder)
    process.start()


if __name__ == "__main__":
    main()
