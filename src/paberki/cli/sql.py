"""paberki sql."""

from __future__ import annotations

import csv
import sys
from decimal import Decimal
from typing import Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet

CELL = 60
ROWS = 40
"""Rows on a terminal; of more, the first and the last are shown."""


def run(
    directory: Dir,
    query: Annotated[str, typer.Argument(help="One SELECT over the views pages and blocks.")],
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    timeout: Annotated[
        float | None, typer.Option("--timeout", metavar="SECONDS", min=0, help="Stop a query that takes longer.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Ask the corpus anything in SQL (DuckDB), read-only.

    The view pages has one row per page, with its text, blocks one per block of text; see: paberki columns

    \b
    Examples:
      paberki sql hr "select reason, count(*) from pages group by all order by 2 desc"
      paberki sql hr "select host, avg(badness) from pages where keep group by all" --csv
      paberki sql hr "select url, text from pages where keep limit 3" --json
    """
    from paberki.corpus import Corpus

    answer = Corpus(directory).sql(query, seconds=timeout)
    names, rows = answer
    if json:
        show.as_json([dict(zip(names, row, strict=True)) for row in rows])
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
    elif not quiet:
        _print(names, rows, answer.types)


def _print(names: list[str], rows: list[tuple[Any, ...]], types: list[str]) -> None:
    """A table; on a terminal in a box, long answers folded in the middle, numbers rounded to what a person reads."""
    numbers = [at for at in range(len(names)) if rows and all(_is_number(row[at]) for row in rows)]
    if show.out.is_terminal:
        cells = [[_cell(value) for value in row] for row in _fold(rows, len(names))]
        show.table(names, cells, right=numbers, boxed=True, below=types)
    else:
        show.table(
            names,
            [["" if value is None else " ".join(str(value).split()) for value in row] for row in rows],
            right=numbers,
        )
    show.say(f"{show.count(len(rows))} row{'' if len(rows) == 1 else 's'}")


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float | Decimal) and not isinstance(value, bool))


def _fold(rows: list[tuple[Any, ...]], width: int) -> list[tuple[Any, ...]]:
    if len(rows) <= ROWS:
        return rows
    return [*rows[: ROWS // 2], ("·",) * width, *rows[-ROWS // 2 :]]


def _cell(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, float):
        return f"{value:,.6g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}" if abs(value) >= 10_000 else str(value)
    text = " ".join(str(value).split())
    return text if len(text) <= CELL else text[: CELL - 1] + "…"
