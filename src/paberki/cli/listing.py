"""What the verbs of the concordancer share: time limits, and tables on the terminal or in files."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from paberki.query.concordancer import Concordancer

TERMINAL_ROWS: Final = 50
_GRACE: Final = 1.0
_AFTER: Final = 4.0
"""Seconds that may pass after a time limit before the process ends, whatever it is doing."""


def open_corpus(
    directory: Path, where: str | None, set_name: str | None, beside: Concordancer | None = None
) -> Concordancer:
    """The corpus, or the part of it that options name; ``beside`` is open already and of the same directory."""
    from paberki.query.concordancer import OpenIndex

    corpus = OpenIndex(directory) if beside is None else OpenIndex(beside.reader)
    return corpus.part(where, set=set_name) if where or set_name else corpus


def list_options(include: Path | None, exclude: Path | None, regex: str | None, least: int) -> dict[str, Any]:
    """Options of a list as its functions take them."""
    from paberki.query.counting.list_table import read_words

    options: dict[str, Any] = {"min": least}
    if include is not None:
        options["include"] = read_words(include)
    if exclude is not None:
        options["exclude"] = read_words(exclude)
    return options | ({"regex": regex} if regex is not None else {})


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """End the process some seconds after the limit if nothing else has ended it by then."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds + max(_GRACE, min(_AFTER, seconds)), _give_up, (seconds,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _give_up(seconds: float) -> None:
    sys.stderr.write(
        f"paberki: stopped: no answer within --timeout {seconds:g} seconds; ask for less, or allow more time\n"
    )
    sys.stderr.flush()
    os._exit(1)


@contextmanager
def output(path: Path | None, form: str) -> Iterator[IO[Any]]:
    """The file, or standard output; a spreadsheet is not written to a terminal."""
    from paberki.errors import ConfigError

    if path is not None:
        with path.open("wb") if form == "xlsx" else path.open("w", encoding="utf-8", errors="replace") as file:
            yield file
    elif form != "xlsx":
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
        yield sys.stdout
    elif sys.stdout.isatty():
        raise ConfigError("a spreadsheet goes into a file; type: --out FILE.xlsx")
    else:
        yield sys.stdout.buffer


def is_for_people(path: Path | None, form: str) -> bool:
    """Whether somebody looks at the output on a terminal."""
    return path is None and form == "text" and sys.stdout.isatty()


def terminal_width() -> int:
    """Cells of a line of the terminal."""
    return shutil.get_terminal_size((80, 24)).columns


def show_list(
    table: Any, header: dict[str, Any], *, form: str, out: Path | None, first: int | None, no_header: bool
) -> None:
    """A list on the terminal, its first rows; or all of it in a format."""
    people = is_for_people(out, form)
    limit = first if first is not None else (TERMINAL_ROWS if people else None)
    first_rows = table if limit is None else table.slice(0, limit)
    if people:
        _print_table(first_rows)
        about = ", ".join(f"{name} {value}" for name, value in header.items())
        more = (
            f"{first_rows.num_rows:,} of {table.num_rows:,} rows"
            if first_rows.num_rows < table.num_rows
            else f"{table.num_rows:,} rows"
        )
        sys.stdout.write(f"{more}; {about}\n")
        return
    from paberki.query.hits.hit_export import write_table

    with output(out, form) as stream:
        write_table(stream, form, {} if no_header else header, first_rows)


def _print_table(table: Any) -> None:
    """Columns side by side: text to the left, numbers to the right."""
    from paberki.query.hits.width import cells, shorten
    from paberki.terminal import visible

    room = max(20, terminal_width() // 3)
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        texts = [_cell(value) for value in column.to_pylist()]
        columns.append([name, *(shorten(visible(text), room) for text in texts)])
    widths = [max(map(cells, column)) for column in columns]
    numeric = [str(field.type) not in ("string", "large_string") for field in table.schema]
    for row in zip(*columns, strict=True):
        sys.stdout.write(_align(row, widths, numeric).rstrip() + "\n")


def _align(row: Sequence[str], widths: list[int], numeric: list[bool]) -> str:
    from paberki.query.hits.width import cells

    gaps = [" " * (width - cells(text)) for text, width in zip(row, widths, strict=True)]
    return "  ".join(gap + text if right else text + gap for text, gap, right in zip(row, gaps, numeric, strict=True))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.2f}" if abs(value) >= 0.01 or value == 0 else f"{value:.2g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
