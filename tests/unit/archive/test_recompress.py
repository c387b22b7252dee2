"""Archives compressed as a whole become archives with positions."""

import gzip

import pytest
import zstandard
from archive_makers import archive, plain_records

from paberki.archive.adding import recompress as module
from paberki.archive.adding.recompress import recompress
from paberki.archive.reading import warc
from paberki.errors import InputError


def whole(records, suffix):
    data = b"".join(records)
    return gzip.compress(data) if suffix == ".gz" else zstandard.compress(data)


@pytest.mark.parametrize("form", ["warc", "arc"])
@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_single_member(tmp_path, form, suffix):
    records = plain_records(30, form)
    (tmp_path / "x").write_bytes(whole(records, suffix))
    assert warc.is_single_member(tmp_path / "x")
    assert recompress(tmp_path / "x", tmp_path / "y") == len(records)
    assert not warc.is_single_member(tmp_path / "y")
    archive(tmp_path / "z", records, form + ".gz")
    bodies = [r.body for r in warc.scan(tmp_path / "z")]
    assert [r.body for r in warc.scan(tmp_path / "y")] == bodies
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x", "y", "z"]


def test_blocks_without_regard_to_records(tmp_path):
    data = b"".join(plain_records(30))
    blocks = [gzip.compress(data[at : at + 500]) for at in range(0, len(data), 500)]
    (tmp_path / "x").write_bytes(b"".join(blocks))
    assert warc.is_single_member(tmp_path / "x")
    assert recompress(tmp_path / "x", tmp_path / "y") == 30
    assert all(r.error is None for r in warc.scan(tmp_path / "y"))


def test_truncated_single_member_keeps_its_beginning(tmp_path):
    data = whole(plain_records(200), ".gz")
    (tmp_path / "x").write_bytes(data[: len(data) // 2])
    assert warc.is_single_member(tmp_path / "x")
    assert recompress(tmp_path / "x", tmp_path / "y") > 80
    *sound, last = warc.scan(tmp_path / "y")
    assert all(r.error is None for r in sound)
    assert last.error


def test_bombs_are_refused_and_leave_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_FREE_BYTES", 1 << 20)
    (tmp_path / "x").write_bytes(whole([*plain_records(2), b"\0" * 20_000_000], ".gz"))
    with pytest.raises(InputError, match="inflates more than"):
        recompress(tmp_path / "x", tmp_path / "y")
    assert [p.name for p in tmp_path.iterdir()] == ["x"]
