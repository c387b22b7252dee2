"""Reads pages from tables: CSV or TSV with a header line, and JSONL, plain or compressed.

Tables are read line by line within bounds. An unusable line is reported and skipped; only a table without the required
columns is refused as a whole.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

from paberki.archive.reading.archived_record import clean_url
from paberki.archive.reading.numbered_lines import LINE_BYTES, OnError, json_objects, numbered_lines, open_stream
from paberki.errors import InputError

SUFFIXES = (".csv", ".tsv", ".jsonl", ".ndjson")

_CONTENT = {"html": "text/html", "text": "text/plain", "content": "text/html"}
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_MIME = re.compile(r"[A-Za-z0-9.+-]{1,80}/[A-Za-z0-9.+-]{1,80}")
_LONE = re.compile("[\ud800-\udfff]")


_LONGEST_URL = 16_000
"""Longest URL in characters; with a longer one, the record header would exceed the reader's limit."""


@dataclass(frozen=True, slots=True)
class LoosePage:
    """One page from a table or file, ready to be written."""

    url: str
    date: str | None
    content_type: str
    data: bytes


def table_suffix(path: Path) -> str | None:
    """The kind of a table by its file name, ignoring ``.gz`` and ``.zst``; ``None`` if it is not a table."""
    name = path.name.lower().removesuffix(".gz").removesuffix(".zst")
    return next((suffix for suffix in SUFFIXES if name.endswith(suffix)), None)


def pages(path: Path, *, base_url: str | None, on_error: OnError) -> Iterator[LoosePage]:
    """The pages of a table in order."""
    suffix = table_suffix(path)
    with open_stream(path) as stream:
        lines = numbered_lines(stream, path.name, on_error)
        if suffix in (".csv", ".tsv"):
            rows = _csv_rows(lines, path.name, "\t" if suffix == ".tsv" else None, on_error)
        else:
            rows = _json_rows(lines, path.name, on_error)
        for where, row in rows:
            try:
                yield _page(row, base_url)
            except ValueError as error:
                on_error(where, str(error))


def _json_rows(
    lines: Iterator[tuple[int, bytes]], name: str, on_error: OnError
) -> Iterator[tuple[str, Mapping[str, object]]]:
    has_columns = False
    for number, fields in json_objects(lines, name, on_error):
        row = {key.strip().lower(): value for key, value in fields.items()}
        if not has_columns:
            _check_columns(list(row), name)
            has_columns = True
        yield f"{name}:{number}", row


def _csv_rows(
    lines: Iterator[tuple[int, bytes]], name: str, delimiter: str | None, on_error: OnError
) -> Iterator[tuple[str, Mapping[str, object]]]:
    number, first = next(lines, (1, b""))
    header = first.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    delimiter = delimiter or max(",;\t", key=header.count)
    names = [field.strip().lower() for field in next(csv.reader([header], delimiter=delimiter), [])]
    _check_columns(names, name)

    def text() -> Iterator[str]:
        nonlocal number
        for at, line in lines:
            number = at
            yield line.decode("utf-8", "surrogateescape")

    reader = csv.reader(text(), delimiter=delimiter)
    while True:
        begin = number + 1
        try:
            with _field_limit():
                row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            on_error(f"{name}:{begin}", f"not a valid row ({error})")
            continue
        if len(row) == len(names):
            yield f"{name}:{begin}", dict(zip(names, row, strict=True))
        elif row:
            on_error(f"{name}:{begin}", f"has {len(row)} fields, the header has {len(names)}")


@contextmanager
def _field_limit() -> Iterator[None]:
    """Raise the csv module's field limit while a row is read; the limit is global to the process."""
    before = csv.field_size_limit(LINE_BYTES)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _check_columns(names: list[str], name: str) -> None:
    if "url" in names and any(content in names for content in _CONTENT):
        return
    columns = ", ".join(names[:20])[:400] or "none"
    raise InputError(f"{name}: needs a column url and one of html, text, content; found: {columns}")


def _page(row: Mapping[str, object], base_url: str | None) -> LoosePage:
    """The page of a row; raises ValueError with the reason if the row is unusable."""
    url = row.get("url")
    if not isinstance(url, str) or not url.strip():
        raise ValueError("no url")
    url = clean_url(urljoin(base_url, url.strip()) if base_url else url)
    if not _SCHEME.match(url):
        raise ValueError("the url is not absolute")
    if len(url) > _LONGEST_URL:
        raise ValueError(f"the url has {len(url):,} characters, more than {_LONGEST_URL:,}")
    column = next((name for name in _CONTENT if isinstance(row.get(name), str) and row[name]), None)
    if column is None:
        raise ValueError("no content")
    data, charset = _to_bytes(str(row[column]), row.get("charset"))
    mime = row.get("mime")
    kind = mime.lower() if isinstance(mime, str) and _MIME.fullmatch(mime) else _CONTENT[column]
    date = row.get("date")
    kind += f"; charset={charset}" if charset else ""
    return LoosePage(url, date if isinstance(date, str) else None, kind, data)


def _to_bytes(text: str, claim: object) -> tuple[bytes, str | None]:
    """Return (bytes, charset): UTF-8, or the original bytes of a CSV that is not UTF-8, with the charset it claims."""
    if not _LONE.search(text):
        return text.encode(), "utf-8"
    try:
        data = text.encode("utf-8", "surrogateescape")
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data, claim if isinstance(claim, str) and re.fullmatch(r"[\w.:-]{1,40}", claim) else None
    except UnicodeEncodeError:
        pass
    return _LONE.sub("\ufffd", text).encode(), "utf-8"
