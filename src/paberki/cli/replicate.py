"""paberki replicate."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet


def run(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="P1, P2, P3, P4 or P5.")],
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="Corpus; without it, the bundled mini-web is built.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Folder to write to.")] = Path("replica"),
    reference: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Reference corpus of P2: a corpus, an index or a file.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The tables and figures of a paper for your corpus, ours beside the published ones.

    \b
    Examples:
      paberki replicate P5 --out p5
      paberki replicate P3 hr --out p3
      paberki replicate P2 cs --reference syn2005.vert.gz --out p2
    """
    from paberki.report.papers import replicate

    with show.watching(quiet=quiet or json) as listen:
        items = replicate(paper, directory, out, reference=reference, listen=listen)
    if json:
        show.as_json({"page": str(out / "index.html"), "items": [item.as_json() for item in items]})
        return
    for item in items if not quiet else ():
        show.say(f"{item.label}. {item.title}")
        if item.missing:
            show.say(f"  {item.missing}")
        for line in item.rows[:_SHOWN]:
            show.say(f"  {_line(line)}")
        show.say("")
    show.say(f"page with figures: {out / 'index.html'}", quiet=quiet)


_SHOWN = 12
"""Rows of an item that are printed; the files have all."""


def _line(row: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_value(value)}" for name, value in row.items() if not _is_empty(value))


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | tuple) and not value)


def _value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) >= 1e-4 or not value else f"{value:.6f}"
    if isinstance(value, int):
        return f"{value:,}"
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)[:160]
