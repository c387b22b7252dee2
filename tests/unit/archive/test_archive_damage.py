"""A bad record costs that record only, and says what was wrong."""

import gzip
import os
import time
import tracemalloc

import pytest
import zstandard
from archive_makers import HTTP, arc_record, archive, packed, plain_records, warc_record

from paberki.archive.reading import warc
from paberki.archive.reading.warc import RecordLimits


def codes(path, **options):
    return [r.error[0] if r.error else r.url for r in warc.scan(path, **options)]


def good(*numbers):
    return [f"http://a.hr/{n}" for n in numbers]


@pytest.mark.parametrize("form", ["warc", "warc.gz", "warc.zst", "arc.gz"])
def test_truncated(tmp_path, form):
    places = archive(tmp_path / "x", plain_records(5, form=form), form)
    os.truncate(tmp_path / "x", places[-1][0] + places[-1][1] // 2)
    *whole, last = warc.scan(tmp_path / "x")
    assert [r.error for r in whole] == [None] * (len(places) - 1)
    assert last.error[0] == "truncated"
    assert last.offset == places[-1][0]
    assert last.offset + last.length == (tmp_path / "x").stat().st_size
    assert last.body == b""


@pytest.mark.parametrize("form", ["warc.gz", "warc.zst"])
@pytest.mark.parametrize("where", [0, 1, 0.3, 0.5, 0.9, -1, -5])
def test_flipped_byte_costs_one_record(tmp_path, form, where):
    places = archive(tmp_path / "x", plain_records(9), form)
    data = bytearray((tmp_path / "x").read_bytes())
    offset, length = places[4]
    data[offset + (int(where * length) if isinstance(where, float) else where % length)] ^= 0x55
    (tmp_path / "x").write_bytes(data)
    found = codes(tmp_path / "x")
    assert found[:4] + found[5:] == good(0, 1, 2, 3, 5, 6, 7, 8)
    assert found[4] == "damaged"
    record = list(warc.scan(tmp_path / "x"))[4]
    assert (record.offset, record.length) == (offset, length)
    assert warc.read(tmp_path / "x", offset, length) == record


def test_flipped_header_in_plain_file_costs_one_record(tmp_path):
    places = archive(tmp_path / "x", plain_records(5), "warc")
    data = bytearray((tmp_path / "x").read_bytes())
    data[places[2][0]] ^= 0x20
    (tmp_path / "x").write_bytes(data)
    assert codes(tmp_path / "x") == [*good(0, 1), "bad-header", *good(3, 4)]


def test_damaged_first_record(tmp_path):
    archive(tmp_path / "x", plain_records(3), "warc.gz")
    data = bytearray((tmp_path / "x").read_bytes())
    data[12] ^= 0xFF
    (tmp_path / "x").write_bytes(data)
    assert codes(tmp_path / "x") == ["damaged", *good(1, 2)]


@pytest.mark.parametrize("form", ["warc", "warc.gz", "warc.zst"])
def test_junk_between_records(tmp_path, form):
    parts = [packed(r, form) for r in plain_records(4)]
    (tmp_path / "x").write_bytes(parts[0] + parts[1] + b"\x00\xff" * 700 + b"\r\n" + parts[2] + parts[3])
    assert [c for c in codes(tmp_path / "x") if c.startswith("http")] == good(0, 1, 2, 3)
    assert sum(not c.startswith("http") for c in codes(tmp_path / "x")) == 1


@pytest.mark.parametrize("lie", [-40, -1, 7, 40, 100_000_000])
@pytest.mark.parametrize("form", ["warc", "warc.gz"])
def test_wrong_length(tmp_path, form, lie):
    records = [warc_record(f"http://a.hr/{i}", HTTP + b"page" * 99) for i in range(5)]
    records[2] = warc_record("http://a.hr/2", HTTP + b"page" * 99, length=len(HTTP) + 396 + lie)
    archive(tmp_path / "x", records, form)
    assert codes(tmp_path / "x") == [*good(0, 1), "wrong-length", *good(3, 4)]


def test_wrong_length_at_the_end_of_a_plain_arc(tmp_path):
    records = [arc_record(f"http://a.hr/{i}", HTTP + b"page" * 99) for i in range(4)]
    records[1] = records[1].replace(b" %d\n" % (len(HTTP) + 396), b" 10\n")
    archive(tmp_path / "x", records, "arc")
    assert codes(tmp_path / "x") == [*good(0), "wrong-length", *good(2, 3)]


def test_missing_fields(tmp_path):
    records = [
        warc_record("http://a.hr/0", b"x", date=None),
        warc_record("http://a.hr/1", b"x", date="yesterday"),
        warc_record(None, b"x"),
        warc_record(None, b"x", kind="warcinfo"),
        warc_record("<http://a.hr/4 \x01>", b"x"),
    ]
    archive(tmp_path / "x", records, "warc.gz")
    found = list(warc.scan(tmp_path / "x"))
    assert [r.date for r in found[:2]] == [None, None]
    assert [r.error and r.error[0] for r in found] == [None, None, "no-url", None, None]
    assert found[4].url == "http://a.hr/4%20%01"


def test_bad_headers(tmp_path):
    bad = [
        b"WARC/1.0\r\nfoo: bar\r\n\r\n",
        b"hello",
        b"WARC/9.9\r\nWARC-Type: x\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
    ]
    bad += [
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: -5\r\n\r\n",
        b"WARC/1.0\r\n" + b"a: b\r\n" * 20_000,
    ]
    archive(tmp_path / "x", [*plain_records(1), *bad], "warc.gz")
    assert codes(tmp_path / "x") == [*good(0), *["bad-header"] * 5]


def test_bomb_is_stopped_in_bounded_memory(tmp_path):
    packer = gzip.compress(warc_record("http://a.hr/bomb", b"\0" * 105_000_000), 6, mtime=0)
    parts = [packed(r, ".gz") for r in plain_records(3)]
    (tmp_path / "x").write_bytes(parts[0] + packer + parts[1] + parts[2])
    limits = RecordLimits(record_bytes=8 << 20)
    tracemalloc.start()
    assert codes(tmp_path / "x", limits=limits) == ["http://a.hr/0", "bomb", *good(1, 2)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 << 20


def test_zstd_bomb(tmp_path):
    bomb = zstandard.ZstdCompressor().compress(warc_record("http://a.hr/bomb", b"\0" * 30_000_000))
    parts = [packed(r, ".zst") for r in plain_records(2)]
    (tmp_path / "x").write_bytes(parts[0] + bomb + parts[1])
    assert codes(tmp_path / "x", limits=RecordLimits(record_bytes=4 << 20)) == [
        "http://a.hr/0",
        "bomb",
        "http://a.hr/1",
    ]


@pytest.mark.parametrize("form", ["warc", "warc.gz", "warc.zst"])
def test_too_large_record_is_stepped_over_exactly(tmp_path, form):
    """The large record holds an archive of its own, which a search would take for the next records."""
    inner = b"\r\n" + b"".join(packed(warc_record(f"http://evil.hr/{i}", b"x"), form) for i in range(3000))
    big = warc_record("http://a.hr/big", inner + os.urandom(200_000))
    data = gzip.compress(big, 0, mtime=0) if form.endswith("gz") else packed(big, form)
    parts = [packed(r, form) for r in plain_records(2)]
    (tmp_path / "x").write_bytes(parts[0] + data + parts[1])
    assert codes(tmp_path / "x", limits=RecordLimits(record_bytes=100_000)) == [*good(0), "too-large", *good(1)]


def test_two_gigabytes_are_skipped_unread(tmp_path):
    size = 2 << 30
    head = warc_record("http://a.hr/big", b"", length=size)[:-4]
    with open(tmp_path / "x", "wb") as file:
        file.write(head)
        file.seek(size, os.SEEK_CUR)
        file.write(b"\r\n\r\n" + warc_record("http://a.hr/1", b"x"))
    began = time.monotonic()
    assert codes(tmp_path / "x") == ["too-large", *good(1)]
    assert time.monotonic() - began < 10


def test_many_records_in_one_of_the_members(tmp_path):
    records = plain_records(4)
    archive(tmp_path / "x", [records[0], records[1] + records[2], records[3]], "warc.gz")
    assert codes(tmp_path / "x") == [*good(0), "many-records", *good(3)]


def test_empty_members_are_passed_over(tmp_path):
    first, last = (packed(r, ".gz") for r in plain_records(2))
    (tmp_path / "x").write_bytes(first + gzip.compress(b"", mtime=0) * 3 + last)
    assert codes(tmp_path / "x") == good(0, 1)


@pytest.mark.parametrize("noise", [b"\x1f\x8b\x08\x00", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03K\xcf\x07"])
def test_a_file_of_false_starts_does_not_hold_us_up(tmp_path, noise):
    first = packed(plain_records(1)[0], ".gz")
    (tmp_path / "x").write_bytes(first + noise * (6_000_000 // len(noise)))
    began = time.monotonic()
    assert codes(tmp_path / "x") == [*good(0), "damaged"]
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    ("form", "noise"),
    [("warc", b"\nWARC/1.0\r\n"), ("warc", b"\nWARC/1.0\na:b"), ("arc", b"\na: 1 20200102030405 x y")],
)
def test_false_starts_in_plain_files(tmp_path, form, noise):
    records = plain_records(1, form=form)
    (tmp_path / "x").write_bytes(b"".join(records) + b"junk" + noise * (4_000_000 // len(noise)))
    began = time.monotonic()
    found = codes(tmp_path / "x")
    assert found[len(records) - 1] == "http://a.hr/0"
    assert len(found) == len(records) + 1
    assert time.monotonic() - began < 40


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_other_line_ends(tmp_path, end):
    record = f"WARC/0.18{end}WARC-Type: response{end}WARC-Target-URI: http://a.hr/0{end}X: 1{end} 2{end}"
    record = (record + f"junk{end}Content-Length: 6{end}{end}").encode() + b"a\r\n\r\nb\n\n"
    (tmp_path / "x").write_bytes(record * 3)
    found = list(warc.scan(tmp_path / "x"))
    assert [r.body for r in found] == [b"a\r\n\r\nb"] * 3
    assert found[0].headers["x"] == "1 2"
