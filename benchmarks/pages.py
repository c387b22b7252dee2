"""Pages of about 75 kB for the benchmarks, as a WARC file.

Real pages are taken from ``PABERKI_DATA/extraction/*.tar.xz`` where that exists (default ``../shared/data``); elsewhere
pages of the bundled mini-web are put together until they have the size.
"""

from __future__ import annotations

import io
import lzma
import os
import random
import tarfile
from pathlib import Path

from paberki.archive.warc_writer import WarcWriter

TARGET = 75_000


def data_directory() -> Path | None:
    """Where real pages are, if anywhere."""
    root = Path(os.environ.get("PABERKI_DATA", Path(__file__).parents[2] / "shared" / "data"))
    return root / "extraction" if (root / "extraction").is_dir() else None


def real_pages(folder: Path) -> list[bytes]:
    """Pages between 25 and 180 kB: 75 kB on average."""
    pages = []
    for path in sorted(folder.glob("*.tar.xz")):
        with tarfile.open(fileobj=io.BytesIO(lzma.decompress(path.read_bytes()))) as archive:
            for member in archive:
                if member.name.startswith("html/") and 25_000 < member.size < 180_000:
                    file = archive.extractfile(member)
                    assert file is not None
                    pages.append(file.read())
    random.Random(1).shuffle(pages)
    return pages


def made_pages() -> list[bytes]:
    """UTF-8 pages of the mini-web, several in one until there are 75 kB."""
    import urllib.request

    from paberki.demo.web import MiniWeb

    bodies: list[bytes] = []
    with MiniWeb() as web:
        for _, truth in sorted(web.truth().items()):
            if truth.encoding == "utf-8" and truth.should_fetch:
                where = web.addresses[truth.host]
                request = urllib.request.Request(
                    f"http://{where.ip}:{where.port}{truth.url_path}", headers={"Host": f"{truth.host}:{where.port}"}
                )
                with urllib.request.urlopen(request, timeout=10) as answer:
                    bodies.append(answer.read())
    pick, pages = random.Random(1), []
    for _ in range(400):
        page = b""
        while len(page) < TARGET:
            page += pick.choice(bodies)
        pages.append(page)
    return pages


def write_warc(path: Path, count: int, *, later: bool = False) -> tuple[str, float]:
    """Write so many pages; where they come from, and their mean size. ``later``: pages that are in no other file."""
    folder = data_directory()
    pages = real_pages(folder) if folder else made_pages()
    kept_back = len(pages) // 10
    pages = pages[:kept_back] if later else pages[kept_back:]
    total = 0
    with WarcWriter(path) as writer:
        for number in range(count):
            body = pages[number % len(pages)] + b"<!-- %d -->" % number
            total += len(body)
            head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body)
            writer.write(
                "response",
                url=f"http://host{number % 97}.example.hr/{'later' if later else 'p'}{number}.html",
                date="2026-11-01T00:00:00Z",
                content_type="application/http; msgtype=response",
                block=head + body,
            )
    return ("real pages" if folder else "mini-web pages"), total / count
