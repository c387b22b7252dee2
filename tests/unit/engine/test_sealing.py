"""Sealing: pages are numbered once and for ever, whatever the ranges, from committed bytes only."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from paberki.engine.passes import sealing
from paberki.engine.task import Caution, Work
from paberki.errors import InputError
from paberki.store import layer
from paberki.store.directory import Directory, Manifest


class Inline:
    """An engine that runs tasks here, the last one first: order must not matter."""

    def run(self, tasks: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        for task in reversed(tasks):
            yield task, task.run(Work(Caution(), lambda first, last: None))

    def close(self) -> None:
        pass


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Directory:
    """An empty corpus with shards of ten pages and chunks of four."""
    monkeypatch.setattr(layer, "SHARD", 10)
    monkeypatch.setattr(layer, "CHUNK", 4)
    made = Directory(tmp_path / "corpus")
    made.warc.mkdir(parents=True)
    return made


def page(number: int | str, kind: str = "response", extra: str = "") -> bytes:
    body = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{number}</p>".encode()
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.hr/{number}\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"
    )
    return f"{head}{extra}Content-Length: {len(body)}\r\n\r\n".encode() + body + b"\r\n\r\n"


def put(directory: Directory, name: str, data: bytes, committed: int | None = None) -> None:
    (directory.warc / name).write_bytes(data)
    said = {"committed": len(data) if committed is None else committed}
    (directory.warc / f"{name}.json").write_text(json.dumps(said))


def seal(directory: Directory) -> Manifest:
    return sealing.seal(directory, Inline(), lambda done, total: None)[0]


def column(directory: Directory, name: str) -> list[Any]:
    files = sorted((directory.layers / "archive").glob("0*.parquet"))
    return [value for path in files for value in pq.read_table(path).column(name).to_pylist()]


def numbers(directory: Directory) -> list[str]:
    return [url.removeprefix("http://a.hr/") for url in column(directory, "url")]


def test_pages_are_numbered_in_the_order_of_files_and_offsets(directory: Directory) -> None:
    put(directory, "b.warc", b"".join(page(f"b{n}") for n in range(13)))
    put(directory, "a.warc", b"".join(page(f"a{n}") for n in range(12)))
    manifest = seal(directory)
    assert [shard.rows for shard in manifest.shards] == [10, 10, 5]
    assert numbers(directory) == [f"a{n}" for n in range(12)] + [f"b{n}" for n in range(13)]
    assert column(directory, "id") == [f"{n:09d}" for n in range(25)]
    groups = pq.ParquetFile(directory.layer("archive", 0)).metadata
    assert [groups.row_group(n).num_rows for n in range(groups.num_row_groups)] == [4, 4, 2]
    assert not list((directory.private / "scan").glob("*"))


def test_a_full_shard_leaves_no_empty_one(directory: Directory) -> None:
    put(directory, "a.warc", b"".join(page(n) for n in range(20)))
    assert [shard.rows for shard in seal(directory).shards] == [10, 10]


def test_a_sealed_short_shard_stays_as_it_is(directory: Directory) -> None:
    put(directory, "a.warc", b"".join(page(n) for n in range(3)))
    seal(directory)
    before = directory.layer("archive", 0).read_bytes()
    put(directory, "0-before-it-by-name.warc", b"".join(page(f"new{n}") for n in range(12)))
    manifest = seal(directory)
    assert directory.layer("archive", 0).read_bytes() == before
    assert [shard.rows for shard in manifest.shards] == [3, 10, 2]
    # An id is an address: shard times its size plus row, so a short shard leaves a gap.
    assert column(directory, "id") == [f"{n:09d}" for n in (0, 1, 2, *range(10, 20), 20, 21)]
    assert seal(directory) == manifest


@pytest.mark.parametrize("pack", [bytes, lambda data: gzip.compress(data, mtime=0)], ids=["plain", "gzip"])
def test_growing_file_is_read_up_to_what_is_committed(directory: Directory, pack: Any) -> None:
    pieces = [pack(page(n)) for n in range(9)]
    data = b"".join(pieces)
    put(directory, "crawl.warc", data[: len(b"".join(pieces[:5])) + 30], committed=len(b"".join(pieces[:4])))
    assert [shard.rows for shard in seal(directory).shards] == [4]
    assert seal(directory).pages == 4
    put(directory, "crawl.warc", data)
    manifest = seal(directory)
    assert numbers(directory) == [str(n) for n in range(9)]
    assert manifest.covered == {"crawl.warc": len(data)}


@pytest.mark.parametrize("size", [7, 50, 333, 1000, 100_000])
def test_ranges_do_not_matter(directory: Directory, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    # A page that quotes a whole WARC record: a range may begin inside it and take the quotation for a start.
    head, _, body = page("q").partition(b"\r\n\r\n")
    body = body[:-4].replace(b"<p>q</p>", b"\r\n\r\n" + page("fake"))
    head = head.rpartition(b"Content-Length")[0] + b"Content-Length: %d" % len(body)
    quoting = head + b"\r\n\r\n" + body + b"\r\n\r\n"
    records = [page(1), page(2), quoting, page(4), page("no", kind="request"), page(5)]
    put(directory, "a.warc", b"".join(records))
    put(directory, "b.warc.gz", b"".join(gzip.compress(one, mtime=0) for one in records))
    monkeypatch.setattr(sealing, "RANGE", size)
    seal(directory)
    assert numbers(directory) == ["1", "2", "q", "4", "5"] * 2
    places = list(zip(column(directory, "warc_offset"), column(directory, "warc_length"), strict=True))
    for (offset, length), expected in zip(places[:5], [*records[:4], records[5]], strict=True):
        assert (directory.warc / "a.warc").read_bytes()[offset : offset + length] == expected


def test_revisits_are_kept_beside_and_are_no_pages(directory: Directory) -> None:
    again = page(0, kind="revisit", extra="WARC-Refers-To-Date: 2019-01-01T00:00:00Z\r\n")
    put(directory, "a.warc", page(0) + again)
    manifest = seal(directory)
    assert manifest.pages == 1
    assert manifest.revisits == ["revisits-00000.parquet"]
    (row,) = pq.read_table(directory.layers / "archive" / manifest.revisits[0]).to_pylist()
    assert row["page"] == -1
    assert row["since"] < row["date"]
    put(directory, "b.warc", page(1))
    assert seal(directory).revisits == manifest.revisits


def test_damaged_stretches_are_counted_and_visible(directory: Directory) -> None:
    put(directory, "a.warc", page(1) + b"WARC/1.0\r\nnonsense\r\n\r\n" + page(3))
    manifest, errors = sealing.seal(directory, Inline(), lambda done, total: None)
    assert errors == 1
    assert manifest.pages == 3
    assert [error is not None for error in column(directory, "error")] == [False, True, False]


def test_nothing_new_is_nothing_done(directory: Directory) -> None:
    assert seal(directory) == Manifest()
    assert not directory.layers.exists()
    put(directory, "a.warc", page(1), committed=0)
    assert seal(directory).pages == 0


def test_missing_archive_is_named(directory: Directory) -> None:
    put(directory, "a.warc", page(1))
    (directory.warc / "a.warc").unlink()
    with pytest.raises(InputError, match=r"a\.warc: the archive file is missing"):
        seal(directory)
    assert directory.manifest().pages == 0


def test_the_last_number_is_not_passed(directory: Directory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealing, "MAX_SHARDS", 2)
    put(directory, "a.warc", b"".join(page(n) for n in range(25)))
    with pytest.raises(InputError, match="at most"):
        seal(directory)
    assert directory.manifest().pages == 0
