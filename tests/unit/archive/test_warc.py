"""Every format reads back, and ranges of a file give what the whole file gives."""

import gzip

import pytest
import zstandard
from archive_makers import arc_head, arc_record, archive, packed, plain_records, warc_record
from hypothesis import given, settings
from hypothesis import strategies as st

from paberki.archive.reading import warc
from paberki.errors import InputError

FORMATS = ["warc", "warc.gz", "warc.zst", "arc", "arc.gz", "arc2", "arc2.gz"]


def ranged(path, size, **options):
    """Scan the ranges of a file as a parallel caller does: each alone, then checked against its neighbour."""
    records, repaired, reached = [], 0, 0
    for start, end in warc.split(path, size):
        scan = warc.scan(path, start=start, end=end, **options)
        part = list(scan)
        if scan.begin != reached:
            repaired += 1
            scan = warc.scan(path, start=reached, end=end, exact=True, **options)
            part = list(scan)
        records += part
        reached = scan.stop
    return records, repaired


@pytest.mark.parametrize("form", FORMATS)
def test_round_trip(tmp_path, form):
    records = plain_records(form=form)
    places = archive(tmp_path / "x", records, form)
    assert warc.format_of(tmp_path / "x") == form.replace("2", "")
    found = list(warc.scan(tmp_path / "x"))
    assert [(r.offset, r.length) for r in found] == places
    assert all(r.error is None for r in found)
    for record, raw in zip(found, records, strict=True):
        assert raw.rstrip(b"\r\n").endswith(record.body.rstrip(b"\r\n"))
        assert warc.read(tmp_path / "x", record.offset, record.length) == record
    assert found[-1].url == "http://a.hr/11"
    assert found[-1].date == "2020-01-02T03:04:05Z"
    assert not warc.is_single_member(tmp_path / "x")


@pytest.mark.parametrize("form", FORMATS)
def test_bodies_are_left_out_on_request(tmp_path, form):
    archive(tmp_path / "x", plain_records(form=form), form)
    full, bare = list(warc.scan(tmp_path / "x")), list(warc.scan(tmp_path / "x", bodies=False))
    assert [(r.offset, r.headers) for r in full] == [(r.offset, r.headers) for r in bare]
    assert not any(r.body for r in bare)


