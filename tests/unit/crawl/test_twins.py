"""One page under several addresses is stored once; another page is another page."""

from __future__ import annotations

import gzip
import itertools
from collections.abc import Callable
from pathlib import Path

from loopback import Answer, Web, page, stored

from corpora import article
from paberki.archive.reading.warc import scan
from paberki.crawl import CrawlStats

Run = Callable[..., CrawlStats]
_moments = itertools.count(1)


def _packed(text: str) -> Answer:
    """As servers send it that write the time into the head of what they pack."""
    return Answer(gzip.compress(text.encode(), mtime=next(_moments)), headers={"Content-Encoding": "gzip"})


def _urls(folder: Path) -> set[str | None]:
    return {record.url for record in stored(folder)}


def test_the_same_page_at_other_addresses(web: Web, run: Run, tmp_path: Path) -> None:
    text = article(1).replace("href=/", "name=")
    ways = ["/a", "/a/", "/a?ref=home", "/a?x=1&y=2", "/a?y=2&x=1"]
    web.put("a.hr/", page(*ways, "http://www.a.hr/a", "http://b.hr/a"))
    for way in ways:
        web.put(f"a.hr{way}", lambda: _packed(text))
    web.put("www.a.hr/a", lambda: _packed(text))
    web.put("b.hr/a", lambda: _packed(text))
    stats = run("a.hr", languages=("hr",), concurrency=1)
    found = _urls(tmp_path / "warc") - {"http://a.hr/"}
    assert len(found) == 2
    assert "http://b.hr/a" in found
    assert len(web.asked) == 8
    assert stats.pages == 3
    archive = b"".join(gzip.decompress(path.read_bytes()) for path in (tmp_path / "warc").glob("*.gz"))
    assert archive.count(b"\r\ncopy: ") == 5


def test_equal_bytes_become_revisits(web: Web, run: Run, tmp_path: Path) -> None:
    text = article(2).replace("href=/", "name=")
    web.put("a.hr/", page("/a", "/a?print=1"))
    web.put("a.hr/a", Answer(text))
    web.put("a.hr/a?print=1", Answer(text))
    run("a.hr", languages=("hr",))
    kinds = [record.type for path in (tmp_path / "warc").glob("*.gz") for record in scan(path)]
    assert kinds.count("revisit") == 1
    assert len(_urls(tmp_path / "warc")) == 2


def test_nearly_the_same_text_that_names_its_own_address(web: Web, run: Run, tmp_path: Path) -> None:
    def text(note: str, seed: int) -> str:
        own = f"<link rel=canonical href=http://a.hr/{seed}>"
        return article(seed, 12).replace("href=/", "name=").replace("<head>", f"<head>{own}<!-- {note} -->")

    web.put("a.hr/", page(*(f"/{seed}{more}" for seed in (1, 2) for more in ("?print=1", "", "?ref=2"))))
    for seed in (1, 2):
        for more in ("?print=1", "", "?ref=2"):
            web.put(f"a.hr/{seed}{more}", Answer(text(f"made for {more}", seed)))
    run("a.hr", languages=("hr",), concurrency=1)
    found = sorted(str(url) for url in _urls(tmp_path / "warc"))
    assert len(found) == 3
    assert [url[:13] for url in found] == ["http://a.hr/", "http://a.hr/1", "http://a.hr/2"]


def test_pages_without_a_word_of_text_are_not_compared(web: Web, run: Run, tmp_path: Path) -> None:
    web.put("a.hr/", page("/1", "/2"))
    web.put("a.hr/1", page())
    web.put("a.hr/2", page())
    run("a.hr")
    assert len(_urls(tmp_path / "warc")) == 3
