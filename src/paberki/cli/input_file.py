"""Input files of verbs that work without a corpus."""

from __future__ import annotations

import codecs
import re
import sys
from pathlib import Path
from typing import Final

from paberki.errors import InputError
from paberki.store.files import local

_ODD: Final = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
_MOST_ODD: Final = 0.1
_LOOKED_AT: Final = 1 << 20
_PACKED: Final = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"%PDF-", b"BZh", b"\xfd7zXZ")
"""Beginnings of gzip, zstd, zip, PDF, bzip2 and xz."""
_TAG: Final = re.compile(rb"<(?:!doctype|!--|\?xml|html|head|body|title|meta|div|table|p|br)[\s>]", re.IGNORECASE)


def read_file(file: Path) -> bytes:
    """Bytes of a file, or of standard input for ``-``."""
    if str(file) == "-":
        return sys.stdin.buffer.read()
    if local(file).is_dir():
        raise InputError(f"{file} is a directory, not a page")
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{file}: no such file") from None
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None


def read_page(file: Path) -> bytes:
    """Bytes of one page; an archive or another binary file is refused, and the error says what to do with it."""
    data = read_file(file)
    name = "standard input" if str(file) == "-" else str(file)
    if data.startswith(_PACKED) or data.lstrip()[:5] == b"WARC/":
        raise InputError(
            f"{name}: is an archive or compressed, not a page; make a corpus of it: "
            f"paberki new DIR --lang CODE, paberki import DIR {name}, paberki build DIR"
        )
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if (
        not is_wide
        and data.count(0, 0, _LOOKED_AT) > _MOST_ODD / 100 * min(len(data), _LOOKED_AT)
        and not _TAG.search(data[:_LOOKED_AT].replace(b"\0", b""))  # pages in UTF-16 are full of zeros
    ):
        raise InputError(f"{name}: is not a page but something else, perhaps a binary file; give HTML or plain text")
    return data


def read_text(file: Path) -> str:
    """A file of text in UTF-8, or in UTF-16 with a byte order mark; one of anything else is refused."""
    data = read_file(file)
    name = "standard input" if str(file) == "-" else str(file)
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = data.decode("utf-16" if is_wide else "utf-8", "replace").removeprefix("\ufeff")
    head = text[:_LOOKED_AT]
    if "\0" in text or len(_ODD.findall(head)) > _MOST_ODD * len(head):
        raise InputError(f"{name}: is not text in UTF-8 but something else, perhaps a binary file; give plain text")
    return text