@pytest.mark.parametrize("form", ["warc", "warc.gz"])
@pytest.mark.filterwarnings("ignore:Use")
def test_fastwarc_agrees(tmp_path, form):
    from fastwarc.warc import ArchiveIterator

    archive(tmp_path / "x", plain_records(40), form)
    ours = [(r.offset, r.type, r.headers["warc-target-uri"], r.body) for r in warc.scan(tmp_path / "x")]
    with open(tmp_path / "x", "rb") as file:
        theirs = [
            (r.stream_pos, r.headers["WARC-Type"], r.headers["WARC-Target-URI"], r.reader.read())
            for r in ArchiveIterator(file, parse_http=False)
        ]
    assert ours == theirs


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 3000), min_size=1, max_size=12),
    size=st.integers(1, 5000),
    form=st.sampled_from(["warc", "warc.gz", "warc.zst", "arc", "arc.gz"]),
)
def test_ranges_equal_whole(tmp_path_factory, sizes, size, form):
    path = tmp_path_factory.mktemp("r") / "x"
    make = arc_record if form.startswith("arc") else warc_record
    bodies = [bytes((i * 7 + j * j) % 251 for j in range(n)) for i, n in enumerate(sizes)]
    archive(path, [make(f"http://a.hr/{i}", body) for i, body in enumerate(bodies)], form)
    size = max(size, path.stat().st_size // 60)
    records, repaired = ranged(path, size)
    assert records == list(warc.scan(path))
    assert len(records) == len(sizes)
    assert repaired == 0


@settings(max_examples=40, deadline=None)
@given(
    hits=st.lists(st.tuples(st.floats(0, 1), st.integers(1, 255)), min_size=1, max_size=6),
    size=st.integers(500, 9000),
    form=st.sampled_from(["warc", "warc.gz", "warc.zst", "arc.gz"]),
)
def test_ranges_equal_whole_in_damaged_files(tmp_path_factory, hits, size, form):
    path = tmp_path_factory.mktemp("r") / "x"
    archive(path, plain_records(form=form), form)
    data = bytearray(path.read_bytes())
    for where, change in hits:
        data[64 + int(where * (len(data) - 65))] ^= change
    path.write_bytes(data)
    whole = list(warc.scan(path))
    assert ranged(path, size)[0] == whole
    assert sum(r.length for r in whole) == len(data)
    assert sum(r.error is not None for r in whole) <= 2 * len(hits)


def test_record_inside_a_record_does_not_fool_a_checked_range(tmp_path):
    inner = b"\r\n" + b"".join(warc_record(f"http://evil.hr/{i}", b"x" * 50) for i in range(50))
    records = [warc_record("http://a.hr/1", inner), warc_record("http://a.hr/2", b"y")]
    archive(tmp_path / "x", records, "warc")
    assert [r.url for r in warc.scan(tmp_path / "x")] == ["http://a.hr/1", "http://a.hr/2"]
    middle = warc.scan(tmp_path / "x", start=len(records[0]) // 2)
    assert next(middle).url.startswith("http://evil.hr/")
    found, repaired = ranged(tmp_path / "x", 1000)
    assert [r.url for r in found] == ["http://a.hr/1", "http://a.hr/2"]
    assert repaired


def test_stored_archive_inside_a_member_does_not_fool_a_checked_range(tmp_path):
    inner = b"".join(packed(warc_record(f"http://evil.hr/{i}", b"x" * 50), ".gz") for i in range(200))
    records = [warc_record("http://a.hr/1", inner), warc_record("http://a.hr/2", b"y")]
    (tmp_path / "x").write_bytes(b"".join(gzip.compress(r, 0, mtime=0) for r in records))
    found, repaired = ranged(tmp_path / "x", 3000)
    assert [r.url for r in found] == ["http://a.hr/1", "http://a.hr/2"]
    assert repaired


@pytest.mark.parametrize("squeezed", [False, True])
def test_zstd_dictionary(tmp_path, squeezed):
    records = plain_records(40)
    dictionary = zstandard.train_dictionary(4096, records * 10)
    stored = dictionary.as_bytes()
    if squeezed:
        stored = zstandard.ZstdCompressor().compress(stored)
    packer = zstandard.ZstdCompressor(dict_data=dictionary)
    head = b"\x5d\x2a\x4d\x18" + len(stored).to_bytes(4, "little") + stored
    (tmp_path / "x").write_bytes(head + b"".join(packer.compress(r) for r in records))
    assert warc.format_of(tmp_path / "x") == "warc.zst"
    found = list(warc.scan(tmp_path / "x"))
    assert len(found) == 40
    assert not any(r.error for r in found)
    assert found[0].offset == len(head)
    assert warc.read(tmp_path / "x", found[5].offset, found[5].length) == found[5]
    assert ranged(tmp_path / "x", 4000)[0] == found


def test_wet(tmp_path):
    archive(tmp_path / "x", [warc_record("http://a.hr/", "čaša".encode(), kind="conversion")], "warc.gz")
    (record,) = warc.scan(tmp_path / "x")
    assert record.type == "conversion"
    assert record.body.decode() == "čaša"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\x00\xff" * 500, "not a WARC"),
        (b"<html>", "not a WARC"),
        (b"WARC/1.0\r\n", "not a"),
    ],
)
def test_not_an_archive(tmp_path, content, message):
    (tmp_path / "x.bin").write_bytes(content)
    with pytest.raises(InputError, match=f"x.bin: .*{message}"):
        warc.format_of(tmp_path / "x.bin")


def test_compressed_but_not_an_archive(tmp_path):
    (tmp_path / "x").write_bytes(packed(b"hello " * 1000, ".gz"))
    with pytest.raises(InputError):
        warc.scan(tmp_path / "x")


def test_missing_and_special_files(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        warc.scan(tmp_path / "none")
    with pytest.raises(InputError, match="not a regular file"):
        warc.format_of(tmp_path)


def test_read_with_a_wrong_length_or_place(tmp_path):
    places = archive(tmp_path / "x", plain_records(3), "warc.gz")
    assert warc.read(tmp_path / "x", places[1][0], 5).error[0] == "wrong-length"
    assert warc.read(tmp_path / "x", places[1][0] + 1, 5).error[0] == "wrong-length"
    with pytest.raises(InputError, match="no record at"):
        warc.read(tmp_path / "x", 10**9, 5)


def test_arc_head_is_information(tmp_path):
    archive(tmp_path / "x", [arc_head(), arc_record("http://a.hr/a b", b"HTTP/1.0 200 OK\n\nx")], "arc")
    info, page = warc.scan(tmp_path / "x")
    assert info.type == "warcinfo"
    assert (page.type, page.url) == ("response", "http://a.hr/a%20b")


def test_split_covers_the_file(tmp_path):
    (tmp_path / "x").write_bytes(b"a" * 10)
    assert warc.split(tmp_path / "x", 4) == [(0, 4), (4, 8), (8, 10)]
    with pytest.raises(ValueError, match="at least one byte"):
        warc.split(tmp_path / "x", 0)
