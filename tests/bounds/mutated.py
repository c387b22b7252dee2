"""Real pages, damaged in the ways that disks, networks and strangers damage them; a seed gives the same ones again."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from paberki.demo.responses import SiteResponses
from paberki.demo.world import world

ODD = [
    *(b"\x80", b"\xbf", b"\xc3", b"\xe2\x80", b"\xf0\x9f\x98", b"\xff", b"\xf8\x88\x80\x80", b"\xed\xa0\x80", b"\x00"),
    *(
        b"<",
        b"</",
        b"<!--",
        b"&#",
        b"&#x10FFFF;",
        b"<p>" * 30,
        b"</div>" * 30,
        b"\xc4\x8d" * 40,
        b" " * 300,
        b"<pre>\n",
    ),
]
HEAD_END = b"\r\n\r\n"
Change = Callable[[bytes, random.Random], bytes]


def _cut(page: bytes, some: random.Random) -> bytes:
    return page[: some.randrange(len(page) + 1)]


def _without(page: bytes, some: random.Random) -> bytes:
    begin = some.randrange(len(page) + 1)
    return page[:begin] + page[begin + some.randrange(200) :]


def _twice(page: bytes, some: random.Random) -> bytes:
    begin = some.randrange(len(page) + 1)
    part = page[begin : begin + some.randrange(400)]
    return page[:begin] + part * some.randrange(1, 5) + page[begin:]


def _flipped(page: bytes, some: random.Random) -> bytes:
    changed = bytearray(page)
    for _ in range(some.randrange(1, 40)):
        changed[some.randrange(len(changed))] = some.randrange(256)
    return bytes(changed)


def _odd(page: bytes, some: random.Random) -> bytes:
    for _ in range(some.randrange(1, 12)):
        at = some.randrange(len(page) + 1)
        page = page[:at] + some.choice(ODD) + page[at:]
    return page


CHANGES: tuple[Change, ...] = (_cut, _without, _twice, _flipped, _odd)


def real_pages() -> Iterator[bytes]:
    """Pages of the demo web, and those of the small archive that is kept with the tests."""
    sites = world()
    answers = SiteResponses(sites, lambda host, path: f"http://{host}{path}")
    for host, site in sites.items():
        yield from (answers.answer(host, path).body for path in site.pages)
    for path in sorted((Path(__file__).parents[1] / "compat" / "format1" / "warc").glob("*.warc.gz")):
        records = gzip.decompress(path.read_bytes()).split(b"WARC/1.")
        yield from (record.partition(HEAD_END)[2].partition(HEAD_END)[2] for record in records)


def mutated_pages(count: int, seed: int) -> list[bytes]:
    """So many pages, each changed one to three times."""
    some = random.Random(seed)
    pages = [page for page in real_pages() if page]
    made = []
    for _ in range(count):
        page = some.choice(pages)
        for change in some.choices(CHANGES, k=some.randrange(1, 4)):
            page = change(page, some) or b"<"
        made.append(page)
    return made
