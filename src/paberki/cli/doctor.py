"""paberki doctor."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from paberki.cli import show
from paberki.cli.options import Json, Quiet


def run(
    directory: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="Corpus to examine as well.")] = None,
    warm: Annotated[
        bool, typer.Option("--warm", help="Compile kernels now, so that the first build need not.")
    ] = False,
    deep: Annotated[bool, typer.Option("--deep", help="Read all archives of the corpus: are they unchanged?")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check the machine, the optional parts, and the health of a corpus.

    \b
    Examples:
      paberki doctor
      paberki doctor hr --deep
      paberki doctor --warm
    """
    from paberki.doctor import corpus_checks, machine_checks, warm_up

    checks = machine_checks()
    if warm:
        checks.append(warm_up())
    if directory is not None:
        checks += corpus_checks(directory, deep=deep)
    if json:
        show.as_json([{"what": one.what, "fine": one.fine, "detail": one.detail} for one in checks])
    elif not quiet:
        marks = {True: "ok", False: "BAD", None: "-"}
        show.table(("", "what", "finding"), [(marks[one.fine], one.what, one.detail) for one in checks])
    if any(one.fine is False for one in checks):
        raise typer.Exit(1)
