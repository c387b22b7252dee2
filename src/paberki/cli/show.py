"""How results are printed: tables, JSON, progress."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.box import ROUNDED
from rich.console import Console
from rich.table import Table
from rich.text import Text

from paberki.amounts import count as count
from paberki.amounts import duration as duration
from paberki.amounts import progress_line as progress_line
from paberki.amounts import several as several
from paberki.amounts import size as size
from paberki.terminal import visible

if TYPE_CHECKING:
    from paberki.engine.progress import Progress

_PIPE_WIDTH = 1_000_000
"""In a pipe or a file nothing is wrapped or shortened."""
out = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else _PIPE_WIDTH)
err = Console(stderr=True, highlight=False, soft_wrap=True)
LINE_EVERY = 5.0
"""Seconds between progress lines where there is no terminal."""


def as_json(value: Any) -> None:
    """One JSON object on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=1, default=str) + "\n")


def say(text: str, *, quiet: bool = False) -> None:
    """A line for people. Text from pages is never taken for markup."""
    if not quiet:
        out.print(Text(visible(text, lines=True)))


def say_with_link(text: str, url: str) -> None:
    """A line for people in which an address can be clicked, where the terminal can do that."""
    line = Text(visible(text, lines=True))
    if url.startswith(("http://", "https://")) and url == visible(url):
        line.highlight_words([url], f"link {url}")
    out.print(line)


def page_text(text: str) -> None:
    """Text of a page on standard output: as it is for programs, with control characters shown on a terminal."""
    output = visible(text, lines=True) if sys.stdout.isatty() else text
    sys.stdout.buffer.write(output.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def table(
    heads: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    title: str = "",
    right: Sequence[int] = (),
    boxed: bool = False,
    below: Sequence[str] = (),
) -> None:
    """A table; columns whose numbers are in ``right`` are aligned to the right, and ``below`` heads stand their types."""
    box = ROUNDED if boxed else None
    grid = Table(title=title or None, title_justify="left", box=box, pad_edge=boxed, header_style="bold")
    for number, name in enumerate(heads):
        head = Text.assemble(visible(name), *((f"\n{visible(below[number])}", "not bold dim"),) if below else ())
        grid.add_column(head, justify="right" if number in right else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(Text("" if value is None else visible(str(value))) for value in row))
    out.print(grid, soft_wrap=False)


class ProgressLines:
    """Progress as plain lines now and then, for logs and pipes."""

    def __init__(self) -> None:
        self.last = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.total and now - self.last >= LINE_EVERY:
            self.last = now
            err.print(Text(progress_line(progress)))


class Bars:
    """Progress as a bar on a terminal, one for each stage."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, SpinnerColumn, TextColumn
        from rich.progress import Progress as RichProgress

        columns = (
            SpinnerColumn(),
            TextColumn("{task.description:<28}"),
            BarColumn(),
            TextColumn("{task.fields[line]}"),
        )
        self.bars = RichProgress(*columns, console=err, transient=True)
        self.tasks: dict[str, Any] = {}

    def __call__(self, progress: Progress) -> None:
        if progress.stage not in self.tasks:
            self.tasks[progress.stage] = self.bars.add_task(progress.stage, total=progress.total, line="")
        line = progress_line(progress).partition(": ")[2]
        self.bars.update(self.tasks[progress.stage], completed=progress.done, total=progress.total or None, line=line)


@contextmanager
def watching(*, quiet: bool) -> Iterator[Any]:
    """A progress listener: a bar on a terminal, lines in a log, none if quiet."""
    if quiet:
        yield None
    elif err.is_terminal:
        bars = Bars()
        with bars.bars:
            yield bars
    else:
        yield ProgressLines()
