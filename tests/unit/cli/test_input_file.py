"""Files that verbs are given without a corpus."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from typer.testing import CliRunner

from paberki.cli.app import app
from paberki.cli.input_file import read_text
from paberki.errors import InputError

BINARY = {
    "image.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)),
    "page.txt.gz": gzip.compress(b"Neki tekst o svemu. " * 9, mtime=0),
    "numbers": bytes(range(128, 256)) * 20,
}


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("verb", [("annotate", "--lang", "hr"), ("identify",)])
def test_binary_files_are_refused(tmp_path: Path, verb: tuple[str, ...], name: str) -> None:
    (tmp_path / name).write_bytes(BINARY[name])
    done = CliRunner().invoke(app, [*verb, str(tmp_path / name)])
    assert isinstance(done.exception, InputError)
    assert f"{name}: is not text" in str(done.exception)
    assert "\n" not in str(done.exception)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_text_is_read(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes("Kuća\tje žuta.\r\n".encode(encoding))
    assert read_text(file) == "Kuća\tje žuta.\r\n"


def test_a_few_wrong_characters_are_borne(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_bytes("Kuća je žuta i stoji na brdu iznad rijeke.".encode("cp1250"))
    assert "\ufffd" in read_text(file)
