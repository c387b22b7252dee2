"""Coding files: CSV with ``id key url`` (``start end`` for blocks) and one column for each variable.

Spreadsheets may have saved the file with semicolons or tabs, a byte-order mark and capitals; all of that is read. What
cannot be read (unknown values, rows without a key, keys that come twice) is reported with its line number and not counted.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from paberki.coding.coding_scheme import GENRE, RESERVED, Scheme, Variable, spelling
from paberki.errors import InputError
from paberki.nearest import nearest
from paberki.store.files import explain, replacing

PAGE_COLUMNS: Final = ("id", "key", "url")
BLOCK_COLUMNS: Final = ("id", "key", "url", "start", "end")
_MOST_BYTES: Final = 256_000_000
_MOST_TEXT: Final = 1000
"""Characters of a block that a coder sees in a spreadsheet."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


class Place(NamedTuple):
    """What a label hangs on: the key of a page and, for blocks, the byte span in its payload."""

    key: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Coding:
    """One row: a page or block and the values a coder gave it; variables without a value are absent."""

    place: Place
    id: str = ""
    url: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    """Of a block, for coders who work in a spreadsheet."""


class Problem(NamedTuple):
    """Something in a coding file that was not counted."""

    line: int
    variable: str
    value: str
    message: str


@dataclass(frozen=True, slots=True)
class CodingFile:
    """The codings of one coder."""

    coder: str
    scheme: Scheme
    rows: Mapping[Place, Coding]
    problems: Sequence[Problem] = ()

    def labels(self, variable: str) -> dict[Place, str]:
        """The value of every row that has one."""
        return {place: row.labels[variable] for place, row in self.rows.items() if variable in row.labels}


def read_coding(path: Path, scheme: Scheme | None = None) -> CodingFile:
    """Read a coding file; columns that the scheme (P5's by default) does not have are variables with free values."""
    lines = csv_lines(path)
    head = [name.strip().lower() for name in next(lines, (1, []))[1]]
    if "key" not in head and "id" not in head:
        raise InputError(f"{path}: no column key or id in its first line; make a file with: paberki code draw DIR")
    names = list(dict.fromkeys(name for name in head if name and name not in RESERVED))
    if not names:
        raise InputError(f"{path}: no variable beside {', '.join(head)}; name one in the first line, for example mode")
    file_scheme = Scheme(tuple(_variable(name, scheme or GENRE, path, strict=scheme is not None) for name in names))
    rows: dict[Place, Coding] = {}
    problems: list[Problem] = []
    for number, cells in lines:
        if not any(cell.strip() for cell in cells):
            continue
        row = dict(zip(head, (cell.strip() for cell in cells), strict=False))
        _take(row, number, file_scheme, rows, problems)
    return CodingFile(path.name.removesuffix(".csv"), file_scheme, rows, problems)


def _variable(name: str, scheme: Scheme, path: Path, *, strict: bool) -> Variable:
    if strict and name not in scheme.names:
        raise InputError(f"{path}: the scheme has no variable {name!r}{nearest(name, scheme.names)}")
    return scheme.variable(name)


def _take(row: dict[str, str], line: int, scheme: Scheme, rows: dict[Place, Coding], problems: list[Problem]) -> None:
    """Add one row, or say what is wrong with it."""
    place = _place(row)
    if place is None:
        problems.append(Problem(line, "", row.get("start", ""), "has no key, or a span that is no pair of numbers"))
        return
    if place in rows:
        problems.append(Problem(line, "", place.key, "is there twice; the last row counts"))
    labels = {}
    for variable in scheme.variables:
        value = spelling(row.get(variable.name, ""))
        if value and variable.values and value not in variable.values:
            hint = nearest(value, variable.values) or f"; there are {', '.join(variable.values)}"
            problems.append(Problem(line, variable.name, value, f"is not a value of {variable.name}{hint}"))
        elif value:
            labels[variable.name] = value
    rows[place] = Coding(place, row.get("id", ""), row.get("url", ""), labels, row.get("text", ""))


def _place(row: Mapping[str, str]) -> Place | None:
    key, start, end = row.get("key") or row.get("id", ""), row.get("start", ""), row.get("end", "")
    if not key:
        return None
    if not start and not end:
        return Place(key)
    return Place(key, int(start), int(end)) if start.isdecimal() and end.isdecimal() else None


def csv_lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Numbers of lines and their cells, whatever the spreadsheet put between them."""
    try:
        with path.open("rb") as file:
            raw = file.read(_MOST_BYTES)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    try:
        text = raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError(f"{path}, line {line}: not UTF-8; save the file as CSV UTF-8") from error
    first = text.partition("\n")[0]
    between = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=between)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(f"{path}: not a CSV file ({error})") from error


def write_coding(path: Path, rows: Iterable[Coding], scheme: Scheme = GENRE, *, blocks: bool = False) -> int:
    """Write a coding file, whole or not at all; the number of rows."""
    count = 0
    head = [*(BLOCK_COLUMNS if blocks else PAGE_COLUMNS), *scheme.names, *(["text"] if blocks else [])]
    try:
        with replacing(path) as beside, open(beside, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(head)
            for row in rows:
                writer.writerow(_cells(row, scheme, blocks=blocks))
                count += 1
    except OSError as error:
        raise explain(error, f"writing {path}") from error
    return count


def _cells(row: Coding, scheme: Scheme, *, blocks: bool) -> list[object]:
    labels = [row.labels.get(name, "") for name in scheme.names]
    if not blocks:
        return [row.id, row.place.key, harmless(row.url), *labels]
    return [
        row.id,
        row.place.key,
        harmless(row.url),
        row.place.start,
        row.place.end,
        *labels,
        harmless(row.text[:_MOST_TEXT]),
    ]


def harmless(text: str) -> str:
    """Text of strangers that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in _FORMULA else text
