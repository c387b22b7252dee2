"""What is written reads back, the same each time, and cannot break out of its place."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paberki.archive.payload import payload
from paberki.archive.reading import warc
from paberki.archive.warc_writer import WarcWriter, record_head, truncate

BLOCK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>x"


def filled(path, level=2):
    with WarcWriter(path, date="2024-05-06T07:08:09Z", compress_level=level) as writer:
        return [
            writer.write("response", url=f"http://a.hr/{i}", date="2024-05-06T07:08:09Z", block=BLOCK * i, payload=b"x")
            for i in range(5)
        ]


def test_round_trip(tmp_path):
    places = filled(tmp_path / "x")
    info, *records = warc.scan(tmp_path / "x")
    assert info.type == "warcinfo"
    assert b"software: paberki" in info.body
    assert info.date == "2024-05-06T07:08:09Z"
    assert [(r.offset, r.length) for r in records] == places
    assert [r.body for r in records] == [BLOCK * i for i in range(5)]
    assert records[1].headers["warc-payload-digest"] == "sha1:CH3K3DWFFIUYJK5K7V6DWULFAN4FYIDS"
    assert payload(records[1]).data == b"<p>x"


def test_same_bytes_each_time(tmp_path):
    filled(tmp_path / "a")
    filled(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_levels(tmp_path, level):
    filled(tmp_path / "x", level)
    assert all(r.error is None for r in warc.scan(tmp_path / "x"))


def test_appending_goes_on_where_the_file_ends(tmp_path):
    filled(tmp_path / "x")
    with WarcWriter(tmp_path / "x") as writer:
        begin = writer.position
        offset, length = writer.write("metadata", date=None, block=b"more", record_id="urn:uuid:1")
        assert offset == begin
        assert writer.position == offset + length
        writer.flush(fsync=True)
        record = warc.read(tmp_path / "x", offset, length)
    assert (record.type, record.body, record.id, record.date) == ("metadata", b"more", "urn:uuid:1", None)
    assert sum(r.type == "warcinfo" for r in warc.scan(tmp_path / "x")) == 1


def test_truncate_removes_what_a_killed_writer_left(tmp_path):
    places = filled(tmp_path / "x")
    whole = (tmp_path / "x").read_bytes()
    os.truncate(tmp_path / "x", len(whole) - 3)
    truncate(tmp_path / "x", places[-1][0])
    assert all(r.error is None for r in warc.scan(tmp_path / "x"))
    with pytest.raises(ValueError, match="shorter"):
        truncate(tmp_path / "x", 10**9)


def test_second_opinion(tmp_path):
    import gzip

    filled(tmp_path / "x")
    plain = gzip.decompress((tmp_path / "x").read_bytes())
    (tmp_path / "plain").write_bytes(plain)
    assert warc.format_of(tmp_path / "plain") == "warc"
    assert len(list(warc.scan(tmp_path / "plain"))) == 6


@given(st.text(min_size=1), st.text())
def test_values_stay_in_their_lines(url, value):
    head = record_head(
        "resource",
        url=url,
        date="x",
        content_type=value,
        block=b"",
        payload=None,
        headers={"X": value},
        record_id=None,
    )
    names = [line.split(b":")[0] for line in head[:-4].split(b"\r\n")[1:]]
    allowed = {b"WARC-Type", b"WARC-Record-ID", b"WARC-Date", b"WARC-Target-URI", b"Content-Type", b"X"}
    assert set(names) <= allowed | {b"WARC-Block-Digest", b"Content-Length"}
    assert b"\n" not in head[:-4].replace(b"\r\n", b"")


def test_header_names_are_checked(tmp_path):
    with WarcWriter(tmp_path / "x") as writer, pytest.raises(ValueError, match="header name"):
        writer.write("resource", date=None, block=b"", headers={"a: b\r\nc": "d"})
