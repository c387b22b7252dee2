"""paberki sql."""

from __future__ import annotations

import csv
import sys
from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Dir, Json, Quiet

CELL = 60


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

    The view pages has one row per page, blocks one per block of text; see: paberki columns

    \b
    Examples:
      paberki sql hr "select reason, count(*) from pages group by all order by 2 desc"
      paberki sql hr "select host, avg(badness) from pages where keep group by all" --csv
    """
    from paberki.corpus import Corpus

    names, rows = Corpus(directory).sql(query, seconds=timeout)
    if json:
        show.as_json([dict(zip(names, row, strict=True)) for row in rows])
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
    elif not quiet:
        shown = [[_cell(value) for value in row] for row in rows]
        numbers = [at for at in range(len(names)) if rows and all(isinstance(row[at], int | float) for row in rows)]
        show.table(names, shown, right=numbers)
        show.say(f"{len(rows)} row{'' if len(rows) == 1 else 's'}")


def _cell(value: object) -> str:
    text = "" if value is None else " ".join(str(value).split())
    return text if len(text) <= CELL or not show.out.is_terminal else text[: CELL - 1] + "…"
