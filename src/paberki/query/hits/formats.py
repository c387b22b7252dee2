"""Rows in files: CSV, TSV, JSON lines, spreadsheets, plain text; each begins with what the numbers are about.

Cells of CSV and TSV that a spreadsheet would take for a formula get an apostrophe before them; in xlsx, text is text.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any, Final

from paberki.errors import QueryError
from paberki.terminal import without_controls

__all__ = ["FORMATS", "TEXT_FORMATS", "safe_cell", "write_rows", "write_workbook"]

TEXT_FORMATS: Final = ("text", "csv", "tsv", "jsonl", "conllu", "vert", "spans")
FORMATS: Final = (*TEXT_FORMATS[:4], "xlsx", *TEXT_FORMATS[4:])
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_SHEET_ROWS: Final = 1_048_576
_CELL_CHARACTERS: Final = 32_767


def safe_cell(value: Any) -> Any:
    """A value that no spreadsheet calculates with."""
    if not isinstance(value, str):
        return value
    text = without_controls(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def write_rows(
    out: IO[str], form: str, header: Mapping[str, Any], names: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Write rows as csv, tsv, jsonl or text; an empty header is left out."""
    if form == "jsonl":
        _write_json(out, header, names, rows)
        return
    for name, value in header.items():
        out.write(f"# {name}: {_one_line(value)}\n")
    if form == "csv":
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([safe_cell(value) for value in row] for row in rows)
        return
    out.write("\t".join(names) + "\n")
    cell = safe_cell if form == "tsv" else _short_fraction
    out.writelines("\t".join(_one_line(cell(value)) for value in row) + "\n" for row in rows)


def _write_json(out: IO[str], header: Mapping[str, Any], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    if header:
        out.write(json.dumps({"header": dict(header)}, ensure_ascii=False) + "\n")
    for row in rows:
        line = {name: value for name, value in zip(names, row, strict=True) if value is not None}
        out.write(json.dumps(line, ensure_ascii=False) + "\n")


def _short_fraction(value: Any) -> Any:
    """Fractions with six digits at most."""
    return f"{value:.6g}" if isinstance(value, float) else value


def _one_line(value: Any) -> str:
    text = "" if value is None else str(value)
    return without_controls(text.replace("\t", " ").replace("\n", " ").replace("\r", " "))


def write_workbook(
    out: IO[bytes], header: Mapping[str, Any], names: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Write a spreadsheet row by row, in constant memory."""
    import xlsxwriter

    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, options) as book:
        sheet, top = book.add_worksheet("paberki"), len(header) + bool(header)
        for number, (name, value) in enumerate(header.items()):
            _write_row(sheet, number, [name, _one_line(value)])
        _write_row(sheet, top, names)
        for number, row in enumerate(rows, top + 1):
            if number >= _SHEET_ROWS:
                raise QueryError(
                    f"a sheet has {_SHEET_ROWS:,} rows at most; write fewer with --first or --sample, or --format csv"
                )
            _write_row(sheet, number, row)
    out.write(content.getvalue())


def _write_row(sheet: Any, number: int, row: Sequence[Any]) -> None:
    for column, value in enumerate(row):
        if isinstance(value, str):
            sheet.write_string(number, column, without_controls(value)[:_CELL_CHARACTERS])
        elif value is not None:
            sheet.write(number, column, value)
