"""Which files count as a page."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from paberki.cli.input_file import read_page
from paberki.errors import InputError

PAGE = "<html><body><p>Jučer je u gradu otvorena nova izložba.</p></body></html>"


def test_programs_pictures_and_archives_are_refused(tmp_path: Path) -> None:
    picture = tmp_path / "picture"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0\0\0<\x81" * 900)
    archive = tmp_path / "pages.warc"
    archive.write_bytes(b"WARC/1.1\r\nWARC-Type: response\r\n")
    for file in (Path(sys.executable), picture):
        with pytest.raises(InputError, match="not a page"):
            read_page(file)
    with pytest.raises(InputError, match="paberki import"):
        read_page(archive)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1250", "utf-16", "utf-16-le", "utf-16-be", "utf-32-le"])
def test_pages_in_any_encoding_are_read(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(PAGE.encode(encoding))
    assert read_page(file) == PAGE.encode(encoding)


def test_a_text_with_a_stray_zero_is_a_page(tmp_path: Path) -> None:
    file = tmp_path / "page.txt"
    file.write_bytes(b"one line \0 of text\n" + b"another line\n" * 200)
    assert read_page(file)
